package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// batchLen is how many objects a call is timed on at a time: few enough for the first
// and second cache and the workers' stores of free records, many enough to hide the
// reading of the clock.
const batchLen = 256

// A call is a row that times a call of the API. Its functions are loops over the n
// objects of a lane; act alone is timed.
type call struct {
	n       int // operations of a batch; 0 for batchLen
	most    int // operations of a run, those not timed included; 0 for as many as it takes
	objects int // of each kind, for an operation; 0 for 1
	open    func(c *edt.Ctx, l *lane)
	last    func(r *workerTeam, c *edt.Ctx)
	prepare func(c *edt.Ctx, l *lane)
	act     func(c *edt.Ctx, l *lane)
	tidy    func(c *edt.Ctx, l *lane)
	counts  edt.Counters // of an operation, from prepare to tidy and what became ready
}

// measure takes a sample: every worker calls at the same time.
func (o call) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := o.n
	if n == 0 {
		n = batchLen
	}
	n = b.sized(n, 4)
	rounds := 0
	if o.most > 0 {
		n = max(1, min(n, o.most/workers/(2*warmRounds)))
		rounds = o.most/workers/n - warmRounds
	}
	r := newTeam(b, Pool{Workers: workers}, workers)
	r.counts = o.counts
	r.open = func(c *edt.Ctx, l *lane) { o.ready(c, l, n) }
	if o.last != nil {
		r.last = func(c *edt.Ctx) { o.last(r, c) }
	}
	ended := func(c *edt.Ctx, l *lane, elapsed int64) {
		if l.rounds+1 == rounds {
			r.stop.Store(true)
		}
		l.ended(c, n, elapsed)
	}
	if o.counts.EDTRun > 0 {
		o.inScopes(r, ended)
	} else {
		r.round = func(c *edt.Ctx, l *lane) { ended(c, l, o.batch(c, l)) }
	}
	return r.sample(ctx)
}

// inScopes has each batch in a finish scope: the next must not begin before all that
// this one made ready has run, or more and more EDTs would be waiting.
func (o call) inScopes(r *workerTeam, ended func(c *edt.Ctx, l *lane, elapsed int64)) {
	var batch, after *edt.Template
	elapsed := make([]int64, len(r.lanes))
	r.begin = func(c *edt.Ctx) {
		batch = r.template(c, "overhead.batch", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			k := in.Param(0)
			elapsed[k] = o.batch(c, r.lanes[k])
			return guid.Null
		})
		after = r.template(c, "overhead.after", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			k := in.Param(0)
			ended(c, r.lanes[k], elapsed[k])
			return guid.Null
		})
	}
	r.round = func(c *edt.Ctx, l *lane) {
		l.own = plus(l.own, ran(2), edt.Counters{EventCreated: 1, EventDestroyed: 1})
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

// ready gives a lane room for its objects.
func (o call) ready(c *edt.Ctx, l *lane, n int) {
	l.n = n
	n *= max(o.objects, 1)
	l.events, l.edts, l.blocks = make([]guid.GUID, n), make([]guid.GUID, n), make([]guid.GUID, n)
	l.templates = make([]*edt.Template, n)
	if o.open != nil {
		o.open(c, l)
	}
}
