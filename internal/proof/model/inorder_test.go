package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
	"ocr/internal/proof/testrun"
)

// A callProgram is EDTs that make calls while they have blocks in place. Calls are numbered from 1; to is the rank of
// the object that each is on.
type callProgram struct {
	edts []callEDT
	to   [4]int
}

// A callEDT runs on a rank: from the beginning, or once a call has made it run.
type callEDT struct {
	rank, made int
	blocks     []access // by block, in the order in which it takes them; no for one that it does not take
	ops        []int    // numbers of calls, and word
	gives      bool     // it gives the blocks back, as it does not get another one
}

const (
	word  = -1 // an atomic operation on a word of the first block
	no    = access(9)
	ranks = 4
)

func (pr *callProgram) String() string { return fmt.Sprint(pr.edts, " calls to ", pr.to[1:]) }

// A callModel is edt/away_gate.go, with core/block/stamp.go and rank/order.go. The messages of a rank are handled in
// the order in which they were sent: the hold sees to that (TestCausalHold). Sets of calls are bits: what comes before
// an EDT goes on, before each call, before a block was left, before the last operation on its word.
type callModel struct {
	*callProgram
	weak                    string
	state, stamp            []model.Word // by block
	sent, handled           []model.Word // by rank
	queue                   [ranks][]model.Word
	done                    model.Word
	before, past, left, put []model.Word
}

const (
	callJoined  = 1 << 8  // several holders
	callMixed   = 1 << 9  // of several ranks
	callForeign = 1 << 10 // one of another rank than home, which is rank 0
	callBits    = callJoined | callMixed | callForeign
	stampOfMany = 1 << 7
)

// act is a step of an EDT in which a call takes effect. It returns a call that should have taken effect before, 0 for
// none.
func (x *callModel) act(m model.Memory, k int) int {
	for j := 1; j < len(x.to); j++ {
		if m[x.past[k]]&(1<<j) != 0 && x.to[j] == x.to[k] && m[x.done]&(1<<j) == 0 {
			return j
		}
	}
	m[x.done] |= 1 << k
	return 0
}

func (x *callModel) run(p *model.Process, e int) {
	t := &x.edts[e]
	if t.made != 0 {
		p.When("is made to run", func(m model.Memory) bool { return m[x.done]&(1<<t.made) != 0 }, func(m model.Memory) int {
			m[x.before[e]] |= m[x.past[t.made]] | 1<<t.made
			return 0
		})
	}
	var wait []int
	for b, a := range t.blocks {
		if a == no {
			continue
		}
		p.When("take", func(m model.Memory) bool {
			_, ok := admit(int(m[x.state[b]])&^callBits, a, true)
			return ok
		}, func(m model.Memory) int {
			old := int(m[x.state[b]])
			next, _ := admit(old&^callBits, a, true)
			if next |= old & callBits; old&blockOnes != 0 {
				if next |= callJoined; t.rank != 0 && x.weak != "a holder of another rank does not mix" ||
					old&callForeign != 0 && x.weak != "a holder of home does not mix" {
					next |= callMixed
				}
			}
			if t.rank != 0 {
				next |= callForeign
			}
			m[x.state[b]] = int16(next)
			m[x.before[e]] |= m[x.left[b]]
			return 0
		})
		if x.weak == "a gate looks at a block as soon as it has that" {
			wait = x.look(p, t, b, a, wait)
		}
	}
	for b, a := range t.blocks {
		if a != no && !t.gives && x.weak != "a gate looks at a block as soon as it has that" &&
			!(b > 0 && x.weak == "a gate looks at the first block") {
			wait = x.look(p, t, b, a, wait)
		}
	}
	if len(wait) > 0 {
		p.AwaitThat("gate", func(m model.Memory) bool {
			for _, k := range wait {
				if int(m[x.handled[k>>4-1]]) < k&15 {
					return false
				}
			}
			return true
		})
	}
	for _, op := range t.ops {
		x.do(p, e, op)
	}
	p.Again("leave", func(p *model.Process) { x.leave(p, e, 0, true) })
}

