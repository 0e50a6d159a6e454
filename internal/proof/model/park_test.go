package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A poolModel is runtime/search.go, park.go and pool.go: workers that run EDTs, search for more, park, are woken and
// end. The numbers (1) to (6) are those of docs/scheduler.md. EDTs are numbered from 1. A deque is its two ends, and
// takes are one step (TestDequeLastEntry shows why that may be). A message of an inbox is a word that its sender
// stores.
type poolModel struct {
	weak      string
	workers   int
	edts      []edtModel // from 1
	spinning  model.Word
	numParked model.Word // count and epoch
	stopped   model.Word
	parked    []model.Word
	top       []model.Word // of each deque
	bottom    []model.Word
	entries   [][]model.Word
	tail      []model.Word // of each inbox
	freed     []model.Word
	received  []model.Word // the receiver's head
	message   []model.Word // of each EDT: 1 while it is in an inbox
	started   []model.Word
	ran       model.Word // how many EDTs have
	epochs    int
	shared    bool       // the workers but 0 share a processor
	awake     model.Word // how many of those are awake
	mail      *mailModel // nil: nothing comes from outside
}

// An edtModel is a body: it makes EDTs ready, then waits for others.
type edtModel struct {
	push   []int // onto the deque of the worker that runs it
	send   []int // to the worker that they are bound to
	bound  int   // the worker that it is sent to
	until  []int // waits until these have started
	ends   bool  // ends the run, in the end
	letter int   // waits until this number of letters is handled
}

// The word numParked: the count below, the epoch above.
const (
	parkedMask  = 3
	parkedEpoch = 4
	epochs      = 8
)

// pushers is how many workers, from 0, have EDTs in their deques: looking at the
// others would only multiply the states.
const pushers = 1

// anyWorker is the place of an EDT that every worker may run.
const anyWorker = -1

// newPoolModel begins with EDT 1 in the inbox of worker 0. If no process reads
// the epoch, epochs is 1: more would only multiply the states.
func newPoolModel(s *model.System, weak string, workers, epochs int, edts []edtModel) *poolModel {
	edts = append([]edtModel{{bound: anyWorker}}, edts...)
	m := &poolModel{
		weak: weak, workers: workers, edts: edts, epochs: epochs,
		spinning: s.Word("spinning", 0), numParked: s.Word("numParked", 0), stopped: s.Word("stopped", 0),
		parked: s.Words("parked", workers), top: s.Words("top", workers), bottom: s.Words("bottom", workers),
		tail: s.Words("tail", workers), freed: s.Words("freed", workers), received: s.Words("received", workers),
		message: s.Words("message", len(edts)), started: s.Words("started", len(edts)), ran: s.Word("EDTs run", 0),
	}
	for w := range workers {
		m.entries = append(m.entries, s.Words(fmt.Sprintf("entry[%d]", w), 2))
	}
	return m
}

// run is worker.run: one EDT after the other.
func (m *poolModel) run(w int) func(p *model.Process) {
	return func(p *model.Process) {
		if p.Load(m.stopped) != 0 {
			return
		}
		if k := m.next(p, w); k != 0 {
			p.Again(fmt.Sprint("run ", k), m.execute(w, k))
		}
		p.Again("search", m.search(w, false))
	}
}

// execute runs an EDT.
func (m *poolModel) execute(w, k int) func(p *model.Process) {
	return func(p *model.Process) {
		p.Store(m.started[k], 1)
		p.Again(fmt.Sprintf("EDT %d", k), m.body(w, k, 0))
	}
}

// body is an EDT's body from its n-th act on.
func (m *poolModel) body(w, k, n int) func(p *model.Process) {
	e := &m.edts[k]
	return func(p *model.Process) {
		switch at := n; {
		case at < len(e.push):
			m.push(p, w, e.push[at])
		case at < len(e.push)+len(e.send):
			m.send(p, e.send[at-len(e.push)])
		case at < len(e.push)+len(e.send)+len(e.until):
			p.Await(m.started[e.until[at-len(e.push)-len(e.send)]], 1)
		case at == len(e.push)+len(e.send)+len(e.until) && e.letter > 0:
			p.AwaitThat("letter", func(v model.Memory) bool { return int(v[m.mail.delivered]) >= e.letter })
		default:
			m.end(p, e)
			p.Again("run", m.run(w))
		}
		p.Again(fmt.Sprintf("EDT %d act %d", k, n), m.body(w, k, n+1))
	}
}

