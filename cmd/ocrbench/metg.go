package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/measure/suite/metg"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

var metgApp = &command.Command{
	Name:  metg.Name,
	Group: command.Study,
	Short: "Smallest task size that is still efficient (METG) of Task Bench's graphs",
	Long: `Find METG(50 %), the minimum effective task granularity of Task Bench (Slaughter et al., SC20): the
smallest average granularity of tasks, wall time x cores / tasks, at which half of the peak rate of
floating-point operations is reached. Peak is the best sample on the same cores in the same run, of
compute_bound alone with many iterations, or of a size of any form. Each sample measures all sizes
in a new order and gives one METG, by linear interpolation between the two sizes around the
threshold; the command reports the median, or a bound if all sizes lie on one side. Other formats
than text have METG of 10 to 90 % too, and every size that was measured.

Forms: edt is the task graph, recorded a part of it that is recorded once and run again, floor plain
loops without synchronisation: what the kernel's end and the checks of inputs cost. With --peers
other runtimes run the same graphs in turns: mpi-ranks are loops with messages, omp-depend tasks
with depend in LLVM's OpenMP; without --forms edt runs beside them, and recorded unless a type is
dom or tree.`,
	Examples: []string{
		"",
		"--types stencil_1d,nearest,fft --workers 2 --width 8 --svg metg.svg",
		"--types stencil_1d,nearest --forms edt,recorded --workers 2 --width 8",
		"--types stencil_1d,nearest --peers --workers 1,2 --svg metg.svg",
		"--types all --forms edt --format json -o metg.json",
	},
	Has:    command.Placement | command.Samples | command.Documents | command.Graphs,
	Define: metgCommand,
}

func metgCommand(f *command.Flags) command.Body {
	cfg := metg.Config{
		Types: []taskbenchapp.Pattern{taskbenchapp.Trivial, taskbenchapp.Stencil1D, taskbenchapp.Nearest, taskbenchapp.FFT},
		Forms: []metg.Form{metg.EDT, metg.Floor}, Longest: 100 * time.Millisecond,
	}
	var others bool
	types := taskbenchapp.Patterns()
	f.Var(cli.ListOrAll(&cfg.Types, types), "types",
		"`LIST` of dependence types: "+trial.Names(types)+", or all")
	f.Var(cli.List(&cfg.Forms, metg.Forms()), "forms",
		"`LIST` of forms to compare: "+trial.Names(metg.Forms()))
	f.Var(cli.Whole(&cfg.Width, 1, math.MaxInt32), "width",
		fmt.Sprintf("most tasks of a timestep (default: %d for each worker)", metg.ColumnsPerWorker))
	f.Var(cli.Whole(&cfg.Steps, 1, math.MaxInt32), "steps",
		fmt.Sprintf("timesteps (default: %d, or more to fill --sample-time)", metg.LeastSteps))
	f.Var(cli.Duration(&cfg.Longest, time.Millisecond, time.Hour), "max-run",
		"largest size: the kernels of a run take this long")
	f.Picture("draw efficiency against granularity in `FILE`")
	f.BoolVar(&others, "peers", false, "other runtimes take turns with ours (see above)")
	f.Var(cli.Wholes(&cfg.Workers, 1, runtime.MaxWorkers), "workers",
		"numbers of workers, one after the other (default: the processors allowed)")
	return func(ctx context.Context, bed *testbed.Bed) (*report.Document, error) {
		if !f.Changed("types") {
			tooWide := func(p taskbenchapp.Pattern) bool { return !cfg.Fits(p) }
			if fit := slices.DeleteFunc(slices.Clone(cfg.Types), tooWide); len(fit) > 0 {
				cfg.Types = fit
			}
		}
		if others {
			if !f.Changed("forms") {
				cfg.Forms = []metg.Form{metg.EDT}
				if !slices.ContainsFunc(cfg.Types, taskbenchapp.Pattern.GrowsOrShrinks) {
					cfg.Forms = append(cfg.Forms, metg.Recorded)
				}
			}
			cfg.Forms = append(cfg.Forms, metg.Peers()...)
		}
		return metg.Run(ctx, bed, cfg)
	}
}
