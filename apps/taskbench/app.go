package taskbench

import (
	"time"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An App is one Config in the EDT form: give Main to runtime.Run, then call Result. It serves one run at a time, and
// may run again.
//
// Concurrency: only main and EDT collect write the fields.
type App struct {
	cfg   Config
	clock trial.Clock
	began int64 // when main began
	build time.Duration
}

// A Result is the result of one run of the EDT form.
type Result struct {
	// Elapsed is the time from the creation of the first EDT to the end of the last task.
	Elapsed time.Duration
	// Build is the time before Elapsed, in which the columns' blocks and the recorded graph are made.
	Build time.Duration
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App { return &App{cfg: cfg.numbered()} }

// Result returns what the last run measured. Call it after the run. The error is [trial.ErrIncomplete] if the run ended
// before its last task.
func (a *App) Result() (Result, error) {
	r := Result{Build: a.build, Elapsed: a.clock.Elapsed()}
	if !a.clock.Ended() {
		return r, trial.ErrIncomplete
	}
	return r, nil
}

// Main returns the main EDT. It creates the graphs' blocks and the first EDTs of every column, and starts the columns;
// EDT collect runs when all have ended. A task that finds a wrong input fails with a [*trial.VerifyError].
func (a *App) Main() edt.Func {
	a.clock = trial.Clock{}
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.clock, a.began = trial.Clock{}, trial.Now()
		var graphs []*graph
		ends := 0
		for _, cfg := range a.cfg.Graphs {
			g := newGraph(c, cfg, a.cfg.Place, a.cfg.Verify)
			graphs = append(graphs, g)
			ends += g.ends()
		}
		ended := c.NewLatch(int64(ends))
		for _, g := range graphs {
			g.ended = ended
		}
		if c.Ranks() > 1 && !a.cfg.Recorded {
			a.prepareRanks(c, graphs)
		} else {
			a.begin(c, graphs)
		}
		return guid.Null
	}
}

// begin makes the rest of the graphs and starts them, when all ranks are ready.
func (a *App) begin(c *edt.Ctx, graphs []*graph) {
	for _, g := range graphs {
		g.make(c)
	}
	trial.When(c, "taskbench.collect", []edt.Source{edt.From(graphs[0].ended, datablock.Null)},
		func(c *edt.Ctx, _ edt.Args) { a.collect(c, graphs) })
	a.build = time.Duration(trial.Now() - a.began)
	a.clock.Begin()
	for _, g := range graphs {
		g.launch(c)
	}
}

// collect is the last EDT: it stops the clock and destroys the remaining objects.
func (a *App) collect(c *edt.Ctx, graphs []*graph) {
	a.clock.End()
	for _, g := range graphs {
		g.destroy(c)
	}
	c.Shutdown()
}
