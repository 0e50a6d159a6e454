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
	"ocr/apps/pgas"
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
			testrun.OK(t, app.Verify())
			for rank, r := range report.Ranks {
				if all := report.Counters.EDTRun; 100*r.Counters.EDTRun < share*all {
					t.Errorf("rank %d has run %d of %d EDTs", rank, r.Counters.EDTRun, all)
				}
			}
			testrun.Equal(t, ranks, len(report.Ranks), "reports of ranks")
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
			_, err := app.Result()
			testrun.OK(t, err)
		})
	}
	t.Run(fmt.Sprintf("hello on %d", ranks), func(t *testing.T) {
		var text bytes.Buffer
		onRanks(t, ranks, hello.New(&text))
		testrun.Equal(t, "1: hello, world\n", text.String(), "text")
	})
	oneSided(t, ranks)
	refusedWindow(t, ranks)
}

// onRanks runs main on one worker a rank, unless an option sets another number. The run must leave nothing.
func onRanks(t *testing.T, ranks int, main edt.Func, options ...runtime.Option) (report runtime.Report) {
	t.Helper()
	hangs := func(s runtime.Stall) { testrun.Hangs(t, s) }
	testrun.OK(t, runtime.Run(t.Context(), main, runtime.Ranks(ranks), runtime.Workers(1), runtime.LeakReport(),
		runtime.Into(&report), runtime.Options(options...),
		runtime.Watchdog(runtime.Watch{Still: testrun.HangAfter(), Report: hangs})))
	testrun.Equal(t, 0, len(report.Leaks), "leaks %v", report.Leaks)
	return report
}

// oneSided runs every test of the PGAS suite in all its forms, in windows over MPI, which the job must have, and
// verifies each result. With two PEs on each rank, some pairs share memory and others do not.
func oneSided(t *testing.T, ranks int) {
	perRank := []int{1, 2}
	if ranks > 2 {
		perRank = perRank[:1] // two PEs a rank would be many for one machine
	}
	for _, workers := range perRank {
		for _, test := range pgas.Tests() {
			for _, form := range []pgas.Form{pgas.Direct, pgas.EDT} {
				syncs := test.Syncs
				if len(syncs) == 0 {
					syncs = []pgas.Sync{pgas.Pairwise}
				}
				for _, sync := range syncs {
					cfg := pgas.Defaults(test.Name)
					cfg.Form, cfg.Sync, cfg.PEs, cfg.Bytes, cfg.Iterations = form, sync, ranks*workers, 1000, 20
					cfg.Stride = 2
					if workers == 2 {
						cfg.Bytes, cfg.Stride = 8, 3
					}
					if cfg.Validate() != nil {
						continue // EDTs do not poll a flag
					}
					t.Run(fmt.Sprintf("pgas %s, %s, %s on %d with %d PEs each", test.Name, form, sync, ranks, workers),
						func(t *testing.T) {
							app := pgas.New(cfg)
							onRanks(t, ranks, app.Main(), runtime.Workers(workers), runtime.Window(app.WindowBytes(workers)))
							if result, err := app.Result(); err != nil || !result.Verified {
								t.Errorf("%v, verified %v", err, result.Verified)
							}
						})
				}
			}
		}
	}
}

// refusedWindow: a world without a window, or without room in it, ends the run with one line.
func refusedWindow(t *testing.T, ranks int) {
	cfg := pgas.Defaults("putget")
	cfg.PEs, cfg.Iterations = ranks, 1
	for bytes, want := range map[int]string{0: "PEs of several ranks need a window, see runtime.Window",
		4096: "which has 4096, see WindowBytes"} {
		err := runtime.Run(t.Context(), pgas.New(cfg).Main(), runtime.Ranks(ranks), runtime.Workers(1), runtime.Window(bytes))
		testrun.Fails(t, err, want)
	}
}