// look is Shared.Before: what must be handled before the EDT begins is added to wait.
func (x *callModel) look(p *model.Process, t *callEDT, b int, a access, wait []int) []int {
	stamp, sees := p.Load(x.stamp[b]), a == rw && p.Load(x.state[b])&callMixed != 0
	if x.weak == "a joined block closes no gate" {
		sees = false
	}
	if stamp != stampOfMany && !sees {
		if stamp != 0 && stamp>>4-1 != t.rank {
			wait = append(wait, stamp)
		}
		return wait
	}
	sent := p.Atomically("look at what was sent", func(m model.Memory) (all int) {
		for r := range ranks {
			all |= int(m[x.sent[r]]) << (4 * r)
		}
		return all
	})
	for r := range ranks {
		if n := sent >> (4 * r) & 15; r != t.rank || sees && x.weak != "a gate does not wait for messages of its own rank" {
			wait = append(wait, (r+1)<<4|n)
		}
	}
	return wait
}

func (x *callModel) do(p *model.Process, e, op int) {
	t := &x.edts[e]
	if op == word {
		p.Atomically("word", func(m model.Memory) int {
			m[x.before[e]] |= m[x.put[0]]
			m[x.put[0]] = m[x.before[e]]
			return 0
		})
		return
	}
	sees := func() bool { return t.blocks[0] == rw && p.Load(x.state[0])&callMixed != 0 }
	waits := x.weak == "a call looks for others before it sends" && sees()
	sent := p.Atomically("call", func(m model.Memory) int {
		m[x.past[op]] = m[x.before[e]]
		m[x.before[e]] |= 1 << op
		if x.to[op] == t.rank {
			return -x.act(m, op)
		}
		n := 0
		for m[x.queue[t.rank][n]] != 0 {
			n++
		}
		m[x.queue[t.rank][n]] = int16(op)
		if x.weak != "the count of sent messages is no barrier" {
			m[x.sent[t.rank]]++
		}
		return n + 1
	})
	switch {
	case sent < 0:
		p.Fail("call %d takes effect before call %d", op, -sent)
	case sent == 0 || x.weak == "a call does not wait":
		return
	case x.weak == "the count of sent messages is no barrier":
		p.StoreLater(x.sent[t.rank], sent)
	}
	if waits || x.weak != "a call looks for others before it sends" && sees() {
		p.AwaitThat("its own is handled", func(m model.Memory) bool { return int(m[x.handled[t.rank]]) >= sent })
	}
}

// leave is Local.leaveFor, for the blocks from b on; first says that it is the first try.
func (x *callModel) leave(p *model.Process, e, b int, first bool) {
	t := &x.edts[e]
	if b == len(t.blocks) {
		return
	}
	a := t.blocks[b]
	if a == no {
		p.Again(fmt.Sprint("leave ", b+1), func(p *model.Process) { x.leave(p, e, b+1, true) })
	}
	stamp := func(old int) {
		k := stampOfMany
		alone := old&callJoined == 0 || x.weak == "the last holder does not see that others had joined"
		switch {
		case alone && old&blockOnes == blockOne || x.weak == "one of several holders leaves its own stamp":
			k = p.Load(x.sent[t.rank])
			if x.weak == "a stamp counts the EDT's own messages" {
				k = 0
				for _, op := range t.ops {
					if op != word && x.to[op] != t.rank {
						k++
					}
				}
			}
			k |= (t.rank + 1) << 4
		case old&callMixed == 0 || x.weak == "one of several ranks leaves a stamp of its own":
			k = (t.rank+1)<<4 | p.Load(x.sent[t.rank])
			if x.weak != "one of several holders overwrites a later stamp" {
				p.Atomically("raise", func(m model.Memory) int {
					if was := int(m[x.stamp[b]]); was>>4 != k>>4 || was < k {
						m[x.stamp[b]] = int16(k)
					}
					return 0
				})
				return
			}
		}
		p.StoreLater(x.stamp[b], k)
	}
	leaves := !t.gives || x.weak == "an EDT that has not run leaves a stamp"
	old := p.Load(x.state[b])
	after := x.weak == "the stamp comes after the compare-and-swap"
	if leaves && !after && (first || x.weak != "a stamp is not made again") {
		stamp(old)
	}
	next := leave(old&^callBits, a)
	if next&blockOnes != 0 {
		next |= old & callBits
	}
	left := p.Atomically("leave", func(m model.Memory) int {
		if int(m[x.state[b]]) != old {
			return 0
		}
		m[x.state[b]] = int16(next)
		m[x.left[b]] |= m[x.before[e]]
		return 1
	})
	if left == 0 {
		p.Again(fmt.Sprint("leave ", b, " after all"), func(p *model.Process) { x.leave(p, e, b, false) })
	}
	if leaves && after {
		stamp(old)
	}
	p.Again(fmt.Sprint("leave ", b+1), func(p *model.Process) { x.leave(p, e, b+1, true) })
}

