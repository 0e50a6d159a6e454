//go:build explore

package runtime

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/proof/explore"
	"ocr/internal/proof/testrun"
)

// How workers search, park, wake and end: the functions of the pool, in every order in which workers are held up at
// most holdUps times. (All orders would be too many.)

// holdUps is the number of times that workers are held up in one order of the steps.
func holdUps() int { return sized(1, 2) }

// A crew is a pool whose workers are threads of an exploration. Its EDTs are numbers. The map does has the functions of
// those that have one.
type crew struct {
	*pool
	*tally
	does  map[edt.Ready]func()
	early bool // an EDT began after the run was stopped
}

var noGraph = sync.OnceValue(func() *edt.Graph { return edt.NewGraph(edt.Config{Workers: 1}) })

// newCrew makes a pool whose workers look once for an EDT before they park, so that no clock decides anything.
func newCrew(r *explore.Run, workers int) *crew {
	s := resolve([]Option{Workers(workers), Spin(0), queueCapacities(2, 8)})
	g := edt.NewGraph(edt.Config{Workers: workers})
	defer g.Close() // no EDT runs: the workers only look at their lists
	c := &crew{pool: attached(newPool(s, workers), g), tally: newTally(r), does: make(map[edt.Ready]func())}
	c.graph = noGraph() // the graph of its workers is closed
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

// boundTo returns EDT k bound to a worker.
func boundTo(worker int, k edt.Ready) edt.Ready { return k | edt.Ready(edt.BindTo(worker))<<32 }

// urgent returns EDT k with priority 1.
func urgent(k edt.Ready) edt.Ready { return k | 1<<48 }

// run notes that a worker has found EDT k, and calls its function.
func (c *crew) run(k edt.Ready) {
	c.early = c.early || c.stopped.Load()
	k = edt.Ready(uint32(k))
	if c.take(k); c.does[k] != nil {
		c.does[k]()
	}
}

// work adds a worker that calls first(w), unless first is nil, then searches for EDTs and runs them until the run ends.
func (c *crew) work(id int, first func(w *worker)) {
	c.Go(fmt.Sprint("worker ", id), func() {
		w := c.workers[id]
		if first != nil {
			first(w)
		}
		for k := w.search(false); k != 0; k = w.search(false) {
			c.run(k)
		}
	})
}

// until adds a worker that searches for EDTs and runs them, until last(k) is true for EDT k. The run ends when n EDTs
// have begun.
func (c *crew) until(id, n int, last func(k edt.Ready) bool) {
	c.Go(fmt.Sprint("worker ", id), func() {
		for k := c.workers[id].search(false); k != 0; k = c.workers[id].search(false) {
			if c.run(k); len(c.taken) == n {
				c.stop()
			}
			if last(edt.Ready(uint32(k))) {
				return
			}
		}
	})
}

func anyEDT(edt.Ready) bool { return true }

// over fails the exploration unless each of n EDTs has run once, and none after the end of the run.
func (c *crew) over(n int) {
	c.Finally(func() error {
		if c.early {
			return fmt.Errorf("the run was said to be over before the last EDT")
		}
		return c.all(n)()
	})
}

// Two workers park while a third makes two EDTs ready, and does not look again: both EDTs are found.
func TestExploredParkBesideABusyWorker(t *testing.T) {
	for _, tc := range []struct {
		name   string
		heldUp int
		make   func(w *worker)
		inbox  edt.Ready // the EDT that is bound to worker 1, 0 for none
	}{
		{"pushed", holdUps(), func(w *worker) { w.enqueueLocal(1); w.enqueueLocal(2) }, 0},
		{"pushed, sent", holdUps(), func(w *worker) { w.enqueueLocal(1); w.Ready(boundTo(1, 2)) }, 2},
		{"sent, pushed", holdUps(), func(w *worker) { w.Ready(boundTo(1, 1)); w.enqueueLocal(2) }, 1},
		{"next and pushed", 1, func(w *worker) { w.Ready(1); w.Ready(2) }, 0}, // with 2 it takes over 20 minutes
		{"with a priority, pushed", holdUps(), func(w *worker) { w.Ready(urgent(1)); w.enqueueLocal(2) }, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			explore.Bounded(t, tc.heldUp, func(r *explore.Run) {
				c := newCrew(r, 3)
				r.Go("worker 0", func() { tc.make(c.workers[0]) })
				c.until(1, 2, func(k edt.Ready) bool { return tc.inbox == 0 || k == tc.inbox })
				c.until(2, 2, anyEDT)
				c.over(2)
			})
		})
	}
}

