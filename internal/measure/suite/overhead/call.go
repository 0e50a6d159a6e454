package overhead

import (
	"cmp"
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

// A call is a row that times a call of the API, on all workers at the same time. Its functions are loops over the n
// objects of a lane; act alone is timed.
type call struct {
	n       int // operations of a batch; 0 for batchLen
	open    func(c *edt.Ctx, l *lane)
	prepare func(c *edt.Ctx, l *lane)
	act     func(c *edt.Ctx, l *lane)
	tidy    func(c *edt.Ctx, l *lane)
	last    func(r *team, c *edt.Ctx)
	perOp   edt.Counters // from prepare to tidy, and what became ready
	perLane edt.Counters // of open and last
}

func (o call) row(name, what string, peers ...Peer) *Row {
	return &Row{Name: name, What: what, Peers: peers, measure: o.measure}
}

func (o call) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(cmp.Or(o.n, batchLen), 4)
	w := work{perOp: o.perOp, perLane: o.perLane, last: o.last}
	w.open = func(c *edt.Ctx, l *lane) {
		l.n, l.objects, l.targets = n, make([]guid.GUID, n), make([]guid.GUID, n)
		if o.open != nil {
			o.open(c, l)
		}
	}
	if o.perOp.EDTRun > 0 {
		o.inScopes(&w)
	} else {
		w.round = func(c *edt.Ctx, l *lane) { l.ended(c, n, o.batch(c, l)) }
	}
	return w.sample(ctx, b, Pool{Workers: workers}, workers)
}

// inScopes has each batch in a finish scope: the next one begins when all EDTs that this
// one has made ready have run. Else more and more EDTs would be waiting.
func (o call) inScopes(w *work) {
	var batch, after *edt.Template
	w.begin = func(r *team, c *edt.Ctx) {
		batch = r.template(c, "overhead.batch", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			l := r.lanes[in.Param(0)]
			l.elapsed = o.batch(c, l)
			return guid.Null
		})
		after = r.template(c, "overhead.after", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			l := r.lanes[in.Param(0)]
			l.ended(c, l.n, l.elapsed)
			return guid.Null
		})
	}
	w.perRound = plus(ran(2), anEvent)
	w.round = func(c *edt.Ctx, l *lane) {
		at := c.Bind(l.worker)
		done := c.NewEvent(edt.Once)
		c.NewEDTAt(at, after, l.params(), edt.From(done, datablock.Null))
		c.Spawn(batch, &edt.Spec{Params: l.params(), Finish: true, OutputEvent: done, Hint: edt.Hint{Affinity: at}})
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
