package main

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	c2capp "ocr/apps/c2c"
	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/suite/c2c"
)

var c2cApp = &command.Command{
	Name:  c2c.Name,
	Group: command.Seeds,
	Short: "What a cache line costs between two processors, and what a task does",
	Long: `Send elements to and fro between two processors and report what one transfer takes. Forms polled,
goroutines and c poll memory: the fastest of them comes nearest to the hardware. Form edt is a chain
of EDTs: it measures the runtime, and "times polled", the median of the ratios of turns, says what
that adds. Without flags a run takes half a minute.

Tests: in single both ends poll and write one element, in dual each writes one on a line of its own
and polls the other's, in array the reader polls all elements in turn before it answers. A trial
has as many transfers as take 8 ms, after a warm-up of as much; trials use 20 places in memory in
turn. "ns one way" is a trial's time by A's clock over its transfers; p50 to p99 are of trials, and
do not show a slow transfer among fast ones. A trial is doubted if an end moved, or shared its
processor. A wrong value ends a run of form edt without results; the other forms wait for the right
one. With --cpus all a table sums up the median times by distance, and --svg draws them in the order
of the machine's topology.`,
	Examples: []string{
		"",
		"--cpus 0,4 --test dual --width 1,2,4,8",
		"--cpus all --forms polled --svg machine.svg",
	},
	Has:    command.Documents | command.Observers | command.Graphs | command.Check,
	Polls:  true,
	Small:  map[string]string{"warmup": "10", "stim-len": "100"},
	Define: c2cCommand,
}

func c2cCommand(f *command.Flags) command.Body {
	cfg := c2c.Defaults()
	f.Bed.Samples = 100
	f.Var(cli.New(&cfg.CPUs, "A,B", func(text string) ([]int, error) {
		if cfg.AllPairs = text == "all"; cfg.AllPairs {
			return nil, nil
		}
		return readPair(text)
	}, sizes.Join[int]), "cpus",
		"the two processors, A sends first, or all: each pair of those allowed (default: two near cores)")
	f.Var(cli.Whole(&cfg.Transfers, 2, c2capp.MaxTransfers), "stim-len",
		"transfers of a trial, an even number (default: what takes 8 ms)")
	f.Var(cli.Whole(&f.Bed.Samples, 1, command.MaxSamples), "samples", "trials of each form that are kept")
	f.Var(cli.Whole(&cfg.Warmup, 0, c2capp.MaxTransfers), "warmup",
		"transfers before each trial; 0: what takes 8 ms")
	f.Var(cli.Seed(&f.Bed.Seed), "seed", "seed of the order in which forms take turns")
	f.Var(cli.ListOrAll(&cfg.Tests, c2capp.Tests()), "test", "`LIST` of tests: "+trial.Names(c2capp.Tests())+", or all")
	f.Var(cli.List(&cfg.Forms, c2c.Forms()), "forms", "`LIST` of forms: "+trial.Names(c2c.Forms()))
	f.Var(cli.List(&cfg.Widths, c2capp.Widths()), "width", "`LIST` of element widths in bytes: 1, 2, 4, 8")
	f.Var(cli.Doubling(&cfg.Lengths, c2c.MaxLength, "lengths"), "lengths",
		"`LIST` of elements of an array: 1,512 or, doubling, 1:4096")
	f.Picture("draw all pairs as heat maps, and curves over lengths, or else bars, in `FILE`")
	f.Verdict = func() error {
		short := !slices.ContainsFunc(cfg.Tests, c2capp.Test.HasLength)
		return cmp.Or(f.RefuseIf(cfg.Transfers%2 != 0, "stim-len", "must be an even number"),
			f.RefuseIf(short, "lengths", "must be with --test array"))
	}
	return command.Suite(c2c.Run, &cfg)
}

// readPair reads two processors.
func readPair(text string) ([]int, error) {
	a, b, _ := strings.Cut(text, ",")
	from, err1 := strconv.Atoi(a)
	to, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil {
		return nil, errors.New("must be two processors A,B, or all")
	}
	return []int{from, to}, nil
}
