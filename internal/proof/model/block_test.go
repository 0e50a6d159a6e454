package model_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/internal/proof/model"
)

// The access modes, as in package datablock.
type access int

const (
	rw access = iota
	ew
	ro
	constant
)

func (a access) String() string { return [...]string{"RW", "EW", "RO", "Const"}[a] }

// The state word of a block: the layout of datablock/record.go with two bits for each number of holders.
const (
	blockOne       = 1
	blockOnes      = 3
	blockReadOne   = 1 << 2
	blockClassAt   = 4
	blockClass     = 3 << blockClassAt
	blockQueued    = 1 << 6
	blockDestroyed = 1 << 7
)

func classOf(a access) int {
	return map[access]int{rw: 0, constant: 2, ew: 3}[a] << blockClassAt
}

func admit(state int, a access, fair bool) (int, bool) {
	if fair && state&blockDestroyed != 0 {
		return 0, false
	}
	if a == ro {
		return state + blockReadOne, true
	}
	if fair && state&blockQueued != 0 {
		return 0, false
	}
	want := classOf(a)
	if state&blockOnes == 0 {
		return state | want + blockOne, true
	}
	return state + blockOne, state&blockClass == want && a != ew
}

func leave(state int, a access) int {
	if a == ro {
		return state - blockReadOne
	}
	state -= blockOne
	if state&blockOnes == 0 {
		state &^= blockClass
	}
	return state
}

// A blockModel is one block with its queue (datablock/record.go, queue.go,
// store.go). Waiters are EDTs, numbered from 1; lock guards the queue.
type blockModel struct {
	weak    string
	state   model.Word
	lock    model.Word
	queue   []model.Word
	length  model.Word
	freed   model.Word
	passed  model.Word   // a newcomer has passed by the queue
	holding []model.Word // by mode; for conditions only
	edts    *edtsModel
}

// An edtsModel is what the EDTs of a system have in common.
type edtsModel struct {
	modes   []access     // of each EDT
	granted []model.Word // set when the block that an EDT waits for is its own
}

// newBlockModel is a block that is held in these modes.
func newBlockModel(s *model.System, weak, name string, edts *edtsModel, held ...access) *blockModel {
	state, holders := 0, [4]int{}
	for _, a := range held {
		state, _ = admit(state, a, true)
		holders[a]++
	}
	b := &blockModel{
		weak: weak, edts: edts,
		state: s.Word(name, state), lock: s.Word(name+" lock", 0), queue: s.Words(name+" queue", 4),
		length: s.Word(name+" queued", 0), freed: s.Word(name+" freed", 0), passed: s.Word(name+" passed", 0),
	}
	for a, n := range holders {
		b.holding = append(b.holding, s.Word(fmt.Sprintf("%s %v holders", name, access(a)), n))
	}
	return b
}

// tryAcquire is TryAcquire, of grant with fair false.
func (b *blockModel) tryAcquire(p *model.Process, a access, fair bool) bool {
	for {
		old := p.Load(b.state)
		next, ok := admit(old, a, fair && b.weak != "newcomers pass by the queue")
		if !ok {
			return false
		}
		if b.weak == "a hold is taken with a load and a store" {
			p.Store(b.state, next)
		} else if !b.changeState(p, old, next, fair && a != ro) {
			continue
		}
		p.Note(b.holding[a], 1)
		return true
	}
}

// changeState is a compare-and-swap. A newcomer must not find EDTs in the queue.
func (b *blockModel) changeState(p *model.Process, old, new int, newcomer bool) bool {
	return p.Atomically(fmt.Sprintf("change state from %d to %d", old, new), func(m model.Memory) int {
		if int(m[b.state]) != old {
			return 0
		}
		m[b.state] = int16(new)
		if newcomer && m[b.length] > 0 {
			m[b.passed] = 1
		}
		return 1
	}) != 0
}

// wait is Store.Wait: it reports whether the block was granted at once.
func (b *blockModel) wait(p *model.Process, edt int, a access) (granted bool) {
	p.Lock(b.lock)
	granted = b.enqueue(p, edt, a)
	p.Unlock(b.lock)
	return granted
}

