package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	goruntime "runtime"
	"strings"

	"github.com/spf13/cobra"

	"ocr/edt"
	"ocr/internal/report"
	"ocr/internal/sys"
	"ocr/internal/taskdot"
	"ocr/internal/trace"
	"ocr/internal/workspan"
	"ocr/runtime"
)

// maxTraceEvents and maxDotLimit bound what is kept in memory.
const (
	maxTraceEvents = 1 << 26
	maxDotLimit    = 1_000_000
	traceRecord    = 32 // bytes
)

// watchFlags are --trace, --dot, --stats and what goes with them.
type watchFlags struct {
	trace, dot            string // files
	traceEvents, dotLimit int
	flows, stats          bool
}

// observeFlags gives a command that runs a graph the flags by which a run of it is
// observed. The command calls session.watch once the other flags are right, and then
// session.observe or, where it has one run, watch.around.
func (s *session) observeFlags(cmd *cobra.Command) {
	f := &watchFlags{traceEvents: trace.DefaultEvents, dotLimit: taskdot.DefaultLimit}
	fs := cmd.Flags()
	fs.StringVar(&f.trace, "trace", "", "write what each worker does in a run to `FILE`, for ui.perfetto.dev")
	fs.Var(&count{&f.traceEvents, 1, maxTraceEvents}, "trace-events", "records of 32 bytes that --trace keeps for each worker; a full ring drops its oldest")
	fs.BoolVar(&f.flows, "trace-flows", true, "draw arrows from where an EDT is satisfied to where it begins, in --trace")
	fs.StringVar(&f.dot, "dot", "", "write the task graph of a run to `FILE`, for Graphviz")
	fs.Var(&count{&f.dotLimit, 1, maxDotLimit}, "dot-limit", "EDTs that --dot draws: the first that are created")
	fs.BoolVar(&f.stats, "stats", false, "tell work, span and average parallelism of a run, and where its time went")
	twin(fs, "trace", "trace-events", "trace-flows", "dot", "dot-limit", "stats")
	if s.watching == nil {
		s.watching = map[*cobra.Command]*watchFlags{}
	}
	s.watching[cmd] = f
}

// A watch observes runs of a graph: those whose context it is in.
type watch struct {
	*watchFlags
	argv               []string
	traceFile, dotFile *sink // nil where not asked for
	asked              string

	run   string // name of what is run
	rec   *trace.Recorder
	graph *taskdot.Graph
	meter *workspan.Meter

	placement []int
	ending    error
	notes     []string
}

// watch resolves the flags of observeFlags: nil where nothing is to be observed.
// others are the files that the command writes.
func (s *session) watch(cmd *cobra.Command, others ...*sink) (*watch, error) {
	f := s.watching[cmd]
	if f == nil {
		return nil, nil
	}
	for flag, needs := range map[string]string{"trace-events": "trace", "trace-flows": "trace", "dot-limit": "dot"} {
		if fs := cmd.Flags(); fs.Changed(flag) && fs.Lookup(needs).Value.String() == "" {
			return nil, usagef("--%s %s: must be with --%s FILE", flag, fs.Lookup(flag).Value, needs)
		}
	}
	if err := s.traceFits(cmd, f, sys.TotalMemory()/4*3); err != nil {
		return nil, err
	}
	w := &watch{watchFlags: f, argv: s.args}
	var err error
	if w.traceFile, err = s.watchSink(cmd, "trace", f.trace); err != nil {
		return nil, err
	}
	if w.dotFile, err = s.watchSink(cmd, "dot", f.dot); err != nil {
		return nil, err
	}
	for _, other := range append(others, w.dotFile) {
		if w.traceFile.same(other) {
			return nil, usagef("%s %s: must be a file of its own", s.source(cmd, "trace"), plain(f.trace))
		}
	}
	for _, other := range others {
		if w.dotFile.same(other) {
			return nil, usagef("%s %s: must be a file of its own", s.source(cmd, "dot"), plain(f.dot))
		}
	}
	if format := cmd.Flags().Lookup("format"); f.stats && format != nil && s.options.format != "text" && s.options.format != "json" {
		return nil, usagef("%s: must be with --format text or json, it is %s", s.source(cmd, "stats"), s.options.format)
	}
	if w.asked = s.asked(cmd, f); w.asked == "" {
		return nil, nil
	}
	return w, nil
}

// asked returns what asks for a run to be observed, as the user wrote it; empty for
// nothing.
func (s *session) asked(cmd *cobra.Command, f *watchFlags) string {
	switch {
	case f.trace != "":
		return s.source(cmd, "trace")
	case f.dot != "":
		return s.source(cmd, "dot")
	case f.stats:
		return s.source(cmd, "stats")
	}
	return ""
}

// traceFits refuses more records than the memory, 0 for no limit, has room for.
func (s *session) traceFits(cmd *cobra.Command, f *watchFlags, memory uint64) error {
	workers := s.options.workers
	if workers == 0 {
		workers = goruntime.NumCPU()
	}
	if cmd.Flags().Lookup("workers") == nil {
		workers = 2 // of a pair
	}
	most := memory / traceRecord / uint64(workers)
	if f.trace == "" || memory == 0 || uint64(f.traceEvents) <= most {
		return nil
	}
	return usagef("%s %d: records of %d bytes for each of %d workers do not fit into memory: must be a whole number in 1..%d",
		s.source(cmd, "trace-events"), f.traceEvents, traceRecord, workers, max(most, 1))
}

