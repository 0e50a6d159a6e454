package taskbench

import (
	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// recordedSteps returns the number of steps of the recorded graph that runs many times, a multiple of the number of
// sets of dependences. With 1 step, the wait for all tasks between two runs shows; with more than 8, the nodes miss the
// first-level cache.
func (g *Graph) recordedSteps() int {
	const about = 4
	return (about + g.sets() - 1) / g.sets() * g.sets()
}

// A recording is the part of a graph g for the recorded form. g.first runs once: it has step 0, which has no inputs,
// and the steps that the runs of g.again leave over.
//
// A task's node runs after the nodes of the step before whose outputs it takes, or whose column it shares, and after
// the nodes that took the output which it overwrites: a column has two buffers. A run begins when all tasks of the run
// before have ended. A column counts its steps in its part of the block, as its nodes are the same in all runs.
type recording struct {
	first, again *edt.Recording
	runs         int // number of runs of g.again
}

func (g *graph) record(c *edt.Ctx) {
	length := g.recordedSteps()
	from := 1 + (g.Steps-1)%length
	g.first, g.runs = g.recordSteps(c, 0, from), (g.Steps-1)/length
	if g.runs > 0 {
		g.again = g.recordSteps(c, from, from+length)
	}
}

func (g *graph) recordSteps(c *edt.Ctx, from, end int) *edt.Recording {
	r := c.NewRecording()
	before := make([]edt.Node, g.Width) // the nodes of step t-1; none if another run has step t-1
	readers := make([][]edt.Node, g.Width)
	for t := from; t < end; t++ {
		now, reading := make([]edt.Node, g.Width), make([][]edt.Node, g.Width)
		for i, col := range g.columns {
			now[i] = g.addTask(r, t, col)
			now[i].After(readers[i]...)
			for _, from := range g.links(col, t) {
				now[i].After(before[from.column])
				reading[from.column] = append(reading[from.column], now[i])
			}
		}
		before, readers = now, reading
	}
	r.Seal(c)
	return r
}

// addTask adds the node of (t,i), with the slots of an EDT of the form that is not recorded.
func (g *graph) addTask(r *edt.Recording, t int, col *column) edt.Node {
	deps := []edt.Source{edt.From(g.blocks[col.tile], datablock.RW)}
	for _, in := range g.links(col, t)[firstInput:] {
		from := edt.From(guid.Null, datablock.Null)
		if t > 0 {
			from = edt.From(g.blocks[g.columns[in.column].tile], in.mode)
		}
		deps = append(deps, from)
	}
	n := r.Add(g.templates[len(deps)], edt.Params(uint64(t), uint64(col.number)), deps...)
	return n.SetHint(edt.Hint{Affinity: col.place})
}

// runRecorded runs g.first once, then g.again g.runs times.
func (g *graph) runRecorded(c *edt.Ctx) {
	ended := g.ended
	if g.again != nil {
		ended = c.NewEvent(edt.Once)
		trial.When(c, "taskbench.repeat", []edt.Source{edt.From(ended, datablock.Null)},
			func(c *edt.Ctx, _ edt.Args) { g.again.Run(c, g.runs, g.ended) })
	}
	g.first.Run(c, 1, ended)
}