func (b *blockModel) enqueue(p *model.Process, edt int, a access) (granted bool) {
	for {
		old := p.Load(b.state)
		next, ok := admit(old, a, true)
		if b.weak == "a waiter queues without looking again" {
			ok = false
		}
		if old&blockDestroyed != 0 {
			p.Fail("EDT %d finds the block destroyed", edt)
		}
		if !ok {
			next = old | blockQueued
		}
		if b.weak == "the queued bit is set without a compare-and-swap" && !ok {
			p.Atomically("set queued", func(m model.Memory) int { m[b.state] |= blockQueued; return 0 })
		} else if !p.CAS(b.state, old, next) {
			continue
		}
		if ok {
			p.Note(b.holding[a], 1)
			return true
		}
		p.Atomically(fmt.Sprintf("queue EDT %d", edt), func(m model.Memory) int {
			m[b.queue[m[b.length]]] = int16(edt)
			m[b.length]++
			return int(m[b.length])
		})
		return false
	}
}

// release gives a hold back and serves the queue if it is the last that the head of the queue waited for.
func (b *blockModel) release(p *model.Process, a access) {
	p.Add(b.holding[a], -1)
	for {
		old := p.Load(b.state)
		next := leave(old, a)
		if b.weak == "a hold is given back with a load and a store" {
			p.Store(b.state, next)
		} else if b.weak == "the queued bit is looked at before leaving" {
			p.Atomically("leave", func(m model.Memory) int {
				next = 0
				m[b.state] = int16(leave(int(m[b.state]), a))
				return int(m[b.state])
			})
			next = leave(old, a)
		} else if !p.CAS(b.state, old, next) {
			continue
		}
		b.released(p, next)
		return
	}
}

func (b *blockModel) released(p *model.Process, state int) {
	if b.weak == "the last holder of a destroyed block does not serve its queue" && state&blockDestroyed != 0 {
		state &^= blockQueued
	}
	if state&blockQueued != 0 && state&blockOnes == 0 {
		b.serve(p)
		return
	}
	if state == blockDestroyed {
		p.Add(b.freed, 1)
	}
}

// serve grants the block to the head of the queue and all behind it that may hold it together.
func (b *blockModel) serve(p *model.Process) {
	p.Lock(b.lock)
	list := b.list(p)
	if len(list) == 0 && b.weak == "an empty queue is left alone" {
		p.Unlock(b.lock)
		return
	}
	var served []int
	for len(served) < len(list) {
		edt := list[len(served)]
		a := b.edts.modes[edt]
		if b.weak == "the queue is served whatever it holds" {
			p.Note(b.holding[a], 1)
			p.Atomically("grant", func(m model.Memory) int { m[b.state] |= int16(classOf(a)); m[b.state]++; return 0 })
		} else if !b.tryAcquire(p, a, false) {
			break
		}
		served = append(served, edt)
		if b.weak == "one waiter is served at a time" {
			break
		}
	}
	p.Atomically("cut the queue", func(m model.Memory) int {
		for k := range b.queue {
			m[b.queue[k]] = 0
		}
		for k, edt := range list[len(served):] {
			m[b.queue[k]] = int16(edt)
		}
		m[b.length] = int16(len(list) - len(served))
		return int(m[b.length])
	})
	if len(served) == len(list) || b.weak == "the queued bit is cleared with waiters left" {
		p.Atomically("clear queued", func(m model.Memory) int { m[b.state] &^= blockQueued; return int(m[b.state]) })
	}
	p.Unlock(b.lock)
	for _, edt := range served {
		p.Store(b.edts.granted[edt], 1)
	}
}

// list reads the whole queue, which the lock guards, in one step.
func (b *blockModel) list(p *model.Process) []int {
	digits := p.Atomically("read the queue", func(m model.Memory) int {
		all := 0
		for k := int(m[b.length]) - 1; k >= 0; k-- {
			all = 10*all + int(m[b.queue[k]])
		}
		return all
	})
	var list []int
	for ; digits > 0; digits /= 10 {
		list = append(list, digits%10)
	}
	return list
}

// acquire takes one block for an EDT, now or later.
func (b *blockModel) acquire(p *model.Process, edt int, a access) {
	if b.tryAcquire(p, a, true) || b.wait(p, edt, a) {
		return
	}
	p.Await(b.edts.granted[edt], 1)
	p.Store(b.edts.granted[edt], 0)
}

// compatible is the table in internal/core/block/README.md.
func compatible(a, b access) bool { return a == ro || b == ro || a == b && a != ew }

