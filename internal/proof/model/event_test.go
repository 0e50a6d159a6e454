package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// An eventModel is the waiter list of edt/event.go, depend.go and satisfy.go. Waiters are single slots, numbered from
// 1; a block's name is 40 or more, and the head of a triggered event. A record that was freed must not be looked at
// any more: that is what touch checks.
type eventModel struct {
	weak   string
	kind   string
	head   model.Word
	count  model.Word   // of a counted or latch event
	freed  model.Word   // how often the record was freed
	over   model.Word   // how often a counted event's dependence was reported as one too many
	link   []model.Word // of each waiter: the next one
	served []model.Word // how often each waiter was satisfied
	block  []model.Word // and with what
}

const (
	firstBlock  = 40
	unsatisfied = 1000 // what the satisfaction of a counted event counts
)

func newEventModel(s *model.System, weak, kind string, count, waiters int) *eventModel {
	return &eventModel{
		weak: weak, kind: kind,
		head: s.Word("head", 0), count: s.Word("count", count), freed: s.Word("freed", 0), over: s.Word("reported", 0),
		link: s.Words("link", waiters+1), served: s.Words("served", waiters+1), block: s.Words("block", waiters+1),
	}
}

// touch is a step on the record, which must not be free.
func (e *eventModel) touch(p *model.Process, what string, f func(m model.Memory) int) int {
	const gone = -1
	v := p.Atomically(what, func(m model.Memory) int {
		if m[e.freed] != 0 {
			return gone
		}
		return f(m)
	})
	if v == gone {
		p.Fail("%s: the record is free", what)
	}
	return v
}

func (e *eventModel) loadHead(p *model.Process) int {
	return e.touch(p, "load head", func(m model.Memory) int { return int(m[e.head]) })
}

// changeHead is a compare-and-swap, or, weakened, a store.
func (e *eventModel) changeHead(p *model.Process, old, new int, store bool) bool {
	return e.touch(p, fmt.Sprintf("change head from %d to %d", old, new), func(m model.Memory) int {
		if int(m[e.head]) != old && !store {
			return 0
		}
		m[e.head] = int16(new)
		return 1
	}) != 0
}

// await is the dependence of waiter w.
func (e *eventModel) await(p *model.Process, w int) {
	for {
		h := e.loadHead(p)
		if h >= firstBlock {
			e.use(p, 1)
			e.fill(p, w, h)
			return
		}
		if e.weak != "waiter is linked after it was pushed" {
			p.Store(e.link[w], h)
		}
		if e.weak == "counted event is used before the push" {
			e.use(p, 1)
		}
		if !e.changeHead(p, h, w, e.weak == "waiter is pushed with a store") {
			continue
		}
		if e.weak == "waiter is linked after it was pushed" {
			p.Store(e.link[w], h)
		}
		if e.weak == "the event is looked at after the push" {
			e.touch(p, "load type", func(model.Memory) int { return 0 })
		}
		if e.weak != "counted event is used before the push" {
			e.use(p, 1)
		}
		return
	}
}

// use takes uses of a counted event, one for a dependence, and frees it with the last.
// A dependence too many before the satisfaction is reported.
func (e *eventModel) use(p *model.Process, n int) {
	if e.kind != "counted" {
		return
	}
	switch e.touch(p, fmt.Sprintf("count down by %d", n), func(m model.Memory) int {
		m[e.count] -= int16(n)
		return int(m[e.count])
	}) {
	case 0:
		p.Add(e.freed, 1)
	case unsatisfied - 1:
		p.Add(e.over, 1)
	}
}

// trigger satisfies the event with a block; it reports whether it was the first.
func (e *eventModel) trigger(p *model.Process, block int) bool {
	waiters := 0
	for {
		waiters = e.loadHead(p)
		if waiters >= firstBlock {
			return false
		}
		if e.changeHead(p, waiters, block, e.weak == "event is triggered with a store") {
			break
		}
	}
	if e.kind == "once" && e.weak != "once event is freed after its waiters are satisfied" {
		p.Add(e.freed, 1)
	}
	if e.weak != "the satisfaction is no use" {
		e.use(p, unsatisfied)
	}
	e.deliver(p, waiters, block)
	if e.kind == "once" && e.weak == "once event is freed after its waiters are satisfied" {
		p.Add(e.freed, 1)
	}
	return true
}

