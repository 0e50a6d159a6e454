package uts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/harness/trialtest"
	"ocr/internal/testrun"
	"ocr/runtime"
)

// small are trees of some shapes: a root alone, a path, a tree with a node that has many children.
var small = []Config{
	{Branching: 4, Depth: 0, Seed: 19},
	{Branching: 4, Depth: 1, Seed: 19},
	{Branching: 4, Depth: 5, Seed: 19},
	{Branching: 4, Depth: 6, Seed: 19, Cutoff: 1},
	{Branching: 4, Depth: 6, Seed: 19, Cutoff: 4},
	{Branching: 4, Depth: 6, Seed: 19, Cutoff: 9},
	{Branching: 1.5, Depth: 12, Seed: -7},
	{Branching: 1, Depth: 40, Seed: 3, Cutoff: 20},
	{Branching: 50, Depth: 2, Seed: 1},
}

func (c Config) String() string {
	return fmt.Sprintf("b=%v d=%d r=%d cutoff=%d", c.Branching, c.Depth, c.Seed, c.Cutoff)
}

func TestEveryForm(t *testing.T) {
	for _, cfg := range small {
		if err := cfg.Validate(); err != nil {
			t.Fatal(err)
		}
		var report runtime.Report
		app := New(cfg)
		for _, workers := range []int{1, 2, 3, 8} {
			for _, f := range trialtest.AllForms(app, runtime.Into(&report), runtime.LeakReport()) {
				if err := f.Run(t.Context(), workers); err != nil {
					t.Fatalf("%v, %s, %d workers: %v", cfg, f.Name, workers, err)
				}
				if err := app.Verify(); err != nil || app.Elapsed() <= 0 {
					t.Errorf("%v, %s, %d workers: %v, in %v", cfg, f.Name, workers, err, app.Elapsed())
				}
			}
			for _, leak := range report.Leaks {
				t.Errorf("%v, %d workers: leak: %v", cfg, workers, leak)
			}
			if cfg.Cutoff == 0 && report.Counters.EDTRun != app.found.Nodes+3 {
				t.Errorf("%v: %d EDTs for %d nodes, want one each, main, collect and deliver", cfg, report.Counters.EDTRun, app.found.Nodes)
			}
		}
	}
}

// The benchmark's own counts.
func TestKnownTree(t *testing.T) {
	if testing.Short() {
		t.Skip("four million hashes: a second, many with the race detector")
	}
	cfg := Defaults()
	cfg.Cutoff = 6
	app := New(cfg)
	if err := runtime.Run(t.Context(), app.Main(), runtime.Workers(2)); err != nil {
		t.Fatal(err)
	}
	if err := app.Verify(); err != nil || app.Found() != (Counts{4130071, 3305118, 10}) {
		t.Errorf("%v, error %v", app.Found(), err)
	}
}

// The nodes that are dealt out give each worker work, before any steals: on one rank some, and over ranks, where nobody steals, nearly the same.
func TestWorkIsDealtOut(t *testing.T) {
	for places := 1; places <= 4; places++ {
		dealtOut(t, Config{Branching: 4, Depth: 7, Seed: 19}, places, dealtByOne, 0.4)
	}
	for _, cfg := range []Config{{Branching: 4, Depth: 5}, {Branching: 4, Depth: 8}, {Branching: 2, Depth: 15}, {Branching: 1.3, Depth: 38}, {Branching: 20, Depth: 4}} {
		for cfg.Seed = range testrun.Sized(3, 6, 100) {
			for _, places := range []int{2, 4} {
				dealtOut(t, cfg, places, cfg.depthOf(subtrees*places), 0.8)
			}
		}
	}
}

// dealtOut holds that each of so many workers has its share of an even part of the nodes, if there are enough.
func dealtOut(t *testing.T, cfg Config, places int, depth uint64, share float64) {
	t.Helper()
	tree := cfg.tree()
	nodes := make([]uint64, places)
	var deal func(n Node, home int)
	deal = func(n Node, home int) {
		if n.Depth == depth {
			var c Counts
			tree.walk(n, &c)
			nodes[home] += c.Nodes
			return
		}
		nodes[home]++
		for i := range tree.children(n) {
			deal(n.child(i), n.home(i, places))
		}
	}
	deal(root(cfg.Seed), 0)
	all := uint64(0)
	for _, n := range nodes {
		all += n
	}
	for home, n := range nodes {
		if all > 400 && float64(n) < share*float64(all)/float64(places) {
			t.Errorf("%v, worker %d of %d: %d nodes of %d", cfg, home, places, n, all)
		}
	}
}

