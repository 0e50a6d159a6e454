package command

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"
	"go.uber.org/zap/zapcore"

	"ocr/apps/trial"
	"ocr/edt/edttest"
	"ocr/internal/command/cli"
	"ocr/internal/core/sys"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/testbed"
	"ocr/internal/rank/mpi"
	"ocr/internal/show/report"
)

// run makes the RunE of a cobra command.
func (f *Flags) run(do Body) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		f.Args = args
		bed, out, err := f.prepare()
		if err == nil {
			err = bed.Options.Check.Verdict(f.Console, do(cmd.Context(), bed, out))
			bed.Pool.Close()
		}
		var bad *trial.ConfigError
		switch {
		case !errors.As(err, &bad):
			return err
		case bad.Value == "": // the flag itself cannot be
			return cli.Usagef("%s: must be %s", f.Spelled(bad.Flag), bad.Allowed)
		}
		return cli.Usagef("%s", bad.Line(f.Spelled(bad.Flag), report.Plain(bad.Value)))
	}
}

// prepare resolves the common flags.
func (f *Flags) prepare() (*testbed.Bed, *testbed.Output, error) {
	f.Console.Quiet = f.quiet
	f.Sampling.Verify = !f.noVerify
	bed := &testbed.Bed{
		Argv: f.Line, Console: f.Console,
		Options: testbed.RunOptions{Inspect: f.inspect, Abandon: f.abandon},
	}
	out := &testbed.Output{Format: f.Format, Wide: f.wide, Verbose: f.verbose, Stdout: f.Out, Console: f.Console}
	o := &bed.Options
	if err := cmp.Or(f.applyRanks(), f.applyCheck(o), f.applySchedule(o), f.applyLog(o)); err != nil {
		return nil, nil, err
	}
	bed.Sampling = f.Sampling
	var err error
	if bed.Machine, err = machine.Read(); err != nil {
		return nil, nil, err
	}
	if f.Lookup("bind") != nil {
		if bed.Pool, err = testbed.NewPool(bed.Machine, f.Ranks, f.Workers, f.CPUs, f.Bind); err != nil {
			return nil, nil, err
		}
	}
	if f.Verdict != nil {
		if err := f.Verdict(bed); err != nil {
			return nil, nil, err
		}
	}
	if err := cmp.Or(f.startRanks(), f.openFiles(out)); err != nil {
		return nil, nil, err
	}
	f.inspect.Stall, f.inspect.Long, f.inspect.Dump = f.stall, f.apt.Long, f.dump
	bed.Watch, err = f.watch()
	out.Watch = bed.Watch
	return bed, out, err
}

// applyRanks says why a run over --ranks cannot be, and refuses what is of one rank.
func (f *Flags) applyRanks() error {
	if mpi.Launched() && f.Lookup("ranks") != nil && f.Ranks != mpi.Ranks() {
		return f.Refuse("ranks", fmt.Sprintf("must be %d, as many processes as mpirun has started", mpi.Ranks()))
	}
	for _, name := range []string{"schedule", "check", "stats", "graph"} {
		if f.Ranks > 1 && f.Given(name) {
			return cli.Usagef("%s: cannot be had together with %s %d", f.Spelled(name), f.Spelled("ranks"), f.Ranks)
		}
	}
	return nil
}

// startRanks replaces this process by mpirun, which starts as many of the same as --ranks says, unless it has.
func (f *Flags) startRanks() error {
	switch {
	case f.Ranks == 1 || mpi.Launched():
		return nil
	case !mpi.Built:
		return f.Refuse("ranks", mpi.Refusal(f.Ranks))
	}
	program, err := exec.LookPath(os.Args[0])
	if err != nil {
		return f.Refuse("ranks", err.Error())
	}
	mpirun, err := mpi.FindMpirun()
	if err == nil {
		err = sys.Exec(mpirun, mpi.Command(f.Ranks, append([]string{program}, os.Args[1:]...)...))
	}
	return f.Refuse("ranks", err.Error())
}

// applyCheck resolves --check, and gives flags that the user has not chosen the values of check mode: it is slow, and
// one run of a problem is enough. Sizes go together: if the user has chosen one of them, the others are those of a
// plain run.
func (f *Flags) applyCheck(o *testbed.RunOptions) error {
	if !f.check {
		return nil
	}
	f.UnlessGiven(map[string]string{"samples": "1", "warmup": "0", "sample-time": "1us"})
	eased := f.UnlessGiven(f.apt.Eased)
	if !slices.ContainsFunc(slices.Collect(maps.Keys(f.apt.Small)), f.Given) {
		eased = append(eased, f.UnlessGiven(f.apt.Small)...)
	}
	o.Check = &testbed.Checks{Eased: eased}
	return nil
}

// applySchedule resolves --schedule.
func (f *Flags) applySchedule(o *testbed.RunOptions) error {
	if !f.Changed("schedule") {
		return nil
	}
	schedule, err := edttest.ParseSchedule(f.schedule)
	var bad *edttest.ScheduleError
	if errors.As(err, &bad) {
		return f.Refuse("schedule", bad.Reason)
	}
	for name, given := range map[string]bool{"check": f.check, "watchdog": f.stall > 0} {
		if given {
			return cli.Usagef("%s: cannot be had together with --schedule", f.Spelled(name))
		}
	}
	o.Schedule = &schedule
	return err
}

