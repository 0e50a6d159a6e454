package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// roundParts is how many parts of graphs a round has, at least: small graphs are run
// several times for a reading of the clock.
const roundParts = 2000

// A graph is a row that makes and runs a whole graph, one at a time, on all workers.
type graph struct {
	// parts is what the time is divided by: the parts of the graph that are counted.
	parts int
	// build makes the graph. The last thing to happen in it is to satisfy slot 0 of the EDT end with no block.
	build  func(c *edt.Ctx, end guid.GUID)
	begin  func(r *workerTeam, c *edt.Ctx) // once for the run, before; nil for nothing
	counts edt.Counters                    // of a graph, without end itself
}

func (o graph) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	repeat := b.repeats(o.parts)
	r := newTeam(b, Pool{Workers: workers}, 1, hooks{})
	done := 0
	var end *edt.Template
	build := func(c *edt.Ctx, l *lane) {
		l.own = plus(l.own, ran(1), o.counts)
		o.build(c, c.NewEDT(end, nil))
	}
	r.begin = func(r *workerTeam, c *edt.Ctx) {
		end = r.template(c, "overhead.end", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			l := r.lanes[0]
			if done++; done%repeat != 0 {
				build(c, l)
				return guid.Null
			}
			l.ended(c, repeat*o.parts, trial.Now()-l.began)
			return guid.Null
		})
		if o.begin != nil {
			o.begin(r, c)
		}
	}
	r.round = build
	return r.sample(ctx)
}

// signal satisfies slot 0 of an EDT with no block.
func signal(c *edt.Ctx, to guid.GUID) { c.AddDependence(guid.Null, to, 0, datablock.Null) }

// inScope runs an EDT in a finish scope of its own, the end of which satisfies end.
func inScope(c *edt.Ctx, end guid.GUID, t *edt.Template, params ...uint64) {
	done := c.NewEvent(edt.Once)
	c.AddDependence(done, end, 0, datablock.Null)
	c.Spawn(t, &edt.Spec{Params: params, Finish: true, OutputEvent: done})
}

// inScopeRow is a row of a graph below the EDT root, which gets param, in a finish
// scope. The counts are of what that EDT makes.
func inScopeRow(name, what string, parts int, root *edt.Template, param int, counts edt.Counters, peers ...Peer) *Row {
	return &Row{Name: name, What: what, Peers: peers, measure: graph{
		parts:  parts,
		build:  func(c *edt.Ctx, end guid.GUID) { inScope(c, end, root, uint64(param)) },
		counts: plus(scopeCounts, counts),
	}.measure}
}

// scopeCounts are inScope's, with its EDT.
var scopeCounts = plus(ran(1), anEvent, edt.Counters{DependenceAdded: 1})
