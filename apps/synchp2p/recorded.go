package synchp2p

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// The recorded form: a timestep is a graph of P*W nodes, recorded once and run T times. The node of a strip and phase
// gets the buffer from the node of the strip to the left, and comes after the node of its own strip's phase before.
// There is a buffer for each phase. All nodes of a timestep have ended before the next one begins, so no buffer is in
// two places. The last node leaves the corner in the first strip's private block.
var (
	sweepRecorded = declareSweep("synch_p2p.sweep_recorded")
	lastRecorded  = task.Declare4[task.Nothing, task.RW[float64], task.RW[private], task.RW[buffer], task.RW[private]](
		"synch_p2p.sweep_recorded_last")
)

func init() {
	sweepRecorded.Body(recordedPhase).Template().Describe(describePhase)
	lastRecorded.Body(func(c *edt.Ctx, none task.Nothing, columns task.RW[float64], own task.RW[private],
		received task.RW[buffer], first task.RW[private]) {
		s := task.Head(own)
		recordedPhase(c, none, columns, own, received)
		task.Head(first).corner = task.Rest(received)[s.rowsPerBlock]
		if s.timestep == s.timesteps {
			s.ended = now()
		}
	}).Template().Describe(describePhase)
}

func recordedPhase(_ *edt.Ctx, _ task.Nothing, columns task.RW[float64], own task.RW[private],
	received task.RW[buffer]) {
	s, edge := task.Head(own), task.Rest(received)
	if s.rank == 0 && s.receives() {
		edge[s.rowsPerBlock] = s.corner
	}
	s.sweep(columns.Slice(), edge)
	s.advance()
}

// record is the EDT that writes the ranks' states, and records and runs the graph. Its slots are the setup, and a strip
// and a private block for each rank.
func (a *App) record(swept task.Event[task.Nothing]) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		cfg, g := a.cfg, task.NewGraph(c)
		a.graph = g
		strips, privates := make([]task.Source[float64], cfg.Ranks), make([]task.Source[private], cfg.Ranks)
		pool := privateOf(in, 0)
		for rank := range cfg.Ranks {
			*task.Head(privateOf(in, rank)) = setupOf(in)[rank]
			strips[rank] = task.SourceAt[float64](in, 1+2*rank)
			privates[rank] = task.SourceAt[private](in, 2+2*rank)
		}
		before := make([]task.Node, cfg.Ranks) // the last node of each strip
		for phase := range cfg.Phases {
			made := task.ReserveHeaded[message, float64](c, cfg.RowsPerBlock+1)
			task.Rest(pool)[phase] = made
			message := made.From()
			for rank := range cfg.Ranks {
				var n task.Node3[float64, private, buffer]
				if rank == cfg.Ranks-1 && phase == cfg.Phases-1 {
					n = lastRecorded.Add(g, task.Nothing{}, strips[rank], privates[rank], message, privates[0]).Node3
				} else {
					n = sweepRecorded.Add(g, task.Nothing{}, strips[rank], privates[rank], message)
				}
				n.SetHint(edt.Hint{Affinity: setupOf(in)[rank].place})
				n.After(before[rank])
				before[rank], message = n.Node, n.Pass2()
			}
		}
		c.DestroyBlock(in.Dep(0).GUID())
		for rank := range cfg.Ranks {
			privateOf(in, rank).Release(c) // the graph's nodes see what was written before
		}
		g.Run(c, cfg.Timesteps, swept)
		return guid.Null
	}
}

func setupOf(in edt.Args) []rankState { return task.SlotOf[task.RW[rankState]](in, 0).Slice() }

func privateOf(in edt.Args, rank int) task.RW[private] {
	return task.SlotOf[task.RW[private]](in, 2+2*rank)
}
