package runtime

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
)

// runPlan runs a plan and compares its values and counts with the oracle's.
func runPlan(t *testing.T, p *graphtest.Plan, want *graphtest.Outcome, opts ...Option) {
	t.Helper()
	x := p.NewExecution()
	var r Report
	err := Run(context.Background(), x.Main, append([]Option{Into(&r), LeakReport()}, opts...)...)
	testrun.OK(t, err, "plan %d", p.Seed)
	if diff := x.Compare(r.Counters.Counters, want); diff != "" {
		t.Fatalf("plan %d: %s", p.Seed, diff)
	}
	testrun.Equal(t, 0, len(r.Leaks), "plan %d: leaks %v", p.Seed, r.Leaks)
}

// TestLargePlans: plans with so many EDTs that queues overflow and records move between workers.
func TestLargePlans(t *testing.T) {
	for seed := range uint64(12) {
		p := graphtest.Generate(1000+seed, sized(800, 8_000))
		runPlan(t, p, p.Expect(), setupOf(seed).opts...)
	}
}

// TestQuiescence ends thousands of short runs, each when no EDT is left to run: neither early nor never.
func TestQuiescence(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		for _, spin := range []time.Duration{0, DefaultSpin} {
			t.Run(fmt.Sprintf("workers=%d/spin=%v", workers, spin), func(t *testing.T) {
				for seed := range uint64(sized(40, 1000)) {
					p := graphtest.Generate(5000+seed, 1+int(seed%20))
					runPlan(t, p, p.Expect(), Workers(workers), Spin(spin))
				}
			})
		}
	}
}