func (m *poolModel) end(p *model.Process, e *edtModel) {
	p.Add(m.ran, 1)
	if e.ends {
		p.Atomically("end the run", func(v model.Memory) int {
			v[m.stopped] = 1
			for _, a := range m.parked {
				v[a] = 0
			}
			return 0
		})
	}
}

// push makes an EDT ready that every worker may run, and notifies.
func (m *poolModel) push(p *model.Process, w, k int) {
	b := p.Load(m.bottom[w])
	p.StoreLater(m.entries[w][b], k)
	switch m.weak {
	case "(1) comes before the push":
		m.notify(p)
		p.Store(m.bottom[w], b+1)
		return
	case "bottom is stored plainly":
		p.StoreLater(m.bottom[w], b+1)
	default:
		p.Store(m.bottom[w], b+1)
	}
	m.notify(p)
}

func (m *poolModel) notify(p *model.Process) {
	if p.Load(m.numParked)&parkedMask > 0 && p.Load(m.spinning) == 0 { // (1)
		m.wakeOne(p)
	}
}

// send makes an EDT ready that one worker must run.
func (m *poolModel) send(p *model.Process, k int) {
	to := m.edts[k].bound
	if m.weak == "sender wakes before it claims a place" {
		m.wake(p, to)
	}
	p.Add(m.tail[to], 1)
	switch m.weak {
	case "sender wakes before it claims a place":
		p.Store(m.message[k], 1)
		return
	case "sender wakes before it stores the message":
		m.wake(p, to)
		p.Store(m.message[k], 1)
		return
	case "message is stored plainly", "message is stored plainly, and (5) looks for it":
		p.StoreLater(m.message[k], 1)
	default:
		p.Store(m.message[k], 1)
	}
	m.wake(p, to)
}

// next takes a message, or an EDT of the worker's own deque.
func (m *poolModel) next(p *model.Process, w int) int {
	m.hinted(p, w)
	if k := p.Atomically(fmt.Sprintf("poll inbox %d", w), func(v model.Memory) int {
		for k := 1; k < len(m.edts); k++ {
			if m.edts[k].bound == w && v[m.message[k]] == 1 {
				v[m.message[k]] = 2
				v[m.freed[w]] = v[m.received[w]] // as now and then: not of this message
				v[m.received[w]]++
				if m.weak == "a message is freed as it is received" {
					v[m.freed[w]]++
				}
				return k
			}
		}
		return 0
	}); k != 0 {
		return k
	}
	if w >= pushers {
		return 0
	}
	return m.take(p, w)
}

// take is pop and steal.
func (m *poolModel) take(p *model.Process, w int) int {
	return p.Atomically(fmt.Sprintf("take from deque %d", w), func(v model.Memory) int {
		t := v[m.top[w]]
		if t >= v[m.bottom[w]] {
			return 0
		}
		v[m.top[w]]++
		return int(v[m.entries[w][t]])
	})
}

// search looks for an EDT, and parks if there is none.
func (m *poolModel) search(w int, woken bool) func(p *model.Process) {
	return func(p *model.Process) { m.found(p, w, m.spin(p, w, woken)) }
}

// found runs the EDT that a search has found, or parks.
func (m *poolModel) found(p *model.Process, w, k int) {
	if k != 0 {
		p.Again(fmt.Sprint("run ", k), m.execute(w, k))
	}
	if p.Load(m.stopped) == 0 {
		p.Again("park", m.park(w))
	}
}

