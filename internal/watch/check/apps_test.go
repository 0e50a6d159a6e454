package check_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"ocr/apps/c2c"
	"ocr/apps/hello"
	"ocr/apps/pgas"
	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// clean runs an app in check mode, which must find nothing, not even a note.
func clean(t *testing.T, name string, workers int, main edt.Func, result func() error) {
	t.Helper()
	t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
		var told runtime.Report
		err := runtime.Run(context.Background(), main, append(checking(t), runtime.Workers(workers), runtime.Into(&told))...)
		for _, f := range told.Findings {
			t.Error(f)
		}
		testrun.OK(t, err)
		testrun.OK(t, result())
	})
}

// TestAppsRunClean: check mode finds nothing in any test and form of these apps. The gallery's apps have
// trialtest.Checked for it.
func TestAppsRunClean(t *testing.T) {
	for _, workers := range testrun.Sized([]int{2}, []int{1, 3}, []int{1, 2, 3}) {
		clean(t, "hello", workers, hello.New(io.Discard), func() error { return nil })
		cleanSynchP2P(t, workers)
		cleanTaskBench(t, workers)
	}
	cleanPGAS(t)
	cleanC2C(t)
}

func cleanSynchP2P(t *testing.T, workers int) {
	for _, channels := range []bool{false, true} {
		forms := []synchp2p.Form{synchp2p.EDT, synchp2p.EDTAgain}
		if !channels {
			forms = append(forms, synchp2p.EDTRecorded)
		}
		for _, form := range forms {
			for _, strips := range []int{1, 2, 10} { // 1: the first strip is its own neighbour
				cfg := synchp2p.Defaults()
				cfg.Strips, cfg.Timesteps, cfg.Channels, cfg.Form = strips, 5, channels, form
				app := synchp2p.New(cfg)
				clean(t, fmt.Sprintf("synch_p2p, %s, channels %t, %d strips", form, channels, strips), workers, app.Main(),
					func() error { _, err := app.Result(); return err })
			}
		}
	}
}

func cleanTaskBench(t *testing.T, workers int) {
	run := func(cfg taskbench.Config, name string) {
		t.Helper()
		testrun.OK(t, cfg.Validate(0))
		for range 2 {
			app := taskbench.New(cfg)
			clean(t, "taskbench, "+name, workers, app.Main(), func() error { _, err := app.Result(); return err })
			name += ", recorded"
			if cfg.Recorded = true; cfg.Validate(0) != nil {
				break
			}
		}
	}
	places := taskbench.Placements()
	for _, pattern := range taskbench.Patterns() {
		for _, kind := range kernel.Kinds() {
			cfg := taskbench.Defaults()
			cfg.Place = places[workers-1]
			g := &cfg.Graphs[0]
			g.Type, g.Steps, g.Width, g.Period = pattern, 20, 6, pattern.Period()
			g.Kernel = kernel.Kernel{Kind: kind, Iterations: 8, Samples: 16, Imbalance: 1}
			if kind == kernel.MemoryBound {
				g.Scratch, g.Output = 1<<12, 72 // outputs of more than one pair, too
			}
			run(cfg, fmt.Sprintf("%s, %s", pattern, kind))
		}
		for _, steps := range []int{1, 2, 7} { // a small graph and a wide one at a time
			least, wide := taskbench.DefaultGraph(), taskbench.DefaultGraph()
			least.Type, least.Steps, least.Width, least.Radix, least.Period = pattern, steps, 3, 1, pattern.Period()
			wide.Type, wide.Steps, wide.Width, wide.Radix, wide.Period = pattern, steps, 9, 9, pattern.Period()
			cfg := taskbench.Defaults()
			cfg.Graphs, cfg.Place = []taskbench.Graph{least, wide}, places[workers-1]
			run(cfg, fmt.Sprintf("%s, %d steps", pattern, steps))
		}
	}
}

func cleanPGAS(t *testing.T) {
	for _, test := range pgas.Tests() {
		for variant := range testrun.Sized(1, 3, 3) {
			for _, form := range []pgas.Form{pgas.Direct, pgas.EDT} {
				cfg := pgas.Defaults(test.Name)
				cfg.PEs, cfg.Form, cfg.Iterations = 2+variant/2*2, form, testrun.Sized(4, 4, 20)
				cfg.Sync = []pgas.Sync{pgas.Pairwise, pgas.Flag, pgas.Pairwise}[variant]
				cfg.Stride = 1 + variant
				if cfg.Validate() != nil {
					continue // not every test has this form
				}
				app := pgas.New(cfg)
				clean(t, fmt.Sprintf("pgas, %s, %v, variant %d", test.Name, form, variant), cfg.PEs, app.Main(),
					func() error { _, err := app.Result(); return err })
			}
		}
	}
}

func cleanC2C(t *testing.T) {
	lengths := map[int]int{1: 1, 2: 3, 4: 1, 8: 600} // by width: up to 6 bytes, with width 8 more than a page
	for _, test := range c2c.Tests() {
		for _, form := range c2c.Forms() {
			for width, length := range testrun.Sized(map[int]int{8: 600}, lengths, lengths) {
				cfg := c2c.Defaults()
				cfg.Test, cfg.Form, cfg.Transfers, cfg.Warmup = test, form, testrun.Sized(20, 20, 100), 10
				cfg.Width, cfg.Length = width, length
				if cfg.Validate() != nil || form == c2c.Goroutines {
					continue // no graph of EDTs, or the test has no such length
				}
				app := c2c.New(cfg)
				clean(t, fmt.Sprintf("c2c, %s, %v, width %d, length %d", test, form, width, length), 2, app.Main(),
					func() error { _, err := app.Result(); return err })
			}
		}
	}
}
