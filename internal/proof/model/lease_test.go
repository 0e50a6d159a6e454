package model_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/internal/proof/model"
)

// A leaseModel is blocks whose EDTs are on several ranks. A block's home lends it to one rank at a time, whose
// EDTs then use it by the word of a record there, in all modes. On a rank that has no lease, and
// at home while the block is lent, the word says "away", and all EDTs wait in the queue. A request for a
// lease waits at home in the queue as an EDT in mode EW would, and a recall so at the lessee.
//
// The lease of a block that no EDT holds may move without a request: home gives it to a rank, and a lessee gives it
// back, perhaps with the name of the rank to which home lends it next.
//
// What a rank does to a record of its own is one step: block_test.go has the steps in it.
type leaseModel struct {
	weak    string
	net     network
	send    func(m model.Memory, from, to, message int)
	ranks   int
	homes   []int          // of the blocks
	sides   [][]*leaseSide // by block and rank
	edts    []leaseEDT
	granted []model.Word // by EDT: it has the block that it waits for
	ended   model.Word
	written []model.Word // by block: EDTs that have written it and given it up, a bit each
}

// A leaseSide is what a rank has of a block.
type leaseSide struct {
	class, holders, readers, away, asked, recalled, lessee, length, bytes model.Word
	queue                                                                 []model.Word
}

// A leaseEDT takes blocks: uses says which, and in which mode.
type leaseEDT struct {
	rank int
	uses []leaseUse
}

type leaseUse struct {
	block int
	mode  access
}

func (u leaseUse) String() string { return fmt.Sprintf("%c %v", 'A'+u.block, u.mode) }
func (e leaseEDT) String() string { return fmt.Sprintf("%v on rank %d", e.uses, e.rank) }

const (
	waitsLease  = 20 // and the rank
	waitsRecall = 30

	sendLease  = 1 << 8
	sendGrant  = 2 << 8
	sendRecall = 3 << 8
	sendReturn = 4 << 8
	sendKind   = 7 << 8
	sendBlock  = 1 << 6
	sendNext   = 1 << 12 // of a return: the rank that is to get the lease next
)

func newLeaseModel(s *model.System, weak string, ranks int, homes []int, edts []leaseEDT) *leaseModel {
	x := &leaseModel{weak: weak, net: newNetwork(s, ranks), ranks: ranks, homes: homes, edts: edts,
		granted: s.Words("granted", len(edts)), ended: s.Word("ended", 0), written: s.Words("written", len(homes))}
	x.send = x.net.send
	for b := range homes {
		var sides []*leaseSide
		for r := range ranks {
			name := fmt.Sprintf("%c on %d ", 'A'+b, r)
			v := &leaseSide{class: s.Word(name+"class", 0), holders: s.Word(name+"holders", 0),
				readers: s.Word(name+"readers", 0),
				away:    s.Word(name+"away", 0), asked: s.Word(name+"asked", 0), recalled: s.Word(name+"recalled", 0),
				lessee: s.Word(name+"lessee", 0), length: s.Word(name+"queued", 0), bytes: s.Word(name+"bytes", 0),
				queue: s.Words(name+"queue", 5)}
			sides = append(sides, v)
		}
		x.sides = append(x.sides, sides)
	}
	return x
}

// begin puts blocks away where they are not.
func (x *leaseModel) begin(m model.Memory) {
	for b, home := range x.homes {
		for r, v := range x.sides[b] {
			if r != home {
				m[v.away] = 1
			}
		}
	}
}

// admit takes a hold if the holders and, of one that comes, the queue allow it.
func (x *leaseModel) admit(m model.Memory, v *leaseSide, a access, comes bool) bool {
	switch {
	case m[v.away] != 0 && !(a == ro && x.weak == "readers use what is away"):
		return false
	case a == ro:
		m[v.readers]++
		return true
	case comes && m[v.length] > 0:
		return false
	case m[v.holders] > 0 && (m[v.class] != int16(a) || a == ew):
		return false
	}
	m[v.class] = int16(a)
	m[v.holders]++
	return true
}

func (v *leaseSide) release(m model.Memory, a access) {
	if a == ro {
		m[v.readers]--
	} else {
		m[v.holders]--
	}
}

// join queues an EDT, a request or a recall, and sees to it that it is served.
func (x *leaseModel) join(m model.Memory, b, r, who int) {
	v := x.sides[b][r]
	m[v.queue[m[v.length]]] = int16(who)
	m[v.length]++
	x.serve(m, b, r)
}