// excluding: no two holders whose modes exclude each other, no free block in use.
func (b *blockModel) excluding(s *model.System) {
	s.Always(func(m model.Memory) string {
		if m[b.passed] != 0 {
			return "a newcomer has passed by the queue"
		}
		for x := rw; x <= constant; x++ {
			if x == ew && m[b.holding[x]] > 1 {
				return "two hold the block in mode EW"
			}
			if m[b.holding[x]] > 0 && m[b.freed] > 0 {
				return "a free block is in use"
			}
			for y := range x {
				if m[b.holding[x]] > 0 && m[b.holding[y]] > 0 && !compatible(x, y) {
					return fmt.Sprintf("%v holds beside %v", x, y)
				}
			}
		}
		return ""
	})
	s.Finally(func(m model.Memory) string {
		if v := int(m[b.state]) &^ blockDestroyed; v != 0 {
			return "the block is not free at the end"
		}
		return ""
	})
}

// recycledBlockSystem: of a destroyed block with a waiter two holders leave. Both may go to serve the queue, one of
// them so late that the record is another block's, which has a queue of its own.
func recycledBlockSystem(weak string) *model.System {
	s := model.New("recycled block")
	edts := &edtsModel{[]access{3: ew, 4: ew}, s.Words("granted", 5)}
	b := newBlockModel(s, weak, "block", edts, ew, ro)
	created, begun := s.Word("created", 0), s.Word("begun", 0)
	s.Go("EDT1", func(p *model.Process) {
		p.Atomically("EDT 3 queues, the block is destroyed", func(m model.Memory) int {
			m[b.state] |= blockQueued | blockDestroyed
			m[b.queue[0]], m[b.length], m[begun] = 3, 1, 1
			return 0
		})
		b.release(p, ew)
	})
	s.Go("EDT2", func(p *model.Process) {
		p.Await(begun, 1)
		b.release(p, ro)
	})
	s.Go("EDT3", func(p *model.Process) {
		p.Await(edts.granted[3], 1)
		b.release(p, ew)
	})
	s.Go("creator", func(p *model.Process) {
		p.Await(b.freed, 1)
		own, _ := admit(0, rw, true)
		p.StoreLater(b.state, own)
		p.Add(b.freed, -1)
		p.Note(b.holding[rw], 1)
		p.Store(created, 1)
		b.release(p, rw)
	})
	s.Go("EDT4", func(p *model.Process) {
		p.Await(created, 1)
		b.acquire(p, 4, ew)
		p.Again("holds", func(p *model.Process) { b.release(p, ew) })
	})
	b.excluding(s)
	return s
}

func TestRecycledBlock(t *testing.T) {
	explore(t, recycledBlockSystem,
		variant{"an empty queue is left alone", ""},
		variant{"the queue is served whatever it holds", "holds beside"})
}

// acquisitionSystem is edt/acquire.go: EDTs want several blocks in mode EW. Each first tries all in slot order, gives
// back what it got if one is refused, and then takes them one by one by GUID.
func acquisitionSystem(weak string) *model.System {
	s := model.New("acquisition of several blocks")
	slots := [][]int{1: {0, 1}, 2: {1, 0}}
	edts := &edtsModel{[]access{0, ew, ew}, s.Words("granted", 3)}
	blocks := []*blockModel{newBlockModel(s, weak, "A", edts), newBlockModel(s, weak, "B", edts)}
	for k := 1; k < len(slots); k++ {
		s.Go(fmt.Sprintf("EDT%d", k), func(p *model.Process) {
			order := slices.Clone(slots[k])
			held := 0
			for held < len(order) && blocks[order[held]].tryAcquire(p, ew, true) {
				held++
			}
			if held < len(order) {
				if weak != "waits with what it got in slot order" {
					for _, b := range order[:held] {
						blocks[b].release(p, ew)
					}
					held = 0
				}
				if weak == "" {
					slices.Sort(order)
				}
				for ; held < len(order); held++ {
					blocks[order[held]].acquire(p, k, ew)
				}
			}
			p.Again("holds all", func(p *model.Process) {
				for _, b := range slots[k] {
					blocks[b].release(p, ew)
				}
			})
		})
	}
	for _, b := range blocks {
		b.excluding(s)
	}
	return s
}

func TestAcquisitionOfSeveralBlocks(t *testing.T) {
	explore(t, acquisitionSystem,
		variant{"waits with what it got in slot order", "deadlock"},
		variant{"takes them in slot order", "deadlock"})
}
