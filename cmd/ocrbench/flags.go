package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap/zapcore"

	"ocr/internal/cli"
	"ocr/internal/cpulist"
	"ocr/internal/harness"
	"ocr/internal/report"
	"ocr/internal/taskdot"
	"ocr/internal/trace"
	"ocr/runtime"
)

// maxSamples bounds --samples and --warmup.
const maxSamples = 1_000_000

// Bounds of what observers keep in memory.
const (
	maxTraceEvents = 1 << 26
	maxDotLimit    = 1_000_000
	traceRecord    = 32 // bytes
)

// commonFlags are those that commands have in common. A command defines the groups that it has,
// after it has set defaults of its own, and is run by commonFlags.run.
type commonFlags struct {
	*session
	cmd  *cobra.Command
	args []string // positional
	apt  aptness

	workers int   // 0: one for each processor
	cpus    []int // empty: all that are allowed
	bind    runtime.Binding

	sampling harness.Sampling
	noVerify bool

	format, output string
	wide, quiet    bool

	schedule string
	check    bool
	stall    time.Duration
	log      zapcore.Level // logOff for none
	logForm  string
	dump     string

	files []file // that flags have named so far

	trace, dot            string
	traceEvents, dotLimit int
	flows, stats          bool
}

// aptness says what the runs of a command cannot have, and why; empty for what they can.
type aptness struct {
	unscheduled string            // --schedule
	unchecked   string            // --check
	eased       map[string]string // flags that --check sets unless the user has
	long        bool              // EDTs keep their workers for as long as they measure
}

// flagsOf returns the common flags of a command, with their defaults.
func (s *session) flagsOf(cmd *cobra.Command) *commonFlags {
	return &commonFlags{
		session: s, cmd: cmd,
		sampling: harness.Sampling{Samples: 10, Warmup: 1, SampleTime: 10 * time.Millisecond, Seed: 1},
		log:      logOff, logForm: "console",
		traceEvents: trace.DefaultEvents, dotLimit: taskdot.DefaultLimit, flows: true,
	}
}

// workerFlags are the flags of every command that has a worker pool.
func (f *commonFlags) workerFlags() {
	fs := f.cmd.Flags()
	fs.Var(cli.Whole(&f.workers, 1, runtime.MaxWorkers), "workers", "workers in the pool (default: the processors allowed)")
	cli.Twin(fs, "workers")
	f.placementFlags()
}

// placementFlags say where workers go.
func (f *commonFlags) placementFlags() {
	fs := f.cmd.Flags()
	fs.Var(cpuList(&f.cpus), "cpus", "`LIST` of processors to use, as 0-3,8 (default: all allowed)")
	fs.Var(cli.Choice(&f.bind, runtime.BindCompact, runtime.BindScatter, runtime.BindNone), "bind", "pin workers near each other, far apart, or not at all: compact, scatter, none")
	cli.Twin(fs, "cpus", "bind")
}

// cpuList is a flag value: processors, in the order given.
func cpuList(p *[]int) *cli.Value[[]int] {
	return cli.New(p, "LIST", func(text string) ([]int, error) {
		cpus, err := cpulist.ParseInOrder(text)
		if err != nil || len(cpus) == 0 {
			err = cli.Usagef("must be a Linux list of processors, such as 0-3,8")
		}
		return cpus, err
	}, cpulist.Format)
}

// sampleFlags are the flags of every command that measures. An app that draws something has its own
// --seed, which then is the one for the order of the forms too.
func (f *commonFlags) sampleFlags() {
	fs, s := f.cmd.Flags(), &f.sampling
	fs.Var(cli.Whole(&s.Samples, 1, maxSamples), "samples", "samples of each form that are kept")
	fs.Var(cli.Whole(&s.Warmup, 0, maxSamples), "warmup", "samples of each form that are taken and dropped first")
	fs.Var(cli.Duration(&s.SampleTime, time.Microsecond, time.Minute), "sample-time", "shortest timed part of a sample; runs repeat until it is reached")
	fs.BoolVar(&f.noVerify, "no-verify", false, "do not check the results")
	if fs.Lookup("seed") == nil {
		fs.Var(cli.Seed(&s.Seed), "seed", "seed of everything that is drawn, as the order of the forms")
	}
	cli.Twin(fs, "samples", "warmup", "sample-time", "no-verify", "seed")
}