// spin looks once, and once more if it likes, counting as spinning by then.
func (m *poolModel) spin(p *model.Process, w int, woken bool) int {
	counted := woken && m.weak != "a woken worker does not count as spinning"
	if counted {
		p.Add(m.spinning, 1)
	}
	k := m.look(p, w)
	if k == 0 && p.Choose(2) == 1 {
		if !counted {
			counted = true
			p.Add(m.spinning, 1)
		}
		k = m.look(p, w)
	}
	if counted && m.weak != "(2) comes after (5)" {
		m.endSpin(p, k != 0)
	} else if counted {
		if k == 0 {
			p.Again("park as spinner", m.parkCounted(w))
		}
		m.endSpin(p, true)
	}
	return k
}

// look goes over the worker's own lists and the others' deques.
func (m *poolModel) look(p *model.Process, w int) int {
	if m.mail != nil {
		m.receive(p)
	}
	k := m.next(p, w)
	for v := 0; v < pushers && k == 0; v++ {
		if v != w {
			k = m.take(p, v)
		}
	}
	return k
}

func (m *poolModel) endSpin(p *model.Process, found bool) {
	left := p.Add(m.spinning, -1) // (2)
	if left != 0 || !found || m.weak == "a wake-up is not passed on" {
		return
	}
	if p.Load(m.numParked)&parkedMask > 0 && m.anyStealable(p) {
		m.wakeOne(p)
	}
}

// park is steps (3) to (5).
func (m *poolModel) park(w int) func(p *model.Process) {
	return func(p *model.Process) {
		m.settle(p, w)
		m.beginPark(p, w)
	}
}

// parkCounted is park of a worker that still counts as spinning.
func (m *poolModel) parkCounted(w int) func(p *model.Process) {
	return func(p *model.Process) {
		m.settle(p, w)
		p.Store(m.parked[w], 1)
		count := p.Add(m.numParked, 1) & parkedMask
		stay := m.mustStay(p, w)
		m.endSpin(p, false)
		m.lookAgain(p, w, count, stay)
	}
}

func (m *poolModel) settle(p *model.Process, w int) {
	if m.weak != "the inbox is not settled" {
		p.Atomically(fmt.Sprintf("settle inbox %d", w), func(v model.Memory) int {
			v[m.freed[w]] = v[m.received[w]]
			return int(v[m.freed[w]])
		})
	}
}

// beginPark takes the steps in their order, or in a weakened one.
func (m *poolModel) beginPark(p *model.Process, w int) {
	switch m.weak {
	case "(3) comes after (5)":
		count := p.Add(m.numParked, 1) & parkedMask
		stay := m.mustStay(p, w)
		p.Store(m.parked[w], 1)
		m.lookAgain(p, w, count, stay)
	case "(4) comes after (5)":
		p.Store(m.parked[w], 1)
		stay := m.mustStay(p, w)
		m.lookAgain(p, w, p.Add(m.numParked, 1)&parkedMask, stay)
	case "(3) is a plain store":
		p.StoreLater(m.parked[w], 1)
		count := p.Add(m.numParked, 1) & parkedMask
		m.lookAgain(p, w, count, m.mustStay(p, w))
	default:
		p.Store(m.parked[w], 1) // (3)
		count := m.goIdle(p, w) // (4)
		m.lookAgain(p, w, count, m.mustStay(p, w))
	}
}

// goIdle is (4).
func (m *poolModel) goIdle(p *model.Process, w int) (count int) {
	onShared := m.shared && w > 0
	if onShared && m.weak != "(4) counts the processor last" {
		p.Add(m.awake, -1)
	}
	count = p.Add(m.numParked, 1) & parkedMask
	if onShared && m.weak == "(4) counts the processor last" {
		p.Add(m.awake, -1)
	}
	return count
}

// mustStay is (5).
func (m *poolModel) mustStay(p *model.Process, w int) bool {
	return m.weak != "(5) does not look whether the run is over" && p.Load(m.stopped) != 0 ||
		m.weak != "(5) does not look at the inbox" && !m.inboxEmpty(p, w) ||
		m.weak != "(5) does not look at the deques" && m.anyStealable(p) || m.anyMail(p)
}

