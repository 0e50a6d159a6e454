package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

var errCause = errors.New("the cause of a fault")

// A fault ends a run while it is on: one EDT calls strike. outcome reports whether Run has returned the right error.
type fault struct {
	name    string
	strike  func(c *edt.Ctx, cancel context.CancelCauseFunc)
	outcome func(err error) bool
}

var faults = []fault{
	{"cancel", func(_ *edt.Ctx, cancel context.CancelCauseFunc) { cancel(errCause) },
		func(err error) bool { return errors.Is(err, errCause) && errors.Is(err, edt.ECANCELED) }},
	{"cancel from elsewhere", func(_ *edt.Ctx, cancel context.CancelCauseFunc) { go cancel(errCause) },
		func(err error) bool { return errors.Is(err, errCause) }},
	{"panic", func(*edt.Ctx, context.CancelCauseFunc) { panic(errCause) },
		func(err error) bool { return as[*edt.PanicError](err) && errors.Is(err, errCause) }},
	{"fault in memory", func(*edt.Ctx, context.CancelCauseFunc) { var p *int; *p = 1 },
		func(err error) bool { return as[goruntime.Error](err) }},
	{"abort", func(c *edt.Ctx, _ context.CancelCauseFunc) { c.Abort(77) },
		func(err error) bool { return as[*edt.AbortError](err) }},
	{"shutdown", func(c *edt.Ctx, _ context.CancelCauseFunc) { c.Shutdown() },
		func(err error) bool { return err == nil }},
	{"misuse", func(c *edt.Ctx, _ context.CancelCauseFunc) { c.Satisfy(guid.Null, guid.Null) },
		func(err error) bool { return errors.Is(err, edt.ErrKind) }},
	{"cancel beside an EDT that waits", func(c *edt.Ctx, cancel context.CancelCauseFunc) {
		c.NewEDT(body1(c, func(*edt.Ctx) {}), nil, edt.From(c.NewEvent(edt.Once), datablock.Null))
		cancel(errCause)
	}, func(err error) bool { return errors.Is(err, errCause) || as[*edt.StuckError](err) }},
	{"Goexit", func(*edt.Ctx, context.CancelCauseFunc) { goruntime.Goexit() },
		func(err error) bool { return as[*edt.PanicError](err) && strings.Contains(err.Error(), "Goexit") }},
	{"out of memory", func(c *edt.Ctx, _ context.CancelCauseFunc) {
		for {
			c.NewBlock(1 << 20)
		}
	}, func(err error) bool { return errors.Is(err, edt.ErrMemory) }},
}

// mayEnd reports whether the fault may end a short run with this error: a run may be over before it is cancelled.
func (f *fault) mayEnd(err error) bool {
	return f.outcome(err) || err == nil && strings.HasPrefix(f.name, "cancel")
}

func as[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// TestFaultsAtRandomMoments ends runs in each way, at random moments and on any worker. Each run ends with the right
// error and leaves no worker.
func TestFaultsAtRandomMoments(t *testing.T) {
	n := sized(200, 10_000)
	var doing atomic.Pointer[string]
	dog := watch(t, func() string { return *doing.Load() })
	ends := make(map[string]int)
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 9))
		f := faults[rng.IntN(len(faults))]
		name := fmt.Sprintf("seed %d: %s", seed, f.name)
		doing.Store(&name)
		if err := hit(f, rng); !f.outcome(err) {
			t.Fatalf("%s: the run ended with %v", name, err)
		}
		ends[f.name]++
		dog.progress()
		if seed%100 == 99 {
			goleak.VerifyNone(t, goleak.IgnoreTopFunction("time.goFunc"))
		}
	}
	t.Logf("%d runs: %v", n, ends)
}

// hit runs a mill without end, until the fault strikes in one of its first few thousand EDTs.
func hit(f fault, rng *rand.Rand) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	when := int64(1 + rng.IntN(1<<rng.IntN(13)))
	var ran atomic.Int64
	m := &mill{strands: 1 + rng.IntN(40), turns: 1 << 60}
	m.tick = func(c *edt.Ctx, _ uint64) {
		if ran.Add(1) == when {
			f.strike(c, cancel)
		}
	}
	opts := []Option{Workers(1 + rng.IntN(4)), Memory(64 << 20)}
	switch rng.IntN(4) {
	case 0:
		opts = append(opts, Spin(0), queueCapacities(2, 1))
	case 1:
		opts = append(opts, jittered(rng.Uint64())...)
	}
	return Run(ctx, m.main, opts...)
}

// TestCancelAtRandomTimes cancels runs from outside after a random time: as they start, run, are parked and end.
func TestCancelAtRandomTimes(t *testing.T) {
	n := sized(200, 10_000)
	var seed atomic.Uint64
	dog := watch(t, func() string { return fmt.Sprintf("seed %d", seed.Load()) })
	cut := 0
	for k := range uint64(n) {
		seed.Store(k)
		rng := rand.New(rand.NewPCG(k, 10))
		ctx, cancel := context.WithTimeoutCause(context.Background(), time.Duration(rng.IntN(1<<rng.IntN(22))), errCause)
		m := &mill{strands: 4, turns: 1 << rng.IntN(9)}
		opts := []Option{Workers(1 + rng.IntN(4))}
		if rng.IntN(2) == 0 {
			opts = append(opts, Spin(0))
		}
		err := Run(ctx, m.main, opts...)
		cancel()
		switch {
		case errors.Is(err, errCause):
			cut++
		case err != nil:
			t.Fatalf("seed %d: %v", k, err)
		default:
			testrun.Equal(t, "", m.check(), "seed %d", k)
		}
		dog.progress()
	}
	t.Logf("%d runs, %d cut short", n, cut)
}
