//go:build mpi

package trialtest_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"ocr/apps/cg"
	"ocr/apps/cholesky"
	"ocr/apps/hello"
	"ocr/apps/stencil2d"
	"ocr/apps/synchp2p"
	"ocr/apps/taskbench"
	"ocr/apps/trial"
	"ocr/apps/uts"
	"ocr/apps/wordcount"
	"ocr/edt"
	"ocr/internal/proof/chaos"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
	"ocr/internal/rank/mpi"
	"ocr/runtime"
)

func TestMain(m *testing.M) {
	chaos.DelayIfAsked()
	if mpi.IsChild() {
		_, err := rank.Keep(mpi.Ranks())
		panic(err)
	}
	os.Exit(m.Run())
}

// gallery has small problems of all apps of the gallery.
var gallery = map[string]trial.App{
	"cholesky":  cholesky.New(cholesky.Config{Size: 200, Tile: 10}),
	"uts":       uts.New(uts.Config{Branching: 4, Depth: 6, Seed: 19}),
	"stencil2d": stencil2d.New(stencil2d.Config{Size: 60, Tile: 10, Steps: 40, Seed: 1}),
	"cg":        cg.New(cg.Config{Size: 16, Planes: 2, Iterations: 10}),
	"wordcount": wordcount.New(wordcount.Config{Text: 100_000, Vocabulary: 1000, Seed: 1, Block: 500, Ahead: 4}),
}

// share is how many of 100 EDTs of an app of the gallery each of 2 and of 4 ranks must run.
const share = 20

// TestProcesses runs the apps over processes: an EDT must not use a variable of Go that another process has to set.
func TestProcesses(t *testing.T) {
	if !mpi.Launched() {
		for _, ranks := range []int{2, 4} {
			testrun.AsRanks(t, ranks)
		}
		return
	}
	ranks := mpi.Ranks()
	end, err := rank.Keep(ranks)
	testrun.OK(t, err)
	defer end()
	for name, app := range gallery {
		t.Run(fmt.Sprintf("%s on %d", name, ranks), func(t *testing.T) {
			report := onRanks(t, ranks, app.Main())
			if err := app.Verify(); err != nil {
				t.Error(err)
			}
			for rank, r := range report.Ranks {
				if all := report.Counters.EDTRun; 100*r.Counters.EDTRun < share*all {
					t.Errorf("rank %d has run %d of %d EDTs", rank, r.Counters.EDTRun, all)
				}
			}
			if len(report.Ranks) != ranks {
				t.Errorf("reports of %d ranks, want %d", len(report.Ranks), ranks)
			}
		})
	}
	for _, channels := range []bool{false, true} {
		for _, form := range []synchp2p.Form{synchp2p.EDT, synchp2p.EDTAgain} {
			t.Run(fmt.Sprintf("synch_p2p, channels %t, %s on %d", channels, form, ranks), func(t *testing.T) {
				cfg := synchp2p.Defaults()
				cfg.Timesteps, cfg.Channels, cfg.Form = 10, channels, form
				app := synchp2p.New(cfg)
				onRanks(t, ranks, app.Main())
				if r, err := app.Result(); err != nil || r.Elapsed <= 0 {
					t.Errorf("%v, in %v", err, r.Elapsed)
				}
			})
		}
	}
	for _, pattern := range []taskbench.Pattern{taskbench.NoComm, taskbench.Stencil1D, taskbench.FFT, taskbench.Spread,
		taskbench.Tree} {
		t.Run(fmt.Sprintf("taskbench %v on %d", pattern, ranks), func(t *testing.T) {
			cfg := taskbench.Defaults()
			g := &cfg.Graphs[0]
			g.Type, g.Width, g.Steps = pattern, 8, 20
			g.Period = pattern.Period()
			app := taskbench.New(cfg)
			onRanks(t, ranks, app.Main())
			if _, err := app.Result(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run(fmt.Sprintf("hello on %d", ranks), func(t *testing.T) {
		var text bytes.Buffer
		onRanks(t, ranks, hello.New(&text))
		if text.String() != "1: hello, world\n" {
			t.Errorf("%q", text.String())
		}
	})
	callsInOrder(t, ranks)
	oneSided(t, ranks)
	refusedWindow(t, ranks)
}

// tryRanks runs main on one worker a rank, unless an option sets another number.
func tryRanks(t *testing.T, ranks int, main edt.Func, options ...runtime.Option) (r runtime.Report, err error) {
	hangs := func(s runtime.Stall) { testrun.Hangs(t, s) }
	err = runtime.Run(t.Context(), main, runtime.Ranks(ranks), runtime.Workers(1), runtime.LeakReport(), runtime.Into(&r),
		runtime.Options(options...),
		runtime.Watchdog(runtime.Watch{Still: testrun.HangAfter(), Report: hangs}))
	return r, err
}

func onRanks(t *testing.T, ranks int, main edt.Func, options ...runtime.Option) runtime.Report {
	t.Helper()
	report, err := tryRanks(t, ranks, main, options...)
	testrun.OK(t, err)
	for _, leak := range report.Leaks {
		t.Errorf("leak: %v", leak)
	}
	return report
}
