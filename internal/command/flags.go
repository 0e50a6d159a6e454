package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap/zapcore"

	"ocr/internal/cli"
	"ocr/internal/cpulist"
	"ocr/internal/report"
	"ocr/internal/taskdot"
	"ocr/internal/testbed"
	"ocr/internal/trace"
	"ocr/runtime"
)

// MaxSamples bounds --samples and --warmup.
const MaxSamples = 1_000_000

// Bounds of what observers keep in memory.
const (
	maxTraceEvents = 1 << 26
	maxDotLimit    = 1_000_000
)

// Flags are those that commands have in common. A command defines the groups that it has,
// after it has set defaults of its own, and is run by [Flags.Run].
type Flags struct {
	*Session
	Cmd  *cobra.Command
	Args []string // positional, once it runs

	Ranks    int // processes that graphs run over
	engine   string
	Workers  int   // of each rank; 0: one for each processor
	CPUs     []int // empty: all that are allowed
	Bind     runtime.Binding
	Sampling testbed.Sampling
	Format   string
	Stats    bool

	apt      Aptness
	noVerify bool

	output      string
	wide, quiet bool

	schedule string
	check    bool
	stall    time.Duration
	log      zapcore.Level // logOff for none
	logForm  string
	dump     string

	files []file // that flags have named so far

	trace                 string
	dot, graph            string // drawings
	traceEvents, dotLimit int
	flows                 bool
}

// Aptness says what the runs of a command cannot have, and why; empty for what they can.
type Aptness struct {
	Unscheduled string            // --schedule
	Unchecked   string            // --check
	Eased       map[string]string // flags that --check sets unless the user has
	Long        bool              // EDTs keep their workers for as long as they measure
}

// FlagsOf returns the common flags of a command, with their defaults.
func (s *Session) FlagsOf(cmd *cobra.Command) *Flags {
	return &Flags{
		Session: s, Cmd: cmd, Ranks: 1, engine: engineAuto,
		Sampling: testbed.Sampling{Samples: 10, Warmup: 1, SampleTime: 10 * time.Millisecond, Seed: 1},
		log:      logOff, logForm: "console",
		traceEvents: trace.DefaultEvents, dotLimit: taskdot.DefaultLimit, flows: true,
	}
}

// WorkerFlags are the flags of every command that has a worker pool.
func (f *Flags) WorkerFlags() {
	fs := f.Cmd.Flags()
	fs.Var(cli.Whole(&f.Workers, 1, runtime.MaxWorkers), "workers", "workers in the pool (default: the processors allowed)")
	cli.Twin(fs, "workers")
	f.PlacementFlags()
}

