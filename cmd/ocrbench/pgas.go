package main

import (
	"cmp"
	"fmt"
	"slices"

	tests "ocr/apps/pgas"
	"ocr/apps/shmem"
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

Tests (without one, all are run, half a minute):
  latency    putget, putput, getget
  bandwidth  putbw, getbw, putbibw, getbibw, randomput, randomget
  strided    stridedput, stridedget
  reduction  reduce, reduceinplace

putget puts a message, completes it and gets it back; putput and getget move one each way, and
synchronise in pairs; putput flag has no more than the message, whose last word says that it is
there. Bandwidth tests complete each put by itself. PE i pairs with the PE half of the PEs away.
MB/s is 10^6 bytes a second, as OSU's. "times direct" is the median of the ratios of turns. No PE
reads what puts bring it in the timed loop, but for flags: other small messages stay in the cache of
the PE that puts. go doc ocr/apps/pgas has each test's timed loop, and how its transfers are
verified.`,
	Examples: []string{
		"",
		"putget --pes 4 --sizes 4:4MiB --iters 10000",
		"stridedput --strides 1:32 --svg strides.svg",
	},
	Has:    command.App &^ command.Workers, // a PE is a worker
	Polls:  true,
	Small:  map[string]string{"iters": "4", "sizes": "8,64KiB"},
	Define: pgasCommand,
}

// leastSamples is the least number of samples whose median has a 95 % interval.
const leastSamples = 6

func pgasCommand(f *command.Flags) command.Body {
	cfg, pes := pgas.Defaults(), 0 // pes: PEs of all ranks, 0 if not given
	f.Cmd.Args = cli.Known("test", tests.TestNames())
	f.Bed.Samples = leastSamples
	f.Var(cli.Whole(&pes, 1, shmem.MaxPEs), "pes",
		"PEs of all ranks, each a worker, PE i on the i-th of --cpus (default: the processors)")
	f.Var(cli.Doubling(&cfg.Sizes, tests.MaxBytes, "sizes"), "sizes",
		"`LIST` of message sizes: 8,64KiB or, doubling, 4:4MiB")
	f.Var(cli.Doubling(&cfg.Strides, tests.MaxStride, "strides"), "strides",
		"`LIST` of strides in elements (default 1,8)")
	f.Var(cli.Whole(&cfg.Iterations, 0, tests.MaxIterations), "iters",
		"iterations of a sample; 0: what fits --sample-time")
	f.Var(cli.List(&cfg.Forms, pgas.Defaults().Forms), "forms", "forms: direct, edt")
	f.BoolVar(&cfg.Peers, "peers", false, "putput and reduce in turns with Open MPI")
	f.Picture("draw curves over sizes and strides in `FILE`")
	f.Verdict = func() error {
		cfg.Tests = f.Args
		strided := func(name string) bool { return tests.Lookup(name).Strided }
		plain := len(f.Args) > 0 && !slices.ContainsFunc(f.Args, strided)
		return cmp.Or(f.RefuseIf(plain, "strides", "must be with test stridedput or stridedget"), placePEs(f, pes))
	}
	return command.Suite(pgas.Run, &cfg)
}

// defaultPEs returns how many PEs a rank with so many workers has. The number of PEs of all ranks is even.
func defaultPEs(ranks, workers int) int {
	if workers = min(workers, shmem.MaxPEs/ranks); ranks*workers%2 != 0 {
		workers = max(2, workers/2*2)
	}
	return workers
}

// placePEs makes the pool. With --cpus, and without --bind, the workers are on the processors in the order given.
func placePEs(f *command.Flags, pes int) (err error) {
	bed, bind, workers := f.Bed, f.Bind, pes/f.Ranks
	if len(f.CPUs) > 0 && !f.Changed("bind") {
		bind = runtime.BindListed
	}
	if pes%f.Ranks != 0 {
		return f.Refuse("pes", fmt.Sprintf("each rank has as many: must be a multiple of %d", f.Ranks))
	}
	if pes == 0 {
		workers = defaultPEs(f.Ranks, bed.Pool.Workers)
	}
	bed.Pool, err = testbed.NewPool(bed.Machine, f.Ranks, workers, f.CPUs, bind)
	return err
}
