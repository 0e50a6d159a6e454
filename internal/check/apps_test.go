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
	"ocr/runtime"
)

// clean runs an app in check mode. It may have notes, but no faults.
func clean(t *testing.T, name string, workers int, main edt.Func, result func() error) {
	t.Helper()
	t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
		var told runtime.Report
		err := runtime.Run(context.Background(), main, append(checking(t), runtime.Workers(workers), runtime.Into(&told))...)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range told.Findings {
			t.Log(f)
		}
		if err := result(); err != nil {
			t.Error(err)
		}
	})
}

func TestAppsRunClean(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		clean(t, "hello", workers, hello.New(io.Discard), func() error { return nil })
		for _, events := range []synchp2p.EventForm{synchp2p.EventsSticky, synchp2p.EventsChannel} {
			for _, clone := range []synchp2p.CloneForm{synchp2p.CloneNew, synchp2p.CloneAgain} {
				cfg := synchp2p.Defaults()
				cfg.Timesteps, cfg.Events, cfg.Clone, cfg.CheckGrid = 10, events, clone, true
				app := synchp2p.New(cfg)
				clean(t, fmt.Sprintf("synch_p2p, %s, %s", events, clone), workers, app.Main(), func() error { _, err := app.Result(); return err })
			}
		}
		for _, pattern := range taskbench.Patterns() {
			cfg := taskbench.Defaults()
			g := &cfg.Graphs[0]
			g.Type, g.Steps, g.Width, g.Period = pattern, 40, 6, pattern.Period()
			if workers == 2 {
				g.Kernel, g.Scratch = kernel.Kernel{Kind: kernel.MemoryBound, Iterations: 32, Samples: 16}, 1<<12
			}
			if err := cfg.Validate(0); err != nil {
				t.Fatal(err)
			}
			app := taskbench.New(cfg)
			clean(t, "taskbench, "+pattern.String(), workers, app.Main(), func() error { _, err := app.Result(); return err })
		}
	}
	for _, test := range pgas.Tests() {
		for _, form := range []pgas.Form{pgas.Direct, pgas.EDT} {
			cfg := pgas.Defaults(test.Name)
			cfg.PEs, cfg.Form, cfg.Iterations, cfg.MaxTime = 2, form, 20, 0
			if cfg.Validate() != nil {
				continue // not every test has this form
			}
			app := pgas.New(cfg)
			clean(t, fmt.Sprintf("pgas, %s, %v", test.Name, form), 2, app.Main(), func() error { _, err := app.Result(); return err })
		}
	}
	for _, form := range []c2c.Form{c2c.Polled, c2c.EDT, c2c.Chain, c2c.Local} {
		cfg := c2c.Defaults()
		cfg.Form, cfg.Transfers, cfg.Warmup = form, 100, 10
		app := c2c.New(cfg)
		clean(t, fmt.Sprintf("c2c, %v", form), 2, app.Main(), func() error { _, err := app.Result(); return err })
	}
}
