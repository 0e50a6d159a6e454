package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/measure/suite/overhead"
	"ocr/internal/measure/testbed"
	"ocr/runtime"
)

var overheadApp = &command.Command{
	Name:  overhead.Name,
	Group: command.Study,
	Args:  "[ROW...]",
	Short: "What every operation of the runtime costs, beside plain Go",
	Long: `Measure what each operation of the runtime costs, on one worker and on all, beside
comparable plain Go, and verify each run by the runtime's own counts.

Without a ROW all are measured, which takes about a minute. A ROW is a name as --list
shows it, or the part before its first slash, with the shell's wildcards.

ns/op of a call is the time per call on one worker, in batches inside an EDT; on several
workers all call at the same time. For chains it is the time divided by the EDTs of one
worker's chain; for whole graphs the time from start to end divided by their EDTs or calls.
docs/overhead.md says what is timed and what is not. Each row takes turns with its peers,
sample by sample; a peer has as many processors for Go as the row has workers.

With --peers programs for other runtimes take turns too, with as many threads on the same
processors: oneTBB, LLVM's and gcc's OpenMP, StarPU and Open MPI. They are compiled on
demand with what Debian's packages g++, libtbb-dev, clang, libomp-dev, libstarpu-dev,
libopenmpi-dev and openmpi-bin install. What is not there is left out, with a note. Those
that do what a row does stand first, by three words, as in "graph built once".
docs/peers.md says what is compared.

--trace, --graph and --stats are flags of commands that run a graph: all other apps but metg.`,
	Examples: []string{
		"",
		"edt-create 'satisfy/waiters=[18]' --workers 1",
		"'acquire-release*' chain --samples 20 --format json -o run.json",
		"--peers",
		"--list",
	},
	Define: overheadCommand,
}

func overheadCommand(f *command.Flags) command.Body {
	f.Cmd.ValidArgsFunction = completeRows
	var cfg overhead.Config
	var list bool
	f.BoolVar(
		&cfg.Others, "peers", false, "only rows that have a program for another runtime, in turns with those (see above)",
	)
	f.BoolVar(&list, "list", false, "list the rows that would be measured, and measure nothing")
	f.Var(cli.Wholes(&cfg.Workers, 1, runtime.MaxWorkers), "workers",
		"numbers of workers, one after the other (default: 1 and the processors allowed)")
	cli.Twin(f.FlagSet, "workers")
	f.PlacementFlags()
	f.Sampling.SampleTime = 3 * time.Millisecond // there are some three hundred alternatives to sample
	f.SampleFlags()
	f.Reword("sample-time", "shortest timed part of a sample, on one of its workers")
	f.DocumentFlags()
	f.NotObserved("use ocrbench taskbench for one graph")
	f.RunFlags(command.Aptness{
		Unscheduled: whyNotTimed, Unchecked: "it measures what the runtime costs, which check mode hides",
	})
	return func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
		var err error
		if cfg.Rows, err = overhead.Select(f.Args); err != nil {
			return cli.Usagef("%v", err)
		}
		if cfg.Others {
			if cfg.Rows = overhead.WithOthers(cfg.Rows); len(cfg.Rows) == 0 {
				return cli.Usagef("--peers: no other runtime stands beside these rows: must be some of %s",
					trial.Names(overhead.WithOthers(overhead.Rows())))
			}
		}
		if list {
			const why = "cannot be had together with --list, which lists names on standard output"
			if err := cmp.Or(f.RefuseIf(true, "format", why), f.RefuseIf(true, "output", why)); err != nil {
				return err
			}
			return overhead.List(f.Out, cfg.Rows)
		}
		d, err := overhead.Run(ctx, bed, cfg)
		return out.Write(d, err)
	}
}

func completeRows(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	names := overhead.Operations()
	for _, r := range overhead.Rows() {
		names = append(names, r.Name)
	}
	left := slices.DeleteFunc(names, func(name string) bool { return slices.Contains(given, name) })
	return left, cobra.ShellCompDirectiveNoFileComp
}
