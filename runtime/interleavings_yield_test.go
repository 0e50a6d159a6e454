//go:build yield

package runtime

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// The protocols of search.go, park.go, pool.go, deque.go and inbox.go, as they are in the code, in every order of their
// steps with a bounded number of preemptions: a worker stops at a step while others go on. (internal/proof/model has
// all orders, of a model of them.) The steps are what lies between the calls of yield.

// holdUps is how many workers are held up at a step, in one order of the steps. If a
// worker ends or sleeps, another must go on: that costs nothing.
const holdUps = 2

// maxInRow is after how many steps in a row a worker must let another one go on: it may be waiting for it, awake.
const maxInRow = 60

// tooMany is a number of steps at which workers only keep each other awake.
const tooMany = 10_000

// An actor is one worker of the test, a coroutine that goes on to its next step when the test lets it.
type actor struct {
	goOn   func() (parked *worker, more bool)
	pause  func(parked *worker) bool
	done   bool
	parked *worker // where it sleeps
}

func newActor(act func()) *actor {
	a := new(actor)
	a.goOn, _ = iter.Pull(func(pause func(*worker) bool) {
		a.pause = pause
		act()
	})
	return a
}

// mayRun reports whether the actor can go on.
func (a *actor) mayRun() bool {
	return !a.done && (a.parked == nil || a.parked.parked.Load() == 0)
}

// A stage runs actors one at a time, in an order of its choice.
type stage struct {
	actors []*actor
	now    *actor
	choice []int // which of those that may run goes on, at each step
	width  []int // of how many, 1 if the present one must
	step   int
	held   int
	inRow  int // steps of the present actor
	limit  int
}

// play runs the actors to their end. It returns false if some sleep and no actor is left to wake them; it stops the run
// for those.
func (s *stage) play() (allEnded bool) {
	switchWorkers = func(parked *worker) { s.now.pause(parked) }
	defer func() { switchWorkers = nil }()
	s.now, allEnded = nil, true
	for {
		next := s.choose(s.now)
		if s.step > tooMany {
			return false
		}
		if next == nil {
			next = s.sleeper()
			if next == nil {
				return allEnded
			}
			allEnded = false
			next.parked.pool.stopped.Store(true)
			next.parked.parked.Store(0)
		}
		s.now = next
		parked, more := next.goOn()
		next.parked, next.done = parked, !more
	}
}

func (s *stage) sleeper() *actor {
	for _, a := range s.actors {
		if !a.done {
			return a
		}
	}
	return nil
}

// choose returns the actor that runs next. The present one is the first choice if it can run, so choice 0 preempts
// none.
func (s *stage) choose(now *actor) *actor {
	var may []*actor
	free := now == nil || !now.mayRun()
	if s.inRow++; !free && s.inRow > maxInRow {
		free = slices.ContainsFunc(s.actors, func(a *actor) bool { return a != now && a.mayRun() })
	}
	if !free {
		may = append(may, now)
	}
	if free || s.held < s.limit {
		for _, a := range s.actors {
			if a != now && a.mayRun() {
				may = append(may, a)
			}
		}
	}
	if len(may) == 0 {
		return nil
	}
	if s.step == len(s.choice) {
		s.choice, s.width = append(s.choice, 0), append(s.width, len(may))
	}
	k := s.choice[s.step]
	s.step++
	if !free && k > 0 {
		s.held++
	}
	if may[k] != now {
		s.inRow = 0
	}
	return may[k]
}

// next turns to the next order of the steps; it reports false when all were seen.
func (s *stage) next() bool {
	s.step, s.held, s.inRow = 0, 0, 0
	for last := len(s.choice) - 1; last >= 0; last-- {
		if s.choice[last]++; s.choice[last] < s.width[last] {
			s.choice, s.width = s.choice[:last+1], s.width[:last+1]
			return true
		}
	}
	return false
}

// inEveryOrder sets a scene afresh for each order of its steps: its actors, and what must hold at the end.
func inEveryOrder(t *testing.T, limit int, scene func() (actors []func(), end func(ended bool) error)) {
	t.Helper()
	s := &stage{limit: limit}
	orders := 0
	for more := true; more; more = s.next() {
		actors, end := scene()
		s.actors = nil
		for _, act := range actors {
			s.actors = append(s.actors, newActor(act))
		}
		orders++
		ended := s.play()
		err := end(ended)
		if s.step > tooMany {
			err = fmt.Errorf("no end after %d steps", s.step)
		}
		testrun.OK(t, err, "order %d, %v", orders, s.choice[:min(len(s.choice), 200)])
	}
	if orders < 10 {
		t.Errorf("%d orders only: the scene has no steps", orders)
	}
	t.Logf("%d orders", orders)
}

