package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A causalNet is a network in which what comes first is handled first, over all ranks, if it is strong. It allows more
// than the hold of [causalModel]: each message carries how many strong messages to each rank its sender knows of, and
// its receiver leaves it in the channel until it has handled those.
type causalNet struct {
	network
	number, done []model.Word   // strong messages sent and handled, by pair
	knows        [][]model.Word // by rank and pair
	carries      [][]model.Word // by channel, place in it and pair
}

func newCausalNet(s *model.System, ranks int) *causalNet {
	pairs := ranks * ranks
	n := &causalNet{network: newNetwork(s, ranks), number: s.Words("number", pairs), done: s.Words("done", pairs)}
	for r := range ranks {
		n.knows = append(n.knows, s.Words(fmt.Sprintf("%d knows", r), pairs))
	}
	for channel := range pairs {
		var words []model.Word
		if channel%(ranks+1) != 0 {
			words = s.Words(fmt.Sprintf("channel %d carries", channel), channelRoom*pairs)
		}
		n.carries = append(n.carries, words)
	}
	return n
}

func (n *causalNet) post(m model.Memory, from, to, message int, strong bool) {
	channel := from*n.ranks() + to
	at := int(m[n.length[from][to]]) * len(n.number)
	for k, w := range n.knows[from] {
		m[n.carries[channel][at+k]] = m[w]
	}
	if strong {
		m[n.number[channel]]++
		m[n.knows[from][channel]] = m[n.number[channel]]
	}
	n.send(m, from, to, message)
}

// ready reports whether rank to may take its next message from a rank.
func (n *causalNet) ready(m model.Memory, from, to int) bool {
	for a := range n.ranks() {
		if k := a*n.ranks() + to; a != from && m[n.done[k]] < m[n.carries[from*n.ranks()+to][k]] {
			return false
		}
	}
	return n.next(m, from, to) != 0
}

func (n *causalNet) receive(m model.Memory, from, to int, strong func(message int) bool) int {
	channel, pairs := from*n.ranks()+to, len(n.number)
	carries := n.carries[channel]
	for k, w := range n.knows[to] {
		m[w] = max(m[w], m[carries[k]])
	}
	for k := range carries {
		if k+pairs < len(carries) {
			m[carries[k]] = m[carries[k+pairs]]
		} else {
			m[carries[k]] = 0
		}
	}
	message := n.take(m, from, to)
	if strong(message) {
		m[n.done[channel]]++
	}
	return message
}

// A dropModel is a block that is destroyed when EDTs on other ranks are runnable that use it, and do not have it yet.
// The block lives on rank 0. What carries the block to another rank carries a *pin*, which its home counts before:
// memory stays while pins are out. A rank keeps the pins that came to it, one at least; if it has none for a message
// that it sends, or names the block first, it makes some, and tells home by NAME.
//
// Home knows which ranks have the block. Destroyed, it sends them DROP. A rank answers with its pins when no
// EDT of its own waits for the block, holds it, or has it in a slot.
//
// If a rank passes the block to another one and no EDT of the first rank holds it, the lease goes there ahead of the
// message, through home. After its destruction a block moves only by request.
type dropModel struct {
	*leaseModel
	dropProgram
	causal                 *causalNet
	pins, destroyed, freed model.Word
	named                  []model.Word // by rank, as home knows
	has, stock, dropping   []model.Word // by rank
	came                   []model.Word // by rank: into how many slots
	open, filled           []model.Word // by user: slots to be filled; whether the block is in one
	woken                  model.Word
}

// A dropProgram is calls of an EDT that runs on rank main, and then the destruction, by it or by an EDT on another
// rank that it wakes; or by the last user, at its end.
type dropProgram struct {
	main, destroyer int
	last            bool
	calls           []dropCall
	users           []leaseEDT // with one use each
}

// A dropCall satisfies an event of rank event, for which a slot of an EDT waits, with the block or without.
type dropCall struct {
	event, user int
	block       bool
}

