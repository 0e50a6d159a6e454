package runtime

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ocr/internal/proof/graphtest"
	"ocr/internal/proof/testrun"
)

// variants are option sets under all of which a plan must compute the same. TestMetamorphic draws others.
var variants = []struct {
	name string
	opts []Option
}{
	{"workers=1", []Option{Workers(1)}},
	{"workers=2", []Option{Workers(2)}},
	{"workers=3", []Option{Workers(3), StealGap(0)}},
	{"workers=8", []Option{Workers(8)}},
	{"tiny queues", []Option{Workers(3), queueCapacities(2, 2)}},
	{"tiny queues/no spin", []Option{Workers(4), queueCapacities(2, 1), Spin(0), StealGap(0)}},
	{"no spin", []Option{Workers(2), Spin(0)}},
	{"no spin/workers=8", []Option{Workers(8), Spin(0)}},
	{"long spin", []Option{Workers(2), Spin(time.Millisecond), StealGap(0)}},
	{"rare steals", []Option{Workers(3), StealGap(50 * time.Microsecond)}},
	{"scatter", []Option{Workers(2), Bind(BindScatter)}},
	{"not bound", []Option{Workers(3), Bind(BindNone)}},
	{"sites", []Option{Workers(2), TrackSites()}},
}

// runPlan runs a plan and compares what it computed and counted with the oracle's.
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

// TestLargePlans is metamorphic: one plan, all option sets, one outcome. The plans have enough EDTs to fill queues and
// to move records between workers.
func TestLargePlans(t *testing.T) {
	for seed := range uint64(3) {
		p := graphtest.Generate(1000+seed, sized(800, 40_000))
		want := p.Expect()
		for _, v := range variants {
			t.Run(v.name, func(t *testing.T) { runPlan(t, p, want, v.opts...) })
		}
	}
}

// TestQuiescence ends thousands of short runs, each by finding out that nothing is
// left to run: neither too early, nor never.
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
