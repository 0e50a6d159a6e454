package harness

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/report"
	"ocr/internal/sys"
	"ocr/internal/taskdot"
	"ocr/internal/trace"
	"ocr/internal/workspan"
	"ocr/runtime"
)

// A Watch observes runs of a graph: a trace of what each worker did, a drawing of the
// graph, and statistics. Its methods may be called on nil, which observes nothing.
type Watch struct {
	Trace, Dot  *Sink // nil if not asked for
	TraceEvents int   // records that are kept for each worker
	Flows       bool  // arrows in the trace
	DotLimit    int   // EDTs that are drawn
	Stats       bool
	Asked       string // the flag that asks for it, without dashes
	Argv        []string

	run   string // name of what is run
	rec   *trace.Recorder
	graph *taskdot.Graph
	meter *workspan.Meter

	placement []int
	ending    error
	notes     []string
	lost      []error // files that could not be written
}

// notAGraph refuses a flag that needs a task graph.
func notAGraph(flag string, forms []string) error {
	return &trial.ConfigError{Flag: flag, Allowed: fmt.Sprintf("with a form that is a task graph; %s is none", strings.Join(forms, ", "))}
}

// observers returns what a run on so many workers is observed by. To draw a graph slows
// its run down: if a trace or statistics are asked for too, only the first run of several
// is drawn.
func (w *Watch) observers(workers int) []func(*edt.Worker) edt.Observer {
	if w == nil {
		return nil
	}
	var all []func(*edt.Worker) edt.Observer
	if w.Dot != nil && (w.graph == nil || w.Trace == nil && !w.Stats) {
		w.graph = taskdot.New(w.DotLimit, sys.Nanotime)
		all = append(all, w.graph.Observe)
	}
	if w.Stats {
		w.meter = workspan.New(workers, sys.Cycles, sys.CyclePeriod)
		all = append(all, w.meter.Observe)
	}
	if w.Trace != nil {
		w.rec = trace.New(workers, trace.Config{Events: w.TraceEvents, Flows: w.Flows})
		all = append(all, w.rec.Observe)
	}
	return all
}

// options returns the observers as options of a run.
func (w *Watch) options(workers int) []runtime.Option {
	var opts []runtime.Option
	for _, o := range w.observers(workers) {
		opts = append(opts, runtime.Observe(o))
	}
	return opts
}

// ended says that a run has ended.
func (w *Watch) ended(placement []int, err error) {
	if w == nil {
		return
	}
	w.placement, w.ending = placement, err
	if w.rec != nil {
		w.rec.Stop()
	}
}

// abandon says that a run goes on, and nobody waits for its end: what its workers have
// recorded cannot be read.
func (w *Watch) abandon() {
	if w != nil {
		w.rec, w.graph, w.meter = nil, nil, nil
		w.keep(errors.New("--trace, --dot and --stats: nothing was written: EDTs of the observed run were still running"))
	}
}

// around observes the graphs that run makes, and writes the files of the last.
func (w *Watch) around(c *Console, name string, run func() error) error {
	w.run = name
	err := run()
	if w.ending == nil {
		w.ending = err
	}
	w.write()
	c.Warn(w.notes...)
	return err
}

// write writes the files. It keeps the errors for later: results come first.
func (w *Watch) write() {
	if w.rec != nil {
		about := trace.About{Process: w.run, Argv: w.Argv, CPUs: w.placement}
		if w.ending != nil {
			about.Ending = w.ending.Error()
		}
		if c := w.rec.Counts(); c.Lost() > 0 {
			w.notes = append(w.notes, fmt.Sprintf("trace: the oldest %d records are missing, of workers %s: --trace-events is %d", c.Lost(), lossy(c.Dropped), w.TraceEvents))
		}
		w.keep(w.Trace.Stream(func(out io.Writer) error { return w.rec.Write(out, about) }))
	}
	if w.graph != nil {
		created, drawn := w.graph.Size()
		if created > uint64(drawn) {
			w.notes = append(w.notes, fmt.Sprintf("dot: the first %d of %d EDTs are drawn: --dot-limit", drawn, created))
		}
		if n := w.graph.Dropped(); n > 0 {
			w.notes = append(w.notes, fmt.Sprintf("dot: %d edges are left out", n))
		}
		w.keep(w.Dot.Stream(func(out io.Writer) error { return w.graph.Write(out, w.run) }))
	}
}

func (w *Watch) keep(err error) {
	if err != nil {
		w.lost = append(w.lost, err)
	}
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

// into adds what was found to a document.
func (w *Watch) into(d *report.Document) {
	if w == nil {
		return
	}
	for _, note := range w.notes {
		d.Warn(note)
	}
	d.Stats = w.Report()
}