// A worker parks while another worker sends it an EDT, pushes one, with or without a priority, or puts one into its
// next-EDT slot.
func TestExploredPark(t *testing.T) {
	for name, make := range map[string]func(w *worker){
		"sent": func(w *worker) { w.Ready(boundTo(1, 1)) }, "next": func(w *worker) { w.Ready(1) },
		"pushed": func(w *worker) { w.enqueueLocal(1) }, "with a priority": func(w *worker) { w.Ready(urgent(1)) },
	} {
		t.Run(name, func(t *testing.T) {
			explore.Bounded(t, holdUps(), func(r *explore.Run) {
				c := newCrew(r, 2)
				r.Go("worker 0", func() { make(c.workers[0]) })
				c.until(1, 1, anyEDT)
				c.over(1)
			})
		})
	}
}

// Two workers share a processor: while one of them is awake a push wakes neither, so the one that is awake must find
// the EDT.
func TestExploredParkOnASharedProcessor(t *testing.T) {
	explore.Bounded(t, holdUps(), func(r *explore.Run) {
		c := newCrew(r, 3)
		shared := &cpu{processors: 1}
		shared.awake.Init(2)
		c.workers[1].cpu, c.workers[2].cpu = shared, shared
		c.does[1] = func() { c.stop() }
		c.Go("worker 0", func() { c.workers[0].enqueueLocal(1) })
		c.work(1, nil)
		c.work(2, nil)
		c.over(1)
	})
}

func TestExploredStop(t *testing.T) {
	explore.Bounded(t, holdUps(), func(r *explore.Run) {
		c := newCrew(r, 3)
		r.Go("outside", func() { c.stop() })
		c.work(1, nil)
		c.work(2, nil)
		c.over(0)
	})
}

// The run ends when no EDT is left, and not before. An EDT travels to worker 1 and causes another, so at each moment a
// worker is awake, mostly another than the one that checks for the end.
func TestExploredQuiescence(t *testing.T) {
	for name, does := range map[string]func(w *worker){
		"sent":   func(w *worker) { w.Ready(boundTo(0, 2)) },
		"pushed": func(w *worker) { w.enqueueLocal(2) },
	} {
		t.Run(name, func(t *testing.T) {
			explore.Bounded(t, holdUps(), func(r *explore.Run) {
				c := newCrew(r, 2)
				c.does[1] = func() { does(c.workers[1]) }
				c.work(0, func(w *worker) { w.Ready(boundTo(1, 1)) })
				c.work(1, nil)
				c.over(2)
			})
		})
	}
}

// A worker that has sent an EDT searches until the answer comes, though the other worker is waking and a third is
// parked all the time: neither a time limit nor another worker ends its search.
func TestExploredSearchUntilTheAnswer(t *testing.T) {
	explore.Bounded(t, holdUps(), func(r *explore.Run) {
		c := newCrew(r, 3)
		c.spinTime, c.spinFull = math.MaxInt64, math.MaxInt64
		c.workers[2].parked.Store(parkedInRun)
		c.workers[2].countParked()
		for k, to := range []int{1: 0, 2: 1, 3: 0} {
			c.does[edt.Ready(k)] = func() { c.workers[1-to].Ready(boundTo(to, edt.Ready(k+1))) }
		}
		c.does[4] = func() { c.stop() }
		patient := func(id int, first func(w *worker)) { // it counts as spinning from its first look
			r.Go(fmt.Sprint("worker ", id), func() {
				w := c.workers[id]
				for first(w); !c.stopped.Load(); w.park() {
					for k := w.spin(true); k != 0; k = w.spin(true) {
						c.run(k)
					}
				}
			})
		}
		patient(0, func(w *worker) { w.Ready(boundTo(1, 1)) })
		patient(1, (*worker).park)
		r.Finally(func() error {
			if a, b := c.workers[0].n.Parks, c.workers[1].n.Parks; a > 0 || b > 1 {
				return fmt.Errorf("worker 0 has parked %d times, want 0, worker 1 %d times, want at most 1", a, b)
			}
			return c.all(4)()
		})
	})
}

// TestExploredHalt halts a worker at each step: it enters the run, writes records, parks, writes records again, and
// leaves the run. The worker writes no record while the halt reads.
func TestExploredHalt(t *testing.T) {
	explore.Every(t, func(r *explore.Run) {
		c := newCrew(r, 1)
		w := c.workers[0]
		writing, reading := false, false
		var step word.Uint32
		write := func() {
			if writing = true; reading {
				r.Fail("records are written while they are read")
			}
			step.Load()
			writing = false
		}
		r.Go("worker", func() {
			w.inRun.Store(true)
			w.gap()
			write()
			w.parked.Store(parkedInRun)
			w.countParked()
			w.block()
			w.unpark()
			write()
			w.inRun.Store(false)
		})
		r.Go("waker", func() {
			w.parked.Await(func(state uint32) bool { return state != 0 })
			w.wake()
		})
		r.Go("reader", func() {
			for range 2 {
				if c.sayHalted(); len(stillBusy(slices.Clone(c.workers))) == 0 {
					if reading = true; writing {
						r.Fail("records are read while they are written")
					}
					step.Load()
					reading = false
				}
				c.resume()
			}
		})
	})
}