func TestVerifyFindsWrongCounts(t *testing.T) {
	app := New(small[2])
	if err := app.Verify(); !errors.Is(err, trial.ErrIncomplete) {
		t.Errorf("before a run: %v", err)
	}
	for _, spoil := range []func(*Counts){
		func(c *Counts) { c.Nodes-- }, func(c *Counts) { c.Leaves++ }, func(c *Counts) { c.Deepest++ },
	} {
		if err := app.serial(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		spoil(&app.found)
		var wrong *trial.VerifyError
		if err := app.Verify(); !errors.As(err, &wrong) {
			t.Errorf("%v: error %v", app.Found(), err)
		}
	}
}

func TestCancelled(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	app := New(Config{Branching: 4, Depth: 15, Seed: 29})
	for _, f := range trialtest.AllForms(app) {
		if err := f.Run(ctx, 2); !errors.Is(err, why) {
			t.Errorf("%s: %v", f.Name, err)
		}
		if err := app.Verify(); !errors.Is(err, trial.ErrIncomplete) {
			t.Errorf("%s: result %v", f.Name, err)
		}
	}
}

func TestAnySchedule(t *testing.T) {
	for _, cfg := range []Config{{Branching: 2, Depth: 3, Seed: 19}, {Branching: 2, Depth: 5, Seed: 19, Cutoff: 2}} {
		edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
			app := New(cfg)
			trial.Check(app.Verify)
			return app.Main()
		}, edttest.NoLeaks(), edttest.MaxSchedules(schedules))
	}
}

const schedules = 600

func TestRunsCleanInCheckMode(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		var report runtime.Report
		app := New(small[2])
		if err := runtime.Run(t.Context(), app.Main(), runtime.Check(), runtime.Workers(workers), runtime.Into(&report)); err != nil {
			t.Fatal(err)
		}
		if err := app.Verify(); err != nil {
			t.Error(err)
		}
		for _, f := range report.Findings {
			t.Errorf("%d workers: %v", workers, f)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"uts: --branching 0: must be above 0, at most 50":                                       func(c *Config) { c.Branching = 0 },
		"uts: --branching 50.5: must be above 0, at most 50":                                    func(c *Config) { c.Branching = 50.5 },
		"uts: --branching NaN: must be above 0, at most 50":                                     func(c *Config) { c.Branching = math.NaN() },
		"uts: --depth -1: must be 0..1000":                                                      func(c *Config) { c.Depth = -1 },
		"uts: --depth 1001: must be 0..1000":                                                    func(c *Config) { c.Depth = 1001 },
		"uts: --cutoff -1: must be 0..1000":                                                     func(c *Config) { c.Cutoff = -1 },
		"uts: --seed 2147483648: must be -2147483648..2147483647":                               func(c *Config) { c.Seed = 1 << 31 },
		"uts: --depth 19: must be small enough for 1e11 nodes on average with this --branching": func(c *Config) { c.Depth = 19 },
	} {
		cfg := Defaults()
		change(&cfg)
		if err := cfg.Validate(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for cfg := range known {
		if err := cfg.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// A depth that is not given is small enough for the branching that is.
func TestFit(t *testing.T) {
	none, all := func(string) bool { return false }, func(string) bool { return true }
	for _, branching := range []float64{1, 4, 13, 50} {
		cfg := Defaults()
		cfg.Branching = branching
		if got := cfg.Fit(all); got != cfg {
			t.Errorf("branching %v: a depth that is given becomes %d", branching, got.Depth)
		}
		got := cfg.Fit(none)
		if err := got.Validate(); err != nil || got.Depth < 4 || branching <= 4 && got != cfg {
			t.Errorf("branching %v: depth %d, %v", branching, got.Depth, err)
		}
	}
}

func TestRanks(t *testing.T) { trialtest.Ranks(t, New(Config{Branching: 4, Depth: 5, Seed: 19}), true) }
