package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.uber.org/zap/zapcore"

	"ocr/internal/command/cli"
	"ocr/internal/core/cpulist"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/rank/mpi"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// MaxSamples bounds --samples and --warmup.
const MaxSamples = 1_000_000

// Has is a set of groups of flags that commands share.
type Has int

const (
	Placement Has = 1 << iota // of workers; a command with it has a pool
	Workers                   // number of workers
	Ranks                     // processes that graphs run over
	Samples                   // of what is measured
	Text                      // how to write text
	Documents                 // results in all formats; includes Text
	Observers                 // of one run of a graph
	Graphs                    // of every run: the watchdog, the log
	Check                     // run in check mode

	// App is the set for a command that measures graphs of EDTs.
	App = Placement | Workers | Ranks | Samples | Documents | Observers | Graphs | Check
)

// Flags are the flags of a command: its own, and those that it shares with others. Most shared flags set the testbed;
// prepare carries the other shared flags over to the testbed.
type Flags struct {
	*pflag.FlagSet // of Cmd
	Cmd            *cobra.Command
	Args           []string // positional, once the command runs
	Bed            *testbed.Bed

	// Verdict returns the error of flags that do not fit together. It is called before anything runs; may be nil.
	Verdict func() error

	Ranks   int // processes that graphs run over
	Workers int // of each rank; 0: the processors, divided by the ranks
	CPUs    []int
	Bind    runtime.Binding

	program  *Program
	of       *Command
	noVerify bool
	check    bool
	still    time.Duration // of --watchdog
	watch    testbed.Watch
}

// newFlags returns the flags of a command, with their defaults.
func newFlags(p *Program, of *Command, cmd *cobra.Command) *Flags {
	bed := &testbed.Bed{
		Argv: p.argv,
		Plan: bench.Plan{Samples: 10, Warmup: 1, SampleTime: 10 * time.Millisecond, Seed: 1},
		Output: testbed.Output{Console: p.Console, Stdout: p.out, Columns: p.out.columns(),
			Results: testbed.Stdout(p.out)},
	}
	return &Flags{FlagSet: cmd.Flags(), Cmd: cmd, Bed: bed, Ranks: mpi.Ranks(), program: p, of: of}
}

// addCommon defines the common flags of the command, except those that the command has defined itself.
func (f *Flags) addCommon() {
	has, formats := f.of.Has, f.of.Formats
	if has&Documents != 0 {
		has, formats = has|Text, report.Formats()
	}
	c := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.SortFlags = false
	f.outputFlags(c, formats)
	if p := &f.Bed.Plan; has&Samples != 0 {
		c.Var(cli.Whole(&p.Samples, 1, MaxSamples), "samples", "samples of each form that are kept")
		c.Var(cli.Whole(&p.Warmup, 0, MaxSamples), "warmup", "samples of each form that are taken and dropped first")
		c.Var(cli.Duration(&p.SampleTime, time.Microsecond, time.Minute), "sample-time",
			"shortest timed part of a sample; runs repeat until it is reached")
		c.Var(cli.Seed(&p.Seed), "seed", "seed of all random choices, such as the order of the forms")
		c.BoolVar(&f.noVerify, "no-verify", false, "do not check the results")
	}
	if has&Text != 0 {
		c.BoolVarP(&f.Bed.Verbose, "verbose", "v", false, "text with all facts, units and columns")
		c.BoolVar(&f.Bed.Wide, "wide", false, fmt.Sprintf(
			"do not fold lines of text: at the width of the terminal, elsewhere at %d columns", report.Width))
	}
	if has&Workers != 0 {
		usage := "workers in the pool (default: the processors allowed)"
		if has&Ranks != 0 {
			usage = "workers of each rank (default: the processors allowed, divided by the ranks)"
		}
		c.Var(cli.Whole(&f.Workers, 1, runtime.MaxWorkers), "workers", usage)
	}
	if has&Placement != 0 {
		c.Var(cpuList(&f.CPUs), "cpus", "`LIST` of processors to use, as 0-3,8 (default: all allowed)")
		c.Var(cli.Choice(&f.Bind, runtime.BindCompact, runtime.BindNone), "bind",
			"pin workers close together, or not at all: compact, none")
	}
	if has&Ranks != 0 {
		c.Var(cli.Whole(&f.Ranks, 1, mpi.MaxRanks), "ranks",
			"ranks: processes that a graph runs over, by MPI; not with --check, --stats, --graph")
	}
	if has&Observers != 0 {
		c.BoolVar(&f.watch.Stats, "stats", false,
			"report work, span and average parallelism of a run, and where its time went")
		c.Var(f.file(&f.watch.Graph), "graph",
			"write the task graph of a run to `FILE`, for Graphviz; its dot draws a file that ends in .svg")
		c.Var(f.file(&f.watch.Trace), "trace",
			"write what each worker does in a run to `FILE`, for ui.perfetto.dev; rank 1 of run.json writes run.1.json")
	}
	if has&Check != 0 {
		c.BoolVar(&f.check, "check", false,
			"check the program for faults: slow, one sample, small sizes (if the command has some) unless flags set sizes")
	}
	if has&Graphs != 0 {
		f.graphFlags(c)
	}
	f.AddFlagSet(c)
}