// documentFlags are the flags of every command that writes results that it measured.
func (f *commonFlags) documentFlags() {
	f.outputFlags(report.Formats()...)
	fs := f.cmd.Flags()
	fs.BoolVar(&f.wide, "wide", false, fmt.Sprintf("do not fold lines of text at %d columns", report.Width))
	cli.Twin(fs, "wide")
}

// outputFlags are the flags of every command that writes something in one of several forms.
func (f *commonFlags) outputFlags(formats ...string) {
	f.format = formats[0]
	fs := f.cmd.Flags()
	if len(formats) > 1 {
		fs.Var(cli.Choice(&f.format, formats...), "format", "form of the results: "+list(formats))
		cli.Twin(fs, "format")
	}
	fs.StringVarP(&f.output, "output", "o", "", "write the results to `FILE`, which is replaced only once they are there")
	cli.Twin(fs, "output")
	f.quietFlag()
}

func (f *commonFlags) quietFlag() {
	f.cmd.Flags().BoolVar(&f.quiet, "quiet", false, "no progress and no warnings on standard error")
	cli.Twin(f.cmd.Flags(), "quiet")
}

// runFlags are the flags of every command that runs graphs. A command that cannot have
// one has it all the same, to say why.
func (f *commonFlags) runFlags(apt aptness) {
	f.apt = apt
	fs := f.cmd.Flags()
	fs.StringVar(&f.schedule, "schedule", "",
		"run EDTs one at a time by `SCHEDULE`: fifo, lifo, random:SEED, overlap:SEED, replay:MOVES (times mean nothing)")
	fs.Lookup("schedule").Hidden = apt.unscheduled != ""
	fs.Var(cli.Duration(&f.stall, time.Millisecond, 24*time.Hour), "watchdog", "report what runs and what waits for what, on standard error, when no EDT begins for that long; SIGQUIT reports it at any time")
	fs.StringVar(&f.dump, "dump", "", "draw what --watchdog or SIGQUIT reports in `FILE`, for Graphviz; the latest stays")
	fs.BoolVar(&f.check, "check", false, "run the graphs slowly and look for what is wrong with the program; one sample, and less to do, unless other flags say so")
	fs.Lookup("check").Hidden = apt.unchecked != ""
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

// observeFlags are the flags by which one run of a graph is observed.
func (f *commonFlags) observeFlags() {
	fs := f.cmd.Flags()
	fs.StringVar(&f.trace, "trace", "", "write what each worker does in a run to `FILE`, for ui.perfetto.dev")
	fs.Var(cli.Whole(&f.traceEvents, 1, maxTraceEvents), "trace-events", "records of 32 bytes that --trace keeps for each worker; a full ring drops its oldest")
	fs.BoolVar(&f.flows, "trace-flows", true, "draw arrows from where an EDT is satisfied to where it begins, in --trace")
	fs.StringVar(&f.dot, "dot", "", "write the task graph of a run to `FILE`, for Graphviz")
	fs.Var(cli.Whole(&f.dotLimit, 1, maxDotLimit), "dot-limit", "EDTs that --dot draws: the first that are created")
	fs.BoolVar(&f.stats, "stats", false, "report work, span and average parallelism of a run, and where its time went")
	cli.Twin(fs, "trace", "trace-events", "trace-flows", "dot", "dot-limit", "stats")
}

// notObserved has a command that has no graph of its own refuse the flags of
// observeFlags, with what to use in their place.
func (f *commonFlags) notObserved(instead string) {
	fs := f.cmd.Flags()
	for _, name := range []string{"trace", "trace-events", "trace-flows", "dot", "dot-limit", "stats"} {
		refuse := func(string) (bool, error) {
			return false, cli.Usagef("%s has no such flag: %s", f.cmd.Name(), instead)
		}
		fs.Var(cli.New(new(bool), "", refuse, func(bool) string { return "" }), name, instead)
		flag := fs.Lookup(name)
		flag.Hidden = true
		if name == "stats" || name == "trace-flows" {
			flag.NoOptDefVal = "true"
		}
	}
}
