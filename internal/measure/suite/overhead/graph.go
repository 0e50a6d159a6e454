package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// roundParts is the least number of parts of graphs in a round: small graphs are run
// several times for a reading of the clock.
const roundParts = 2000

// A graph is a row that makes and runs a whole graph, one at a time, on all workers.
type graph struct {
	// parts is what the time is divided by: the parts of the graph that are counted.
	parts int
	does  string                    // of the row
	begin func(r *team, c *edt.Ctx) // once for the run, before; nil for nothing
	// build makes the graph. The last step of the graph satisfies slot 0 of the EDT end without a block.
	build  func(c *edt.Ctx, end guid.GUID)
	counts edt.Counters // of a graph, without end itself
}

func (o graph) row(name, what string, peers ...Peer) *Row {
	return &Row{Name: name, What: what, Does: o.does, Peers: peers, measure: o.measure}
}

func (o graph) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	repeat, done := b.repeats(o.parts), 0
	var end *edt.Template
	build := func(c *edt.Ctx) { o.build(c, c.NewEDT(end, nil)) }
	return work{
		perRound: times(uint64(repeat), plus(ran(1), o.counts)),
		begin: func(r *team, c *edt.Ctx) {
			end = r.template(c, "overhead.end", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				l := r.lanes[0]
				if done++; done%repeat == 0 {
					l.ended(c, repeat*o.parts, trial.Now()-l.began)
				} else {
					build(c)
				}
				return guid.Null
			})
			if o.begin != nil {
				o.begin(r, c)
			}
		},
		round: func(c *edt.Ctx, _ *lane) { build(c) },
	}.sample(ctx, b, Pool{Workers: workers}, 1)
}

// signal satisfies slot 0 of an EDT without a block.
func signal(c *edt.Ctx, to guid.GUID) { c.AddDependence(guid.Null, to, 0, datablock.Null) }

// inScope runs an EDT in a finish scope of its own, the end of which satisfies end.
func inScope(c *edt.Ctx, end guid.GUID, t *edt.Template, params ...uint64) {
	done := c.NewEvent(edt.Once)
	c.AddDependence(done, end, 0, datablock.Null)
	c.Spawn(t, &edt.Spec{Params: params, Finish: true, OutputEvent: done})
}

// scopeCounts are those of inScope, with its EDT.
var scopeCounts = plus(ran(1), anEvent, dependence)

// inScopeRow is a graph below one EDT with a parameter, in a finish scope. The counts are of what that EDT makes.
func inScopeRow(
	name, what string, parts int, root *edt.Template, param int, counts edt.Counters, peers ...Peer,
) *Row {
	return graph{
		parts:  parts,
		build:  func(c *edt.Ctx, end guid.GUID) { inScope(c, end, root, uint64(param)) },
		counts: plus(scopeCounts, counts),
	}.row(name, what, peers...)
}