// A crew is a pool whose workers are moved by actors. Task k is task number k; what it does when it runs is in does.
type crew struct {
	*pool
	does  map[edt.Ready]func()
	ran   []edt.Ready
	early bool // a task was to run after the end
}

var noGraph = sync.OnceValue(func() *edt.Graph { return edt.NewGraph(edt.Config{Workers: 1}) })

func newCrew(workers int) *crew {
	s := resolve([]Option{Workers(workers), Spin(0), queueCapacities(2, 8)})
	g := edt.NewGraph(edt.Config{Workers: workers})
	defer g.Close() // no EDT is run: the workers only look at their lists
	c := &crew{pool: attached(newPool(s, workers), g), does: make(map[edt.Ready]func())}
	c.graph = noGraph() // the other one is closed
	c.spinTime, c.spinFull, c.stealGap = 0, 0, 0
	for _, w := range c.workers {
		w.victims = []victim{}
		for _, v := range c.workers {
			if v != w {
				w.victims = append(w.victims, victim{worker: v})
			}
		}
	}
	return c
}

// boundTo is a task that one worker must run.
func boundTo(worker int, k edt.Ready) edt.Ready { return k | edt.Ready(edt.BindTo(worker))<<32 }

// work is a worker that searches for tasks and runs them, to the end of the run.
func (c *crew) work(id int, first func(w *worker)) func() {
	return func() {
		w := c.workers[id]
		if first != nil {
			first(w)
		}
		for k := w.search(); k != 0; k = w.search() {
			if c.stopped.Load() {
				c.early = true
			}
			k = edt.Ready(uint32(k))
			c.ran = append(c.ran, k)
			if f := c.does[k]; f != nil {
				f()
			}
		}
	}
}

// patient is work of a worker that no time limit keeps from searching, and that is spinning from the first look on: the
// clock decides nothing.
func (c *crew) patient(id int, first func(w *worker)) func() {
	return func() {
		w := c.workers[id]
		for first(w); !c.stopped.Load(); w.park() {
			for k := w.spin(true); k != 0; k = w.spin(true) {
				c.ran = append(c.ran, edt.Ready(uint32(k)))
				c.does[edt.Ready(uint32(k))]()
			}
		}
	}
}

// all says what is wrong if not each of n tasks has run once.
func (c *crew) all(n int) func(bool) error {
	return func(bool) error {
		slices.Sort(c.ran)
		for k := 1; k <= n; k++ {
			if len(c.ran) != n || c.ran[k-1] != edt.Ready(k) {
				return fmt.Errorf("tasks %v have run, want 1 to %d", c.ran, n)
			}
		}
		return nil
	}
}

// over is all, and each worker ends, after the last task.
func (c *crew) over(n int) func(bool) error {
	return func(ended bool) error {
		switch {
		case !ended:
			return fmt.Errorf("a worker sleeps and none wakes it")
		case c.early:
			return fmt.Errorf("the run was said to be over before the last task")
		}
		return c.all(n)(ended)
	}
}

// until is a worker that searches for tasks and runs them, the last one for ever.
func (c *crew) until(id int, last func(k edt.Ready) bool) func() {
	return func() {
		for {
			k := edt.Ready(uint32(c.workers[id].search()))
			if k == 0 || c.stopped.Load() { // the test is over
				return
			}
			c.ran = append(c.ran, k)
			if last(k) {
				return
			}
		}
	}
}

func anyTask(edt.Ready) bool { return true }

// Two workers fall parked while a third makes a task ready for each, and goes on with
// other things: both tasks are found.
func TestTasksWhileOthersPark(t *testing.T) {
	for _, tc := range []struct {
		name  string
		make  func(w *worker)
		inbox edt.Ready // which is bound to worker 1, 0 for none
	}{
		{"pushed", func(w *worker) { w.enqueueLocal(1); w.enqueueLocal(2) }, 0},
		{"pushed, sent", func(w *worker) { w.enqueueLocal(1); w.Ready(boundTo(1, 2)) }, 2},
		{"sent, pushed", func(w *worker) { w.Ready(boundTo(1, 1)); w.enqueueLocal(2) }, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
				c := newCrew(3)
				return []func(){
					func() { tc.make(c.workers[0]) },
					c.until(1, func(k edt.Ready) bool { return tc.inbox == 0 || k == tc.inbox }),
					c.until(2, anyTask),
				}, c.all(2)
			})
		})
	}
}

