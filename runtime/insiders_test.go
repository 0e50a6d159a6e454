package runtime

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// TestPoolFromInside: if the run on the pool waits for the caller, Run and Close return at once, with an error that has
// the line of the call.
func TestPoolFromInside(t *testing.T) {
	if sys.Goroutine() == 0 {
		t.Skip("goroutines are not told apart on this system")
	}
	var p *Pool
	var got error
	inside, runs := "", 0
	at := func(place string) {
		if place != inside {
			return
		}
		inside = ""
		ctx, cancel := context.WithTimeout(context.Background(), testrun.HangAfter())
		defer cancel()
		if got = p.Run(ctx, threeMain); got != nil {
			got = errors.Join(got, p.Close())
		}
	}
	logged, _ := observer.New(zap.InfoLevel)
	p = newTestPoolThatStays(t, Workers(2),
		AtBegin(func() (func(), error) { at("AtBegin"); return func() { at("the end of AtBegin") }, nil }),
		AtBegin(func() (end func(), err error) { return nil, nil }),
		AtEnd(func(Report, error) { at("AtEnd") }),
		Observe(func(*edt.Worker) edt.Observer { at("making an observer"); return edt.NopObserver{} }),
		Logger(zap.New(logged, zap.Hooks(func(zapcore.Entry) error { at("logging"); return nil }))),
		Watchdog(Watch{Still: 20 * time.Millisecond, Report: func(Stall) { at("a stall's report") }}))
	b := edt.NewBlocking(1)
	for _, place := range []string{"AtBegin", "the end of AtBegin", "AtEnd", "making an observer", "logging",
		"a stall's report", "Blocking", "a body", "a description"} {
		inside, got = place, nil
		runs++
		err := p.Run(context.Background(), starting(func(c *edt.Ctx) {
			switch place {
			case "a body":
				at(place)
			case "a stall's report":
				b.Call(c, func(context.Context) ([]byte, error) { time.Sleep(200 * time.Millisecond); return nil, nil })
			case "a description":
				e, x := c.NewExternal(1)
				c.NewEDT(body1(c, func(*edt.Ctx) {}).Describe(func([]uint64, []datablock.Dep) string {
					at(place)
					return ""
				}), nil, edt.From(e, datablock.RO))
				go func() {
					until(func() bool { return got != nil || ReportRuns() == 0 })
					_ = x.Signal()
				}()
			default:
				b.Call(c, func(context.Context) ([]byte, error) { at("Blocking"); return nil, nil })
			}
		}))
		var refused *PoolError
		if err != nil || !errors.As(got, &refused) {
			t.Errorf("in %s: %v; the run ended with %v", place, got, err)
			continue
		}
		testrun.Contains(t, fmt.Sprint(got), "runtime: run on a pool: called ", "runtime: close on a pool: called ",
			"it would wait for itself (insiders_test.go:")
	}
}

// TestPoolFromOutside: a goroutine that began in one run and still runs may call Run during the next one.
func TestPoolFromOutside(t *testing.T) {
	p := newTestPoolThatStays(t, Workers(1))
	b, late := edt.NewBlocking(1), make(chan error)
	began, next := make(chan bool), make(chan bool)
	testrun.OK(t, p.Run(context.Background(), starting(func(c *edt.Ctx) {
		b.Call(c, func(ctx context.Context) ([]byte, error) {
			close(began)
			<-ctx.Done()
			<-next
			late <- p.Run(context.Background(), threeMain)
			return nil, nil
		})
		<-began
		c.Shutdown()
	})))
	testrun.OK(t, p.Run(context.Background(), starting(func(*edt.Ctx) {
		close(next)
		inQueue(p, 1)
	})))
	testrun.OK(t, <-late)
}
