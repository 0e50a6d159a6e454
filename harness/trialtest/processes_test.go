package trialtest_test

import (
	"bytes"
	"flag"
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
	"ocr/internal/rank/mpi"
	"ocr/runtime"
)

// engine is what the ranks are to have between them.
var engine = flag.String("engine", "ring", "what carries messages between ranks that mpirun has started: ring or mpi")
var machines = flag.Bool(
	"machines", false, "mpirun has started them on several machines: between those is MPI, unasked",
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *engine == "mpi" && !*machines {
		if err := mpi.Force(); err != nil {
			panic(err)
		}
	}
	chaos.DelayIfAsked()
	runtime.ServeIfRank()
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

// share is how many of 100 EDTs of an app of the gallery each of 2 and of 4 ranks runs.
const share = 20

// traffic is how many messages an EDT apps may send over four ranks, and what part of all may be from or to rank 0.
// With all blocks and events on rank 0 these are up to 12, and 1.
var traffic = map[string]struct{ perEDT, ofRank0 float64 }{
	"stencil2d": {3, 0.6}, "cholesky": {3, 0.7}, "cg": {2, 0.7}, "wordcount": {3, 0.7},
}

// checkTraffic holds an app to its bounds in traffic.
func checkTraffic(t *testing.T, name string, r *runtime.Report) {
	t.Helper()
	var all, ofRank0 uint64
	for from, rank := range r.Ranks {
		for to, sent := range rank.Sent {
			if all += sent.Messages; from == 0 || to == 0 {
				ofRank0 += sent.Messages
			}
		}
	}
	perEDT, part := float64(all)/float64(r.Counters.EDTRun), float64(ofRank0)/float64(all)
	t.Logf("%.2f messages an EDT, %.2f of them from or to rank 0", perEDT, part)
	if most, ok := traffic[name]; ok && (perEDT > most.perEDT || part > most.ofRank0) {
		t.Errorf("%.2f messages an EDT, %.2f of them from or to rank 0: at most %v and %v", perEDT, part, most.perEDT,
			most.ofRank0)
	}
}

// TestProcesses runs the apps over processes: nothing that an EDT uses may be a variable of Go that another process has
// to set. If mpirun has started the processes they are as many as it says. Blocks are
// in place for ranks with rings, unless the race detector is there.
func TestProcesses(t *testing.T) {
	runs := []int{2, 4}
	if n := mpi.Ranks(); n > 1 {
		runs = []int{n} // there is one job
	}
	for _, ranks := range runs {
		how := fmt.Sprint(ranks)
		job, err := runtime.StartJob(ranks)
		testrun.OK(t, err)
		for name, app := range gallery {
			t.Run(fmt.Sprintf("%s on %s", name, how), func(t *testing.T) {
				report := onJob(t, job, app.Main())
				if err := app.Verify(); err != nil {
					t.Error(err)
				}
				for rank, r := range report.Ranks {
					if all := report.Counters.EDTRun; 100*r.Counters.EDTRun < share*all {
						t.Errorf("rank %d has run %d of %d EDTs", rank, r.Counters.EDTRun, all)
					}
				}
				if ranks == 4 && false {
					checkTraffic(t, name, &report)
				}
				if len(report.Ranks) != ranks || report.Engine != *engine {
					t.Errorf("reports of %d ranks with engine %s, want %d with %s", len(report.Ranks), report.Engine, ranks, *engine)
				}
			})
		}
		for _, events := range []synchp2p.EventForm{synchp2p.EventsSticky, synchp2p.EventsChannel} {
			for _, clone := range []synchp2p.CloneForm{synchp2p.CloneNew, synchp2p.CloneAgain} {
				t.Run(fmt.Sprintf("synch_p2p, %s, %s on %s", events, clone, how), func(t *testing.T) {
					cfg := synchp2p.Defaults()
					cfg.Timesteps, cfg.Events, cfg.Clone, cfg.CheckGrid = 10, events, clone, true
					app := synchp2p.New(cfg)
					onJob(t, job, app.Main())
					if r, err := app.Result(); err != nil || r.Elapsed <= 0 {
						t.Errorf("%v, in %v", err, r.Elapsed)
					}
				})
			}
		}
		for _, pattern := range []taskbench.Pattern{taskbench.NoComm, taskbench.Stencil1D, taskbench.FFT, taskbench.Spread,
			taskbench.Tree} {
			t.Run(fmt.Sprintf("taskbench %v on %s", pattern, how), func(t *testing.T) {
				cfg := taskbench.Defaults()
				g := &cfg.Graphs[0]
				g.Type, g.Width, g.Steps = pattern, 8, 20
				if pattern.UsesPeriod() {
					g.Period = taskbench.DefaultPeriod
				}
				app := taskbench.New(cfg)
				onJob(t, job, app.Main())
				if _, err := app.Result(); err != nil {
					t.Error(err)
				}
			})
		}
		t.Run(fmt.Sprintf("hello on %s", how), func(t *testing.T) {
			var text bytes.Buffer
			onJob(t, job, hello.New(&text))
			if text.String() != "1: hello, world\n" {
				t.Errorf("%q", text.String())
			}
		})
		callsInOrder(t, job, ranks)
		if mpi.Ranks() > 1 && *engine == "mpi" {
			oneSided(t, job, ranks)
			refusedWindow(t, job, ranks)
		}
		if err := job.Close(); err != nil {
			t.Error(err)
		}
	}
}

// tryJob runs main on workers that are one a rank unless an option says otherwise.
func tryJob(t *testing.T, job *runtime.Job, main edt.Func, options ...runtime.Option) (r runtime.Report, err error) {
	hangs := func(s runtime.Stall) { testrun.Hangs(t, s) }
	err = runtime.Run(t.Context(), main, job.Option(), runtime.Workers(1), runtime.LeakReport(), runtime.Into(&r),
		runtime.Options(options...),
		runtime.Watchdog(runtime.Watch{Still: testrun.HangAfter(), Report: hangs}))
	return r, err
}

func onJob(t *testing.T, job *runtime.Job, main edt.Func, options ...runtime.Option) runtime.Report {
	t.Helper()
	report, err := tryJob(t, job, main, options...)
	testrun.OK(t, err)
	for _, leak := range report.Leaks {
		t.Errorf("leak: %v", leak)
	}
	return report
}
