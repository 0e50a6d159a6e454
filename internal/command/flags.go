package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/command/cli"
	"ocr/internal/core/cpulist"
	"ocr/internal/measure/testbed"
	"ocr/internal/rank/mpi"
	"ocr/internal/show/report"
	"ocr/internal/watch/taskdot"
	"ocr/runtime"
)

// MaxSamples bounds --samples and --warmup.
const MaxSamples = 1_000_000

// Bounds of what observers keep in memory.
const (
	maxGraphLimit = 1_000_000
)

// Flags are those that commands have in common. A command defines the groups that it has, after its own defaults.
type Flags struct {
	*Session
	*pflag.FlagSet // of Cmd
	Cmd            *cobra.Command
	Args           []string // positional, once it runs

	// Verdict says what is wrong with the flags together, before a file is opened or a process started; may be nil.
	Verdict func(bed *testbed.Bed) error

	Ranks    int // processes that graphs run over
	Workers  int // of each rank; 0: one for each processor
	CPUs     []int
	Bind     runtime.Binding
	Sampling testbed.Sampling
	Format   string
	Watch    testbed.Watch // the flags of ObserveFlags

	apt         Aptness
	noVerify    bool
	output      string
	verbose     bool
	wide, quiet bool
	schedule    string
	check       bool
	stall       time.Duration
	log         string // level; "" for none
	logForm     string
	dump        *testbed.Sink
	files       []file // that flags may name
}

// Aptness says what the runs of a command cannot have, and why; empty for what they can.
type Aptness struct {
	Unscheduled string            // --schedule
	Unchecked   string            // --check
	Eased       map[string]string // flags that --check sets unless the user has
	Small       map[string]string // sizes that it sets unless the user has set one of them
	Long        bool              // EDTs keep their workers for as long as they measure
}

// FlagsOf returns the common flags of a command, with their defaults.
func (s *Session) FlagsOf(cmd *cobra.Command) *Flags {
	return &Flags{
		Session: s, Cmd: cmd, FlagSet: cmd.Flags(), Ranks: 1, logForm: "console",
		Sampling: testbed.Sampling{Samples: 10, Warmup: 1, SampleTime: 10 * time.Millisecond, Seed: 1},
		Watch:    testbed.Watch{Limit: taskdot.DefaultLimit},
	}
}

// WorkerFlags are the flags of every command that has a worker pool.
func (f *Flags) WorkerFlags() {
	f.Var(cli.Whole(&f.Workers, 1, runtime.MaxWorkers), "workers", "workers in the pool (default: the processors allowed)")
	f.common("workers")
	f.PlacementFlags()
}

// PlacementFlags say where workers go.
func (f *Flags) PlacementFlags() {
	f.Var(cpuList(&f.CPUs), "cpus", "`LIST` of processors to use, as 0-3,8 (default: all allowed)")
	f.Var(cli.Choice(&f.Bind, runtime.BindCompact, runtime.BindScatter, runtime.BindNone), "bind",
		"pin workers close together, far apart, or not at all: compact, scatter, none")
	f.common("cpus", "bind")
}

// cpuList is a flag value: processors, in the order given.
func cpuList(p *[]int) *cli.Value[[]int] {
	return cli.New(p, "LIST", func(text string) (cpus []int, err error) {
		err = cli.Items(text, func(item string) error {
			some, err := cpulist.ParseInOrder(item)
			if err != nil || len(some) == 0 {
				return cli.Usagef("must be a Linux list of processors, such as 0-3,8")
			}
			for _, cpu := range some {
				if slices.Contains(cpus, cpu) {
					return cli.Usagef("processor %d is there twice: must be there once", cpu)
				}
				cpus = append(cpus, cpu)
			}
			return nil
		})
		return cpus, err
	}, cpulist.Format)
}

// RankFlags are the flags of every command whose graphs may run over several processes: those of [Flags.WorkerFlags],
// for each of them.
func (f *Flags) RankFlags() {
	f.WorkerFlags()
	f.Reword("workers", "workers of each rank (default: the processors allowed, divided by the ranks)")
	f.common("workers")
	f.Ranks = mpi.Ranks()
	f.Var(cli.Whole(&f.Ranks, 1, mpi.MaxRanks), "ranks",
		"ranks: processes that a graph runs over, by MPI; not with --schedule")
	f.common("ranks")
}

// Reword changes what help says of a common flag, which is the command's own then.
func (f *Flags) Reword(name, usage string) {
	f.Lookup(name).Usage = usage
}

