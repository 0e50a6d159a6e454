package synchp2p

import (
	"ocr/edt"
	"ocr/task"
)

// The recorded form: a timestep is a graph of P*W nodes, recorded once and run T times; its edges are the links. The
// node of a strip and phase gets the buffer from the left strip's node of the same phase, and runs after its strip's
// node of the phase before. Each phase has one buffer. A timestep begins when all nodes of the timestep before have
// ended, so no two nodes use a buffer at a time. The last node writes the corner to the first strip's private block.
var (
	sweepRecorded = declareSweep("synch_p2p.sweep_recorded")
	lastRecorded  = task.Declare4[task.Nothing, task.RW[float64], task.RW[private], task.RW[buffer], task.RW[private]](
		"synch_p2p.sweep_recorded_last")
)

func init() {
	sweepRecorded.Body(recordedPhase).Template().Describe(describePhase)
	lastRecorded.Body(func(c *edt.Ctx, none task.Nothing, columns task.RW[float64], own task.RW[private],
		received task.RW[buffer], first task.RW[private]) {
		s, zero := task.Head(own), task.Head(first)
		recordedPhase(c, none, columns, own, received)
		if zero.corner = task.Rest(received)[s.rowsPerBlock]; s.timestep == s.timesteps {
			zero.ended = now()
		}
	}).Template().Describe(describePhase)
}

func recordedPhase(_ *edt.Ctx, _ task.Nothing, columns task.RW[float64], own task.RW[private],
	received task.RW[buffer]) {
	s, edge := task.Head(own), task.Rest(received)
	if s.strip == 0 && s.receives() {
		edge[s.rowsPerBlock] = s.corner
	}
	s.sweep(columns.Slice(), edge)
	s.advance()
}

// record returns the body of the EDT that writes the private blocks, and records and runs the graph. Its slots are the
// setup, and each strip's private block.
func (a *App) record(swept task.Event[task.Nothing]) func(c *edt.Ctx, in edt.Args) {
	return func(c *edt.Ctx, in edt.Args) {
		g, setup := task.NewGraph(c), task.SlotOf[task.RW[start]](in, 0)
		a.graph = g
		privateOf := func(strip int) task.RW[private] { return task.SlotOf[task.RW[private]](in, 1+strip) }
		for strip, begin := range setup.Slice() {
			*task.Head(privateOf(strip)) = begin.state
		}
		first, before := privateOf(0), make([]task.Node, a.cfg.Strips) // the latest node of each strip
		for phase := range a.cfg.Phases {
			made := task.Head(first).newBuffer(c)
			task.Rest(first)[phase] = made
			message := made.From()
			for strip, begin := range setup.Slice() {
				var n task.Node3[float64, private, buffer]
				points, own := begin.points.From(), privateOf(strip).Block().From()
				if strip == a.cfg.Strips-1 && phase == a.cfg.Phases-1 {
					n = lastRecorded.Add(g, task.Nothing{}, points, own, message, first.Block().From()).Node3
				} else {
					n = sweepRecorded.Add(g, task.Nothing{}, points, own, message)
				}
				n.SetHint(edt.Hint{Affinity: begin.place})
				n.After(before[strip])
				before[strip], message = n.Node, n.Pass2()
			}
		}
		setup.Destroy(c)
		for strip := range a.cfg.Strips {
			privateOf(strip).Release(c) // so that the graph's nodes see what this EDT wrote
		}
		g.Run(c, a.cfg.Timesteps, swept)
	}
}
