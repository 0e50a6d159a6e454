package synchp2p

import (
	"time"

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
	elapsed time.Duration
	corners cornerLog
	grid    []float64
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App { return &App{cfg: cfg} }

// Result returns what the last run measured. It is called after the run, and does
// the verification that is not part of it: an error is a [*trial.VerifyError], beside
// the figures, or [trial.ErrIncomplete].
func (a *App) Result() (Result, error) {
	if !a.done {
		return Result{Config: a.cfg}, trial.ErrIncomplete
	}
	return a.cfg.finish(a.elapsed, a.corners, a.grid)
}

// Main returns the main EDT. It creates the P data blocks, the P private blocks
// and the first buffer, and passes them to realmain; the collector waits until
// realmain and all that it started have ended.
func (a *App) Main() edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		a.done, a.grid = false, nil
		cfg := a.cfg
		var blocks []edt.Source
		for rank := range cfg.Ranks {
			strip := c.NewBlockNoAcquire(pointSize * cfg.GridRows() * cfg.Width(rank))
			blocks = append(blocks, edt.From(strip, datablock.RW))
		}
		for rank := range cfg.Ranks {
			state := c.NewBlockNoAcquire(cfg.stateBytes(rank))
			blocks = append(blocks, edt.From(state, datablock.RW))
		}

		// realmain's output event is gone once it has triggered. The buffer's
		// slot stays open until the collector waits for it.
		task, finished := c.Spawn(realmain, &edt.Spec{
			Params: cfg.params(), Deps: append(blocks[:len(blocks):len(blocks)], edt.Open),
			Output: true, Finish: true,
		})
		collect := c.NewTemplate("synch_p2p.collect", 0, 2*cfg.Ranks+1, a.collect)
		c.NewEDT(collect, nil, append(blocks, edt.From(finished, datablock.Null))...)
		c.DestroyTemplate(collect)

		buffer := guid.Null
		if cfg.Events == EventsSticky {
			buffer = c.NewBlockNoAcquire(bufferBytes(cfg.RowsPerBlock))
		}
		c.AddDependence(buffer, task, 2*cfg.Ranks, datablock.RW)
		return guid.Null
	}
}

// collect is the body of the last EDT: it takes the results out of the strips
// (slots 0 to P-1) and private blocks (P to 2P-1), and destroys what is left.
func (a *App) collect(c *edt.Ctx, in edt.Args) guid.GUID {
	ranks := a.cfg.Ranks
	head, last := in.Dep(ranks), rankView.At(in.Dep(2*ranks-1))
	h := headView.At(head)
	strip := datablock.Slice[float64](in.Dep(ranks - 1))
	h.corners.note(strip[len(strip)-1])
	a.corners, a.elapsed = h.corners, time.Duration(last.ended-h.started)
	if a.grid = a.cfg.newGrid(); a.grid != nil {
		for rank := range ranks {
			a.cfg.gather(a.grid, datablock.Slice[float64](in.Dep(rank)), rank)
		}
	}

	// Each link's event for a message that will not be sent, and what the last
	// message to rank 0 came with.
	for rank := range ranks {
		c.DestroyEvent(rankView.At(in.Dep(ranks + rank)).right)
	}
	if a.cfg.Events == EventsChannel {
		c.DestroyBlock(last.sent)
	} else {
		c.DestroyEvent(h.left)
		for k := range h.phases {
			c.DestroyBlock(*poolEntry(head, k))
		}
	}
	for _, block := range in.Deps()[:2*ranks] {
		c.DestroyBlock(block.GUID())
	}
	a.done = true
	c.Shutdown()
	return guid.Null
}
