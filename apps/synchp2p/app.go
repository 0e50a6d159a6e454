package synchp2p

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// An App is one run of the EDT form: give Main to runtime.Run, then call Result. It serves one run at a time, and may
// run again.
type App struct {
	cfg    Config
	result Result
	err    error
	graph  *task.Graph // of the recorded form
}

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App {
	return &App{cfg: cfg, result: Result{Config: cfg}, err: trial.ErrIncomplete}
}

// Result returns what the last run measured. Call it after the run. An error is a [*trial.VerifyError], together with
// the figures, or [trial.ErrIncomplete].
func (a *App) Result() (Result, error) { return a.result, a.err }

// Main returns the body of the main EDT. It creates the P data blocks and the P private blocks, each near the worker
// that uses it, and passes them to realmain, which starts the ranks. The collector waits until realmain and all EDTs
// below it have ended. In the recorded form an EDT that records and runs the graph replaces realmain.
//
// Main, the collector and the EDT that records run in the App's process. The EDTs of the sweep receive all that they
// use as parameters and blocks, so they may run on any rank of the runtime.
func (a *App) Main() edt.Func {
	return task.Main(func(c *edt.Ctx) {
		a.result, a.err = Result{Config: a.cfg}, trial.ErrIncomplete
		setup, states := task.Make[start](c, a.cfg.Ranks)
		var privates []task.Source[private]
		recorded, results := []edt.Source{edt.From(setup.GUID, datablock.RW)}, make([]edt.Source, a.cfg.Ranks)
		for rank := range states {
			s := &states[rank]
			s.state = a.cfg.newState(c, rank)
			s.strip = task.Reserve[float64](c, a.cfg.GridRows()*s.width, s.place)
			own := task.ReserveHeaded[state, task.Block[buffer]](c, a.cfg.poolBlocks(rank), s.place)
			privates, recorded = append(privates, own.From()), append(recorded, edt.From(own.GUID, datablock.RW))
			results[rank] = edt.From(s.strip.GUID, datablock.RO)
		}
		if a.cfg.Clone != CloneRecorded {
			linkRing(c, states)
		}
		setup.Release(c)

		swept := task.Once[task.Nothing](c) // its trigger destroys it: the collector is created before
		results = append(append(results, recorded[1:]...), edt.From(swept.GUID, datablock.Null))
		trial.When(c, "synch_p2p.collect", results, a.collect)
		if a.cfg.Clone == CloneRecorded {
			trial.When(c, "synch_p2p.record", recorded, a.record(swept))
			return
		}
		realmain.New(c, task.Nothing{}, setup.From(), privates, task.Opt{Output: swept, Finish: true})
	})
}

func (c Config) newState(ctx *edt.Ctx, rank int) state {
	place, toRight := placeOf(ctx, c, rank), placeOf(ctx, c, (rank+1)%c.Ranks)
	if toRight == place {
		toRight = 0
	}
	return state{
		rank: rank, ranks: c.Ranks, width: c.Width(rank), first: c.FirstColumn(rank),
		rowsPerBlock: c.RowsPerBlock, phases: c.Phases, timesteps: c.Timesteps,
		place: place, toRight: toRight, channel: c.Channels, again: c.Clone == CloneAgain,
	}
}

// placeOf returns where the EDTs of a rank run. It uses the workers that have a processor of their own.
func placeOf(c *edt.Ctx, cfg Config, rank int) edt.Affinity {
	switch cfg.Place {
	case PlaceBlock:
		return c.Bind(rank * c.Places() / cfg.Ranks)
	case PlaceCyclic:
		return c.Bind(rank % c.Places())
	default:
		return edt.Affinity(0)
	}
}

// poolBlocks returns the number of buffers for which a rank's private block has room.
func (c Config) poolBlocks(rank int) int {
	if rank == 0 && !c.Channels {
		return c.Phases
	}
	return 0
}

// linkRing creates the events that bring the first messages: each on the process of the rank that receives the message.
func linkRing(c *edt.Ctx, states []start) {
	for rank := range states {
		s, left := &states[rank], &states[(rank+len(states)-1)%len(states)]
		if s.channel { // a rank is never more than the phases of one timestep ahead of the next
			s.left = task.Channel[buffer](c, s.phases, s.place)
		} else {
			s.left = task.Sticky[buffer](c, s.place)
		}
		left.right = s.left
	}
}

// realmain writes the private blocks and rank 0's buffers, and creates the first EDT of each rank: rank 0's last, as it
// alone waits for no message.
var realmain = task.DefineN("synch_p2p.realmain",
	func(c *edt.Ctx, _ task.Nothing, setup task.RW[start], privates task.List[task.RW[private]]) {
		for rank := privates.Len() - 1; rank >= 0; rank-- {
			own, begin, first := privates.At(rank), setup.Slice()[rank], task.None[buffer]()
			s, pool := task.Head(own), task.Rest(own)
			*s = begin.state
			for k := range pool {
				pool[k] = s.newBuffer(c)
			}
			switch {
			case rank > 0:
				first = s.left.From()
			case len(pool) > 0:
				first = pool[0].From()
			}
			s.create(c, own, begin.strip, first)
		}
		setup.Destroy(c)
	})

func (s *state) newBuffer(c *edt.Ctx) task.Block[buffer] {
	return task.ReserveHeaded[message, float64](c, s.rowsPerBlock+1, s.place)
}

// collect verifies the strips, destroys the remaining objects, and shuts the run down.
func (a *App) collect(c *edt.Ctx, in edt.Args) {
	strips := make([][]float64, a.cfg.Ranks)
	for rank := range strips {
		strips[rank] = task.SlotOf[task.RO[float64]](in, rank).Slice()
	}
	first := a.private(in, 0)
	a.result, a.err = a.cfg.finish(task.Head(first).ended-task.Head(first).started, strips)
	for _, b := range task.Rest(first) {
		b.Destroy(c)
	}
	for rank := range strips {
		own := a.private(in, rank)
		if a.cfg.Clone != CloneRecorded {
			task.Head(own).right.Destroy(c) // of a message that no rank will send
		}
		own.Destroy(c)
		c.DestroyBlock(in.Dep(rank).GUID())
	}
	if a.cfg.Clone == CloneRecorded {
		a.graph.Destroy(c)
	}
	c.Shutdown()
}

// private returns a rank's private block. The collector's slots have the strips, then the private blocks.
func (a *App) private(in edt.Args, rank int) task.RW[private] {
	return task.SlotOf[task.RW[private]](in, a.cfg.Ranks+rank)
}
