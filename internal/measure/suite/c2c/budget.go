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
	limit time.Duration // 0 is none
	spent time.Duration
}

// spentUp reports whether no more trials are to be taken.
func (b *budget) spentUp() bool { return b.limit > 0 && b.spent >= b.limit }

// timed has a budget pay for trials.
func (b *budget) timed(once app.Runner) app.Runner {
	return func(ctx context.Context, cfg app.Config) (app.Result, error) {
		begun := now()
		r, err := once(ctx, cfg)
		b.spent += time.Duration(now() - begun)
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
