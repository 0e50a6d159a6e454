package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"

	"github.com/spf13/cobra"

	"ocr/apps/trial"
	"ocr/edt/edttest"
	"ocr/internal/cli"
	"ocr/internal/machine"
	"ocr/internal/report"
	"ocr/internal/sys"
	"ocr/internal/testbed"
	"ocr/internal/trace"
)

// A body is what a command does on its testbed, once its flags are resolved.
type body func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error

// Run makes a cobra command of a body.
func (f *Flags) Run(do body) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		f.Args = args
		bed, out, err := f.prepare()
		if err == nil {
			err = bed.Options.Check.Verdict(f.Console, do(cmd.Context(), bed, out))
			if end := bed.Pool.Close(); err == nil {
				err = end
			}
		}
		return f.spelled(err)
	}
}

// spelled names the flag of a [*trial.ConfigError] as the user has written it.
func (f *Flags) spelled(err error) error {
	var bad *trial.ConfigError
	if !errors.As(err, &bad) {
		return err
	}
	if bad.Value == "" { // the flag itself cannot be
		return cli.Usagef("%s: must be %s", f.Line.Source(f.Cmd, bad.Flag), bad.Allowed)
	}
	return cli.Usagef("%s", bad.Line(f.Line.Source(f.Cmd, bad.Flag), report.Plain(bad.Value)))
}

// prepare resolves the common flags.
func (f *Flags) prepare() (*testbed.Bed, *testbed.Output, error) {
	f.Console.Quiet = f.quiet
	f.Sampling.Verify = !f.noVerify
	f.inspect.Long = f.apt.Long
	bed := &testbed.Bed{
		Argv: f.Line.Args, Sampling: f.Sampling, Console: f.Console,
		Options: testbed.RunOptions{Inspect: f.inspect, Abandon: f.abandon},
	}
	out := &testbed.Output{Format: f.Format, Wide: f.wide, Stdout: f.Out, Console: f.Console}
	if err := cmp.Or(f.applyRanks(), f.applyCheck(&bed.Options), f.applySchedule(&bed.Options)); err != nil {
		return nil, nil, err
	}
	bed.Env, bed.Sampling = f.Line.Env, f.Sampling
	if f.log == logOff {
		if err := f.Pointless("log-format", "--log LEVEL"); err != nil {
			return nil, nil, err
		}
	} else {
		bed.Options.Log = testbed.NewLog(f.Console, f.log, f.logForm)
	}
	f.Console.Warn(f.Line.Ignored...)
	var err error
	if bed.Machine, err = machine.Read(); err != nil {
		return nil, nil, err
	}
	if f.Cmd.Flags().Lookup("bind") != nil {
		if bed.Pool, err = testbed.NewPoolOver(bed.Machine, f.Ranks, f.Workers, f.CPUs, f.Bind); err != nil {
			return nil, nil, err
		}
	}
	if flag := f.Cmd.Flags().Lookup("output"); flag != nil && flag.Changed && f.output == "" {
		return nil, nil, f.Line.Refuse(f.Cmd, "output", f.output, "must be a file, or - for standard output")
	}
	if out.Results, err = testbed.NewSink(f.output, f.Out); err != nil {
		return nil, nil, f.Line.Refuse(f.Cmd, "output", f.output, err.Error())
	}
	f.files = []file{{"output", out.Results}}
	if err := f.applyInspect(); err != nil {
		return nil, nil, err
	}
	bed.Watch, err = f.watch()
	out.Watch = bed.Watch
	return bed, out, err
}

// applySchedule resolves --schedule.
func (f *Flags) applySchedule(o *testbed.RunOptions) error {
	if flag := f.Cmd.Flags().Lookup("schedule"); flag == nil || !flag.Changed {
		return nil
	}
	if f.apt.Unscheduled != "" {
		return f.Line.Refuse(f.Cmd, "schedule", f.schedule, f.Cmd.Name()+" cannot be run so: "+f.apt.Unscheduled)
	}
	schedule, err := edttest.ParseSchedule(f.schedule)
	var bad *edttest.ScheduleError
	if errors.As(err, &bad) {
		return f.Line.Refuse(f.Cmd, "schedule", f.schedule, bad.Reason)
	}
	switch {
	case f.check:
		return cli.Usagef("%s: cannot be had together with --schedule", f.Line.Source(f.Cmd, "check"))
	case f.stall > 0:
		return cli.Usagef("%s: cannot be had together with --schedule", f.Line.Source(f.Cmd, "watchdog"))
	}
	o.Schedule = &schedule
	return err
}

// applyCheck resolves --check, and gives flags that the user has not chosen the values of
// check mode: it is slow, and one run of a problem is enough.
func (f *Flags) applyCheck(o *testbed.RunOptions) error {
	if !f.check {
		return nil
	}
	if f.apt.Unchecked != "" {
		if !f.Cmd.Flags().Lookup("check").Changed { // the variable is for the other commands
			f.check = false
			f.Line.Ignored = append(f.Line.Ignored, fmt.Sprintf("%s: %s cannot be checked, so it is not used", f.Line.Source(f.Cmd, "check"), f.Cmd.Name()))
			return nil
		}
		return cli.Usagef("%s: %s cannot be checked: %s", f.Line.Source(f.Cmd, "check"), f.Cmd.Name(), f.apt.Unchecked)
	}
	f.UnlessGiven(map[string]string{"samples": "1", "warmup": "0", "sample-time": "1us"})
	f.UnlessGiven(f.apt.Eased)
	o.Check = &testbed.Checks{}
	return nil
}