// Workers take part in one run after the other and rest in between. Another goroutine wakes one of them at any moment,
// or the first run is cancelled at any moment. A run consists of worker 0's call of begin; in some cases the first run
// has EDTs too, a chain on the workers in turn, the last worker first.
func TestExploredRuns(t *testing.T) {
	for name, of := range map[string]series{
		"two runs":            {workers: 2, runs: 2, heldUp: 1},
		"a call from outside": {workers: sized(1, 2), runs: 1, heldUp: 1, outside: true},
		"EDTs":                {workers: 2, runs: 1, heldUp: holdUps() - 1, edts: 2},
		"cancelled":           {workers: 2, runs: 1, heldUp: holdUps() - 1, cancelled: true},
		"EDTs, cancelled":     {workers: 2, runs: 2, heldUp: 0, edts: 1, cancelled: true},
	} {
		t.Run(name, func(t *testing.T) {
			explore.Bounded(t, of.heldUp, func(r *explore.Run) { exploreRuns(r, of) })
		})
	}
}

// A series is runs of one pool.
type series struct {
	workers, runs, heldUp, edts int
	outside, cancelled          bool
}

func exploreRuns(r *explore.Run, of series) {
	c, begun, ran, on := newCrew(r, of.workers), 0, 0, -1 // on: the number of the run that is on
	c.awaitSpin, c.calledSpin = 0, 0
	c.stopped.Store(true)
	for _, w := range c.workers {
		r.Go(fmt.Sprint("worker ", w.id), func() {
			for last := -1; w.awaitRun(); {
				if on < 0 || on == last {
					r.Fail("worker %d takes part in run %d, and did so in run %d", w.id, on, last)
				}
				last = on
				w.serveRun()
			}
		})
	}
	graphs := make([]*edt.Graph, of.runs)
	for k := range graphs {
		graphs[k] = edt.NewGraph(edt.Config{Workers: of.workers, Bell: c.ring})
		r.Cleanup(graphs[k].Close)
	}
	var next func(c *edt.Ctx)
	next = func(ctx *edt.Ctx) {
		if ran == of.edts {
			return
		}
		ctx.NewEDTAt(ctx.Bind((ran+1)%of.workers), body(ctx, func(ctx *edt.Ctx) {
			if ran++; on != 0 {
				r.Fail("an EDT of the first run runs in run %d", on)
			}
			next(ctx)
		}), nil)
	}
	var started, cancelled word.Uint32
	is := func(v uint32) bool { return v != 0 }
	r.Go("runs", func() {
		for k, g := range graphs {
			stops, before := of.cancelled && k == 0, begun
			c.call(-1)
			c.attach(g, nil, false)
			on = k
			c.start(func() {
				if begun++; k == 0 && of.edts > 0 {
					g.Begin(starting(next), nil)
				}
			})
			started.Store(1)
			if c.awaitEnd(); stops {
				cancelled.Await(is)
			}
			on = -1
			switch {
			case g.Ended() != nil:
				r.Fail("%v", g.Ended().Err)
			case !stops && (begun != before+1 || k == 0 && ran != of.edts):
				r.Fail("run %d began %d times; %d EDTs ran", k, begun-before, ran)
			case c.door.Load() != 0:
				r.Fail("a worker takes part in no run")
			}
		}
		c.closed.Store(true)
		for _, w := range c.workers {
			w.wake()
		}
	})
	if of.outside {
		r.Go("outside", func() { c.workers[of.workers-1].wake() })
	}
	if of.cancelled {
		r.Go("context", func() {
			started.Await(is)
			c.stop()
			cancelled.Store(1)
		})
	}
}

// A cast is a crew whose workers run a graph.
type cast struct {
	*crew
	ran int
}

// newCast makes the workers of a graph whose main EDT is main. If rest is true, all other workers are at rest when
// worker 0 runs it. The run must end when n EDTs have added themselves to ran.
func newCast(r *explore.Run, workers, n int, rest bool, main func(c *edt.Ctx)) *cast {
	c := &cast{crew: newCrew(r, workers)}
	c.graph = edt.NewGraph(edt.Config{Workers: workers, Bell: c.ring})
	var made word.Uint32
	for id, w := range c.workers {
		w.enlist(new(edt.Worker))
		w.rounds = 1 << 30 // the newest first, always
		r.Go(fmt.Sprint("worker ", id), func() {
			if id == 0 {
				c.graph.Begin(starting(main), nil)
			}
			switch {
			case rest && id != 0: // main stays in worker 0's next-EDT slot, as no worker is parked yet
				made.Await(func(v uint32) bool { return v != 0 })
				w.parkBetweenRuns()
			case rest:
				made.Store(1)
				c.numParked.Await(func(v uint64) bool { return int(v&parkedMask) == workers-1 })
			}
			w.run()
		})
	}
	r.Finally(func() error {
		defer c.graph.Close()
		switch {
		case c.graph.Ended() != nil:
			return c.graph.Ended().Err
		case c.graph.Stuck() != nil:
			return c.graph.Stuck()
		case c.ran != n:
			return fmt.Errorf("%d EDTs have run, want %d", c.ran, n)
		}
		return nil
	})
	return c
}

