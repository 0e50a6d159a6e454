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

// admitKept is admit for an EDT that keeps the block.
func admitKept(state int, a access) (int, bool) {
	next, ok := admit(state&^blockDestroyed, a, true)
	return next - blockReadOne | state&blockDestroyed, ok
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

// keep is Keep.
func (b *blockModel) keep(p *model.Process) {
	p.Add(b.state, blockReadOne)
	p.Note(b.holding[ro], 1)
}

// acquireKept takes a block that an EDT keeps, now or later.
func (b *blockModel) acquireKept(p *model.Process, edt int, a access) {
	if b.weak == "a block is kept until it is wanted only" {
		b.release(p, ro)
		b.acquire(p, edt, a)
		return
	}
	if !b.tryKept(p, a) && !b.wait(p, edt, a, true) {
		p.Await(b.edts.granted[edt], 1)
	}
}

func (b *blockModel) tryKept(p *model.Process, a access) bool {
	for {
		old := p.Load(b.state)
		next, ok := admitKept(old, a)
		if !ok {
			return false
		}
		if b.changeState(p, old, next, a != ro) {
			p.Note(b.holding[ro], -1)
			p.Note(b.holding[a], 1)
			return true
		}
	}
}

// wait is Store.Wait: it reports whether the block was granted at once.
func (b *blockModel) wait(p *model.Process, edt int, a access, kept bool) (granted bool) {
	p.Lock(b.lock)
	granted = b.enqueue(p, edt, a, kept)
	p.Unlock(b.lock)
	return granted
}

func (b *blockModel) enqueue(p *model.Process, edt int, a access, kept bool) (granted bool) {
	for {
		old := p.Load(b.state)
		next, ok := admit(old, a, true)
		if kept {
			next, ok = admitKept(old, a)
		}
		if b.weak == "a waiter queues without looking again" {
			ok = false
		}
		if old&blockDestroyed != 0 && (!kept || b.weak == "a keeper of a block finds it destroyed") {
			p.Fail("EDT %d finds the block destroyed", edt)
		}
		if !ok {
			next = old | blockQueued
			if kept && b.weak != "a waiter keeps its blocks" {
				next -= blockReadOne
			}
		}
		if b.weak == "the queued bit is set without a compare-and-swap" && !ok {
			p.Atomically("set queued", func(m model.Memory) int { m[b.state] |= blockQueued; return 0 })
		} else if !p.CAS(b.state, old, next) {
			continue
		}
		if kept {
			p.Note(b.holding[ro], -1)
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

// destroy is Destroy of a block that the caller does not hold.
func (b *blockModel) destroy(p *model.Process) {
	for {
		old := p.Load(b.state)
		if !p.CAS(b.state, old, old|blockDestroyed) {
			continue
		}
		if old == 0 && b.weak != "the destroyer frees nothing" || b.weak == "a destroyed block with holders is freed" {
			p.Add(b.freed, 1)
		}
		return
	}
}

// acquire takes one block for an EDT, now or later.
func (b *blockModel) acquire(p *model.Process, edt int, a access) {
	if b.tryAcquire(p, a, true) || b.wait(p, edt, a, false) {
		return
	}
	p.Await(b.edts.granted[edt], 1)
	p.Store(b.edts.granted[edt], 0)
}

// compatible is the table in docs/memory.md.
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

// blockSystem has EDTs that want one block at the same time.
func blockSystem(modes ...access) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprint("block queue ", modes))
		edts := &edtsModel{append([]access{0}, modes...), s.Words("granted", len(modes)+1)}
		b := newBlockModel(s, weak, "block", edts)
		for k, a := range modes {
			s.Go(fmt.Sprintf("EDT%d", k+1), func(p *model.Process) {
				b.acquire(p, k+1, a)
				p.Again("holds", func(p *model.Process) { b.release(p, a) })
			})
		}
		b.excluding(s)
		return s
	}
}

func TestBlockQueue(t *testing.T) {
	for _, modes := range [][]access{{ew, rw, ro}, {constant, constant, rw}, {rw, rw, constant}} {
		t.Run(fmt.Sprint(modes), func(t *testing.T) { explore(t, blockSystem(modes...)) })
	}
	explore(t, blockSystem(ew, rw, constant),
		variant{"a hold is taken with a load and a store", "holds beside"},
		variant{"a hold is given back with a load and a store", "passed by"},
		variant{"a waiter queues without looking again", "deadlock"},
		variant{"the queued bit is set without a compare-and-swap", "deadlock"},
		variant{"the queued bit is looked at before leaving", "deadlock"},
		variant{"the queued bit is cleared with waiters left", "deadlock"},
		variant{"the queue is served whatever it holds", "holds beside"},
		variant{"newcomers pass by the queue", "passed by"})
	t.Run("two readers wait", func(t *testing.T) {
		explore(t, blockSystem(ew, constant, constant), variant{"one waiter is served at a time", ""})
	})
}

// handOver looks whether a hold in mode RW may pass on to an EDT that wants the block in mode RW
// too: then the word stays as it is.
func (b *blockModel) handOver(p *model.Process) bool {
	return p.Atomically("hand over", func(m model.Memory) int {
		if m[b.state]&(blockQueued|blockDestroyed) != 0 && b.weak != "handed over whoever waits" {
			return 0
		}
		if m[b.length] > 0 {
			m[b.passed] = 1
		}
		if b.weak == "handed over and given back" {
			m[b.state] = int16(leave(int(m[b.state]), rw))
		}
		return 1
	}) != 0
}

// passedBlockSystem: EDT 1 passes the block on to EDT 2, on the same worker, while another wants it.
func passedBlockSystem(other access) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprint("passed block, wanted in mode ", other))
		edts := &edtsModel{[]access{0, rw, rw, other}, s.Words("granted", 4)}
		b := newBlockModel(s, weak, "block", edts, rw)
		s.Go("EDT1", func(p *model.Process) {
			if !b.handOver(p) {
				b.release(p, rw)
				b.acquire(p, 2, rw)
			}
			p.Again("EDT2 holds", func(p *model.Process) { b.release(p, rw) })
		})
		s.Go("EDT3", func(p *model.Process) {
			b.acquire(p, 3, other)
			p.Again("holds", func(p *model.Process) { b.release(p, other) })
		})
		b.excluding(s)
		return s
	}
}

