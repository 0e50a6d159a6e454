package main

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/measure/suite/overhead"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

var overheadApp = &command.Command{
	Name:  overhead.Name,
	Group: command.Study,
	Args:  "[ROW...]",
	Short: "What each operation of the runtime costs, beside plain Go",
	Long: `Measure what each operation of the runtime costs, on one worker and on all, beside
comparable plain Go, and verify each run: its EDTs are counted, and values that travel
must arrive.

Without a ROW all are measured. A ROW is a name as --list shows it, or the part before
one of its slashes.

ns/op of a call is the time per call on one worker, in batches inside an EDT; on several
workers all work in batches, whose timed parts overlap in part. The loop and the clock are
in it: the row empty-loop shows them. For chains it is the time divided by the EDTs of one
worker's chain; for whole graphs the time from start to end divided by their EDTs or calls.
What stands beside a row follows below it, takes turns with it, sample by sample, and has as
many processors for Go as the row has workers; but goroutines are not bound to processors.
"times ours" is the median of the ratios of these turns.

With --peers programs for other runtimes take turns too, with as many threads on the same
processors: oneTBB, LLVM's and gcc's OpenMP, StarPU and Open MPI. They are compiled on
demand with what Debian's packages g++, libtbb-dev, clang, libomp-dev, libstarpu-dev,
libopenmpi-dev and openmpi-bin install. What is not there is left out, with a note. Each has
to give the row's result; in general the others do less. Four rows differ more: chain/plain
of oneTBB has 50 000 tasks, ours 2000; fork-join-fib has an EDT for each join and passes no
values, theirs do; EDTs of edt-create-run are empty, their tasks add up a number; columns of
stencil_1d stay with one of our workers, in one data block. gcc's tasks run within their
creation while more than 64 a thread are open. StarPU has one more thread, which submits. The
column kind says in three words what a row and a program do, and those of the same kind stand
first: graph built once and run again (recorded graphs, tbb-flow); built each time (EDTs,
depend, StarPU); counters by hand (tbb-tasks counts its dependences); loop with flags
(doacross) or messages (MPI, on one worker without them): no tasks at all. The others are
built with -O3; go build takes a profile of such rows, default.pgo. Each run is checked, so
--no-verify is refused.
`,
	Examples: []string{
		"",
		"edt-create satisfy/waiters=8 --workers 1",
		"acquire-release chain --samples 20 --format json -o run.json",
		"chain fork-join-fib --peers",
		"--list",
	},
	Has:    command.Placement | command.Samples | command.Documents | command.Graphs,
	Define: overheadCommand,
}

func overheadCommand(f *command.Flags) command.Body {
	var cfg overhead.Config
	var list bool
	f.BoolVar(&cfg.Others, "peers", false, "programs for other runtimes take turns with the rows (see above)")
	f.BoolVar(&list, "list", false, "list the rows, and measure nothing")
	f.Var(cli.Wholes(&cfg.Workers, 1, runtime.MaxWorkers), "workers",
		"numbers of workers, one after the other (default: 1 and the processors allowed)")
	f.Bed.SampleTime = 3 * time.Millisecond // there are many forms to sample
	f.Cmd.Args = func(_ *cobra.Command, names []string) error {
		var unknown string
		if cfg.Rows, unknown = overhead.Select(names); cfg.Rows == nil {
			return cli.Unknown("row", unknown, overhead.Operations(), ", or a name that --list shows")
		}
		return nil
	}
	f.Verdict = func() error {
		const why = "cannot be had together with --list, which lists names on standard output"
		return cmp.Or(f.RefuseIf(list, "format", why), f.RefuseIf(list, "output", why),
			f.RefuseIf(true, "no-verify", "each run of a row is checked"))
	}
	return func(ctx context.Context, bed *testbed.Bed) (*report.Document, error) {
		if list {
			return nil, overhead.List(bed.Stdout, cfg.Rows)
		}
		return overhead.Run(ctx, bed, cfg)
	}
}