func (e *eventModel) deliver(p *model.Process, waiters, block int) {
	for w := waiters; w != 0; {
		var next int
		if e.weak == "the next waiter is read after this one was satisfied" {
			e.fill(p, w, block)
			next = p.Load(e.link[w])
		} else {
			next = p.Load(e.link[w])
			e.fill(p, w, block)
		}
		w = next
	}
}

func (e *eventModel) fill(p *model.Process, w, block int) {
	p.Atomically(fmt.Sprintf("satisfy waiter %d", w), func(m model.Memory) int {
		m[e.served[w]]++
		m[e.block[w]] = int16(block)
		return block
	})
}

// count moves a latch.
func (e *eventModel) move(p *model.Process, step int) {
	var n int
	if e.weak == "latch counts with a load and a store" {
		n = e.touch(p, "load count", func(m model.Memory) int { return int(m[e.count]) }) + step
		e.touch(p, fmt.Sprintf("store count %d", n), func(m model.Memory) int { m[e.count] = int16(n); return n })
	} else {
		n = e.touch(p, fmt.Sprintf("count %d", step), func(m model.Memory) int {
			m[e.count] += int16(step)
			return int(m[e.count]) + 100
		}) - 100
	}
	if e.weak == "latch looks at the count again" {
		n = e.touch(p, "load count", func(m model.Memory) int { return int(m[e.count]) })
	}
	if n != 0 {
		return
	}
	waiters := e.touch(p, "swap head", func(m model.Memory) int {
		old := m[e.head]
		m[e.head] = firstBlock
		return int(old)
	})
	p.Add(e.freed, 1)
	e.deliver(p, waiters, firstBlock)
}

// run is the EDT of waiter w: it starts once it is satisfied and its record, with the link, is used again.
func (e *eventModel) run(w int) func(p *model.Process) {
	return func(p *model.Process) {
		p.AwaitThat(fmt.Sprintf("waiter %d satisfied", w), func(m model.Memory) bool { return m[e.served[w]] > 0 })
		p.Store(e.link[w], 0)
	}
}

// servedOnce: no waiter is satisfied twice, and in the end all of them are, with one block.
func (e *eventModel) servedOnce(s *model.System) {
	s.Always(func(m model.Memory) string {
		for w, at := range e.served {
			if m[at] > 1 {
				return fmt.Sprintf("waiter %d was satisfied twice", w)
			}
			if m[e.block[w]] != 0 && m[e.block[1]] != 0 && m[e.block[w]] != m[e.block[1]] {
				return "two waiters got different blocks"
			}
		}
		if m[e.freed] > 1 {
			return "the record was freed twice"
		}
		return ""
	})
}

// persistentSystem is a sticky or idempotent event with two dependences, which race with its satisfactions, and an
// EDT that destroys the event once both waiters run.
func persistentSystem(kind string, satisfactions int) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(kind + " event")
		e := newEventModel(s, weak, kind, 0, 2)
		over := s.Word("ended", 0)
		for w := 1; w <= 2; w++ {
			s.Go(fmt.Sprintf("depend%d", w), func(p *model.Process) { e.await(p, w) })
			s.Go(fmt.Sprintf("EDT%d", w), e.run(w))
		}
		for n := range satisfactions {
			s.Go(fmt.Sprintf("satisfy%d", n), func(p *model.Process) {
				e.trigger(p, firstBlock+n)
				p.Add(over, 1)
			})
		}
		s.Go("destroy", func(p *model.Process) {
			p.AwaitThat("both waiters satisfied", func(m model.Memory) bool {
				all := m[e.served[1]] > 0 && m[e.served[2]] > 0
				return all && (satisfactions == 1 || int(m[over]) == satisfactions)
			})
			p.Add(e.freed, 1)
		})
		e.servedOnce(s)
		return s
	}
}

func TestStickyEvent(t *testing.T) {
	explore(t, persistentSystem("sticky", 1),
		variant{"waiter is pushed with a store", "deadlock"},
		variant{"event is triggered with a store", "deadlock"},
		variant{"waiter is linked after it was pushed", "deadlock"},
		variant{"the next waiter is read after this one was satisfied", "deadlock"},
		variant{"the event is looked at after the push", "record is free"})
}