func TestMessageWhileItsWorkerParks(t *testing.T) {
	inEveryOrder(t, holdUps+1, func() ([]func(), func(bool) error) {
		c := newCrew(2)
		return []func(){
			func() { c.workers[0].Ready(boundTo(1, 1)) },
			c.until(1, anyTask),
		}, c.all(1)
	})
}

func TestStopWhileOthersPark(t *testing.T) {
	inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
		c := newCrew(3)
		return []func(){func() { c.stop(fromEDT) }, c.work(1, nil), c.work(2, nil)}, c.over(0)
	})
}

// The run ends when nothing is left, and not before: a message to and fro keeps one
// worker awake at any time, mostly not the one that asks whether all sleep.
func TestRunEndsAfterTheLastTask(t *testing.T) {
	inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
		c := newCrew(2)
		c.does[1] = func() { c.workers[1].Ready(boundTo(0, 2)) }
		return []func(){
			c.work(0, func(w *worker) { w.Ready(boundTo(1, 1)) }),
			c.work(1, nil),
		}, c.over(2)
	})
}

// A task that makes others ready while all the others go to sleep.
func TestRunEndsAfterWhatWasPushed(t *testing.T) {
	inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
		c := newCrew(2)
		c.does[1] = func() { c.workers[1].enqueueLocal(2); c.workers[1].enqueueLocal(3) }
		return []func(){
			c.work(0, func(w *worker) { w.Ready(boundTo(1, 1)) }),
			c.work(1, nil),
		}, c.over(3)
	})
}

// A worker that has sent an EDT to another one searches until the answer comes, though the other one is waking and a
// third is parked all the while: no time limit and no other worker ends its search.
func TestSenderDoesNotParkBeforeTheAnswer(t *testing.T) {
	inEveryOrder(t, holdUps, func() ([]func(), func(bool) error) {
		c := newCrew(3)
		c.spinTime, c.spinFull = math.MaxInt64, math.MaxInt64
		c.workers[2].parked.Store(parkedInRun)
		c.workers[2].countParked()
		for k, to := range []int{1: 0, 2: 1, 3: 0} {
			c.does[edt.Ready(k)] = func() { c.workers[1-to].Ready(boundTo(to, edt.Ready(k+1))) }
		}
		c.does[4] = func() { c.stop(fromEDT) }
		return []func(){
				c.patient(0, func(w *worker) { w.Ready(boundTo(1, 1)) }),
				c.patient(1, (*worker).park),
			}, func(ended bool) error {
				if a, b := c.workers[0].n.parks, c.workers[1].n.parks; a > 0 || b > 1 {
					return fmt.Errorf("worker 0 has parked %d times, want 0, worker 1 %d times, want at most 1", a, b)
				}
				return c.over(4)(ended)
			}
	})
}

// Owner and thieves take each entry once, while the ring grows.
func TestDequeInEveryOrder(t *testing.T) {
	for _, script := range []string{"--", "+--", "-+-", "++---", "-++--"} {
		inEveryOrder(t, holdUps+1, func() ([]func(), func(bool) error) {
			c := &crew{}
			d := newDeque(2)
			d.push(1)
			d.push(2)
			next := edt.Ready(3)
			take := func(k edt.Ready) {
				if k != 0 {
					c.ran = append(c.ran, k)
				}
			}
			thief := func() { take(d.steal()); take(d.steal()) }
			owner := func() {
				for _, act := range script {
					if act == '+' {
						d.push(next)
						next++
					} else {
						take(d.pop())
					}
				}
			}
			return []func(){owner, thief, thief}, func(ended bool) error {
				for !d.empty() {
					take(d.pop())
				}
				return c.all(int(next) - 1)(ended)
			}
		})
	}
}

// Owner and thieves get each EDT of the next-task slot once.
func TestNextTaskInEveryOrder(t *testing.T) {
	const edts = 3
	inEveryOrder(t, holdUps+1, func() ([]func(), func(bool) error) {
		c := &crew{}
		var slot nextTask
		take := func(k edt.Ready) {
			if k != 0 {
				c.ran = append(c.ran, k)
			}
		}
		thief := func() { take(slot.steal()); take(slot.steal()) }
		owner := func() {
			for k := edt.Ready(1); k <= edts; k++ {
				slot.put(k)
				yield()
				take(slot.take())
			}
		}
		return []func(){owner, thief, thief}, c.all(edts)
	})
}
