package taskbench

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shape makes a graph for tests, with a radix and a period that its width allows.
func shape(p Pattern, width, steps int) Graph {
	g := DefaultGraph()
	g.Type, g.Width, g.Steps = p, width, steps
	g.Radix = min(3, width)
	g.Period = p.Period()
	return g
}

// possible reports whether a pattern exists for a width.
func possible(p Pattern, width int) bool {
	return width >= map[Pattern]int{Stencil1DPeriodic: 3, FFT: 2}[p]
}

// eachShape calls f with every pattern for many small widths and steps, fewer in short tests.
func eachShape(f func(Graph)) {
	widths, manySteps := []int{1, 2, 3, 4, 5, 6, 7, 8, 13}, []int{1, 2, 3, 5, 8, 21, 40}
	if testing.Short() {
		widths, manySteps = []int{1, 2, 3, 5, 8}, []int{1, 2, 21}
	}
	for p := range numPatterns {
		for _, width := range widths {
			for _, steps := range manySteps {
				if possible(p, width) {
					f(shape(p, width, steps))
				}
			}
		}
	}
}

func one(g Graph) Config {
	c := Defaults()
	c.Graphs, c.Recorded = []Graph{g}, g.recorded
	return c
}

func (g *Graph) String() string {
	return fmt.Sprintf("%v width %d steps %d radix %d period %d output %d scratch %d", g.Type, g.Width, g.Steps,
		g.Radix, g.Period, g.Output, g.Scratch)
}

func checkRun(t *testing.T, cfg Config, app *App, err error, n edt.Counters, leaks []edt.Leak) {
	t.Helper()
	name := cfg.Graphs[0].String()
	testrun.OK(t, err, "%s", name)
	r, err := app.Result()
	testrun.OK(t, err, "%s", name)
	if r.Elapsed <= 0 || r.Build <= 0 {
		t.Errorf("%s: elapsed %v, build %v", name, r.Elapsed, r.Build)
	}
	testrun.Equal(t, uint64(cfg.Totals().Tasks)+2+cfg.repeats(), n.EDTRun, "%s: EDTs that ran", name)
	testrun.Equal(t, 0, len(leaks), "%s: leaks %v", name, leaks)
}

// repeats returns how many graphs have an EDT that runs a recorded graph again.
func (c Config) repeats() (n uint64) {
	for _, g := range c.Graphs {
		if c.Recorded && g.Steps > g.recordedSteps() {
			n++
		}
	}
	return n
}

func runPermuted(t *testing.T, cfg Config, seed uint64, workers int) {
	t.Helper()
	runOn(t, cfg, edttest.New(seed, edt.Config{Workers: workers}), 0)
}

// runOn runs a Config on a host. besides is the number of EDTs that only a run over ranks has.
func runOn(t *testing.T, cfg Config, h *edttest.Host, besides uint64) {
	t.Helper()
	defer h.Graph.Close()
	app := New(cfg)
	err := h.Run(app.Main())
	counters := h.Graph.Counters()
	counters.EDTRun -= besides
	checkRun(t, cfg, app, err, counters, h.Graph.Leaks())
}

// Over 2 ranks each runs at least a fifth of the tasks of a graph with enough columns, over 4 an eighth.
func TestRanks(t *testing.T) {
	seed := uint64(0)
	for p := range numPatterns {
		for _, shape := range []Graph{shape(p, 3, 5), shape(p, 8, 20), shape(p, 13, 9)} {
			seed++
			for _, ranks := range []int{2, 4} {
				cfg := one(shape)
				cfg.Place = Placements()[seed%3]
				if seed%5 == 0 {
					cfg.Graphs = append(cfg.Graphs, shape)
				}
				host := edt.Config{Workers: 1 + int(seed%2)}
				besides := uint64(1 + len(cfg.Graphs)*(ranks-1)) // begin, and prepare on other ranks
				runOn(t, cfg, edttest.NewRanks(seed, ranks, host), besides)
				apart := edttest.NewApart(seed, ranks, host)
				runOn(t, cfg, apart, besides)
				for rank, n := range apart.Ran() {
					if tasks := shape.Width * shape.Steps; shape.Width == 8 && cfg.Place != PlaceNone && p != Dom &&
						p != Tree && n < tasks/map[int]int{2: 5, 4: 8}[ranks] {
						t.Errorf("%v: rank %d of %d has run %d EDTs", &shape, rank, ranks, n)
					}
				}
			}
		}
	}
}

func runReal(t *testing.T, cfg Config, workers int) {
	t.Helper()
	var report runtime.Report
	app := New(cfg)
	err := runtime.Run(t.Context(), app.Main(), runtime.Workers(workers), runtime.Into(&report), runtime.LeakReport())
	checkRun(t, cfg, app, err, report.Counters.Counters, report.Leaks)
}

func TestPermutedSchedules(t *testing.T) {
	seed := uint64(0)
	eachShape(func(g Graph) {
		for turn := range 3 {
			if g.recorded = turn == 2; g.recorded && g.Type.GrowsOrShrinks() {
				continue
			}
			seed++
			cfg := one(g)
			cfg.Place = Placements()[seed%3]
			runPermuted(t, cfg, seed, 1+int(seed%3))
			if t.Failed() {
				t.FailNow()
			}
		}
	})
}

func TestEveryShape(t *testing.T) {
	workers := []int{1, 2, 3, 8}
	turn := 0
	eachShape(func(g Graph) {
		turn++
		cfg := one(g)
		cfg.Place = Placements()[turn%3]
		runReal(t, cfg, workers[turn/3%len(workers)])
		if cfg.Recorded = !g.Type.GrowsOrShrinks(); cfg.Recorded {
			runReal(t, cfg, workers[turn/3%len(workers)])
		}
	})
}