// serve grants the block to those that wait, in order.
func (x *leaseModel) serve(m model.Memory, b, r int) {
	v := x.sides[b][r]
	for m[v.length] > 0 && x.serveFirst(m, b, r, int(m[v.queue[0]])) {
		for k := range v.queue[1:] {
			m[v.queue[k]] = m[v.queue[k+1]]
		}
		m[v.queue[len(v.queue)-1]] = 0
		m[v.length]--
	}
	home := x.homes[b]
	switch {
	case m[v.length] == 0 || m[v.away] == 0:
	case r == home && m[v.recalled] == 0 && x.weak != "home does not recall":
		m[v.recalled] = 1
		x.send(m, home, int(m[v.lessee]), sendRecall+b*sendBlock)
	case r != home && m[v.asked] == 0:
		m[v.asked] = 1
		x.send(m, r, home, sendLease+b*sendBlock)
	}
}

func (x *leaseModel) serveFirst(m model.Memory, b, r, who int) bool {
	v := x.sides[b][r]
	switch {
	case who == waitsRecall:
		if m[v.holders] > 0 && x.weak != "returned while it is held" {
			return false
		}
		x.giveBack(m, b, r, 0)
	case who >= waitsLease:
		if (m[v.holders] > 0 || m[v.away] != 0) && x.weak != "lent to two ranks" {
			return false
		}
		x.lend(m, b, who-waitsLease)
	default:
		if !x.admit(m, v, x.modeOf(who-1, b), false) {
			return false
		}
		m[x.granted[who-1]] = 1
	}
	return true
}

// lend gives a rank the lease.
func (x *leaseModel) lend(m model.Memory, b, to int) {
	v := x.sides[b][x.homes[b]]
	m[v.away], m[v.lessee], m[v.recalled] = 1, int16(to), 0
	bytes := int(m[v.bytes])
	if x.weak == "granted without the bytes" {
		bytes = int(m[x.sides[b][to].bytes])
	}
	x.send(m, x.homes[b], to, sendGrant+b*sendBlock+bytes)
}

// unused reports whether a block may leave rank r unasked.
func (x *leaseModel) unused(m model.Memory, b, r int) bool {
	v := x.sides[b][r]
	return m[v.away] == 0 && (m[v.holders] == 0 || x.weak == "a block moves unasked that is held") && m[v.length] == 0
}

func (x *leaseModel) modeOf(edt, b int) access {
	return x.edts[edt].uses[slices.IndexFunc(x.edts[edt].uses, func(u leaseUse) bool { return u.block == b })].mode
}

// giveBack returns the lease of rank r, which rank next is to get then, if it is not 0.
func (x *leaseModel) giveBack(m model.Memory, b, r, next int) {
	v := x.sides[b][r]
	m[v.away] = 1
	if x.weak == "those that wait when a lease goes do not ask again" {
		m[v.asked] = 1
	}
	bytes := int(m[v.bytes])
	if x.weak == "returned without the bytes" {
		bytes = int(m[x.sides[b][x.homes[b]].bytes])
	}
	x.send(m, r, x.homes[b], sendReturn+b*sendBlock+bytes+next*sendNext)
}

// handle is rank r carrying a message out.
func (x *leaseModel) handle(m model.Memory, from, r, message int) int {
	b, bytes, next := message&(sendLease-1)/sendBlock, message%sendBlock, message/sendNext
	v := x.sides[b][r]
	switch message & sendKind {
	case sendLease:
		crossed := m[v.away] != 0 && (int(m[v.lessee]) == from || x.weak == "requests are ignored while the block is lent")
		if !crossed { // else the lease is on its way there
			x.join(m, b, r, waitsLease+from)
		}
	case sendGrant:
		m[v.away], m[v.asked], m[v.bytes] = 0, 0, int16(bytes)
		x.serve(m, b, r)
	case sendRecall:
		if m[v.away] == 0 { // else it was given back already
			x.join(m, b, r, waitsRecall)
		}
	case sendReturn:
		m[v.away], m[v.lessee], m[v.bytes] = 0, 0, int16(bytes)
		x.serve(m, b, r)
		if next != 0 && (x.unused(m, b, r) || x.weak == "a wish goes before those that wait") {
			x.lend(m, b, next)
		}
	}
	return message
}