// SampleFlags are the flags of every command that measures. The --seed of an app is the one for the order of the forms
// too.
func (f *Flags) SampleFlags() {
	s := &f.Sampling
	f.Var(cli.Whole(&s.Samples, 1, MaxSamples), "samples", "samples of each form that are kept")
	f.Var(cli.Whole(&s.Warmup, 0, MaxSamples), "warmup", "samples of each form that are taken and dropped first")
	f.Var(cli.Duration(&s.SampleTime, time.Microsecond, time.Minute), "sample-time",
		"shortest timed part of a sample; runs repeat until it is reached")
	f.BoolVar(&f.noVerify, "no-verify", false, "do not check the results")
	if f.Lookup("seed") == nil {
		f.Var(cli.Seed(&s.Seed), "seed", "seed of all random choices, such as the order of the forms")
		f.common("seed")
	}
	f.common("samples", "warmup", "sample-time", "no-verify")
}

// DocumentFlags are the flags of every command that writes results that it measured.
func (f *Flags) DocumentFlags() {
	f.OutputFlags(report.Formats()...)
	f.textFlags()
}

func (f *Flags) textFlags() {
	f.BoolVarP(&f.verbose, "verbose", "v", false, "text with all facts, units and columns")
	f.BoolVar(&f.wide, "wide", false, fmt.Sprintf("do not fold lines of text at %d columns", report.Width))
	f.common("verbose", "wide")
}

// OutputFlags are the flags of every command that writes something in one of several forms.
func (f *Flags) OutputFlags(formats ...string) {
	f.Format = formats[0]
	if len(formats) > 1 {
		f.Var(cli.Choice(&f.Format, formats...), "format", "form of the results: "+strings.Join(formats, ", "))
		f.common("format")
	}
	f.StringVarP(&f.output, "output", "o", "", "write the results to `FILE`, which is replaced when they are complete")
	f.common("output")
	f.QuietFlag()
}

// QuietFlag is the flag of every command that may warn.
func (f *Flags) QuietFlag() {
	f.BoolVar(&f.quiet, "quiet", false, "no progress and no warnings on standard error")
	f.common("quiet")
}

// RunFlags are the flags of every command that runs graphs. A command that cannot have one refuses it, and says why.
func (f *Flags) RunFlags(apt Aptness) {
	f.apt = apt
	f.StringVar(&f.schedule, "schedule", "",
		"run EDTs one at a time by `SCHEDULE`: fifo, lifo, random:SEED, overlap:SEED, replay:MOVES (times mean nothing)")
	f.BoolVar(&f.check, "check", false,
		"check the program for faults: slow, one sample, and small sizes unless flags for sizes are given")
	f.refuse(apt.Unscheduled, "schedule")
	f.refuse(apt.Unchecked, "check")
	f.Var(cli.Duration(&f.stall, time.Millisecond, 24*time.Hour), "watchdog",
		"report what waits for what, or which EDTs do not end, on standard error, when no EDT begins for that long; "+
			"SIGQUIT reports it at any time")
	f.FileVar(&f.dump, "dump", "write what --watchdog or SIGQUIT reports to `FILE` too; the latest stays")
	levels := []string{"debug", "info", "warn", "error"}
	f.Var(cli.Choice(&f.log, levels...), "log",
		"log start, placement, warnings and end of every run of a graph on standard error, from `LEVEL` on: "+
			strings.Join(levels, ", "))
	f.Var(cli.Choice(&f.logForm, "console", "json"), "log-format", "form of the log: console, json")
	f.common("watchdog", "dump", "check", "log", "log-format")
	f.common("schedule")
}

// observing are the flags of ObserveFlags.
var observing = []string{"trace", "graph", "graph-limit", "stats"}

// ObserveFlags are the flags by which one run of a graph is observed.
func (f *Flags) ObserveFlags() {
	w := &f.Watch
	f.FileVar(&w.Trace, "trace",
		"write what each worker does in a run to `FILE`, for ui.perfetto.dev; rank 1 of run.json writes run.1.json")
	f.FileVar(&w.Graph, "graph",
		"write the task graph of a run to `FILE`, for Graphviz; its dot draws a file that ends in .svg")
	f.Var(cli.Whole(&w.Limit, 1, maxGraphLimit), "graph-limit", "EDTs in --graph: the first that are created")
	f.BoolVar(&w.Stats, "stats", false, "report work, span and average parallelism of a run, and where its time went")
	f.common(observing...)
}

// NotObserved has a command that has no graph of its own refuse the flags of ObserveFlags, with what to use instead.
func (f *Flags) NotObserved(instead string) {
	f.ObserveFlags()
	f.refuse(instead, observing...)
}

// refuse has a command refuse flags that other commands have, and say why, unless that is empty.
func (f *Flags) refuse(why string, names ...string) {
	for _, name := range names {
		if why != "" {
			cli.Refuse(f.Lookup(name), fmt.Sprintf("%s has no such flag: %s", f.Cmd.Name(), why))
		}
	}
}
