package runtime

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// poolOf stores the pool of the run in p.
func poolOf(p *atomic.Pointer[pool]) Option { return prepared(func(q *pool) { p.Store(q) }) }

// untilParked waits, on a goroutine that is not a worker, until all workers are parked.
func untilParked(p *atomic.Pointer[pool]) {
	for q := p.Load(); q.parkedNow() < len(q.workers); {
		time.Sleep(10 * time.Microsecond)
	}
}

// TestMailWakesAPoolThatIsParked: each satisfaction comes when all workers are parked. If a wake-up is lost the test
// hangs.
func TestMailWakesAPoolThatIsParked(t *testing.T) {
	rounds := shortened(500)
	for _, workers := range []int{1, 2, 3} {
		var p atomic.Pointer[pool]
		var ran atomic.Int64
		mustRun(t, starting(func(c *edt.Ctx) {
			event, x := c.NewExternal(rounds)
			count := c.NewTemplate("count", 0, 1, does(func(c *edt.Ctx, _ edt.Args) { ran.Add(1) }))
			for range rounds {
				c.NewEDT(count, nil, edt.From(event, datablock.Null))
			}
			go func() {
				for range rounds {
					untilParked(&p)
					if err := x.Signal(); err != nil {
						t.Error(err)
					}
				}
			}()
		}), Workers(workers), poolOf(&p))
		testrun.Equal(t, rounds, int(ran.Load()), "%d workers: EDTs ran", workers)
	}
}

// TestMailDoesNotLieBesideABody: mail makes an EDT ready, and all workers but one are in bodies that end only when it
// has run.
func TestMailDoesNotLieBesideABody(t *testing.T) {
	for _, workers := range []int{2, 3} {
		for _, spin := range []time.Duration{0, 5 * time.Millisecond} {
			t.Run(fmt.Sprintf("workers=%d/spin=%v", workers, spin), func(t *testing.T) {
				for range sized(40, 1000) {
					mustRun(t, starting(func(c *edt.Ctx) {
						event, x := c.NewExternal(1)
						var seen atomic.Bool
						c.NewEDT(body1(c, func(*edt.Ctx) { seen.Store(true) }), nil, edt.From(event, datablock.Null))
						for w := 1; w < workers-1; w++ {
							c.NewEDTAt(c.Bind(w), body(c, func(*edt.Ctx) { until(seen.Load) }), nil)
						}
						if err := x.Signal(); err != nil {
							t.Error(err)
						}
						until(seen.Load)
					}), Workers(workers), Spin(spin))
				}
			})
		}
	}
}

// body1 is body with one slot.
func body1(c *edt.Ctx, f func(c *edt.Ctx)) *edt.Template {
	return c.NewTemplate("body1", 0, 1, does(func(c *edt.Ctx, _ edt.Args) { f(c) }))
}

// TestMailAmidAChain: the only worker runs a chain of EDTs, which ends when the worker has handled the mail.
func TestMailAmidAChain(t *testing.T) {
	mustRun(t, starting(func(c *edt.Ctx) {
		event, x := c.NewExternal(1)
		var over atomic.Bool
		c.NewEDT(body1(c, func(*edt.Ctx) { over.Store(true) }), nil, edt.From(event, datablock.Null))
		c.NewEDT(body(c, func(c *edt.Ctx) {
			if !over.Load() {
				c.Again()
			}
		}), nil)
		go func() { _ = x.Signal() }()
	}), Workers(1))
}

// TestMailStorm: many goroutines, many externals, queues with two places, EDTs bound to all workers.
func TestMailStorm(t *testing.T) {
	const externals, each = 8, 100
	for _, workers := range []int{1, 2, 4} {
		for _, spin := range []time.Duration{0, DefaultSpin} {
			var ran atomic.Int64
			var senders sync.WaitGroup
			mustRun(t, starting(func(c *edt.Ctx) {
				work := body1(c, func(*edt.Ctx) { ran.Add(1) })
				for range externals {
					event, x := c.NewExternal(edt.Unbounded)
					for k := range each {
						c.NewEDTAt(c.Bind(k%c.Workers()), work, nil, edt.From(event, datablock.Null))
					}
					var left sync.WaitGroup
					for range 2 {
						left.Add(1)
						senders.Go(func() {
							defer left.Done()
							for range each / 2 {
								if err := x.Signal(); err != nil {
									t.Error(err)
								}
							}
						})
					}
					senders.Go(func() { left.Wait(); x.Close() })
				}
			}), Workers(workers), Spin(spin), queueCapacities(2, 2))
			senders.Wait()
			testrun.Equal(t, externals*each, ran.Load(), "%d workers: EDTs ran", workers)
		}
	}
}

// TestOutsideAtTheEnd: a run with an open external ends if an EDT calls shutdown or the context is cancelled. Later
// satisfactions are refused.
func TestOutsideAtTheEnd(t *testing.T) {
	var kept *edt.External
	mustRun(t, starting(func(c *edt.Ctx) {
		_, kept = c.NewExternal(1)
		c.Shutdown()
	}), Workers(2))
	testrun.Is(t, kept.Satisfy([]byte("late")), edt.ErrEnded)
	ctx, cancel := context.WithCancel(context.Background())
	var p atomic.Pointer[pool]
	err := Run(ctx, starting(func(c *edt.Ctx) {
		_, kept = c.NewExternal(1)
		go func() {
			untilParked(&p)
			cancel()
		}()
	}), Workers(2), poolOf(&p))
	testrun.Is(t, err, context.Canceled)
	testrun.Is(t, kept.Signal(), edt.ErrEnded)
	kept.Close()
}
