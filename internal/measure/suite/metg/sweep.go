package metg

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ocr/apps/taskbench"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed/taskgraph"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// A sweep is one type in one form.
type sweep struct {
	pattern taskbench.Pattern
	form    Form
	app     taskbench.Config // without iterations
	points  []*point         // by falling size
}

// A point is a size of a sweep and its results.
type point struct {
	name   string
	app    taskbench.Config
	totals taskbench.Totals
	series bench.Series // ns/task and flop/s; empty if it was not measured
}

// point returns a point of a sweep with this number of iterations a task and of timesteps.
func (r *run) point(w *sweep, iterations int64, steps int) *point {
	p := &point{name: r.name(w, fmt.Sprintf("iter=%d", iterations)), app: w.app}
	p.app.Graphs = slices.Clone(w.app.Graphs)
	p.app.Graphs[0].Kernel.Iterations, p.app.Graphs[0].Steps = iterations, steps
	p.totals = p.app.Totals()
	return p
}

func (r *run) once(form Form, p *point) func(context.Context) (time.Duration, error) {
	switch form {
	case MPI, OMP:
		return r.ask(form, p)
	case Floor:
		return taskgraph.Floor(r.pool, p.app)
	}
	app := p.app
	app.Recorded = form == Recorded
	return func(ctx context.Context) (time.Duration, error) {
		a, graph := taskbench.New(app), new(runtime.Report)
		if form == EDT || !slices.Contains(r.cfg.Forms, EDT) {
			graph = r.graph
		}
		if err := r.bed.RunOn(ctx, r.pool, a.Main(), graph, "taskbench"); err != nil {
			return 0, err
		}
		result, err := a.Result()
		return result.Elapsed, err
	}
}

func (p *point) rate() bench.Summary { return p.series.Metrics.Summary("flop/s") }

// repetitions returns the number of samples that every size has at least.
func (w *sweep) repetitions() int {
	n := 0
	for k, p := range w.points {
		if runs := len(p.series.Runs); k == 0 || runs < n {
			n = runs
		}
	}
	return n
}

// measured reports whether a size has a sample.
func (w *sweep) measured() bool {
	return slices.ContainsFunc(w.points, func(p *point) bool { return len(p.series.Runs) > 0 })
}

// finding returns METG for a percentage of a peak in flop/s.
func (w *sweep) finding(percent int, peak float64) finding {
	var sweeps []estimate
	back, efficiency := 0, float64(percent)/100
	for i := range w.repetitions() {
		var c curve
		for _, p := range w.points {
			m := p.series.Metrics
			c = append(c, reading{m.Samples("ns/task")[i], m.Samples("flop/s")[i] / peak})
		}
		sweeps = append(sweeps, c.metg(efficiency))
		if c.crossings(efficiency) > 1 {
			back++
		}
	}
	f := combine(sweeps)
	f.back = back
	return f
}

// like reports whether two sweeps, of two runs, are of one type in one form.
func (w *sweep) like(o *sweep) bool { return w.pattern == o.pattern && w.form == o.form }

// labels are facts about a sweep's result for programs.
func (w *sweep) labels() report.Config {
	return report.Settings("type", w.pattern.String(), "form", string(w.form))
}