// An EDT that becomes ready lies in its worker's next-EDT slot while the other worker parks. That worker takes it: the
// body that runs meanwhile waits for it.
func TestExploredReadyBesideAParkingWorker(t *testing.T) {
	for _, tc := range []struct {
		name   string
		heldUp int
		main   func(c *edt.Ctx, meets func(*edt.Ctx))
	}{
		{"EDT", holdUps(), func(c *edt.Ctx, meets func(*edt.Ctx)) {
			c.NewEDT(body(c, meets), nil)
			meets(c)
		}},
		{"node", holdUps() - 1, func(c *edt.Ctx, meets func(*edt.Ctx)) {
			rec := c.NewRecording()
			first := rec.Add(body(c, func(*edt.Ctx) {}), nil)
			for range 2 {
				rec.Add(body(c, meets), nil).After(first)
			}
			rec.Run(c, 1, guid.Null)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			explore.Bounded(t, tc.heldUp, func(r *explore.Run) {
				var met word.Uint32
				var cast *cast
				cast = newCast(r, 2, 2, false, func(c *edt.Ctx) {
					tc.main(c, func(*edt.Ctx) {
						cast.ran++
						if met.Add(1) == 2 {
							cast.stop()
						}
						met.Await(func(v uint32) bool { return v == 2 })
					})
				})
			})
		})
	}
}

// A push wakes a worker at rest, which finds an EDT in its inbox first: another worker at rest takes the pushed EDT.
func TestExploredPushBesideWorkersAtRest(t *testing.T) {
	explore.Bounded(t, holdUps()-1, func(r *explore.Run) {
		var pushed word.Uint32
		begun := func(v uint32) bool { return v != 0 }
		var cast *cast
		cast = newCast(r, 3, 2, true, func(c *edt.Ctx) {
			c.NewEDT(body(c, func(*edt.Ctx) {
				cast.ran++
				pushed.Store(1)
			}), nil)
			c.NewEDTAt(c.Bind(1), body(c, func(*edt.Ctx) {
				cast.ran++
				pushed.Await(begun)
			}), nil)
			pushed.Await(begun)
			for _, w := range cast.workers[1:] {
				w.wake() // a worker at rest cannot leave a run that it has not entered
			}
		})
	})
}

// Letters come from outside while workers run EDTs, search, park or are parked. One worker at a time handles them, in
// their order, and the run ends after the last letter.
func TestExploredMail(t *testing.T) {
	for _, tc := range []struct {
		workers, letters int
		chain            bool // one worker runs a chain of EDTs, which ends with the last letter
	}{{1, 2, false}, {1, 2, true}, {2, 1, false}, {2, 2, false}} {
		if tc.workers*tc.letters > 2 && !testrun.Nightly() {
			continue
		}
		t.Run(fmt.Sprintf("%+v", tc), func(t *testing.T) {
			explore.Bounded(t, 1, func(r *explore.Run) {
				var made, came word.Uint32
				var x *edt.External
				var cast *cast
				cast = newCast(r, tc.workers, tc.letters, false, func(c *edt.Ctx) {
					var event guid.GUID
					event, x = c.NewExternal(tc.letters)
					for k := range tc.letters {
						c.NewEDT(c.NewTemplate("letter", 0, 1, does(func(_ *edt.Ctx, in edt.Args) {
							if got := int(in.Dep(0).Bytes()[0]); got != k {
								r.Fail("letter %d came as number %d", got, k)
							}
							cast.ran++
							came.Add(1)
						})), nil, edt.From(event, datablock.RO))
					}
					if tc.chain {
						chain(c, &came, uint32(tc.letters))
					}
					made.Store(1)
				})
				r.Go("outside", func() {
					made.Await(func(v uint32) bool { return v != 0 })
					for k := range tc.letters {
						if err := x.Satisfy([]byte{byte(k)}); err != nil {
							r.Fail("%v", err)
						}
					}
				})
			})
		})
	}
}

// chain makes an EDT that makes the next one, until n letters have come.
func chain(c *edt.Ctx, came *word.Uint32, n uint32) {
	var next *edt.Template
	next = body(c, func(c *edt.Ctx) {
		if came.Load() < n {
			c.NewEDT(next, nil)
		}
	})
	c.NewEDT(next, nil)
}