// applyLog resolves --log.
func (f *Flags) applyLog(o *testbed.RunOptions) error {
	if f.log == "" {
		return f.RefuseIf(true, "log-format", "must be with --log LEVEL")
	}
	level, err := zapcore.ParseLevel(f.log)
	o.Log = f.Console.Log(level, f.logForm)
	return err
}

// Spelled returns the name of a flag as the user wrote it.
func (f *Flags) Spelled(name string) string { return f.Line.Spelled(f.Cmd, name) }

// Given reports whether the user has set a flag.
func (f *Flags) Given(name string) bool { return f.Changed(name) }

// Refuse says that the value of a flag cannot be, and why.
func (f *Flags) Refuse(name, why string) error {
	return f.Line.Refuse(f.Cmd, name, f.Lookup(name).Value.String(), why)
}

// RefuseIf says that a flag, if it is on the command line, cannot be as it is, and why.
func (f *Flags) RefuseIf(conflict bool, name, why string) error {
	flag := f.Lookup(name)
	switch {
	case !conflict || flag == nil || !flag.Changed:
		return nil
	case flag.Value.Type() == "bool" && flag.Value.String() == "true":
		return cli.Usagef("%s: %s", f.Spelled(name), why)
	}
	return f.Refuse(name, why)
}

// UnlessGiven sets flags that the user has not set, and returns those that have other values now, as "--n 6 for 12".
func (f *Flags) UnlessGiven(values map[string]string) (set []string) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		flag := f.Lookup(name)
		if flag == nil || f.Given(name) {
			continue
		}
		before := flag.Value.String()
		if err := flag.Value.Set(values[name]); err != nil {
			panic(fmt.Sprintf("--%s %s: %v", name, values[name], err)) // a command's table is wrong
		}
		switch now := flag.Value.String(); {
		case now == before:
		case before == "":
			set = append(set, fmt.Sprintf("--%s %s", name, now))
		default:
			set = append(set, fmt.Sprintf("--%s %s for %s", name, now, before))
		}
	}
	return set
}

// file is a flag that names a file.
type file struct {
	flag string
	path *string
	sink **testbed.Sink
}

// FileVar defines a flag that names a file beside the results. Before the command runs it sets p, to nil if no file is
// asked for. No two flags may name the same file.
func (f *Flags) FileVar(p **testbed.Sink, name, usage string) {
	path := f.String(name, "", usage)
	f.files = append(f.files, file{name, path, p})
}

const ontoResults = "must be a file: results go to standard output"

// openFiles makes the sinks of the results and of all files.
func (f *Flags) openFiles(out *testbed.Output) error {
	if f.Changed("output") && f.output == "" {
		return f.Refuse("output", "must be a file, or - for standard output")
	}
	var err error
	if out.Results, err = testbed.NewSink(f.output, f.Out); err != nil {
		return f.Refuse("output", err.Error())
	}
	open := []file{{flag: "output", sink: &out.Results}}
	for _, one := range f.files {
		why := ""
		switch path := *one.path; {
		case path == "" && !f.Changed(one.flag):
			continue
		case path == "":
			why = "must be a file"
		case path == "-":
			why = ontoResults
		default:
			if *one.sink, err = testbed.NewSink(path, nil); err != nil {
				why = err.Error()
			}
		}
		if k := slices.IndexFunc(open, func(o file) bool { return (*one.sink).Same(*o.sink) }); k >= 0 {
			if why = f.Spelled(open[k].flag) + " names the same file"; k == 0 && !f.Given("output") {
				why = ontoResults
			}
		}
		if one.sink == &f.dump && f.dump != nil && f.dump.Pipe() {
			why = "must be a file, not a pipe: it is written several times"
		}
		if why != "" {
			return f.Refuse(one.flag, why)
		}
		open = append(open, one)
	}
	return nil
}

// watch resolves the flags of ObserveFlags: nil if nothing is to be observed.
func (f *Flags) watch() (*testbed.Watch, error) {
	w := &f.Watch
	if err := cmp.Or(
		f.RefuseIf(w.Graph == nil, "graph-limit", "must be with --graph FILE"),
	); err != nil {
		return nil, err
	}
	if w.Stats && (f.Format == "go" || f.Format == "csv") {
		return nil, cli.Usagef("%s: must be with --format text or json, it is %s", f.Spelled("stats"), f.Format)
	}
	if _, err := exec.LookPath("dot"); err != nil && w.Graph.Drawn() {
		return nil, f.Refuse("graph", "needs dot: install Graphviz, or name a file that does not end in .svg")
	}
	switch {
	case w.Trace != nil:
		w.Asked = "trace"
	case w.Graph != nil:
		w.Asked = "graph"
	case w.Stats:
		w.Asked = "stats"
	default:
		return nil, nil
	}
	return w, nil
}