// lookAgain undoes (3) and (4) or blocks.
func (m *poolModel) lookAgain(p *model.Process, w, count int, stay bool) {
	if stay {
		p.Store(m.parked[w], 0)
		m.leaveIdle(p, w)
		p.Again("search woken", m.search(w, true))
	}
	if count == m.workers && m.quiescent(p) {
		m.stop(p)
	}
	p.Again("block", func(p *model.Process) {
		p.Await(m.parked[w], 0) // (6)
		m.leaveIdle(p, w)
		p.Again("search woken", m.search(w, true))
	})
}

func (m *poolModel) leaveIdle(p *model.Process, w int) {
	p.Atomically("wake", func(v model.Memory) int {
		v[m.numParked] = (v[m.numParked] + parkedEpoch - 1) % int16(m.epochs*parkedEpoch)
		return int(v[m.numParked])
	})
	if m.shared && w > 0 {
		p.Add(m.awake, 1)
	}
}

func (m *poolModel) wake(p *model.Process, w int) bool {
	return p.Load(m.parked[w]) == 1 && p.CAS(m.parked[w], 1, 0)
}

func (m *poolModel) wakeOne(p *model.Process) {
	for w := range m.workers {
		full := m.shared && w > 0 && p.Load(m.awake) > 0
		if !full && m.wake(p, w) {
			return
		}
	}
}

func (m *poolModel) anyStealable(p *model.Process) bool {
	for w := range pushers {
		if p.Atomically(fmt.Sprintf("count deque %d", w), func(v model.Memory) int {
			return int(v[m.bottom[w]] - v[m.top[w]])
		}) > 0 {
			return true
		}
	}
	return false
}

func (m *poolModel) inboxEmpty(p *model.Process, w int) bool {
	if m.weak == "message is stored plainly, and (5) looks for it" {
		return p.Atomically(fmt.Sprintf("count inbox %d", w), func(v model.Memory) int {
			n := 0
			for k := range m.edts {
				if m.edts[k].bound == w && v[m.message[k]] == 1 {
					n++
				}
			}
			return n
		}) == 0
	}
	return p.Load(m.tail[w]) == p.Load(m.freed[w])
}

func (m *poolModel) anyInbox(p *model.Process) bool {
	for w := range m.workers {
		if !m.inboxEmpty(p, w) {
			return true
		}
	}
	return false
}

// quiescent is asked by the worker whose (4) was the last.
func (m *poolModel) quiescent(p *model.Process) bool {
	before := p.Load(m.numParked)
	if before&parkedMask != m.workers || m.expects(p) || m.anyMail(p) || m.anyStealable(p) ||
		m.weak != "quiescence does not look at the inboxes" && m.anyInbox(p) {
		return false
	}
	switch m.weak {
	case "quiescence does not read numParked again":
		return true
	case "quiescence forgets the epoch":
		return p.Load(m.numParked)&parkedMask == before&parkedMask
	}
	return p.Load(m.numParked) == before
}

func (m *poolModel) stop(p *model.Process) {
	if m.weak != "stop wakes before it says so" {
		p.Store(m.stopped, 1)
	}
	for w := range m.workers {
		m.wake(p, w)
	}
	if m.weak == "stop wakes before it says so" {
		p.Store(m.stopped, 1)
	}
}

// poolSystem runs a program whose first EDT ends it: what it waits for must get a worker before.
func poolSystem(name string, workers int, edts ...edtModel) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(name)
		m := newPoolModel(s, weak, workers, 1, edts)
		m.start(s)
		return s
	}
}

func (m *poolModel) start(s *model.System) {
	s.Go("worker0", func(p *model.Process) {
		p.Store(m.tail[0], 1)
		p.Store(m.received[0], 1)
		p.Again("run 1", m.execute(0, 1))
	})
	for w := 1; w < m.workers; w++ {
		s.Go(fmt.Sprintf("worker%d", w), m.run(w))
	}
}

// The sender of a message stays busy until the target has it. What (5) sees of a message is its place, claimed by a
// compare-and-swap: that is why the message itself may be stored plainly.
func TestWakeUpByMessage(t *testing.T) {
	explore(t, poolSystem("message", 2,
		edtModel{send: []int{2}, until: []int{2}, ends: true},
		edtModel{bound: 1}),
		variant{"(3) comes after (5)", "deadlock"},
		variant{"(3) is a plain store", ""},
		variant{"(5) does not look at the inbox", "deadlock"},
		variant{"sender wakes before it claims a place", "deadlock"},
		variant{"sender wakes before it stores the message", ""},
		variant{"message is stored plainly", ""},
		variant{"message is stored plainly, and (5) looks for it", "deadlock"})
}

