package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// batchLen is how many objects a call is timed on at a time: few enough for the first and second cache and the workers'
// stores of free records, many enough to hide the reading of the clock.
const batchLen = 256

// A call is a row that times a call of the API. Its functions are loops over the n objects of a lane; act alone is
// timed. The counts are of an operation, from prepare to tidy and what became ready.
type call struct {
	n int // operations of a batch; 0 for batchLen
	hooks
	prepare func(c *edt.Ctx, l *lane)
	act     func(c *edt.Ctx, l *lane)
	tidy    func(c *edt.Ctx, l *lane)
}

func (o call) row(name, what string, peers ...Peer) *Row {
	return &Row{Name: name, What: what, Peers: peers, measure: o.measure}
}

// measure takes a sample: every worker calls at the same time.
func (o call) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := o.n
	if n == 0 {
		n = batchLen
	}
	n = b.sized(n, 4)
	r := newTeam(b, Pool{Workers: workers}, workers, o.hooks)
	for _, l := range r.lanes {
		l.n, l.objects, l.targets = n, make([]guid.GUID, n), make([]guid.GUID, n)
	}
	if o.counts.EDTRun > 0 {
		o.inScopes(r)
	} else {
		r.round = func(c *edt.Ctx, l *lane) { l.ended(c, n, o.batch(c, l)) }
	}
	return r.sample(ctx)
}

// inScopes has each batch in a finish scope: the next must not begin before all that
// this one made ready has run, or more and more EDTs would be waiting.
func (o call) inScopes(r *workerTeam) {
	var batch, after *edt.Template
	elapsed := make([]int64, len(r.lanes))
	r.begin = func(r *workerTeam, c *edt.Ctx) {
		batch = r.template(c, "overhead.batch", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			k := in.Param(0)
			elapsed[k] = o.batch(c, r.lanes[k])
			return guid.Null
		})
		after = r.template(c, "overhead.after", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			l := r.lanes[in.Param(0)]
			l.ended(c, l.n, elapsed[l.worker])
			return guid.Null
		})
	}
	r.round = func(c *edt.Ctx, l *lane) {
		l.own = plus(l.own, ran(2), anEvent)
		at := c.Bind(l.worker)
		done := c.NewEvent(edt.Once)
		c.NewEDTAt(at, after, edt.Params(l.index()), edt.From(done, datablock.Null))
		c.Spawn(batch, &edt.Spec{
			Params: edt.Params(l.index()), Finish: true, OutputEvent: done, Hint: edt.Hint{Affinity: at},
		})
	}
}

// batch does a batch and returns how long act took.
func (o call) batch(c *edt.Ctx, l *lane) int64 {
	if o.prepare != nil {
		o.prepare(c, l)
	}
	start := trial.Now()
	actBegins()
	o.act(c, l)
	actEnds()
	elapsed := trial.Now() - start
	if o.tidy != nil {
		o.tidy(c, l)
	}
	return elapsed
}

// actBegins and actEnds do nothing. cmd/opcount counts between them.
//
//go:noinline
func actBegins() {}

//go:noinline
func actEnds() {}
