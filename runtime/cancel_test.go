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

// endless is the template of an EDT that calls f and creates another EDT like itself, for ever.
func endless(c *edt.Ctx, f func(c *edt.Ctx)) *edt.Template {
	var t *edt.Template
	t = body(c, func(c *edt.Ctx) {
		f(c)
		c.NewEDT(t, nil)
	})
	return t
}

// TestShutdownBeatsCancel: if a run was shut down, Run returns nil, though its context is cancelled afterwards.
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
