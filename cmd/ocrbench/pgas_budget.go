package main

import (
	"time"

	pgasapp "ocr/apps/pgas"
)

// pgasBudget is how long a row may take.
type pgasBudget struct {
	limit   time.Duration // of the timed parts of all samples together
	sample  time.Duration // what a sample's is to last; 0 where the iterations are given
	samples int           // of the row, those that are dropped too
}

// leastShare is the least that the app finds a number of iterations for.
const leastShare = time.Millisecond

func (r *pgasRun) budget() pgasBudget {
	b := pgasBudget{limit: r.flags.maxTime, samples: r.sampling.Samples + r.sampling.Warmup}
	if r.flags.iters == 0 {
		b.sample = r.sampling.SampleTime
	}
	return b
}

// first returns what the first sample may take: the app fills half of it where the
// number of iterations is not given.
func (b pgasBudget) first() time.Duration {
	if b.sample > 0 {
		return max(min(b.share(0, 0), 2*b.sample), leastShare)
	}
	return b.share(0, 0)
}

// share returns what the next sample may take after some that were taken.
func (b pgasBudget) share(spent time.Duration, taken int) time.Duration {
	return max((b.limit-spent)/time.Duration(max(b.samples-taken, 1)), leastShare)
}

// roomy reports whether the limit leaves a sample its time.
func (b pgasBudget) roomy() bool { return b.sample > 0 && b.first() == 2*b.sample }

// short reports whether a sample that was asked for so many iterations, 0 for as many as
// fit, has so few that its calibration must have been disturbed.
func (b pgasBudget) short(r pgasapp.Result, asked int) bool {
	if asked > 0 {
		return r.Iterations < asked && 2*r.Elapsed() < b.first()
	}
	return b.roomy() && 2*r.Elapsed() < b.sample
}
