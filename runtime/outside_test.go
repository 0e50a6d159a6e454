package runtime

import (
	"context"
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

// body1 is body with one slot.
func body1(c *edt.Ctx, f func(c *edt.Ctx)) *edt.Template {
	return c.NewTemplate("body1", 0, 1, does(func(c *edt.Ctx, _ edt.Args) { f(c) }))
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
								testrun.Equal(t, nil, x.Signal())
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