// run is an EDT that has become runnable.
func (x *leaseModel) run(p *model.Process, k int) {
	e := x.edts[k]
	uses := slices.Clone(e.uses)
	if x.weak != "blocks are taken in the order of local names" {
		slices.SortFunc(uses, func(a, b leaseUse) int { return a.block - b.block })
	}
	all := p.Atomically("runnable", func(m model.Memory) int {
		seen := 0
		for b, w := range x.written {
			seen |= int(m[w]) << (6 * b)
		}
		return seen
	})
	for _, u := range uses {
		v := x.sides[u.block][e.rank]
		if p.Atomically(fmt.Sprintf("acquire %c", 'A'+u.block), func(m model.Memory) int {
			if x.admit(m, v, u.mode, true) {
				return 1
			}
			x.join(m, u.block, e.rank, k+1)
			return 0
		}) == 0 {
			p.Await(x.granted[k], 1)
			p.Store(x.granted[k], 0)
		}
	}
	p.Again(fmt.Sprint("runs ", all), func(p *model.Process) {
		for _, u := range uses {
			v, want := x.sides[u.block][e.rank], all>>(6*u.block)&(sendBlock-1)
			if got := p.Atomically(fmt.Sprintf("use %c", 'A'+u.block), func(m model.Memory) int {
				old := m[v.bytes]
				if u.mode == rw || u.mode == ew {
					m[v.bytes] |= 1 << k
				}
				return int(old)
			}); got&want != want {
				p.Fail("EDT %d does not see what was written: %b of %b", k+1, got, want)
			}
		}
		for _, u := range uses {
			p.Atomically(fmt.Sprintf("release %c", 'A'+u.block), func(m model.Memory) int {
				x.sides[u.block][e.rank].release(m, u.mode)
				if u.mode == rw || u.mode == ew {
					m[x.written[u.block]] |= 1 << k
				}
				x.serve(m, u.block, e.rank)
				return 0
			})
		}
		p.Add(x.ended, 1)
	})
}

func (x *leaseModel) over(m model.Memory) bool {
	return int(m[x.ended]) == len(x.edts) && x.net.empty(m)
}

// spawn adds the processes: EDTs, and the channels that leases use.
func (x *leaseModel) spawn(s *model.System) {
	begun := s.Word("begun", 0)
	for k := range x.edts {
		s.Go(fmt.Sprint("EDT", k+1), func(p *model.Process) {
			p.Atomically("begin", func(m model.Memory) int {
				if m[begun] == 0 {
					m[begun] = 1
					x.begin(m)
				}
				return 0
			})
			x.run(p, k)
		})
	}
	for from := range x.ranks {
		for to := range x.ranks {
			if from != to && (slices.Contains(x.homes, from) || slices.Contains(x.homes, to)) {
				x.channel(s, from, to)
			}
		}
	}
}

func (x *leaseModel) channel(s *model.System, from, to int) {
	loop(s, fmt.Sprintf("%d->%d", from, to), x.over, func(m model.Memory) bool { return x.net.next(m, from, to) != 0 },
		func(m model.Memory) int { return x.handle(m, from, to, x.net.take(m, from, to)) })
}

// loop adds a process that calls f whenever it is ready, until the run is over.
func loop(s *model.System, name string, over, ready func(m model.Memory) bool, f func(m model.Memory) int) {
	var again func(p *model.Process)
	again = func(p *model.Process) {
		switch p.When(name, func(m model.Memory) bool { return over(m) || ready(m) }, func(m model.Memory) int {
			if over(m) {
				return 0
			}
			return f(m)
		}) {
		case 0:
		case freed:
			p.Fail("LEASE finds the block freed")
		default:
			p.Again("loop", again)
		}
	}
	s.Go(name, again)
}

// exclude: over all ranks, no two holders whose modes exclude each other; nothing written is lost.
func (x *leaseModel) exclude(s *model.System) {
	s.Always(func(m model.Memory) string {
		for _, sides := range x.sides {
			for r, v := range sides {
				for q := range r {
					if w := sides[q]; m[v.holders] > 0 && m[w.holders] > 0 {
						return fmt.Sprintf("%v on one rank holds beside %v on another", access(m[v.class]), access(m[w.class]))
					}
				}
			}
		}
		return ""
	})
	s.Finally(func(m model.Memory) string {
		for b, sides := range x.sides {
			v := sides[x.homes[b]]
			if m[v.away] != 0 {
				v = sides[m[v.lessee]]
			}
			if m[v.bytes]&m[x.written[b]] != m[x.written[b]] {
				return "a write is lost"
			}
			for _, v := range sides {
				if m[v.holders]+m[v.readers]+m[v.length] != 0 {
					return "a block is held at the end"
				}
			}
		}
		return ""
	})
}