// Pointless refuses a flag that is on the command line and means nothing without something else, which needs says.
func (f *Flags) Pointless(name, needs string) error {
	flag := f.Cmd.Flags().Lookup(name)
	switch {
	case flag == nil || !flag.Changed:
		return nil
	case flag.Value.String() == "true" && flag.Value.Type() == "bool":
		return cli.Usagef("%s: must be with %s", f.Line.Source(f.Cmd, name), needs)
	}
	return f.Line.Refuse(f.Cmd, name, flag.Value.String(), "must be with "+needs)
}

// UnlessGiven sets flags that the user has not set.
func (f *Flags) UnlessGiven(values map[string]string) {
	for name, value := range values {
		flag := f.Cmd.Flags().Lookup(name)
		if flag == nil || f.Line.Given(flag) {
			continue
		}
		if err := flag.Value.Set(value); err != nil {
			panic(fmt.Sprintf("--%s %s: %v", name, value, err)) // a command's table is wrong
		}
	}
}

// applyInspect resolves --watchdog and --dump.
func (f *Flags) applyInspect() error {
	f.inspect.Stall = f.stall
	k, err := f.FileSink("dump", f.dump)
	if err != nil || k == nil {
		return err
	}
	if k.Pipe() {
		return f.Line.Refuse(f.Cmd, "dump", f.dump, "must be a file, not a pipe: it is written several times")
	}
	f.inspect.Dump = k
	return nil
}

// file is one that is written, and the flag that names it.
type file struct {
	flag string
	sink *testbed.Sink
}

// FileSink returns the sink of a file beside the results; nil if it is not asked for. No
// other flag may name that file.
func (f *Flags) FileSink(name, path string) (*testbed.Sink, error) {
	flag := f.Cmd.Flags().Lookup(name)
	if path == "" && (flag == nil || !flag.Changed) {
		return nil, nil
	}
	why := "must be a file"
	switch path {
	case "":
	case "-":
		why = "must be a file: results go to standard output"
	default:
		k, err := testbed.NewSink(path, nil)
		if err != nil {
			why = err.Error()
			break
		}
		other := slices.IndexFunc(f.files, func(other file) bool { return k.Same(other.sink) })
		if other < 0 {
			f.files = append(f.files, file{name, k})
			return k, nil
		}
		why = f.Line.Source(f.Cmd, f.files[other].flag) + " names the same file"
	}
	return nil, f.Line.Refuse(f.Cmd, name, path, why)
}

// watch resolves the flags of ObserveFlags: nil if nothing is to be observed.
func (f *Flags) watch() (*testbed.Watch, error) {
	fs := f.Cmd.Flags()
	if flag := fs.Lookup("dot-limit"); flag == nil || flag.Hidden {
		return nil, nil
	}
	for _, needs := range []struct {
		flag, other string
		given       bool
	}{
		{"trace-events", "--trace", f.trace != ""}, {"trace-flows", "--trace", f.trace != ""},
		{"dot-limit", "--dot or --graph", f.dot+f.graph != ""},
	} {
		if !needs.given {
			if err := f.Pointless(needs.flag, needs.other+" FILE"); err != nil {
				return nil, err
			}
		}
	}
	if err := f.traceFits(sys.TotalMemory() / 4 * 3); err != nil {
		return nil, err
	}
	w := &testbed.Watch{TraceEvents: f.traceEvents, Flows: f.flows, Limit: f.dotLimit, Stats: f.Stats}
	var err error
	for _, file := range []struct {
		flag, path string
		sink       **testbed.Sink
	}{
		{"trace", f.trace, &w.Trace}, {"dot", f.dot, &w.Drawings.Dot},
		{"graph", f.graph, &w.Drawings.Graph},
	} {
		if *file.sink, err = f.FileSink(file.flag, file.path); err != nil {
			return nil, err
		}
		if *file.sink != nil {
			w.Asked = cmp.Or(w.Asked, file.flag)
		}
	}
	if f.Stats && slices.Contains([]string{"go", "csv"}, f.Format) {
		return nil, cli.Usagef("%s: must be with --format text or json, it is %s", f.Line.Source(f.Cmd, "stats"), f.Format)
	}
	if f.Stats {
		w.Asked = cmp.Or(w.Asked, "stats")
	}
	if w.Asked == "" {
		return nil, nil
	}
	return w, nil
}

// traceFits refuses more records than the memory, 0 for no limit, has room for.
func (f *Flags) traceFits(memory uint64) error {
	workers := cmp.Or(f.Workers, goruntime.NumCPU())
	if f.Cmd.Flags().Lookup("bind") == nil {
		workers = 2 // of a pair
	}
	most := memory / uint64(trace.RecordSize) / uint64(workers)
	if f.trace == "" || memory == 0 || uint64(f.traceEvents) <= most {
		return nil
	}
	return f.Line.Refuse(f.Cmd, "trace-events", fmt.Sprint(f.traceEvents), fmt.Sprintf(
		"records of %d bytes for each of %d workers do not fit into memory: must be a whole number in 1..%d",
		trace.RecordSize, workers, max(most, 1)))
}
