package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	tests "ocr/apps/pgas"
	"ocr/apps/shmem"
	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/measure/suite/pgas"
	"ocr/internal/measure/testbed"
	"ocr/runtime"
)

var pgasApp = &command.Command{
	Name:  "pgas",
	Group: command.Seeds,
	Args:  "[TEST...]",
	Short: "Put, get, synchronisation and reduction between processing elements",
	Long: `Put, get and reduce between processing elements (PEs), which are pinned workers with a segment of
memory each, and report latency and bandwidth. Every transfer is verified outside the timed part.

Tests (without one, all are run, about a minute; docs/pgas.md says what each times):
  latency    putget, putput, getget
  bandwidth  putbw, getbw, putbibw, getbibw, randomput, randomget
  strided    stridedput, stridedget
  reduction  reduce, reduceinplace`,
	Examples: []string{
		"",
		"putget --pes 4 --sizes 4:4MiB --iters 10000",
		"--compat --full --samples 1 --iters 10000",
	},
	Define: pgasCommand,
}

// leastSamples is how many have a 95 % interval of their median.
const leastSamples = 6

// pgasFlags are the flags of pgas.
type pgasFlags struct {
	*command.Flags
	cfg pgas.Config
	pes int // of all ranks; 0: not given
	svg *testbed.Sink
}

func pgasCommand(common *command.Flags) command.Body {
	f := &pgasFlags{Flags: common, cfg: pgas.Defaults()}
	f.Cmd.Args = func(_ *cobra.Command, names []string) error {
		for k, name := range names {
			switch {
			case !slices.Contains(tests.TestNames(), name):
				return cli.Unknown("test", name, tests.TestNames(), "")
			case slices.Contains(names[:k], name):
				return cli.Usagef("test %s is there twice: must be there once", name)
			}
		}
		return nil
	}
	f.Cmd.ValidArgsFunction = func(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
		left := slices.DeleteFunc(tests.TestNames(), func(name string) bool { return slices.Contains(given, name) })
		return left, cobra.ShellCompDirectiveNoFileComp
	}
	f.Sampling.Samples = leastSamples
	f.define()
	f.SampleFlags()
	f.DocumentFlags()
	f.ObserveFlags()
	f.RunFlags(command.Aptness{Unscheduled: whyNotScheduled, Long: true, Eased: map[string]string{
		"iters": "4", "max-time": "20ms", "sizes": "8,64KiB",
	}})
	f.Reword("samples", "samples of each row that are kept")
	f.Reword("sample-time", "timed part of a sample")
	f.Verdict = f.verdict
	return f.measure
}

// verdict says what is wrong with the flags, and places the PEs.
func (f *pgasFlags) verdict(bed *testbed.Bed) error {
	f.cfg.Tests = f.Args
	if err := cmp.Or(f.conflicts(), f.likeOriginal()); err != nil {
		return err
	}
	return f.place(bed)
}

func (f *pgasFlags) define() {
	c, all := &f.cfg, pgas.Defaults()
	f.Var(cli.Whole(&f.pes, 1, shmem.MaxPEs), "pes",
		"PEs of all ranks, each a worker (default: the processors)")
	f.Var(cli.Whole(&c.PartnerOffset, 0, shmem.MaxPEs/2), "partner-offset",
		"`Q`: PE i pairs with i+Q, and that with it; 0: half of the PEs")
	f.RankFlags()
	f.Reword("cpus",
		"`LIST` of processors: PE i is on the i-th, unless --bind is given")
	f.Var(cli.Doubling(&c.Sizes, pgas.MaxBytes, "sizes"), "sizes",
		"`LIST` of message sizes: 8,64KiB or, doubling, 4:4MiB")
	f.Var(cli.Doubling(&c.Strides, pgas.MaxStride, "strides"), "strides",
		"`LIST` of strides in elements (default 1,8)")
	f.Var(cli.Whole(&c.Iterations, 0, 1<<40), "iters", "iterations of a sample; 0: what fits --sample-time")
	f.Var(cli.Duration(&c.MaxTime, time.Millisecond, time.Hour), "max-time",
		"limit for the timed parts of a row")
	f.Var(cli.List(&c.Forms, all.Forms, "", ""), "forms", "forms: direct, edt")
	f.Var(cli.List(&c.Syncs, all.Syncs, "", ""), "sync",
		"`LIST` of barrier, p2p, flag")
	f.Var(cli.List(&c.Windows, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}, "", ""), "window",
		"`LIST` of puts between two completions")
	f.BoolVar(&c.Self, "self", false, "random tests may draw the PE itself")
	f.Var(cli.Bytes(&c.Segment, 1, 1<<34), "segment", "most bytes of a PE's segment")
	f.BoolVar(&c.Peers, "peers", false,
		"putput and reduce in turns with Open MPI")
	f.BoolVar(&c.Full, "full", false, "sizes and strides of the original, all settings: ten minutes")
	f.BoolVar(&c.Compat, "compat", false,
		"text in the columns of the original suite, with its settings")
	f.FileVar(&f.svg, "svg", "draw curves over sizes, strides and windows in `FILE`")
}

