package uts

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/harness/trialtest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plan has trees of some shapes: a root alone, a path, a tree with a node that has many children.
var plan = trialtest.Plan[Config, *App]{
	New:   New,
	Spoil: func(a *App) { a.found = Counts{} },
	Valid: slices.Collect(maps.Keys(known)),
	Forms: []Config{
		{4, 0, 19, 0}, {4, 1, 19, 0}, {4, 5, 19, 0}, {4, 6, 19, 1}, {4, 6, 19, 4}, {4, 6, 19, 9}, {1.5, 12, -7, 0},
		{1, 40, 3, 20}, {50, 2, 1, 0},
	},
	Checked:    []Config{{4, 5, 19, 0}},
	Explored:   []Config{{2, 3, 19, 0}, {2, 5, 19, 2}},
	Incomplete: []Config{{4, 6, 19, 0}},
	Ranks:      []Config{{4, 5, 19, 0}},
	Refused: map[string]Config{
		"uts: --branching 0: must be above 0, at most 50":                                       {0, 10, 19, 0},
		"uts: --branching 50.5: must be above 0, at most 50":                                    {50.5, 10, 19, 0},
		"uts: --branching NaN: must be above 0, at most 50":                                     {math.NaN(), 10, 19, 0},
		"uts: --depth -1: must be 0..1000":                                                      {4, -1, 19, 0},
		"uts: --depth 1001: must be 0..1000":                                                    {4, 1001, 19, 0},
		"uts: --cutoff -1: must be 0..1000":                                                     {4, 10, 19, -1},
		"uts: --seed 2147483648: must be -2147483648..2147483647":                               {4, 10, 1 << 31, 0},
		"uts: --depth 19: must be small enough for 1e11 nodes on average with this --branching": {4, 19, 19, 0},
	},
}

func TestApp(t *testing.T) { plan.Test(t) }

func (c Config) String() string {
	return fmt.Sprintf("b=%v d=%d r=%d cutoff=%d", c.Branching, c.Depth, c.Seed, c.Cutoff)
}

// Without a cut-off a run has an EDT for each node, and three more: main, and those that add up and take the result.
func TestEDTs(t *testing.T) {
	for _, cfg := range plan.Forms {
		var report runtime.Report
		app := New(cfg)
		testrun.OK(t, runtime.Run(t.Context(), app.Main(), runtime.Workers(2), runtime.Into(&report)))
		if cfg.Cutoff == 0 && report.Counters.EDTRun != app.found.Nodes+3 {
			t.Errorf("%v: %d EDTs for %d nodes", cfg, report.Counters.EDTRun, app.found.Nodes)
		}
	}
}

// A run gives the benchmark's own counts.
func TestKnownTree(t *testing.T) {
	if testing.Short() {
		t.Skip("four million hashes: a second, many with the race detector")
	}
	cfg := Defaults()
	cfg.Cutoff = 6
	app := New(cfg)
	testrun.OK(t, runtime.Run(t.Context(), app.Main(), runtime.Workers(2)))
	testrun.OK(t, app.Verify())
	testrun.Equal(t, Counts{4130071, 3305118, 10}, app.found, "counts")
}

// deep is a tree of 1 031 203 nodes. Only 7 of them are at depths up to 5.
var deep = Config{1.5, 36, 3129, 0}

// A search asks for the context's error deep in the tree too, and ends soon after the context is cancelled. Without
// such questions it asks at most 8 times: at the 7 nodes, and at its end.
func TestCancelled(t *testing.T) {
	for _, form := range []int{0, 1} {
		for workers := 1; workers <= 2; workers++ {
			app, ctx := New(deep), &cancelledLater{Context: t.Context(), after: 8}
			if err := app.Forms()[form].Run(ctx, workers); err == nil || app.found.Nodes > 12*asked {
				t.Errorf("form %d on %d workers: %v, error %v", form, workers, app.found, err)
			}
		}
	}
}

// A cancelled run ends, though an EDT walks a subtree for minutes.
func TestCancelledWalk(t *testing.T) {
	app := New(Config{4, 15, 29, 1})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	testrun.Is(t, runtime.Run(ctx, app.Main(), runtime.Workers(2)), context.Canceled)
}

// A cancelled context ends the walk that verifies an unknown tree; the next Verify walks again.
func TestVerifyCancelled(t *testing.T) {
	app, ctx := New(deep), &cancelledLater{Context: t.Context(), after: 8}
	testrun.OK(t, app.Forms()[0].Run(t.Context(), 1))
	testrun.Is(t, app.VerifyUntil(ctx), context.Canceled)
	testrun.OK(t, app.Verify())
}

// A cancelledLater is a context that is cancelled after its error was asked for a number of times.
type cancelledLater struct {
	context.Context
	after int64
	asked atomic.Int64
}

func (c *cancelledLater) Err() error {
	if c.asked.Add(1) > c.after {
		return context.Canceled
	}
	return nil
}

func TestVerifyFindsWrongCounts(t *testing.T) {
	app := New(plan.Forms[2])
	for _, spoil := range []func(*Counts){
		func(c *Counts) { c.Nodes-- }, func(c *Counts) { c.Leaves++ }, func(c *Counts) { c.Deepest++ },
	} {
		testrun.OK(t, app.Forms()[0].Run(t.Context(), 1))
		spoil(&app.found)
		testrun.As[*trial.VerifyError](t, app.Verify(), "%v", app.found)
	}
}