const (
	sendFill    = 5 << 8 // and the user; these two with withBlock
	sendSatisfy = 6 << 8
	sendDestroy = 7 << 8 // and the pins that it brings
	sendName    = 8 << 8 // and the pins
	sendDrop    = 9 << 8
	sendDropped = 10 << 8 // and the pins
	sendWake    = 11 << 8
	withBlock   = 1 << 5
)

// strong: of all these messages, only NAME must have been handled when what comes after it is.
func (x *dropModel) strong(message int) bool {
	return message&^(sendLease-1) == sendName && x.weak != "pins are made behind home's back"
}

func (x *dropModel) post(m model.Memory, from, to, message int) {
	x.causal.post(m, from, to, message, x.strong(message))
}

// carry sends a message with the block, and a pin of it, from a rank to another.
func (x *dropModel) carry(m model.Memory, from, to, message int) {
	x.pinFor(m, from, to)
	x.sendAlong(m, from, to, message)
	x.post(m, from, to, message+withBlock)
	if from == 0 && m[x.destroyed] != 0 {
		x.post(m, 0, to, sendDrop)
	}
}

// pinFor takes a pin of the block for a message from a rank to another.
func (x *dropModel) pinFor(m model.Memory, from, to int) {
	switch {
	case x.weak == "a block goes without a pin":
	case from == 0:
		m[x.pins]++
		if m[x.destroyed] == 0 {
			m[x.named[to]] = 1
		}
	case to == 0 && m[x.stock[from]] > 0: // home gets those of the rank later
	default:
		if m[x.stock[from]] == 1 && x.weak != "a rank gives its last pin away" || m[x.stock[from]] == 0 {
			x.mint(m, from)
		}
		if to != 0 {
			m[x.stock[from]]--
		}
	}
}

// mint makes pins on a rank.
func (x *dropModel) mint(m model.Memory, r int) {
	n := 2
	if x.weak == "a rank gives its last pin away" {
		n = 1
	}
	m[x.has[r]] = 1
	m[x.stock[r]] += int16(n)
	x.post(m, r, 0, sendName+n)
}

// pinCame takes a pin in that came with a message.
func (x *dropModel) pinCame(m model.Memory, from, to int) {
	switch {
	case x.weak == "a block goes without a pin":
		m[x.has[to]] = 1
	case to == 0:
	default:
		m[x.stock[to]]++
		if m[x.has[to]] == 0 {
			m[x.has[to]] = 1
			if from != 0 {
				x.post(m, to, 0, sendName)
			}
		}
	}
}

// satisfy is an event of rank r that triggers.
func (x *dropModel) satisfy(m model.Memory, r, user, block int) {
	to := x.users[user].rank
	if to == r {
		x.fill(m, user, block)
		return
	}
	if block != 0 {
		x.carry(m, r, to, sendFill+user)
		return
	}
	x.post(m, r, to, sendFill+user)
}

// sendAlong sends the lease from a rank to the one that the block is passed to, if no EDT uses it; or a copy, if the
// EDT that gets the block reads.
func (x *dropModel) sendAlong(m model.Memory, from, to, message int) {
	v := x.sides[0][from]
	reads := message&^(sendLease-1) == sendFill && x.users[message%withBlock].uses[0].mode >= ro
	switch {
	case from == 0 && reads:
		if m[x.destroyed] == 0 && m[v.copies]&(1<<to) == 0 && x.admit(m, v, constant, true) {
			m[x.named[to]] = 1
			x.lendCopy(m, 0, to)
		}
	case !x.unused(m, 0, from):
	case from == 0:
		x.lendUnasked(m, to)
	default:
		x.giveBack(m, 0, from, to)
	}
}

