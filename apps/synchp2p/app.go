package synchp2p

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// An App is one run of the EDT form: give Main to runtime.Run, then ask for the Result. It serves one run at a time
// and may be run again.
type App struct {
	cfg     Config
	done    bool
	graph   *task.Graph // of the recorded form
	outcome outcome
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App { return &App{cfg: cfg} }

// Result returns what the last run measured. It is called after the run. An error is a [*trial.VerifyError], beside
// the figures, or [trial.ErrIncomplete].
func (a *App) Result() (Result, error) {
	if !a.done {
		return Result{Config: a.cfg}, trial.ErrIncomplete
	}
	return a.cfg.finish(a.outcome)
}

// Main returns the main EDT. It creates the P data blocks and the P private blocks, each near the worker that uses it,
// and passes them to realmain, which starts the ranks. The collector waits until realmain and all that it started have
// ended, and deliver waits for the collector's block. In the recorded form an EDT that records and runs the graph is in
// the place of realmain.
//
// Main and deliver run where the App is. The EDTs between them get all they need as parameters and blocks, so they
// may run anywhere.
func (a *App) Main() edt.Func {
	return task.Main(func(c *edt.Ctx) {
		a.done = false
		cfg := a.cfg
		var strips []task.Source[float64]
		var privates []task.Source[private]
		setup, states := task.Make[rankState](c, cfg.Ranks)
		recorded := []edt.Source{edt.From(setup.GUID, datablock.RW)}
		for rank := range cfg.Ranks {
			s := cfg.newState(c, rank)
			states[rank] = s
			strip := task.Reserve[float64](c, cfg.GridRows()*cfg.Width(rank), s.place)
			own := task.ReserveHeaded[rankState, task.Block[buffer]](c, cfg.poolBlocks(rank), s.place)
			strips, privates = append(strips, strip.From()), append(privates, own.From())
			recorded = append(recorded, edt.From(strip.GUID, datablock.Null), edt.From(own.GUID, datablock.RW))
		}
		if cfg.Clone != CloneRecorded {
			linkRing(c, states)
		}
		setup.Release(c)

		// A once event is gone when it triggers: all EDTs that wait for one are created before.
		swept, result := task.Once[task.Nothing](c), task.Once[outcome](c)
		deliver := c.NewTemplate("synch_p2p.deliver", 0, 1, a.deliver)
		c.NewEDT(deliver, nil, edt.From(result.GUID, datablock.RO))
		c.DestroyTemplate(deliver)
		collector.New(c, result, swept.From(), strips, privates)
		if cfg.Clone == CloneRecorded {
			record := c.NewTemplate("synch_p2p.record", 0, len(recorded), a.record(swept))
			c.NewEDT(record, nil, recorded...)
			c.DestroyTemplate(record)
			return
		}
		realmain.NewWith(c, task.Opt{Output: swept, Finish: true}, task.Nothing{}, setup.From(), strips, privates)
	})
}

// deliver hands the outcome to the host: the only EDT that writes memory of Go. So its template is not registered,
// but belongs to the run.
func (a *App) deliver(c *edt.Ctx, in edt.Args) guid.GUID {
	block := in.Dep(0)
	a.outcome, a.done = *outcomeView.At(block), true
	if a.graph != nil {
		a.graph.Destroy(c)
		a.graph = nil
	}
	c.DestroyBlock(block.GUID())
	c.Shutdown()
	return guid.Null
}
