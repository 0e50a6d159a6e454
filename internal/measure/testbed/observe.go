package testbed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"ocr/internal/show/report"
	"ocr/internal/watch/workspan"
	"ocr/observe"
	"ocr/observe/stats"
	"ocr/runtime"
)

// A Watch observes runs of a graph: a trace of the workers, the graph, and statistics.
type Watch struct {
	Trace, Graph *Sink // nil if not asked for
	Stats        bool  // statistics are asked for

	run   string // name of the observed form
	trace *observe.Trace
	graph *observe.Graph
	stats *observe.Stats

	ending error
	notes  []string
}

// options returns the options for the observers of a run. Recording a graph slows the run down: with a trace or
// statistics, only the first of several runs records the graph.
func (w *Watch) options() (all []runtime.Option) {
	if w.Stats {
		w.stats = &observe.Stats{Title: w.run}
		all = append(all, w.stats.Option())
	}
	if w.Trace != nil {
		w.trace = &observe.Trace{Title: w.run, RankFiles: w.Trace.File()}
		all = append(all, w.trace.Option())
	}
	if w.Graph != nil && (w.graph == nil || w.Trace == nil && !w.Stats) {
		w.graph = &observe.Graph{Title: w.run}
		all = append(all, w.graph.Option())
	}
	return all
}

// Asked returns a flag that asks for observation, without dashes; "" if there is none.
func (w *Watch) Asked() string {
	switch {
	case w.Trace != nil:
		return "trace"
	case w.Graph != nil:
		return "graph"
	case w.Stats:
		return "stats"
	}
	return ""
}

// around calls run, whose graphs are observed, and writes the files.
func (w *Watch) around(c *Console, name string, run func() error) error {
	w.run = name
	w.ending = run()
	err := errors.Join(w.ending, w.write())
	c.Warn(w.notes...)
	return err
}

func (w *Watch) write() (err error) {
	note := func(format string, args ...any) { w.notes = append(w.notes, fmt.Sprintf(format, args...)) }
	if w.trace != nil {
		missing := uint64(0)
		for _, n := range w.trace.Missing() {
			missing += n
		}
		if missing > 0 {
			note("trace: the oldest %d records are missing", missing)
		}
		err = w.Trace.Stream(w.trace.Write)
	}
	if w.graph != nil {
		if created, drawn := w.graph.Size(); created > uint64(drawn) {
			note("drawing: the first %d of %d EDTs are drawn", drawn, created)
		}
		err = errors.Join(err, w.Graph.Stream(w.writeGraph))
	}
	if errors.Is(err, observe.ErrNoRun) { // the error of the run says why
		return nil
	}
	return err
}

// writeGraph writes the graph in Graphviz's language, or Graphviz's drawing of it, as SVG.
func (w *Watch) writeGraph(to io.Writer) error {
	if !w.Graph.Drawn() {
		return w.graph.WriteDOT(to)
	}
	var text, said bytes.Buffer
	if err := w.graph.WriteDOT(&text); err != nil {
		return err
	}
	dot := exec.Command("dot", "-Tsvg")
	dot.Stdin, dot.Stdout, dot.Stderr = &text, to, &said
	if err := dot.Run(); err != nil {
		return fmt.Errorf("dot: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}

func (w *Watch) into(d *report.Document) {
	for _, note := range w.notes {
		d.Warn(note)
	}
	d.Stats, d.StatsText = w.Figures()
}

// observedStats is the member stats of a document in JSON.
type observedStats struct {
	Run    string `json:"run"`
	Ending string `json:"ending,omitempty"` // why the run was interrupted
	stats.Result
}

// Figures returns the statistics of --stats, for JSON and as text; nil if they were not asked for or nothing ran.
func (w *Watch) Figures() (any, []report.Section) {
	if w == nil || w.stats == nil {
		return nil, nil
	}
	value := observedStats{Run: w.run, Result: w.stats.Result()}
	title := "one run of " + w.run + ", observed"
	if w.ending != nil {
		value.Ending = w.ending.Error()
		title += " until it was interrupted"
	}
	return value, workspan.Sections(title, &value.Result)
}