// lendUnasked is home lending the block to a rank that may not know it yet.
func (x *dropModel) lendUnasked(m model.Memory, to int) {
	if m[x.destroyed] == 0 || x.weak == "a destroyed block is lent unasked" {
		if x.weak != "home lends to a rank without a note of it" {
			m[x.named[to]] = 1
		}
		x.lend(m, 0, to)
	}
}

func (x *dropModel) fill(m model.Memory, user, block int) {
	if block != 0 {
		m[x.filled[user]] = 1
		m[x.came[x.users[user].rank]]++
	}
	m[x.open[user]]--
}

// passOn is main satisfying an event.
func (x *dropModel) passOn(m model.Memory, call dropCall) {
	block := 0
	if call.block {
		block = withBlock
		if x.main != 0 && m[x.has[x.main]] == 0 && x.weak != "a block goes without a pin" {
			x.mint(m, x.main)
		}
	}
	if call.event == x.main {
		x.satisfy(m, x.main, call.user, block)
		return
	}
	if call.block {
		x.carry(m, x.main, call.event, sendSatisfy+call.user)
		return
	}
	x.post(m, x.main, call.event, sendSatisfy+call.user)
}

// destroy is home destroying the block.
func (x *dropModel) destroy(m model.Memory) {
	m[x.destroyed] = 1
	for r := range x.ranks {
		if m[x.named[r]] != 0 {
			x.post(m, 0, r, sendDrop)
		}
	}
	x.free(m)
}

// takeBack is home taking the pins that have come with DESTROY from a rank.
func (x *dropModel) takeBack(m model.Memory, from, pins int) {
	if pins == 0 {
		return
	}
	if m[x.pins] -= int16(pins); m[x.pins] == 0 || x.weak == "no rank gets DROP if pins come with the destruction" {
		for _, w := range x.named {
			m[w] = 0
		}
		return
	}
	if x.weak != "a rank is not told that gave its pins back" {
		x.post(m, 0, from, sendDrop)
	}
	if x.weak != "a rank stays known that gave its pins back" {
		m[x.named[from]] = 0
	}
}

// destroyAt is a user on rank r destroying the block, which it has just released.
func (x *dropModel) destroyAt(m model.Memory, r int) {
	pins := 0
	switch {
	case r == 0:
		x.destroy(m)
		return
	case x.idle(m, r) && m[x.dropping[r]] == 0 &&
		(m[x.came[r]] == 1 || x.weak == "pins go with the destruction though others have the block"):
		pins = int(m[x.stock[r]])
		x.returnAll(m, r)
		m[x.stock[r]], m[x.has[r]], m[x.came[r]] = 0, 0, 0
	}
	x.post(m, r, 0, sendDestroy+pins)
}

// learn is home hearing of a rank that has the block.
func (x *dropModel) learn(m model.Memory, r int) {
	if m[x.named[r]] == 0 {
		m[x.named[r]] = 1
		if m[x.destroyed] != 0 && x.weak != "a rank that comes late is not told of the destruction" {
			x.post(m, 0, r, sendDrop)
		}
	}
}

// free frees the block if no EDT can get it any more.
func (x *dropModel) free(m model.Memory) {
	v := x.sides[0][0]
	busy := m[v.holders] + m[v.readers] + m[v.length] + m[v.away] + m[x.pins]
	if x.weak == "home frees what it has not lent" {
		busy -= m[x.pins]
	}
	if x.weak == "home frees what others have copies of" {
		busy -= m[v.holders] + m[x.pins]
	}
	for _, e := range x.filledAt(m, 0) {
		busy += int16(e)
	}
	if m[x.destroyed] != 0 && busy == 0 {
		m[x.freed] = 1
	}
}

// filledAt lists the users of rank r, from 1, that have the block in a slot and have not run.
func (x *dropModel) filledAt(m model.Memory, r int) (all []int) {
	for k, u := range x.users {
		if u.rank == r && m[x.filled[k]] != 0 {
			all = append(all, k+1)
		}
	}
	return all
}

