package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A graph makes and runs a whole graph, one at a time on all workers, or one on each worker.
type graph struct {
	parts       int                        // what the time is divided by
	everyWorker bool                       // a graph on each worker, and the time is a worker's
	open        func(c *edt.Ctx, r *lanes) // once, before; nil for nothing
	// build makes a graph, of which the last step satisfies slot 0 of the EDT end without a block.
	build func(c *edt.Ctx, l *lane, end guid.GUID)
	end   func(c *edt.Ctx, r *lanes) // once, after all graphs; nil for nothing
}

// row returns a row of the graph.
func (g graph) row(name, what, does string, beside ...Form) *Row {
	return &Row{Name: name, What: what, Forms: append([]Form{{Does: does, Once: g.once}}, beside...)}
}

func (g graph) once(ctx context.Context, b *Bench) (Sample, error) {
	var end *edt.Template
	w := work{everyWorker: g.everyWorker, end: g.end}
	w.open = func(c *edt.Ctx, r *lanes) {
		end = c.NewTemplate("overhead.end", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			l := r.all[in.Param(0)]
			l.ended(c, g.parts, trial.Now()-l.began)
			return guid.Null
		})
		if g.open != nil {
			g.open(c, r)
		}
	}
	w.round = func(c *edt.Ctx, l *lane) {
		at := edt.Affinity(0) // where the graph ends
		if g.everyWorker {
			at = l.home(c)
		}
		e := c.NewEDTAt(at, end, l.params())
		l.began = trial.Now()
		g.build(c, l, e)
	}
	return w.Once(ctx, b)
}

// signal satisfies slot 0 of an EDT without a block.
func signal(c *edt.Ctx, to guid.GUID) { c.AddDependence(guid.Null, to, 0, datablock.Null) }

// inScope runs an EDT in a finish scope of its own, the end of which satisfies slot 0 of end.
func inScope(c *edt.Ctx, at edt.Affinity, end guid.GUID, t *edt.Template, params ...uint64) {
	done := c.NewEvent(edt.Once)
	c.AddDependence(done, end, 0, datablock.Null)
	c.Spawn(t, &edt.Spec{Params: params, Finish: true, OutputEvent: done, Hint: edt.Hint{Affinity: at}})
}

// below is a graph of an EDT in a finish scope, whose parameter is the number of parts, and the EDTs that it makes.
func below(t *edt.Template, parts int) graph {
	return graph{parts: parts, build: func(c *edt.Ctx, _ *lane, end guid.GUID) {
		inScope(c, 0, end, t, uint64(parts))
	}}
}
