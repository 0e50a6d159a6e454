package runtime

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank/remote"
)

func TestMain(m *testing.M) {
	cpuQuota = func() float64 { return 0 } // tests expect as many workers as processors
	goleak.VerifyTestMain(m)
}

// runMain is Run for tests; it returns the report too. A run that hangs ends the process.
func runMain(t *testing.T, main edt.Func, opts ...Option) (Report, error) {
	t.Helper()
	var r Report
	dog := Watchdog(Watch{Still: testrun.HangAfter(), Report: func(s Stall) { testrun.Hangs(t, s) }})
	opts = append([]Option{dog}, opts...)
	err := Run(context.Background(), main, append(opts, Into(&r))...)
	return r, err
}

// mustRun runs a program that must end without an error.
func mustRun(t *testing.T, main edt.Func, opts ...Option) Report {
	t.Helper()
	r, err := runMain(t, main, opts...)
	testrun.OK(t, err)
	return r
}

// starting is a main EDT that only does what f does.
func starting(f func(c *edt.Ctx)) edt.Func { return does(func(c *edt.Ctx, _ edt.Args) { f(c) }) }

// does is an EDT function that calls f and returns nothing.
func does(f func(c *edt.Ctx, in edt.Args)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		f(c, in)
		return guid.Null
	}
}

// body makes a template of an EDT without parameters and slots, which calls f.
func body(c *edt.Ctx, f func(c *edt.Ctx)) *edt.Template {
	return c.NewTemplate("body", 0, 0, does(func(c *edt.Ctx, _ edt.Args) { f(c) }))
}

// shortened is n, or less in a short run of the tests and under the race detector, which makes the runtime about eight
// times slower.
func shortened(n int) int {
	switch {
	case testing.Short():
		n /= 10
	case testrun.Race():
		n /= 4
	}
	return max(1, n)
}

// stealsAtOnce is the option that a worker may steal again without a gap.
func stealsAtOnce() Option { return func(s *settings) { s.stealGap = 0 } }

// onRank makes the pool one rank of several. Rank 0 runs main. The other ranks run the EDTs that are created there;
// their Run returns nil when the run is over.
func onRank(r *remote.Part) Option { return func(s *settings) { s.ranks = r } }

// queueCapacities makes the queues small.
func queueCapacities(deque, inbox int) Option {
	return func(s *settings) { s.dequeCapacity, s.inboxCapacity = deque, inbox }
}

// prepared is the option that calls f with the pool before a run, when all workers are set up and none runs.
func prepared(f func(*pool)) Option { return func(s *settings) { s.prepare = f } }