// idle reports whether no EDT of rank r holds the block or waits for it.
func (x *dropModel) idle(m model.Memory, r int) bool {
	v := x.sides[0][r]
	holders := m[v.holders]
	if m[v.has] == aCopy {
		holders--
	}
	return holders+m[v.readers]+m[v.length]+m[v.asked] == 0
}

// returnAll returns what rank r has of the block.
func (x *dropModel) returnAll(m model.Memory, r int) {
	v := x.sides[0][r]
	switch {
	case m[v.away] != 0:
	case m[v.has] != aCopy:
		x.giveBack(m, 0, r, 0)
	case x.weak != "a destruction does not recall copies":
		m[v.holders]--
		x.giveBack(m, 0, r, 0)
	}
}

// settled reports whether rank r may answer DROP.
func (x *dropModel) settled(m model.Memory, r int) bool {
	return m[x.dropping[r]] != 0 && x.idle(m, r) &&
		(len(x.filledAt(m, r)) == 0 || x.weak == "slots are not looked at")
}

// settle answers DROP, on rank r.
func (x *dropModel) settle(m model.Memory, r int) {
	v := x.sides[0][r]
	if m[v.away] == 0 {
		if x.weak == "a lease goes with its bytes" {
			m[v.bytes] = 0
		}
	}
	x.returnAll(m, r)
	x.post(m, r, 0, sendDropped+int(m[x.stock[r]]))
	m[x.stock[r]], m[x.has[r]], m[x.dropping[r]], m[x.came[r]] = 0, 0, 0, 0
}

const (
	stale = -1
	freed = -2
)

func (x *dropModel) handle(m model.Memory, from, r int) int {
	message := x.causal.receive(m, from, r, x.strong)
	user, block := message%withBlock, message&withBlock
	switch message % sendNext &^ (sendLease - 1) {
	case sendFill:
		if block != 0 {
			x.pinCame(m, from, r)
		}
		x.fill(m, user, block)
	case sendSatisfy:
		if block != 0 {
			x.pinCame(m, from, r)
		}
		x.satisfy(m, r, user, block)
	case sendDestroy:
		x.takeBack(m, from, user)
		x.destroy(m)
	case sendName:
		m[x.pins] += int16(user)
		x.learn(m, from)
	case sendDrop:
		m[x.dropping[r]] = m[x.has[r]] // else nothing is here to drop
	case sendGrant, sendCopy, sendSame:
		m[x.has[r]] = 1
		x.leaseModel.handle(m, from, r, message)
	case sendDropped:
		m[x.pins] -= int16(user)
		m[x.named[from]] = 0
	case sendWake:
		m[x.woken] = 1
	case sendLease:
		if m[x.freed] != 0 {
			return freed
		}
		x.learn(m, from)
		x.leaseModel.handle(m, from, r, message)
	default:
		x.leaseModel.handle(m, from, r, message%sendNext)
		if next := message / sendNext; next != 0 && x.unused(m, 0, r) {
			x.lendUnasked(m, next)
		}
	}
	if r == 0 {
		x.free(m)
	}
	return message
}

// user is an EDT that uses the block once its slots are filled.
func (x *dropModel) user(p *model.Process, k int) {
	u := x.users[k]
	v, mode := x.sides[0][u.rank], u.uses[0].mode
	got := p.When("runnable, acquire", func(m model.Memory) bool { return m[x.open[k]] == 0 }, func(m model.Memory) int {
		m[x.filled[k]] = 0
		switch {
		case u.rank != 0 && m[x.has[u.rank]] == 0:
			return stale
		case u.rank == 0 && m[x.freed] != 0:
			return freed
		case x.admit(m, v, mode, true):
			return 1
		}
		x.join(m, 0, u.rank, k+1)
		return 0
	})
	switch got {
	case stale:
		p.Fail("EDT %d finds the block stale", k+1)
	case freed:
		p.Fail("EDT %d finds the block freed", k+1)
	case 0:
		p.Await(x.granted[k], 1)
	}
	p.Again("runs", func(p *model.Process) {
		if p.Atomically("use", func(m model.Memory) int {
			m[v.bytes] |= 1 << (k + 1)
			return int(m[v.bytes])
		})&1 == 0 {
			p.Fail("EDT %d does not see what was written", k+1)
		}
		p.Atomically("release", func(m model.Memory) int {
			v.release(m, mode)
			x.serve(m, 0, u.rank)
			if x.last && k == len(x.users)-1 {
				x.destroyAt(m, u.rank)
				m[x.woken] = 2
			}
			if u.rank == 0 {
				x.free(m)
			}
			m[x.ended]++
			return 0
		})
	})
}

