package runtime

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// If a wake-up is lost these tests hang.

// TestPhases runs very many phases: in each every worker runs an EDT, and when all have run the next phase begins, on
// another worker. Workers do not spin, so they park in between.
func TestPhases(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		for _, strict := range []bool{true, false} {
			t.Run(fmt.Sprintf("workers=%d/strict=%v", workers, strict), func(t *testing.T) {
				phases := sized(1000, 40_000) / workers
				var ran atomic.Int64
				r := mustRun(t, starting(func(c *edt.Ctx) {
					startPhases(c, phases, strict, &ran)
				}), Workers(workers), Spin(0), queueCapacities(2, 2))
				testrun.Equal(t, int64(phases*workers), ran.Load(), "EDTs ran")
				if workers > 1 && r.Counters.Parks == 0 {
					t.Error("no worker parked: the test tests nothing")
				}
			})
		}
	}
}

func startPhases(c *edt.Ctx, phases int, strict bool, ran *atomic.Int64) {
	work := body(c, func(*edt.Ctx) { ran.Add(1) })
	at := func(w int) edt.Affinity {
		if strict {
			return c.Bind(w)
		}
		return c.Place(w)
	}
	var phase *edt.Template
	phase = c.NewTemplate("phase", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		n := in.Param(0)
		if n == 0 {
			return
		}
		all := c.NewLatch(int64(c.Workers()))
		c.NewEDTAt(at(int(n)%c.Workers()), phase, edt.Params(n-1), edt.From(all, datablock.Null))
		for w := range c.Workers() {
			c.Spawn(work, &edt.Spec{OutputEvent: all, Hint: edt.Hint{Affinity: at(w)}})
		}
	}))
	c.NewEDT(phase, edt.Params(uint64(phases)), edt.From(guid.Null, datablock.Null))
}

// TestPingPong hands one EDT at a time from worker to worker.
func TestPingPong(t *testing.T) {
	for _, workers := range []int{2, 3} {
		for _, spin := range []time.Duration{0, DefaultSpinShared, DefaultSpin} {
			n := sized(1000, 50_000)
			var ran int // the hand-over orders the increments
			mustRun(t, starting(func(c *edt.Ctx) {
				var ball *edt.Template
				ball = c.NewTemplate("ball", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
					ran++
					if k := in.Param(0); k > 1 {
						c.NewEDTAt(c.Bind((c.Worker()+1)%c.Workers()), ball, edt.Params(k-1))
					}
				}))
				c.NewEDT(ball, edt.Params(uint64(n)))
			}), Workers(workers), Spin(spin))
			testrun.Equal(t, n, ran, "%d workers, spin %v: EDTs ran", workers, spin)
		}
	}
}

// TestStealsWake: an EDT makes two EDTs ready, each of which waits until the other runs; a parked worker wakes and runs
// one of them. (Programs must not wait like this.)
func TestStealsWake(t *testing.T) {
	for range sized(100, 3000) {
		var ran atomic.Int32
		var held atomic.Int32
		mustRun(t, starting(func(c *edt.Ctx) {
			for range 2 {
				c.NewEDT(body(c, func(*edt.Ctx) {
					// Each waits until the other runs too.
					for held.Add(1); held.Load() < 2; {
						time.Sleep(10 * time.Microsecond)
					}
					ran.Add(1)
				}), nil)
			}
		}), Workers(3), Spin(0))
		if ran.Load() != 2 {
			t.Fatalf("%d ran", ran.Load())
		}
	}
}

// TestBursts makes many EDTs ready at once, again and again, while workers park in between: a woken worker wakes
// others.
func TestBursts(t *testing.T) {
	for _, workers := range []int{2, 8} {
		var ran atomic.Int64
		bursts, each := sized(100, 3000), 50
		mustRun(t, starting(func(c *edt.Ctx) {
			work := body(c, func(*edt.Ctx) { ran.Add(1) })
			burst := c.NewTemplate("burst", 0, 1, does(func(c *edt.Ctx, _ edt.Args) {
				for range each {
					c.NewEDT(work, nil)
				}
			}))
			before := guid.Null
			for range bursts {
				all := c.NewEvent(edt.Sticky)
				c.Spawn(burst, &edt.Spec{Deps: []edt.Source{edt.From(before, datablock.Null)}, Finish: true, OutputEvent: all})
				before = all
			}
		}), Workers(workers), Spin(0))
		testrun.Equal(t, int64(bursts*each), ran.Load(), "%d workers: EDTs ran", workers)
	}
}

// TestIdleGivesScopesBack: a finish scope ends only if idle workers return their tokens of it before they park.
func TestIdleGivesScopesBack(t *testing.T) {
	for range sized(150, 5000) {
		var inside atomic.Int64
		ended := false
		mustRun(t, starting(func(c *edt.Ctx) {
			out := c.NewEvent(edt.Sticky)
			after := c.NewTemplate("after", 0, 1, does(func(c *edt.Ctx, _ edt.Args) {
				testrun.Equal(t, 21, inside.Load(), "EDTs that ran before the scope's end")
				ended = true
			}))
			c.NewEDT(after, nil, edt.From(out, datablock.Null))
			c.Spawn(body(c, func(c *edt.Ctx) {
				inside.Add(1)
				for k := range 10 {
					c.NewEDTAt(c.Bind(k%c.Workers()), body(c, func(c *edt.Ctx) {
						inside.Add(1)
						c.NewEDTAt(c.Place((c.Worker()+1)%c.Workers()), body(c, func(*edt.Ctx) { inside.Add(1) }), nil)
					}), nil)
				}
			}), &edt.Spec{Finish: true, OutputEvent: out})
		}), Workers(3), Spin(0))
		if !ended {
			t.Fatal("the scope did not end")
		}
	}
}