// courier handles the messages of a rank, in their order.
func (x *callModel) courier(p *model.Process, from, n int) {
	for k := range n {
		sent := func(m model.Memory) bool { return m[x.queue[from][k]] != 0 }
		counts := func(m model.Memory) int { m[x.handled[from]]++; return 0 }
		early := x.weak == "handled is counted before it has taken effect"
		if early {
			p.When("count", sent, counts)
		}
		if late := p.When("handle", sent, func(m model.Memory) int {
			if !early {
				counts(m)
			}
			return x.act(m, int(m[x.queue[from][k]]))
		}); late != 0 {
			p.Fail("a call takes effect before call %d", late)
		}
	}
}

func callSystem(pr *callProgram, weak string) *model.System {
	s := model.New("calls in order, " + pr.String())
	x := &callModel{callProgram: pr, weak: weak, state: s.Words("state", 2), stamp: s.Words("stamp", 2),
		sent: s.Words("sent", ranks), handled: s.Words("handled", ranks), done: s.Word("done", 0),
		before: s.Words("before", len(pr.edts)), past: s.Words("past", len(pr.to)), left: s.Words("left", 2),
		put: s.Words("put", 1)}
	var messages [ranks]int
	for e := range pr.edts {
		for _, op := range pr.edts[e].ops {
			if op != word && pr.to[op] != pr.edts[e].rank {
				messages[pr.edts[e].rank]++
			}
		}
		s.Go(fmt.Sprintf("EDT%d", e), func(p *model.Process) { x.run(p, e) })
	}
	for from, n := range messages {
		if x.queue[from] = s.Words(fmt.Sprint("queue of ", from), n+1); n > 0 {
			s.Go(fmt.Sprint("courier of ", from), func(p *model.Process) { x.courier(p, from, n) })
		}
	}
	return s
}