// PlacementFlags say where workers go.
func (f *Flags) PlacementFlags() {
	fs := f.Cmd.Flags()
	fs.Var(cpuList(&f.CPUs), "cpus", "`LIST` of processors to use, as 0-3,8 (default: all allowed)")
	fs.Var(cli.Choice(&f.Bind, runtime.BindCompact, runtime.BindScatter, runtime.BindNone), "bind", "pin workers near each other, far apart, or not at all: compact, scatter, none")
	cli.Twin(fs, "cpus", "bind")
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

// SampleFlags are the flags of every command that measures. An app that draws something has its own
// --seed, which then is the one for the order of the forms too.
func (f *Flags) SampleFlags() {
	fs, s := f.Cmd.Flags(), &f.Sampling
	fs.Var(cli.Whole(&s.Samples, 1, MaxSamples), "samples", "samples of each form that are kept")
	fs.Var(cli.Whole(&s.Warmup, 0, MaxSamples), "warmup", "samples of each form that are taken and dropped first")
	fs.Var(cli.Duration(&s.SampleTime, time.Microsecond, time.Minute), "sample-time", "shortest timed part of a sample; runs repeat until it is reached")
	fs.BoolVar(&f.noVerify, "no-verify", false, "do not check the results")
	if fs.Lookup("seed") == nil {
		fs.Var(cli.Seed(&s.Seed), "seed", "seed of everything that is drawn, as the order of the forms")
	}
	cli.Twin(fs, "samples", "warmup", "sample-time", "no-verify", "seed")
}

// DocumentFlags are the flags of every command that writes results that it measured.
func (f *Flags) DocumentFlags() {
	f.OutputFlags(report.Formats()...)
	f.wideFlag()
}

func (f *Flags) wideFlag() {
	fs := f.Cmd.Flags()
	fs.BoolVar(&f.wide, "wide", false, fmt.Sprintf("do not fold lines of text at %d columns", report.Width))
	cli.Twin(fs, "wide")
}

// OutputFlags are the flags of every command that writes something in one of several forms.
func (f *Flags) OutputFlags(formats ...string) {
	f.Format = formats[0]
	fs := f.Cmd.Flags()
	if len(formats) > 1 {
		fs.Var(cli.Choice(&f.Format, formats...), "format", "form of the results: "+strings.Join(formats, ", "))
		cli.Twin(fs, "format")
	}
	fs.StringVarP(&f.output, "output", "o", "", "write the results to `FILE`, which is replaced only once they are there")
	cli.Twin(fs, "output")
	f.QuietFlag()
}

func (f *Flags) QuietFlag() {
	f.Cmd.Flags().BoolVar(&f.quiet, "quiet", false, "no progress and no warnings on standard error")
	cli.Twin(f.Cmd.Flags(), "quiet")
}

// RunFlags are the flags of every command that runs graphs. A command that cannot have
// one has it all the same, to say why.
func (f *Flags) RunFlags(apt Aptness) {
	f.apt = apt
	fs := f.Cmd.Flags()
	fs.StringVar(&f.schedule, "schedule", "",
		"run EDTs one at a time by `SCHEDULE`: fifo, lifo, random:SEED, overlap:SEED, replay:MOVES (times mean nothing)")
	fs.Lookup("schedule").Hidden = apt.Unscheduled != ""
	fs.Var(cli.Duration(&f.stall, time.Millisecond, 24*time.Hour), "watchdog", "report what runs and what waits for what, on standard error, when no EDT begins for that long; SIGQUIT reports it at any time")
	fs.StringVar(&f.dump, "dump", "", "write what --watchdog or SIGQUIT reports to `FILE` too; the latest stays")
	fs.BoolVar(&f.check, "check", false, "run the graphs slowly and look for what is wrong with the program; one sample, and less to do, unless other flags say so")
	fs.Lookup("check").Hidden = apt.Unchecked != ""
	fs.Var(logLevel(&f.log), "log", "log start, placement, warnings and end of every run of a graph on standard error, from `LEVEL` on: debug, info, warn, error")
	fs.Var(cli.Choice(&f.logForm, "console", "json"), "log-format", "form of the log: console, json")
	cli.Twin(fs, "watchdog", "dump", "check", "log", "log-format")
}

// logOff is above every level: nothing is logged.
const logOff = zapcore.InvalidLevel

// logLevel is a flag value: from which level on is logged.
func logLevel(p *zapcore.Level) *cli.Value[zapcore.Level] {
	return cli.Choice(p, zapcore.DebugLevel, zapcore.InfoLevel, zapcore.WarnLevel, zapcore.ErrorLevel).Unset(logOff.String())
}

// observing are the flags of ObserveFlags.
var observing = []string{"trace", "trace-events", "trace-flows", "dot", "graph", "dot-limit", "stats"}

// ObserveFlags are the flags by which one run of a graph is observed.
func (f *Flags) ObserveFlags() {
	fs := f.Cmd.Flags()
	fs.StringVar(&f.trace, "trace", "", "write what each worker does in a run to `FILE`, for ui.perfetto.dev")
	fs.Var(cli.Whole(&f.traceEvents, 1, maxTraceEvents), "trace-events", fmt.Sprintf("records of %d bytes that --trace keeps for each worker; a full ring drops its oldest", trace.RecordSize))
	fs.BoolVar(&f.flows, "trace-flows", true, "draw arrows from where an EDT is satisfied to where it begins, in --trace")
	fs.StringVar(&f.dot, "dot", "", "write the task graph of a run to `FILE`, for Graphviz")
	fs.StringVar(&f.graph, "graph", "", "draw the task graph of a run in `FILE`, as SVG: EDTs by their depth, a wavefront as a slanted line")
	fs.Var(cli.Whole(&f.dotLimit, 1, maxDotLimit), "dot-limit", "EDTs that --dot and --graph draw: the first that are created")
	fs.BoolVar(&f.Stats, "stats", false, "report work, span and average parallelism of a run, and where its time went")
	cli.Twin(fs, observing...)
}

// NotObserved has a command that has no graph of its own refuse the flags of
// ObserveFlags, with what to use in their place.
func (f *Flags) NotObserved(instead string) {
	fs := f.Cmd.Flags()
	for _, name := range observing {
		refuse := func(string) (bool, error) {
			return false, cli.Usagef("%s has no such flag: %s", f.Cmd.Name(), instead)
		}
		fs.Var(cli.New(new(bool), "", refuse, func(bool) string { return "" }), name, instead)
		flag := fs.Lookup(name)
		flag.Hidden = true
		if name == "stats" || name == "trace-flows" {
			flag.NoOptDefVal = "true"
		}
	}
}
