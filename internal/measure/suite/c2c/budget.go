package c2c

import (
	"context"
	"strings"
	"time"

	app "ocr/apps/c2c"
	"ocr/apps/trial"
)

// now is the clock of budgets. Tests put their own in its place.
var now = trial.Now

// A budget is how long the trials of a row may take, and have taken: their warm-ups, the first ones that find the
// number of transfers, and those that failed included.
type budget struct {
	limit  time.Duration // 0 is none
	spent  time.Duration
	latest time.Duration // what the latest trial took
	had    int           // its transfers, warm-up included
}

// spentUp reports whether no more trials are to be taken.
func (b *budget) spentUp() bool { return b.limit > 0 && b.spent >= b.limit }

// timed has a budget pay for trials.
func (b *budget) timed(once app.Runner) app.Runner {
	return func(ctx context.Context, cfg app.Config) (app.Result, error) {
		begun := now()
		r, err := once(ctx, cfg)
		b.latest = time.Duration(now() - begun)
		b.spent += b.latest
		b.had = cfg.Transfers + cfg.Warmup
		return r, err
	}
}

// leastLimit is what a trial may take however small the budget is.
const leastLimit = time.Second

// longest returns how long a trial may take that may take so long by itself.
func (b *budget) longest(limit time.Duration) time.Duration {
	if b.limit == 0 {
		return limit
	}
	return min(limit, max(b.limit, leastLimit))
}

// whole estimates how long a row takes with these trials of a configuration, the first ones included, once those have
// been taken.
func (b *budget) whole(trials int, cfg app.Config) time.Duration {
	each := time.Duration(float64(b.latest) * float64(cfg.Transfers+cfg.Warmup) / float64(max(b.had, 1)))
	all := b.spent + time.Duration(trials)*each
	if b.limit > 0 {
		all = min(all, max(b.limit, b.spent+each))
	}
	return all
}

// worthSaying is how long a run is at least that says how long it will take.
const worthSaying = 20 * time.Second

// announce says how long the run will take, once the first rows have been calibrated, unless that is short.
func (r *run) announce(first []*row) {
	if r.announced || len(first) == 0 {
		return
	}
	r.announced = true
	var these time.Duration
	for _, x := range first {
		these += x.whole(r.bed.Samples, x.cfg)
	}
	rows := 0
	for _, p := range r.pairs {
		for _, g := range r.groups(p) {
			rows += len(r.keys(g, p.From != p.To))
		}
	}
	if all := these * time.Duration(rows) / time.Duration(len(first)); all >= worthSaying {
		r.bed.Announce("%d rows of %d trials take about %v; a row at most %v (--max-time)", rows, r.bed.Samples,
			all.Round(worthSaying/20), r.MaxTime)
	}
}

// noteTimes notes which rows have fewer trials than was asked for.
func (r *run) noteTimes() {
	var names []string
	for _, row := range r.rows {
		if row.spentUp() && row.kept < r.bed.Samples {
			names = append(names, strings.TrimPrefix(row.name(), Name+"/"))
		}
	}
	r.bed.NoteShort("trials", r.MaxTime, names)
}
