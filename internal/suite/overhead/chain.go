package overhead

import (
	"context"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

// chainLen is how many EDTs of a chain are timed at a time.
const chainLen = 2000

// A chainBench is a row in which every worker runs a chain of EDTs, each making the next. Its EDTs have three
// parameters: how many follow, and the EDT to satisfy after those. The counts are of a step.
type chainBench struct {
	hooks
	// first makes the first EDT of a chain.
	first func(c *edt.Ctx, l *lane, params []uint64)
}

func (o chainBench) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(chainLen, 3)
	r := newTeam(b, Pool{Workers: workers}, workers, o.hooks)
	var end *edt.Template
	r.begin = func(r *workerTeam, c *edt.Ctx) {
		end = r.template(c, "overhead.end", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			l := r.lanes[in.Param(0)]
			l.ended(c, n, trial.Now()-l.began)
			return guid.Null
		})
		if o.begin != nil {
			o.begin(r, c)
		}
	}
	r.round = func(c *edt.Ctx, l *lane) {
		l.own = plus(l.own, ran(1), edt.Counters{DependenceAdded: 1})
		hi, lo := c.NewEDTAt(c.Bind(l.worker), end, edt.Params(l.index())).Words()
		l.began = trial.Now()
		o.first(c, l, edt.Params(uint64(n-1), hi, lo))
	}
	return r.sample(ctx)
}

// over ends a chain: it satisfies the EDT that its parameters name.
func over(c *edt.Ctx, in edt.Args) {
	signal(c, guid.FromWords(in.Param(1), in.Param(2)))
}
