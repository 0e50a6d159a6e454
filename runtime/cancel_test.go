package runtime

import (
	"context"
	"errors"
	"testing"
	"time"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

func TestCancelledBefore(t *testing.T) {
	cause := errors.New("a cause")
	withCause, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	expired, cancel2 := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel2()
	for _, tc := range []struct {
		ctx  context.Context
		want error
	}{{withCause, cause}, {expired, context.DeadlineExceeded}} {
		err := Run(tc.ctx, starting(func(*edt.Ctx) { t.Error("main ran") }))
		testrun.Is(t, err, tc.want)
	}
}

// endless is an EDT that makes its like for ever, and calls f each time.
func endless(c *edt.Ctx, f func(c *edt.Ctx)) *edt.Template {
	var t *edt.Template
	t = body(c, func(c *edt.Ctx) {
		f(c)
		c.NewEDT(t, nil)
	})
	return t
}

// TestCancelWhileOthersSleep cancels while one worker is in a long EDT and all
// others sleep. That all sleep is never seen: then the run is over.
func TestCancelWhileOthersSleep(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		ctx, cancel := context.WithCancel(context.Background())
		ended := false
		var p *pool
		err := Run(ctx, does(func(c *edt.Ctx, _ edt.Args) {
			until(func() bool { return p.parkedNow() == workers-1 })
			cancel()
			until(p.stopped.Load)
			c.NewEDT(body(c, func(*edt.Ctx) { t.Error("an EDT ran after the end") }), nil)
			ended = true
		}), Workers(workers), Spin(0), prepared(func(made *pool) { p = made }))
		if !errors.Is(err, context.Canceled) || !ended {
			t.Errorf("workers %d: got %v, main ended: %v", workers, err, ended)
		}
	}
}

// TestShutdownBeatsCancel: a run that was shut down has succeeded, and a context that ends later does not matter.
func TestShutdownBeatsCancel(t *testing.T) {
	for _, workers := range []int{1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		testrun.OK(t, Run(ctx, starting(func(c *edt.Ctx) {
			c.Shutdown()
			cancel()
		}), Workers(workers)))
		testrun.Is(t, Run(ctx, starting(func(*edt.Ctx) {})), edt.ECANCELED)
	}
}
