package testbed

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/report"
	"ocr/internal/workspan"
	"ocr/observe"
	"ocr/observe/stats"
	"ocr/runtime"
)

// A Watch observes runs of a graph: a trace of what each worker did, a drawing of the
// graph, and statistics. Its methods may be called on nil, which observes nothing.
type Watch struct {
	Trace       *Sink // nil if not asked for
	Drawings    Drawings
	TraceEvents int  // records that are kept for each worker
	Flows       bool // arrows in the trace
	Limit       int  // EDTs that are drawn
	Stats       bool
	Asked       string // the flag that asks for it, without dashes

	run   string // name of what is run
	trace *observe.Trace
	graph *observe.Graph
	stats *observe.Stats

	ending error
	notes  []string
	lost   []error // files that could not be written
}

// An observer is one of package observe.
type observer interface {
	Option() runtime.Option
	Observe(w *edt.Worker) edt.Observer
	End(runtime.Report, error)
}

// Drawings are files for drawings of the graph; nil for those that are not asked for.
type Drawings struct{ Dot, Graph *Sink }

// notAGraph refuses a flag that needs a task graph.
func notAGraph(flag string, forms []string) error {
	return &trial.ConfigError{Flag: flag, Allowed: fmt.Sprintf("with a form that is a task graph; %s is none", strings.Join(forms, ", "))}
}

// observers returns what a run is observed by. To draw a graph slows
// its run down: if a trace or statistics are asked for too, only the first run of several
// is drawn.
func (w *Watch) observers() (all []observer) {
	if w == nil {
		return nil
	}
	if w.Drawings != (Drawings{}) && (w.graph == nil || w.Trace == nil && !w.Stats) {
		w.graph = &observe.Graph{Title: w.run, Limit: w.Limit}
		all = append(all, w.graph)
	}
	if w.Stats {
		w.stats = &observe.Stats{Title: w.run}
		all = append(all, w.stats)
	}
	if w.Trace != nil {
		w.trace = &observe.Trace{Title: w.run, Events: w.TraceEvents, NoArrows: !w.Flows}
		all = append(all, w.trace)
	}
	return all
}

// options returns the observers as options of a run.
func (w *Watch) options() []runtime.Option {
	var opts []runtime.Option
	for _, o := range w.observers() {
		opts = append(opts, o.Option())
	}
	return opts
}

// ended says how a run has ended.
func (w *Watch) ended(err error) {
	if w != nil {
		w.ending = err
	}
}

// abandon says that a run goes on, and nobody waits for its end: what its workers have
// recorded cannot be read.
func (w *Watch) abandon() {
	if w != nil {
		w.trace, w.graph, w.stats = nil, nil, nil
		w.keep(errors.New("--trace, --dot, --graph and --stats: nothing was written: EDTs of the observed run were still running"))
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
	if w.trace != nil {
		if missing := w.trace.Missing(); slices.ContainsFunc(missing, func(n uint64) bool { return n > 0 }) {
			w.notes = append(w.notes, fmt.Sprintf("trace: the oldest %d records are missing, of workers %s: --trace-events is %d", sum(missing), lossy(missing), w.TraceEvents))
		}
		w.keep(w.Trace.Stream(w.trace.Write))
	}
	if w.graph != nil {
		created, drawn := w.graph.Size()
		if created > uint64(drawn) {
			w.notes = append(w.notes, fmt.Sprintf("drawing: the first %d of %d EDTs are drawn: --dot-limit", drawn, created))
		}
		if n := w.graph.Dropped(); n > 0 {
			w.notes = append(w.notes, fmt.Sprintf("drawing: %d edges are left out", n))
		}
		w.draw(w.Drawings.Dot, w.graph.WriteDOT)
		w.draw(w.Drawings.Graph, w.graph.WriteDepth)
	}
}

func (w *Watch) draw(file *Sink, write func(io.Writer) error) {
	if file != nil {
		w.keep(file.Stream(write))
	}
}

func (w *Watch) keep(err error) {
	if err != nil && !errors.Is(err, observe.ErrNoRun) {
		w.lost = append(w.lost, err)
	}
}

func sum(list []uint64) (sum uint64) {
	for _, n := range list {
		sum += n
	}
	return sum
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

// observedStats is the member stats of a document in JSON.
type observedStats struct {
	Run    string `json:"run"`
	Ending string `json:"ending,omitempty"` // why the run was interrupted
	stats.Result
}

// Report returns what --stats reports; nil if it was not asked for or nothing ran.
func (w *Watch) Report() *report.Stats {
	if w == nil || w.stats == nil {
		return nil
	}
	value := observedStats{Run: w.run, Result: w.stats.Result()}
	title := "one run of " + w.run + ", observed"
	if w.ending != nil {
		value.Ending = w.ending.Error()
		title += " until it was interrupted"
	}
	return &report.Stats{Value: value, Sections: workspan.Sections(title, &value.Result)}
}