// A move is block 0 leaving a rank unasked, once: home lends it to rank to; a lessee gives it back, for rank to if
// that is not 0.
type move struct{ from, to int }

func (x *leaseModel) move(s *model.System, v move) {
	s.Go(fmt.Sprint("unasked ", v), func(p *model.Process) {
		p.When("moves", func(m model.Memory) bool {
			return x.over(m) || int(m[x.ended]) > 0 && x.unused(m, 0, v.from)
		}, func(m model.Memory) int {
			switch {
			case x.over(m):
			case v.from == x.homes[0]:
				x.lend(m, 0, v.to)
			default:
				x.giveBack(m, 0, v.from, v.to)
			}
			return 0
		})
	})
}

func leaseSystem(ranks int, homes []int, moves []move, edts ...leaseEDT) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprintf("leases: %d ranks, homes %v, unasked %v, EDTs %v", ranks, homes, moves, edts))
		x := newLeaseModel(s, weak, ranks, homes, edts)
		x.spawn(s)
		for _, v := range moves {
			x.move(s, v)
		}
		x.exclude(s)
		return s
	}
}

// one is an EDT with one block.
func one(rank int, a access) leaseEDT { return leaseEDT{rank, []leaseUse{{0, a}}} }

func TestLeases(t *testing.T) {
	modes := []access{rw, ew, ro, constant}
	for _, a := range modes {
		for _, b := range modes {
			t.Run(fmt.Sprint(a, b), func(t *testing.T) {
				explore(t, leaseSystem(2, []int{0}, nil, one(0, a), one(1, b), one(1, ew)))
				explore(t, leaseSystem(3, []int{0}, nil, one(1, a), one(2, b), one(0, ro)))
			})
		}
	}
	t.Run("unasked", func(t *testing.T) {
		explore(t, leaseSystem(3, []int{0}, []move{{1, 0}}, one(1, ew), one(1, rw), one(2, rw)))
		explore(t, leaseSystem(3, []int{0}, []move{{1, 2}}, one(1, ew), one(2, rw), one(0, ew)),
			variant{"a block moves unasked that is held", "holds beside"},
			variant{"a wish goes before those that wait", "holds beside"})
		explore(t, leaseSystem(3, []int{0}, []move{{0, 1}}, one(0, ew), one(1, rw), one(2, rw)),
			variant{"a block moves unasked that is held", "holds beside"},
			variant{"requests are ignored while the block is lent", "deadlock"})
		explore(t, leaseSystem(3, []int{0}, []move{{0, 1}, {1, 2}}, one(0, ew), one(1, ew), one(2, rw)))
		explore(t, leaseSystem(2, []int{0}, []move{{0, 1}, {1, 0}}, one(0, ew), one(1, ew), one(0, rw)))
	})
	t.Run("four EDTs", func(t *testing.T) {
		explore(t, leaseSystem(3, []int{0}, nil, one(1, rw), one(1, rw), one(2, constant), one(0, ew)))
	})
	explore(t, leaseSystem(3, []int{0}, nil, one(1, ew), one(2, rw), one(0, ro)),
		variant{"lent to two ranks", "holds beside"},
		variant{"returned while it is held", "holds beside"},
		variant{"readers use what is away", "does not see"},
		variant{"granted without the bytes", "does not see"},
		variant{"returned without the bytes", "does not see"},
		variant{"home does not recall", "deadlock"})
	t.Run("asked again", func(t *testing.T) {
		explore(t, leaseSystem(2, []int{0}, nil, one(1, ew), one(1, ew), one(0, ew)),
			variant{"those that wait when a lease goes do not ask again", "deadlock"})
	})
	two := func(rank, first, second int) leaseEDT { return leaseEDT{rank, []leaseUse{{first, ew}, {second, ew}}} }
	t.Run("two blocks", func(t *testing.T) {
		explore(t, leaseSystem(2, []int{0, 1}, nil, two(0, 0, 1), two(1, 1, 0)),
			variant{"blocks are taken in the order of local names", "deadlock"})
		explore(t, leaseSystem(3, []int{0, 0}, nil, two(1, 0, 1), two(2, 1, 0)),
			variant{"blocks are taken in the order of local names", "deadlock"})
	})
}