// over: the users have run, and nothing is on its way or to be answered.
func (x *dropModel) isOver(m model.Memory) bool {
	for r := range x.ranks {
		if m[x.dropping[r]] != 0 {
			return false
		}
	}
	return int(m[x.ended]) == len(x.users) && m[x.woken] > 1 && x.causal.empty(m)
}

func dropSystem(pr dropProgram, weak string) *model.System {
	s := model.New(fmt.Sprintf("a block is destroyed: %+v", pr))
	const ranks = 3
	x := &dropModel{leaseModel: newLeaseModel(s, weak, ranks, []int{0}, pr.users), dropProgram: pr,
		causal: newCausalNet(s, ranks), pins: s.Word("pins", 0), destroyed: s.Word("destroyed", 0), freed: s.Word("freed", 0),
		named: s.Words("named", ranks), has: s.Words("has", ranks), came: s.Words("came", ranks),
		stock: s.Words("stock", ranks), dropping: s.Words("dropping", ranks),
		open: s.Words("open", len(pr.users)), filled: s.Words("filled", len(pr.users)), woken: s.Word("woken", 0)}
	x.send = x.post
	x.spawn(s)
	s.Always(func(m model.Memory) string {
		v := x.sides[0]
		if n := m[v[0].holders] + m[v[0].readers]; m[x.freed] != 0 && n > 0 {
			return "a freed block is in use"
		}
		return ""
	})
	s.Finally(func(m model.Memory) string {
		if m[x.freed] == 0 {
			return "the block is never freed"
		}
		for r := 1; r < ranks; r++ {
			if m[x.has[r]] != 0 {
				return "a rank keeps its proxy"
			}
		}
		return ""
	})
	return s
}

// spawn adds the processes.
func (x *dropModel) spawn(s *model.System) {
	s.Go("main", func(p *model.Process) {
		p.Atomically("begin", func(m model.Memory) int {
			x.begin(m)
			m[x.sides[0][0].bytes] = 1
			for _, call := range x.calls {
				m[x.open[call.user]]++
			}
			m[x.woken] = 0
			return 0
		})
		for _, call := range x.calls {
			p.Atomically(fmt.Sprintf("satisfy %v", call), func(m model.Memory) int { x.passOn(m, call); return 0 })
		}
		if x.last {
			return
		}
		p.Atomically("wake", func(m model.Memory) int {
			if x.main == x.destroyer {
				m[x.woken] = 1
			} else {
				x.post(m, x.main, x.destroyer, sendWake)
			}
			return 0
		})
	})
	s.Go("destroyer", func(p *model.Process) {
		if x.last {
			return
		}
		p.When("destroy", func(m model.Memory) bool { return m[x.woken] == 1 }, func(m model.Memory) int {
			if m[x.woken] = 2; x.destroyer == 0 {
				x.destroy(m)
			} else {
				x.post(m, x.destroyer, 0, sendDestroy)
			}
			return 0
		})
	})
	for k := range x.users {
		s.Go(fmt.Sprint("EDT", k+1), func(p *model.Process) {
			p.AwaitThat("the beginning", func(m model.Memory) bool {
				v := x.sides[0]
				return m[v[0].bytes]|m[v[1].away]|m[v[2].away] != 0
			})
			x.user(p, k)
		})
	}
	for r := 1; r < x.ranks; r++ {
		loop(s, fmt.Sprint("settle on ", r), x.isOver, func(m model.Memory) bool { return x.settled(m, r) },
			func(m model.Memory) int { x.settle(m, r); return 1 })
	}
	for from := range x.ranks {
		for to := range x.ranks {
			if from != to {
				loop(s, fmt.Sprintf("%d->%d", from, to), x.isOver, func(m model.Memory) bool { return x.causal.ready(m, from, to) },
					func(m model.Memory) int { return x.handle(m, from, to) })
			}
		}
	}
}

