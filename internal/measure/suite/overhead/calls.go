package overhead

import (
	"cmp"
	"context"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

// batch is how many calls are timed at a time: few enough for the first and second cache and the workers' stores of
// free records, many enough to hide the reading of the clock.
const batch = 256

// A call times calls of the API, on all workers at the same time. Its functions are loops over the objects of a lane.
// Only act is timed.
type call struct {
	n                  int // operations of a batch; 0 for batch
	prepare, act, tidy func(c *edt.Ctx, l *lane)
	readies            bool // EDTs, which run before the next batch
}

// row returns a row of the call.
func (o call) row(name, what string, beside ...Form) *Row {
	return &Row{Name: name, What: what, Forms: append([]Form{{Once: o.once}}, beside...)}
}

func (o call) once(ctx context.Context, b *Bench) (Sample, error) {
	n := cmp.Or(o.n, batch)
	w := work{everyWorker: true}
	w.open = func(_ *edt.Ctx, r *lanes) {
		for _, l := range r.all {
			l.objects, l.targets = make([]guid.GUID, n), make([]guid.GUID, n)
		}
	}
	w.round = func(c *edt.Ctx, l *lane) { l.ended(c, n, o.batch(c, l)) }
	if o.readies {
		o.inScopes(&w, n)
	}
	return w.Once(ctx, b)
}

// inScopes has each batch in a finish scope: the next begins when all EDTs that it has made ready have run.
func (o call) inScopes(w *work, n int) {
	var body, after *edt.Template
	open := w.open
	w.open = func(c *edt.Ctx, r *lanes) {
		open(c, r)
		took := trial.Own[int64](len(r.all))
		body = c.NewTemplate("overhead.batch", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			took[in.Param(0)] = o.batch(c, r.all[in.Param(0)])
			return guid.Null
		})
		after = c.NewTemplate("overhead.after", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			r.all[in.Param(0)].ended(c, n, took[in.Param(0)])
			return guid.Null
		})
	}
	w.round = func(c *edt.Ctx, l *lane) {
		me := uint64(l.worker)
		inScope(c, l.home(c), c.NewEDTAt(l.home(c), after, edt.Params(me)), body, me)
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