func TestPassedBlock(t *testing.T) {
	explore(t, passedBlockSystem(rw))
	explore(t, passedBlockSystem(constant))
	explore(t, passedBlockSystem(ew),
		variant{"handed over whoever waits", "passed by"},
		variant{"handed over and given back", "holds beside"})
}

// destroyedAt destroys the block when edts EDTs are runnable. It must be freed once.
func (b *blockModel) destroyedAt(s *model.System, runnable model.Word, edts int) {
	s.Go("destroy", func(p *model.Process) {
		p.Await(runnable, edts)
		b.destroy(p)
	})
	s.Always(model.If("the block is freed twice", func(m model.Memory) bool { return m[b.freed] > 1 }))
	s.Finally(model.If("the block is never freed", func(m model.Memory) bool { return m[b.freed] == 0 }))
}

// destroyedBlockSystem: two EDTs hold the block when a third becomes runnable and
// waits for it or takes it; after that a fourth destroys it.
func destroyedBlockSystem(weak string) *model.System {
	s := model.New("destroyed block")
	edts := &edtsModel{[]access{3: ew}, s.Words("granted", 4)}
	b := newBlockModel(s, weak, "block", edts, ew, ro)
	s.Go("EDT1", func(p *model.Process) { b.release(p, ew) })
	s.Go("EDT2", func(p *model.Process) { b.release(p, ro) })
	runnable := s.Word("runnable", 0)
	s.Go("EDT3", func(p *model.Process) {
		own := b.tryAcquire(p, ew, true) || b.wait(p, 3, ew, false)
		p.Again(fmt.Sprint("runnable ", own), func(p *model.Process) {
			p.Store(runnable, 1)
			if !own {
				p.Await(edts.granted[3], 1)
			}
			b.release(p, ew)
		})
	})
	b.excluding(s)
	b.destroyedAt(s, runnable, 1)
	return s
}

func TestDestroyedBlock(t *testing.T) {
	explore(t, destroyedBlockSystem,
		variant{"a destroyed block with holders is freed", "in use"},
		variant{"an empty queue is left alone", ""},
		variant{"the destroyer frees nothing", "never freed"},
		variant{"the last holder of a destroyed block does not serve its queue", "deadlock"})
}

// keptBlockSystem: an EDT keeps a block while it waits for another one. Others hold the block, or want it, and one
// destroys it.
func keptBlockSystem(mode access) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprint("kept block, wanted in mode ", mode))
		edts := &edtsModel{[]access{2: rw, 3: mode}, s.Words("granted", 4)}
		b := newBlockModel(s, weak, "block", edts, ew)
		runnable := s.Word("runnable", 0)
		s.Go("EDT1", func(p *model.Process) { b.release(p, ew) })
		s.Go("EDT2", func(p *model.Process) {
			b.acquire(p, 2, rw)
			p.Again("holds", func(p *model.Process) {
				p.Add(runnable, 1)
				b.release(p, rw)
			})
		})
		s.Go("EDT3", func(p *model.Process) {
			b.keep(p)
			p.Add(runnable, 1)
			b.acquireKept(p, 3, mode)
			p.Again("holds", func(p *model.Process) { b.release(p, mode) })
		})
		b.excluding(s)
		b.destroyedAt(s, runnable, 2)
		return s
	}
}

func TestKeptBlock(t *testing.T) {
	for _, mode := range []access{rw, ro, constant} {
		explore(t, keptBlockSystem(mode))
	}
	explore(t, keptBlockSystem(ew),
		variant{"a block is kept until it is wanted only", "finds the block destroyed"},
		variant{"a keeper of a block finds it destroyed", "finds the block destroyed"},
		variant{"a waiter keeps its blocks", "not free at the end"},
		variant{"the last holder of a destroyed block does not serve its queue", "deadlock"})
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