// dropPrograms lists programs that satisfy this number of slots of users, of which the first one gets the
// block: through events of each rank, by each rank, destroyed by each.
func dropPrograms(slots int, users ...leaseEDT) (all []dropProgram) {
	const ranks = 3
	for main := range ranks {
		for destroyer := range ranks {
			for events := range pow(ranks, slots*len(users)) {
				pr := dropProgram{main: main, destroyer: destroyer, users: users}
				for k := range slots * len(users) {
					pr.calls = append(pr.calls, dropCall{events % ranks, k / slots, k%slots == 0})
					events /= ranks
				}
				all = append(all, pr)
			}
		}
	}
	return all
}

func pow(a, n int) int {
	if n == 0 {
		return 1
	}
	return a * pow(a, n-1)
}

// TestDestroyedOverRanks explores some of the programs with two users: all of them hold, in 1.5 million states.
func TestDestroyedOverRanks(t *testing.T) {
	explorePrograms(t, append(dropPrograms(1, one(1, ew)), dropPrograms(2, one(1, rw))...), dropSystem,
		variant{"a block goes without a pin", "freed"},
		variant{"home frees what it has not lent", "freed"},
		variant{"pins are made behind home's back", "freed"},
		variant{"slots are not looked at", "stale"},
		variant{"a rank that comes late is not told of the destruction", "never freed"})
	explorePrograms(t, everyEighth(dropPrograms(1, one(1, ew), one(2, constant))), dropSystem,
		variant{"a rank gives its last pin away", "freed"},
		variant{"a lease goes with its bytes", "does not see"},
		variant{"a destroyed block is lent unasked", "the block is never freed"},
		variant{"home lends to a rank without a note of it", "the block is never freed"})
	explorePrograms(t, everyEighth(dropPrograms(1, one(1, ro), one(1, ew))), dropSystem)
	explorePrograms(t, everyEighth(dropPrograms(1, one(1, constant), one(2, constant))), dropSystem,
		variant{"home frees what others have copies of", "freed"},
		variant{"a destruction does not recall copies", "never freed"})
	explorePrograms(t, everyEighth(dropPrograms(1, one(0, ew), one(2, rw))), dropSystem)
	for _, first := range []int{0, 1, 2} {
		var weaker []variant
		switch first {
		case 1:
			weaker = append(weaker, variant{"pins go with the destruction though others have the block", "stale"},
				variant{"a rank is not told that gave its pins back", "the block is never freed"},
				variant{"a rank stays known that gave its pins back", "the block is never freed"})
		case 2:
			weaker = append(weaker, variant{"no rank gets DROP if pins come with the destruction", "the block is never freed"})
		}
		explorePrograms(t, lastDestroys(dropPrograms(1, one(first, rw), one(1, rw))), dropSystem, weaker...)
	}
}

// lastDestroys has the last user destroy the block, which is destroyed nowhere else.
func lastDestroys(all []dropProgram) (some []dropProgram) {
	for _, pr := range all {
		if pr.destroyer == 0 {
			pr.last = true
			some = append(some, pr)
		}
	}
	return some
}

func everyEighth(all []dropProgram) (some []dropProgram) {
	for k := 0; k < len(all); k += 8 {
		some = append(some, all[k])
	}
	return some
}