// The worker that pushes an EDT stays busy until another one has it.
func TestWakeUpByPush(t *testing.T) {
	explore(t, poolSystem("push", 2,
		edtModel{push: []int{2}, until: []int{2}, ends: true},
		edtModel{bound: anyWorker}),
		variant{"(1) comes before the push", "deadlock"},
		variant{"bottom is stored plainly", "deadlock"},
		variant{"(2) comes after (5)", "deadlock"},
		variant{"(3) comes after (5)", "deadlock"},
		variant{"(3) is a plain store", ""},
		variant{"(4) comes after (5)", "deadlock"},
		variant{"(5) does not look at the deques", "deadlock"})
}

// Two EDTs that were pushed need a worker each, with the pusher busy.
func TestWakeUpIsPassedOn(t *testing.T) {
	explore(t, poolSystem("two pushes", 3,
		edtModel{push: []int{2, 3}, until: []int{2, 3}, ends: true},
		edtModel{bound: anyWorker, until: []int{3}},
		edtModel{bound: anyWorker}),
		variant{"a wake-up is not passed on", "deadlock"})
}

// A worker is woken for an EDT that was pushed, and finds a message first.
func TestWakeUpWithMessage(t *testing.T) {
	explore(t, poolSystem("push and message", 3,
		edtModel{push: []int{2}, send: []int{3}, until: []int{2, 3}, ends: true},
		edtModel{bound: anyWorker},
		edtModel{bound: 1, until: []int{2}}),
		variant{"a woken worker does not count as spinning", "deadlock"},
		variant{"a wake-up is not passed on", "deadlock"})
}

// sharedSystem has two workers on one processor: a push wakes neither while one of
// them is awake, and that one must then find it.
func sharedSystem(weak string) *model.System {
	s := model.New("shared processor")
	m := newPoolModel(s, weak, 3, 1, []edtModel{
		{push: []int{2}, until: []int{2}, ends: true}, {bound: anyWorker},
	})
	m.shared, m.awake = true, s.Word("awake", 2)
	m.start(s)
	return s
}

func TestWakeUpOnASharedProcessor(t *testing.T) {
	explore(t, sharedSystem,
		variant{"(5) does not look at the deques", "deadlock"},
		variant{"(4) counts the processor last", ""})
}

// quiescenceSystem ends when nothing is left: an EDT sends one to the other worker, which sends one back.
func quiescenceSystem(weak string) *model.System {
	s := model.New("quiescence")
	edts := []edtModel{{send: []int{2}}, {bound: 1, send: []int{3}}, {bound: 0}}
	m := newPoolModel(s, weak, 2, epochs, edts)
	m.start(s)
	s.Always(model.If("the run ended with EDTs left", func(v model.Memory) bool {
		return v[m.stopped] != 0 && int(v[m.ran]) < len(edts)
	}))
	return s
}

func TestQuiescence(t *testing.T) {
	explore(t, quiescenceSystem,
		variant{"quiescence does not read numParked again", "EDTs left"},
		variant{"quiescence forgets the epoch", "EDTs left"},
		variant{"quiescence does not look at the inboxes", "EDTs left"},
		variant{"the inbox is not settled", "livelock"})
}

// stoppedSystem is a run that another goroutine ends at any moment.
func stoppedSystem(weak string) *model.System {
	s := model.New("stop")
	m := newPoolModel(s, weak, 2, 1, []edtModel{{push: []int{2}}, {bound: anyWorker}})
	m.start(s)
	s.Go("canceller", m.stop)
	return s
}

func TestStop(t *testing.T) {
	explore(t, stoppedSystem,
		variant{"(5) does not look whether the run is over", "deadlock"},
		variant{"stop wakes before it says so", "deadlock"})
}