func TestIdempotentEvent(t *testing.T) {
	explore(t, persistentSystem("idempotent", 2),
		variant{"event is triggered with a store", "different blocks"})
}

// onceSystem is a once event whose dependences are there before it is satisfied, as
// the program must see to. An EDT that it made ready takes its GUID for stale.
func onceSystem(weak string) *model.System {
	s := model.New("once event")
	e := newEventModel(s, weak, "once", 0, 2)
	added := s.Word("added", 0)
	for w := 1; w <= 2; w++ {
		s.Go(fmt.Sprintf("depend%d", w), func(p *model.Process) {
			e.await(p, w)
			p.Add(added, 1)
		})
		s.Go(fmt.Sprintf("EDT%d", w), func(p *model.Process) {
			e.run(w)(p)
			if p.Load(e.freed) == 0 {
				p.Fail("the event is still there")
			}
		})
	}
	s.Go("satisfy", func(p *model.Process) {
		p.Await(added, 2)
		e.trigger(p, firstBlock)
	})
	e.servedOnce(s)
	return s
}

func TestOnceEvent(t *testing.T) {
	explore(t, onceSystem,
		variant{"waiter is pushed with a store", "deadlock"},
		variant{"once event is freed after its waiters are satisfied", "still there"})
}

// countedSystem is a counted event for two dependences, which race with its satisfaction.
func countedSystem(weak string) *model.System {
	s := model.New("counted event")
	uses := 2 + unsatisfied
	if weak == "the satisfaction is no use" {
		uses = 2
	}
	e := newEventModel(s, weak, "counted", uses, 2)
	for w := 1; w <= 2; w++ {
		s.Go(fmt.Sprintf("depend%d", w), func(p *model.Process) { e.await(p, w) })
		s.Go(fmt.Sprintf("EDT%d", w), e.run(w))
	}
	s.Go("satisfy", func(p *model.Process) { e.trigger(p, firstBlock) })
	e.servedOnce(s)
	s.Finally(func(m model.Memory) string {
		if m[e.freed] != 1 {
			return "the record is not freed"
		}
		if m[e.over] != 0 {
			return "a dependence was reported"
		}
		return ""
	})
	return s
}

// overusedSystem is a counted event for one dependence that two EDTs depend on, and that is never satisfied.
func overusedSystem(weak string) *model.System {
	s := model.New("overused counted event")
	uses := 1 + unsatisfied
	if weak == "the satisfaction counts like a dependence" {
		uses = 2
	}
	e := newEventModel(s, weak, "counted", uses, 2)
	for w := 1; w <= 2; w++ {
		s.Go(fmt.Sprintf("depend%d", w), func(p *model.Process) { e.await(p, w) })
	}
	s.Finally(model.If("a dependence has ended the event, or none was reported", func(m model.Memory) bool {
		return m[e.freed] != 0 || m[e.over] != 1
	}))
	return s
}

func TestOverusedCountedEvent(t *testing.T) {
	explore(t, overusedSystem, variant{"the satisfaction counts like a dependence", "has ended the event"})
}

func TestCountedEvent(t *testing.T) {
	explore(t, countedSystem,
		variant{"counted event is used before the push", "record is free"},
		variant{"the satisfaction is no use", "record is free"},
		variant{"event is triggered with a store", "deadlock"})
}

// latchSystem is a latch that begins at 2. Its creator adds a dependence and counts
// down; another EDT counts it up while it still holds a count of its own.
func latchSystem(weak string) *model.System {
	s := model.New("latch event")
	e := newEventModel(s, weak, "latch", 2, 2)
	s.Go("creator", func(p *model.Process) {
		e.await(p, 1)
		e.move(p, -1)
	})
	s.Go("other", func(p *model.Process) {
		e.move(p, 1)
		e.await(p, 2)
		e.move(p, -1)
		e.move(p, -1)
	})
	for w := 1; w <= 2; w++ {
		s.Go(fmt.Sprintf("EDT%d", w), e.run(w))
	}
	e.servedOnce(s)
	return s
}

func TestLatchEvent(t *testing.T) {
	explore(t, latchSystem,
		variant{"latch counts with a load and a store", "deadlock"},
		variant{"latch looks at the count again", "free"},
		variant{"waiter is pushed with a store", "deadlock"})
}
