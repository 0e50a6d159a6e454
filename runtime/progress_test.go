package runtime

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// These tests show by progress, not by time, that a ready EDT does not lie beside an idle worker: bodies wait for EDTs
// that only another worker can run.

// until waits, in a body, for a condition. After some spinning it sleeps, as there are more workers than processors.
func until(holds func() bool) {
	for spins := 0; !holds(); spins++ {
		if sys.Pause(1); spins > 10_000 {
			time.Sleep(20 * time.Microsecond)
		}
	}
}

// A scene is a pool in which each worker but worker 0 runs an EDT that lasts until free is called. So what worker 0
// makes ready before that, it makes ready while every worker is busy.
type scene struct {
	c     *edt.Ctx
	busy  atomic.Int32
	freed atomic.Bool
}

// onScene calls act in an EDT on worker 0, while the other workers are held.
func onScene(t *testing.T, act func(s *scene), workers int, opts ...Option) {
	t.Helper()
	mustRun(t, starting(func(c *edt.Ctx) {
		s := new(scene)
		held := body(c, func(*edt.Ctx) {
			s.busy.Add(1)
			until(s.freed.Load)
		})
		for w := 1; w < workers; w++ {
			c.NewEDTAt(c.Bind(w), held, nil)
		}
		c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) {
			until(func() bool { return int(s.busy.Load()) == workers-1 })
			s.c = c
			act(s)
		}), nil)
	}), append(opts, Workers(workers))...)
}

// free ends the EDTs that hold the other workers.
func (s *scene) free() { s.freed.Store(true) }

// child makes an EDT ready, and returns a function that reports whether the EDT has run.
func (s *scene) child(h edt.Hint) (ran func() bool) {
	flag := new(atomic.Bool)
	s.c.Spawn(body(s.c, func(*edt.Ctx) { flag.Store(true) }), &edt.Spec{Hint: h})
	return flag.Load
}

// chain runs EDTs one after the other; each makes the next one ready at its end. The first link frees the other
// workers, the final one calls the function last.
func (s *scene) chain(links int, hint edt.Hint, last func(c *edt.Ctx)) {
	var link *edt.Template
	link = s.c.NewTemplate("link", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		s.free()
		left := in.Param(0)
		if left == 0 {
			last(c)
			return
		}
		// This EDT holds the block to its end, so the next one is ready then.
		g, _ := c.NewBlock(8)
		c.Spawn(link, &edt.Spec{Params: edt.Params(left - 1), Deps: []edt.Source{edt.From(g, datablock.EW)}, Hint: hint})
	}))
	s.c.Spawn(link, &edt.Spec{Params: edt.Params(uint64(links)), Deps: []edt.Source{edt.From(guid.Null, datablock.RW)},
		Hint: hint})
}

var childHints = map[string]edt.Hint{"no priority": {}, "priority 5": {Priority: 5}, "priority -5": {Priority: -5}}

var progressTests = map[string]func(s *scene, h edt.Hint){
	"child of a long body": func(s *scene, h edt.Hint) {
		ran := s.child(h)
		s.free()
		until(ran)
	},
	"child made while the others are idle": func(s *scene, h edt.Hint) {
		s.free()
		until(s.child(h))
	},
	"child after 63 others": func(s *scene, h edt.Hint) {
		var ran func() bool
		for range 64 {
			ran = s.child(h)
		}
		s.free()
		until(ran)
	},
	"all children": func(s *scene, h edt.Hint) {
		var all []func() bool
		for range 5 {
			all = append(all, s.child(h))
		}
		s.free()
		for _, ran := range all {
			until(ran)
		}
	},
	"child made before a long chain": func(s *scene, h edt.Hint) {
		ran := s.child(h)
		s.chain(3*roundLen, edt.Hint{}, func(*edt.Ctx) { until(ran) })
	},
	"chain beside bound EDTs": func(s *scene, h edt.Hint) {
		var ended atomic.Bool
		for range 8 {
			s.c.NewEDTAt(s.c.Bind(0), body(s.c, func(*edt.Ctx) { until(ended.Load) }), nil)
		}
		if h.Priority < 0 {
			s.free() // worker 0 runs its bound EDTs before the first link
		}
		s.chain(3*roundLen, h, func(*edt.Ctx) { ended.Store(true) })
	},
	"child beside bound EDTs": func(s *scene, h edt.Hint) {
		var ran func() bool
		for range 8 {
			s.c.NewEDTAt(s.c.Bind(0), body(s.c, func(*edt.Ctx) { until(ran) }), nil)
		}
		ran = s.child(h)
		s.free()
	},
}

func TestReadyEDTsDoNotLieBesideIdleWorkers(t *testing.T) {
	for name, act := range progressTests {
		for hinted, h := range childHints {
			for _, workers := range []int{2, 3, 8} {
				t.Run(fmt.Sprintf("%s/%s/%d workers", name, hinted, workers), func(t *testing.T) {
					onScene(t, func(s *scene) { act(s, h) }, workers)
				})
				t.Run(fmt.Sprintf("%s/%s/%d workers that sleep at once", name, hinted, workers), func(t *testing.T) {
					onScene(t, func(s *scene) { act(s, h) }, workers, Spin(0))
				})
			}
		}
	}
}

// Two bodies wait until their children have run, on more workers than processors: only a worker that shares its
// processor with a busy one can run them.
func TestReadyEDTsDoNotLieBesideBusyProcessors(t *testing.T) {
	cpus, err := sys.GetAffinity()
	if err != nil {
		t.Skipf("processors unknown: %v", err)
	}
	const workers = 3
	var p *pool
	mustRun(t, starting(func(c *edt.Ctx) {
		spin := body(c, func(c *edt.Ctx) {
			until(func() bool { return p.parkedNow() >= 1 }) // two, if the other body has ended
			var ran atomic.Bool
			c.NewEDT(body(c, func(*edt.Ctx) { ran.Store(true) }), nil)
			until(ran.Load)
		})
		for w := range workers - 1 {
			c.NewEDTAt(c.Bind(w), spin, nil)
		}
	}), Workers(workers), CPUs(cpus[:1]), prepared(func(made *pool) { p = made }))
}

// After a stolen EDT that has lasted for half a steal gap a thief may look again at once, else when the gap is over.
func TestLongLootEndsTheStealGap(t *testing.T) {
	const gap, stole = 1000, 5000
	for lasted, want := range map[int64]int64{gap/2 - 1: stole, gap / 2: stole + gap/2 - gap} {
		w := &worker{pool: &pool{stealGap: gap}, lastStealAttempt: stole, stoleAt: stole}
		w.endLoot(stole + lasted)
		if w.lastStealAttempt != want || w.stoleAt != 0 {
			t.Errorf("after %d ns: the last attempt was at %d, want %d; stolen at %d", lasted, w.lastStealAttempt, want,
				w.stoleAt)
		}
	}
}
