package synchp2p

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// An App is one problem in a form with EDTs: give Main to runtime.Run, then call Result. It serves one run at a time,
// and may run again.
type App struct {
	cfg    Config
	result Result
	err    error
	graph  *task.Graph // nil except in the recorded form
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App {
	return &App{cfg: cfg, result: Result{Config: cfg}, err: trial.ErrIncomplete}
}

// Result returns what the last run measured. Call it after the run. An error is a [*trial.VerifyError], together with
// the figures, or [trial.ErrIncomplete].
func (a *App) Result() (Result, error) { return a.result, a.err }

// Main returns the body of the main EDT. It creates the P data blocks and the P private blocks, each near the worker
// that uses it, and passes them to realmain, which starts the strips' chains of EDTs. EDT collect runs when
// realmain and all EDTs below it have ended. In the recorded form an EDT that records and runs the graph replaces
// realmain.
//
// Main, collect and the EDT that records run in the App's process. The EDTs of the sweep receive all that they
// use as parameters and blocks, so they may run on any rank.
func (a *App) Main() edt.Func {
	a.err = trial.ErrIncomplete
	return task.Main(func(c *edt.Ctx) {
		a.result, a.err = Result{Config: a.cfg}, trial.ErrIncomplete
		setup, states := task.Make[start](c, a.cfg.Strips)
		var privates []task.Source[private]
		recorded, results := []edt.Source{edt.From(setup.GUID, datablock.RW)}, make([]edt.Source, a.cfg.Strips)
		for strip := range states {
			s := &states[strip]
			s.state = a.cfg.newState(c, strip)
			s.points = task.Reserve[float64](c, a.cfg.GridRows()*s.width, s.place)
			own := task.ReserveHeaded[state, task.Block[buffer]](c, a.cfg.poolBlocks(strip), s.place)
			privates, recorded = append(privates, own.From()), append(recorded, edt.From(own.GUID, datablock.RW))
			results[strip] = edt.From(s.points.GUID, datablock.RO)
		}
		if a.cfg.Form != EDTRecorded {
			linkRing(c, states)
		}
		setup.Release(c)

		swept := task.Once[task.Nothing](c) // its trigger destroys it: so EDT collect is created first
		results = append(append(results, recorded[1:]...), edt.From(swept.GUID, datablock.Null))
		trial.When(c, "synch_p2p.collect", results, a.collect)
		if a.cfg.Form == EDTRecorded {
			trial.When(c, "synch_p2p.record", recorded, a.record(swept))
			return
		}
		realmain.New(c, task.Nothing{}, setup.From(), privates, task.Opt{Output: swept, Finish: true})
	})
}

func (c Config) newState(ctx *edt.Ctx, strip int) state {
	place, toRight := placeOf(ctx, c, strip), placeOf(ctx, c, (strip+1)%c.Strips)
	if toRight == place {
		toRight = 0
	}
	return state{
		strip: strip, strips: c.Strips, width: c.Width(strip), first: c.FirstColumn(strip),
		rowsPerBlock: c.RowsPerBlock, phases: c.Phases, timesteps: c.Timesteps,
		place: place, toRight: toRight, channel: c.Channels, again: c.Form == EDTAgain,
	}
}

// placeOf returns where the EDTs of a strip run. It uses the workers that have a processor of their own.
func placeOf(c *edt.Ctx, cfg Config, strip int) edt.Affinity {
	switch cfg.Place {
	case PlaceBlock:
		return c.Bind(strip * c.Places() / cfg.Strips)
	case PlaceCyclic:
		return c.Bind(strip % c.Places())
	default:
		return edt.Affinity(0)
	}
}

// poolBlocks returns the number of buffers for which a strip's private block has room.
func (c Config) poolBlocks(strip int) int {
	if strip == 0 && !c.Channels {
		return c.Phases
	}
	return 0
}

// linkRing creates the events that bring the first messages, each on the process of the strip that receives it.
func linkRing(c *edt.Ctx, states []start) {
	for strip := range states {
		s, left := &states[strip], &states[(strip+len(states)-1)%len(states)]
		if s.channel { // a strip is at most the phases of one timestep ahead of the next strip
			s.left = task.Channel[buffer](c, s.phases, s.place)
		} else {
			s.left = task.Sticky[buffer](c, s.place)
		}
		left.right = s.left
	}
}

// realmain writes the private blocks, creates strip 0's buffers, and creates the first EDT of each strip: that of strip
// 0 last, as it alone waits for no message.
var realmain = task.DefineN("synch_p2p.realmain",
	func(c *edt.Ctx, _ task.Nothing, setup task.RW[start], privates task.List[task.RW[private]]) {
		for strip := privates.Len() - 1; strip >= 0; strip-- {
			own, begin, first := privates.At(strip), setup.Slice()[strip], task.None[buffer]()
			s, pool := task.Head(own), task.Rest(own)
			*s = begin.state
			for k := range pool {
				pool[k] = s.newBuffer(c)
			}
			switch {
			case strip > 0:
				first = s.left.From()
			case len(pool) > 0:
				first = pool[0].From()
			}
			s.create(c, own, begin.points, first)
		}
		setup.Destroy(c)
	})

func (s *state) newBuffer(c *edt.Ctx) task.Block[buffer] {
	return task.ReserveHeaded[message, float64](c, s.rowsPerBlock+1, s.place)
}

// collect verifies the strips, destroys the remaining objects, and shuts the run down.
func (a *App) collect(c *edt.Ctx, in edt.Args) {
	strips := make([][]float64, a.cfg.Strips)
	for strip := range strips {
		strips[strip] = task.SlotOf[task.RO[float64]](in, strip).Slice()
	}
	first := a.private(in, 0)
	a.result, a.err = a.cfg.finish(task.Head(first).ended-task.Head(first).started, strips)
	for _, b := range task.Rest(first) {
		b.Destroy(c)
	}
	for strip := range strips {
		own := a.private(in, strip)
		if a.cfg.Form != EDTRecorded {
			task.Head(own).right.Destroy(c) // the event of a message that no strip sends
		}
		own.Destroy(c)
		c.DestroyBlock(in.Dep(strip).GUID())
	}
	if a.cfg.Form == EDTRecorded {
		a.graph.Destroy(c)
	}
	c.Shutdown()
}

// private returns a strip's private block. The slots of EDT collect have the strips, then the private blocks.
func (a *App) private(in edt.Args, strip int) task.RW[private] {
	return task.SlotOf[task.RW[private]](in, a.cfg.Strips+strip)
}