// notObserved has a command that has no graph of its own refuse the flags of observeFlags,
// with what to use in their place.
func notObserved(cmd *cobra.Command, instead string) {
	fs := cmd.Flags()
	for _, name := range []string{"trace", "trace-events", "trace-flows", "dot", "dot-limit", "stats"} {
		fs.Var(&refused{cmd.Name() + " has no such flag: " + instead}, name, instead)
		flag := fs.Lookup(name)
		flag.Hidden = true
		if name == "stats" || name == "trace-flows" {
			flag.NoOptDefVal = "true"
		}
	}
}

// refused is a flag value that nothing can be.
type refused struct{ why string }

func (v *refused) Set(string) error { return errors.New(v.why) }
func (*refused) Type() string       { return "" }
func (*refused) String() string     { return "" }

// watchSink is fileSink of a flag that may be empty only where it was not given.
func (s *session) watchSink(cmd *cobra.Command, flag, path string) (*sink, error) {
	if path == "" {
		if cmd.Flags().Changed(flag) {
			return nil, usagef(`--%s "": must be a file`, flag)
		}
		return nil, nil
	}
	return fileSink(s.source(cmd, flag), path)
}

type watchKey struct{}

// watchOf returns what observes the runs of a context, nil for nothing.
func watchOf(ctx context.Context) *watch {
	w, _ := ctx.Value(watchKey{}).(*watch)
	return w
}

// observers returns what a run on so many workers is observed by. To draw a graph slows
// its run down: where a trace or statistics are asked for too, only the first run of
// several is drawn.
func (w *watch) observers(workers int) []func(*edt.Worker) edt.Observer {
	if w == nil {
		return nil
	}
	var all []func(*edt.Worker) edt.Observer
	if w.dotFile != nil && (w.graph == nil || w.traceFile == nil && !w.stats) {
		w.graph = taskdot.New(w.dotLimit, sys.Nanotime)
		all = append(all, w.graph.Observe)
	}
	if w.stats {
		w.meter = workspan.New(workers, sys.Cycles, sys.CyclePeriod)
		all = append(all, w.meter.Observe)
	}
	if w.traceFile != nil {
		w.rec = trace.New(workers, trace.Config{Events: w.traceEvents, Flows: w.flows})
		all = append(all, w.rec.Observe)
	}
	return all
}

// options returns the observers as options of a run.
func (w *watch) options(workers int) []runtime.Option {
	var opts []runtime.Option
	for _, o := range w.observers(workers) {
		opts = append(opts, runtime.Observe(o))
	}
	return opts
}

// ended says that a run has ended.
func (w *watch) ended(placement []int, err error) {
	if w == nil {
		return
	}
	w.placement, w.ending = placement, err
	if w.rec != nil {
		w.rec.Stop()
	}
}

// observedRuns is how often a form is run for its observers, before it is measured:
// the first run is cold, and the trace and the statistics tell the second, or the first
// where that fails or is interrupted.
const observedRuns = 2

// observe runs a form for the observers, and writes the files.
func (s *session) observe(ctx context.Context, w *watch, name string, once func(context.Context) error) error {
	if w == nil {
		return nil
	}
	return w.around(ctx, s, name, func(ctx context.Context) error {
		for range observedRuns {
			if err := once(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// around observes the graphs that run makes, and writes the files of the last.
func (w *watch) around(ctx context.Context, s *session, name string, run func(context.Context) error) error {
	if w == nil {
		return run(ctx)
	}
	w.run = name
	err := run(context.WithValue(ctx, watchKey{}, w))
	w.ending = cmp.Or(w.ending, err)
	werr := w.write()
	s.warn(w.notes)
	if err != nil && werr != nil {
		s.warn([]string{werr.Error()})
		return err
	}
	return cmp.Or(err, werr)
}

// write writes the files.
func (w *watch) write() error {
	if w.rec != nil {
		about := trace.About{Process: w.run, Argv: w.argv, CPUs: w.placement}
		if w.ending != nil {
			about.Ending = w.ending.Error()
		}
		if c := w.rec.Counts(); c.Lost() > 0 {
			w.notes = append(w.notes, fmt.Sprintf("trace: the oldest %d records are missing, of workers %s: --trace-events is %d", c.Lost(), lossy(c.Dropped), w.traceEvents))
		}
		if err := w.traceFile.stream(func(out io.Writer) error { return w.rec.Write(out, about) }); err != nil {
			return err
		}
	}
	if w.graph != nil {
		created, drawn := w.graph.Size()
		if created > uint64(drawn) {
			w.notes = append(w.notes, fmt.Sprintf("dot: the first %d of %d EDTs are drawn: --dot-limit", drawn, created))
		}
		if n := w.graph.Dropped(); n > 0 {
			w.notes = append(w.notes, fmt.Sprintf("dot: %d edges are left out", n))
		}
		return w.dotFile.stream(func(out io.Writer) error { return w.graph.Write(out, w.run) })
	}
	return nil
}

// lossy lists the workers that have dropped records.
func lossy(dropped []uint64) string {
	const most = 8
	var list []string
	for k, n := range dropped {
		if n > 0 {
			list = append(list, fmt.Sprint(k))
		}
	}
	if len(list) > most {
		return strings.Join(list[:most], ",") + ",..."
	}
	return strings.Join(list, ",")
}

// noGraph refuses to observe where nothing that runs is a graph.
func (w *watch) noGraph(forms []string) error {
	if w == nil {
		return nil
	}
	return usagef("%s: must be with a form that is a task graph; %s is none", w.asked, strings.Join(forms, ", "))
}

// into adds what was found to a document.
func (w *watch) into(d *report.Document) {
	if w == nil {
		return
	}
	for _, note := range w.notes {
		d.Warn(note)
	}
	d.Stats = w.report()
}