func (f *pgasFlags) measure(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
	d, err := pgas.Run(ctx, bed, f.cfg)
	var bad *trial.ConfigError
	if errors.As(err, &bad) && bad.Flag == "pes" && f.pes == 0 {
		bad.Flag, bad.Value = "workers", fmt.Sprint(bed.Pool.Workers)
		if f.Ranks > 1 {
			bad.Flag, bad.Value = "ranks", fmt.Sprint(f.Ranks)
		}
	}
	return out.Write(d, err, testbed.Picture(f.svg, d))
}

// conflicts refuses flags that mean nothing to the tests that are named.
func (f *pgasFlags) conflicts() error {
	if len(f.Args) == 0 {
		return nil
	}
	for _, of := range []struct {
		flag string
		uses func(tests.Test) bool
	}{
		{"strides", func(t tests.Test) bool { return t.Uses.Stride }},
		{"sync", func(t tests.Test) bool { return len(t.Uses.Syncs) > 0 }},
		{"window", func(t tests.Test) bool { return t.Uses.Window }},
		{"self", func(t tests.Test) bool { return t.Uses.Random }},
		{"partner-offset", func(t tests.Test) bool { return t.Uses.Pairs }},
	} {
		var those []string
		for _, t := range tests.Tests() {
			if of.uses(t) {
				those = append(those, t.Name)
			}
		}
		if !slices.ContainsFunc(f.Args, func(name string) bool { return slices.Contains(those, name) }) {
			if err := f.RefuseIf(true, of.flag, "must be with one of the tests "+list(those)); err != nil {
				return err
			}
		}
	}
	return nil
}

// likeOriginal gives flags that the user has not chosen, if --compat is, the values of what the original suite does.
func (f *pgasFlags) likeOriginal() error {
	switch {
	case !f.cfg.Compat:
		return nil
	case f.Format != "text":
		return cli.Usagef("--compat: must be with --format text, it is %s", f.Format)
	case f.cfg.Peers:
		return cli.Usagef("--peers: cannot be had together with --compat, whose columns have no place for it")
	case f.Watch.Stats:
		return cli.Usagef("%s: cannot be had together with --compat", f.Spelled("stats"))
	}
	f.UnlessGiven(map[string]string{"sync": "barrier,p2p", "window": "1"})
	return nil
}

// place resolves the PEs: an even number by default, and on the processors in the order given unless --bind is.
func (f *pgasFlags) place(bed *testbed.Bed) (err error) {
	bind := f.Bind
	if len(f.CPUs) > 0 && !f.Given("bind") {
		bind = runtime.BindListed
	}
	workers := f.Workers
	switch {
	case f.pes == 0 && workers == 0 && f.Ranks == 1:
		workers = max(2, bed.Pool.Workers/2*2)
	case f.pes%f.Ranks != 0:
		return f.Refuse("pes", fmt.Sprintf("each rank has as many: must be a multiple of %d", f.Ranks))
	case f.pes > 0 && workers > 0 && f.pes != f.Ranks*workers:
		return f.Refuse("pes", fmt.Sprintf("each is a worker: must be %d, or not be given with --workers", f.Ranks*workers))
	case f.pes > 0:
		workers = f.pes / f.Ranks
	}
	bed.Pool, err = testbed.NewPool(bed.Machine, f.Ranks, workers, f.CPUs, bind)
	return err
}
