package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

// strandLen is how many EDTs of a strand are timed at a time.
const strandLen = 2000

// A strand is a row in which every worker runs a chain of EDTs, each making the next.
// Its EDTs have three parameters: how many follow, and the EDT to satisfy after those.
type strand struct {
	// begin and open ready the run and a hand, as in crew; last comes after all.
	begin func(r *crew, c *edt.Ctx)
	open  func(c *edt.Ctx, h *hand)
	last  func(r *crew, c *edt.Ctx)
	// first makes the first EDT of a chain.
	first  func(c *edt.Ctx, h *hand, params []uint64)
	counts edt.Counters // of a step
}

func (o strand) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(strandLen, 3)
	r := newCrew(b, Pool{Workers: workers}, workers)
	r.counts = o.counts
	var end *edt.Template
	r.begin = func(c *edt.Ctx) {
		end = r.template(c, "overhead.end", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			h := r.hands[in.Param(0)]
			h.ended(c, n, trial.Now()-h.began)
			return guid.Null
		})
		if o.begin != nil {
			o.begin(r, c)
		}
	}
	r.open = o.open
	if o.last != nil {
		r.last = func(c *edt.Ctx) { o.last(r, c) }
	}
	r.round = func(c *edt.Ctx, h *hand) {
		h.own = plus(h.own, ran(1), edt.Counters{DependenceAdded: 1})
		hi, lo := c.NewEDTAt(c.Bind(h.worker), end, edt.Params(h.index())).Words()
		h.began = trial.Now()
		o.first(c, h, edt.Params(uint64(n-1), hi, lo))
	}
	return r.sample(ctx)
}

// over ends a chain: it satisfies the EDT that its parameters name.
func over(c *edt.Ctx, in edt.Args) {
	signal(c, guid.FromWords(in.Param(1), in.Param(2)))
}
