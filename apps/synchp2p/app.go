package synchp2p

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// An App is one run of the EDT form: give Main to runtime.Run, then ask for the
// Result. It serves one run at a time and may be run again.
type App struct {
	cfg     Config
	done    bool
	outcome outcome
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App { return &App{cfg: cfg} }

// Result returns what the last run measured. It is called after the run. An error is a
// [*trial.VerifyError], beside the figures, or [trial.ErrIncomplete].
func (a *App) Result() (Result, error) {
	if !a.done {
		return Result{Config: a.cfg}, trial.ErrIncomplete
	}
	return a.cfg.finish(a.outcome)
}

// Main returns the main EDT. It creates the P data blocks, the P private blocks and the
// first buffer, and passes them to realmain. The collector waits until realmain and all
// that it started have ended, and deliver waits for the collector's block.
//
// Main and deliver run where the App is. The EDTs between them get all they need as
// parameters and blocks, so they may run anywhere.
func (a *App) Main() edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.done = false
		cfg, ranks := a.cfg, a.cfg.Ranks
		var blocks []edt.Source
		for rank := range ranks {
			strip := c.NewBlockNoAcquire(pointSize * cfg.GridRows() * cfg.Width(rank))
			blocks = append(blocks, edt.From(strip, datablock.RW))
		}
		for rank := range ranks {
			state := c.NewBlockNoAcquire(cfg.stateBytes(rank))
			blocks = append(blocks, edt.From(state, datablock.RW))
		}

		// An output event is gone once it has triggered: the buffer's slot stays open
		// until all that waits is there.
		ring, swept := c.Spawn(realmain, &edt.Spec{
			Params: cfg.params(), Deps: append(blocks[:2*ranks:2*ranks], edt.Open), Output: true, Finish: true,
		})
		_, outcome := c.Spawn(collector, &edt.Spec{
			Params: cfg.params(), Deps: append(blocks, edt.From(swept, datablock.Null)), Output: true,
		})
		deliver := c.NewTemplate("synch_p2p.deliver", 0, 1, a.deliver)
		c.NewEDT(deliver, nil, edt.From(outcome, datablock.RO))
		c.DestroyTemplate(deliver)

		buffer := guid.Null
		if cfg.Events == EventsSticky {
			buffer = c.NewBlockNoAcquire(bufferBytes(cfg.RowsPerBlock))
		}
		c.AddDependence(buffer, ring, 2*ranks, datablock.RW)
		return guid.Null
	}
}

// deliver hands the outcome to the host: the only EDT that writes memory of Go.
func (a *App) deliver(c *edt.Ctx, in edt.Args) guid.GUID {
	block := in.Dep(0)
	a.outcome, a.done = *outcomeView.At(block), true
	c.DestroyBlock(block.GUID())
	c.Shutdown()
	return guid.Null
}

var collector = edt.NewTemplate("synch_p2p.collect", numParams, edt.Unknown, collect)

// collect puts the results of the strips (slots 0 to P-1) and the private blocks (P to
// 2P-1) into a block, which it passes on, and destroys what is left.
func collect(c *edt.Ctx, in edt.Args) guid.GUID {
	cfg := configFrom(in)
	ranks := cfg.Ranks
	head, last := in.Dep(ranks), rankView.At(in.Dep(2*ranks-1))
	h := headView.At(head)

	block, bytes := c.NewBlock(outcomeView.Size())
	o := outcomeView.Of(bytes)
	*o = outcome{elapsed: last.ended - h.started, corners: h.corners}
	strip := datablock.Slice[float64](in.Dep(ranks - 1))
	o.corners.note(strip[len(strip)-1])
	cfg.checkGrid(o, func(rank int) []float64 { return datablock.Slice[float64](in.Dep(rank)) })

	// Each link's event for a message that will not be sent, and what the last
	// message to rank 0 came with.
	for rank := range ranks {
		c.DestroyEvent(rankView.At(in.Dep(ranks + rank)).right)
	}
	if cfg.Events == EventsChannel {
		c.DestroyBlock(last.sent)
	} else {
		c.DestroyEvent(h.left)
		for k := range h.phases {
			c.DestroyBlock(*poolEntry(head, k))
		}
	}
	for _, spent := range in.Deps()[:2*ranks] {
		c.DestroyBlock(spent.GUID())
	}
	return block
}