// outputFlags defines --output if there is a format, --format if there are several, and --quiet if there is a format or
// the group Graphs.
func (f *Flags) outputFlags(c *pflag.FlagSet, formats []string) {
	if len(formats) > 0 {
		f.Bed.Format = formats[0]
		c.VarP(f.file(&f.Bed.Results), "output", "o",
			"write the results to `FILE`, which is replaced when they are complete")
	}
	if len(formats) > 1 {
		c.Var(cli.Choice(&f.Bed.Format, formats...), "format", "form of the results: "+strings.Join(formats, ", "))
	}
	if len(formats) > 0 || f.of.Has&Graphs != 0 {
		c.BoolVar(&f.Bed.Quiet, "quiet", false, "no progress and no warnings on standard error")
	}
}

// cpuList makes a flag value of processors, in the order given.
func cpuList(p *[]int) *cli.Value[[]int] {
	return cli.New(p, "LIST", func(text string) (cpus []int, err error) {
		_, err = cli.Items(text, func(item string) (int, error) {
			some, err := cpulist.ParseInOrder(item)
			if err != nil || len(some) == 0 {
				return 0, errors.New("must be a Linux list of processors, such as 0-3,8")
			}
			for _, cpu := range some {
				if slices.Contains(cpus, cpu) {
					return 0, fmt.Errorf("processor %d is there twice: must be there once", cpu)
				}
				cpus = append(cpus, cpu)
			}
			return len(some), nil
		})
		return cpus, err
	}, cpulist.Format)
}

func (f *Flags) graphFlags(c *pflag.FlagSet) {
	c.Var(cli.Duration(&f.still, time.Millisecond, 24*time.Hour), "watchdog",
		"report what waits for what, or which EDTs do not end, on standard error, when no EDT begins for that long; "+
			"SIGQUIT reports it at any time")
	c.Func("log", "log start, placement, warnings and end of every run of a graph on standard error, from `LEVEL` on: "+
		"debug, info, warn, error", func(text string) error {
		level, err := zapcore.ParseLevel(text)
		if err != nil || text == "" || level > zapcore.ErrorLevel {
			return errors.New("must be one of debug, info, warn, error")
		}
		f.Bed.Options = append(f.Bed.Options, runtime.Logger(f.Bed.Log(level)))
		return nil
	})
}

// Picture defines the flag --svg of a command whose document is drawn.
func (f *Flags) Picture(usage string) { f.Var(f.file(&f.Bed.Picture), "svg", usage) }

const ontoResults = "must be a file: results go to standard output"

// file makes a flag value of a file. Only the results may go to standard output.
func (f *Flags) file(p **testbed.Sink) *cli.Value[*testbed.Sink] {
	result := p == &f.Bed.Results
	return cli.New(p, "FILE", func(path string) (*testbed.Sink, error) {
		switch {
		case path == "" && result:
			return nil, errors.New("must be a file, or - for standard output")
		case path == "":
			return nil, errors.New("must be a file")
		case path == "-" && result:
			return testbed.Stdout(f.Bed.Stdout), nil
		case path == "-":
			return nil, errors.New(ontoResults)
		}
		return testbed.NewSink(path)
	}, (*testbed.Sink).Name)
}

// filesApart refuses two flags that name the same file. Without --output, the results' file is that of the standard
// output.
func (f *Flags) filesApart() error {
	type file struct {
		flag string
		sink *testbed.Sink // nil if the flag is not given
	}
	files := []file{
		{"output", f.Bed.Results}, {"svg", f.Bed.Picture}, {"graph", f.watch.Graph}, {"trace", f.watch.Trace},
	}
	for k, one := range files {
		switch same := slices.IndexFunc(files[:k], func(o file) bool { return one.sink.Same(o.sink) }); {
		case same == 0 && !f.Changed("output"):
			return f.Refuse(one.flag, ontoResults)
		case same >= 0:
			return f.Refuse(one.flag, "--"+files[same].flag+" names the same file")
		}
	}
	return nil
}

// Refuse returns the error that a flag's value is not possible, and why.
func (f *Flags) Refuse(name, why string) error {
	return cli.Usagef("--%s %s: %s", name, report.Plain(f.Lookup(name).Value.String()), why)
}

// RefuseRecorded returns the error that a form is recorded, over ranks that --ranks or mpirun has asked for.
func (f *Flags) RefuseRecorded(recorded bool) error {
	if !recorded || f.Ranks == 1 {
		return nil
	}
	return f.Refuse("ranks", "cannot be had together with form edt-recorded: a recorded graph lives in one process")
}

// RefuseIf returns the error that a flag on the command line conflicts with others, and why; nil if there is no
// conflict.
func (f *Flags) RefuseIf(conflict bool, name, why string) error {
	switch flag := f.Lookup(name); {
	case !conflict || flag == nil || !flag.Changed:
		return nil
	case flag.Value.String() == "false" && flag.Value.Type() == "bool":
		return nil
	case flag.Value.Type() == "bool":
		return cli.Usagef("--%s: %s", name, why)
	}
	return f.Refuse(name, why)
}
