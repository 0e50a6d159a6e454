package observe

import (
	"io"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/watch/taskdot"
	"ocr/runtime"
)

// DefaultLimit is how many EDTs of a [Graph] are drawn by default: 2000.
const DefaultLimit = taskdot.DefaultLimit

// A Graph records the task graph that a run has executed: its EDTs, and which EDT created or satisfied which. One run
// at a time can use it.
type Graph struct {
	Title string // "" for the program's name
	Limit int    // EDTs that are drawn, the first that are created; 0 for DefaultLimit

	runs recording[taskdot.Graph]
}

// Option returns the option that records a run's graph.
func (g *Graph) Option() runtime.Option {
	return g.runs.option("observe.Graph", runtime.Observe(g.Observe), g.End)
}

// Observe returns the observer of a worker. It is for hosts other than package runtime, such as edttest; for runtime
// use Option.
func (g *Graph) Observe(w *edt.Worker) edt.Observer {
	return g.runs.begin(w, func(int) *taskdot.Graph {
		limit := g.Limit
		if limit <= 0 {
			limit = DefaultLimit
		}
		return taskdot.New(limit, sys.Nanotime)
	}).Observe(w)
}

// End tells the Graph that the run has ended. Hosts other than package runtime call it.
func (g *Graph) End(runtime.Report, error) {
	if g.runs.now != nil {
		g.runs.end()
	}
}

// Size returns how many EDTs the latest ended run has created, and how many of them are drawn.
func (g *Graph) Size() (created uint64, drawn int) {
	if g.runs.latest == nil {
		return 0, 0
	}
	return g.runs.latest.Size()
}

// WriteDOT draws the graph of the latest ended run, in Graphviz's language.
func (g *Graph) WriteDOT(w io.Writer) error {
	if g.runs.latest == nil {
		return ErrNoRun
	}
	return g.runs.latest.Write(w, titled(g.Title))
}
