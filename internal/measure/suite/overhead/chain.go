package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

// chainLen is how many EDTs of a chain are timed at a time.
const chainLen = 2000

// A chain is a row in which every worker runs a chain of EDTs, each of which makes the next one.
// The EDTs have three parameters: how many follow, and the EDT to satisfy after those.
type chain struct {
	work
	// first makes the first EDT of a chain.
	first func(c *edt.Ctx, l *lane, params []uint64)
}

func (o chain) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(chainLen, 3)
	var end *edt.Template
	w := o.work
	w.perRound = plus(ran(1), dependence)
	w.begin = func(r *team, c *edt.Ctx) {
		end = r.template(c, "overhead.end", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			l := r.lanes[in.Param(0)]
			l.ended(c, n, trial.Now()-l.began)
			return guid.Null
		})
		if o.begin != nil {
			o.begin(r, c)
		}
	}
	w.round = func(c *edt.Ctx, l *lane) {
		hi, lo := c.NewEDTAt(c.Bind(l.worker), end, l.params()).Words()
		l.began = trial.Now()
		o.first(c, l, edt.Params(uint64(n-1), hi, lo))
	}
	return w.sample(ctx, b, Pool{Workers: workers}, workers)
}

// over ends a chain: it satisfies the EDT that its parameters name.
func over(c *edt.Ctx, in edt.Args) { signal(c, guid.FromWords(in.Param(1), in.Param(2))) }