// callPrograms are EDTs on two to four ranks, with each choice of the ranks that calls go to: of three, or of four if
// EDTs run on four.
func callPrograms() (all []*callProgram) {
	x := func(a ...access) []access { return a }
	call := func(k ...int) []int { return k }
	programs := [][]callEDT{
		// One after the other.
		{{0, 0, x(ew), call(1), false}, {1, 0, x(ew), call(2), false}},
		{{0, 0, x(rw), call(1), false}, {1, 0, x(ew), call(2), false}},
		{{0, 0, x(ew), call(1), false}, {1, 0, x(ew), nil, false}, {2, 0, x(ew), call(2), false}},
		{{0, 0, x(ew), call(1), false}, {1, 0, x(ew), nil, false}, {2, 0, x(ew), nil, false}, {3, 0, x(ew), call(2), false}},
		// The rank has sent more than the EDT that has the block.
		{{0, 0, x(no), call(1, 2), false}, {0, 2, x(ew), nil, false}, {1, 0, x(ew), call(3), false}},
		// Two blocks.
		{{0, 0, x(no, ew), call(1), false}, {1, 0, x(ew, ew), call(2), false}},
		{{0, 0, x(no, ew), call(1), false}, {0, 0, x(rw, ew), call(word), false}, {1, 0, x(rw), call(word, 2), false}},
		// One does not get another block, and gives this one back.
		{{0, 0, x(ew), call(1), false}, {1, 0, x(ew), nil, true}, {2, 0, x(ew), call(2), false}},
		// Several at a time, and one that has the block alone.
		{{0, 0, x(constant), call(1), false}, {1, 0, x(constant), call(2), false}, {2, 0, x(ew), call(3), false}},
		{{0, 0, x(rw), call(1), false}, {0, 0, x(rw), nil, false}, {1, 0, x(ew), call(2), false}},
		{{0, 0, x(rw), call(1), false}, {1, 0, x(rw), nil, false}, {2, 0, x(ew), call(2), false}},
		// What one writes another sees.
		{{0, 0, x(rw), call(1, word), false}, {1, 0, x(rw), call(word, 2), false}},
		{{0, 0, x(no), call(1, 2), false}, {0, 2, x(rw), call(word), false}, {1, 0, x(rw), call(word, 3), false}},
		{{0, 0, x(rw), call(1, word), false}, {1, 0, x(rw), call(word), false}, {2, 0, x(rw), call(word, 2), false}},
		// Two of home, or of another rank, and then others.
		{{0, 0, x(rw), call(1, word), false}, {0, 0, x(rw), call(word), false}, {1, 0, x(rw), call(word, 2), false}},
		{{1, 0, x(rw), call(1, word), false}, {1, 0, x(rw), call(word), false}, {0, 0, x(rw), call(word, 2), false}},
		{{1, 0, x(rw), call(1), false}, {1, 0, x(rw), call(word), false}, {0, 0, x(ew), call(2), false}},
		{{1, 0, x(constant), call(1), false}, {1, 0, x(constant), nil, false}, {2, 0, x(ew), call(2), false}},
	}
	if testrun.Nightly() {
		programs = append(programs, []callEDT{
			{0, 0, x(rw), call(1), false}, {1, 0, x(rw), nil, false}, {2, 0, x(rw), nil, false}, {3, 0, x(ew), call(2), false},
		}, []callEDT{
			{0, 0, x(rw), nil, false}, {0, 0, x(rw), nil, false}, {0, 0, x(rw), call(1), false}, {1, 0, x(ew), call(2), false},
		})
	}
	for _, edts := range programs {
		to := 3
		for _, t := range edts {
			to = max(to, t.rank+1)
		}
		for n := range to * to * to {
			pr := &callProgram{edts, [4]int{0, n % to, n / to % to, n / to / to}}
			local := true // what makes an EDT run is a call here
			used := 0
			for _, t := range edts {
				for _, op := range t.ops {
					used = max(used, op)
				}
				local = local && (t.made == 0 || pr.to[t.made] == t.rank)
			}
			if local && (used == 3 || pr.to[3] == 0) {
				all = append(all, pr)
			}
		}
	}
	return all
}

func TestCallsInOrder(t *testing.T) {
	const wrong = "takes effect before"
	if testrun.Nightly() { // a program of four EDTs finds it
		explorePrograms(t, callPrograms(), callSystem, variant{"one of several holders overwrites a later stamp", wrong})
	}
	explorePrograms(t, callPrograms(), callSystem,
		variant{"the stamp comes after the compare-and-swap", wrong},
		variant{"a stamp counts the EDT's own messages", wrong},
		variant{"a stamp is not made again", wrong},
		variant{"one of several holders leaves its own stamp", wrong},
		variant{"the last holder does not see that others had joined", wrong},
		variant{"an EDT that has not run leaves a stamp", wrong},
		variant{"a gate looks at the first block", wrong},
		variant{"a gate looks at a block as soon as it has that", wrong},
		variant{"a gate does not wait for messages of its own rank", wrong},
		variant{"a joined block closes no gate", wrong},
		variant{"a holder of another rank does not mix", wrong},
		variant{"a holder of home does not mix", wrong},
		variant{"one of several ranks leaves a stamp of its own", wrong},
		variant{"a call does not wait", wrong},
		variant{"a call looks for others before it sends", wrong},
		variant{"the count of sent messages is no barrier", wrong},
		variant{"handled is counted before it has taken effect", wrong})
}
