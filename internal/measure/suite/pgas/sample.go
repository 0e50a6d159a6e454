package pgas

import (
	"context"
	"time"

	app "ocr/apps/pgas"
	"ocr/internal/measure/bench"
)

// budget is how long a row may take.
type budget struct {
	limit   time.Duration // of the timed parts of all samples together
	sample  time.Duration // what a sample's is to last; 0 if the iterations are given
	samples int           // of the row, those that are dropped too
}

// leastShare is the least that the app finds a number of iterations for.
const leastShare = time.Millisecond

func (r *run) budget() budget {
	b := budget{limit: r.cfg.MaxTime, samples: r.bed.Samples + r.bed.Warmup}
	if r.cfg.Iterations == 0 {
		b.sample = r.bed.SampleTime
	}
	return b
}

// first returns what the first sample may take: the app fills half of it if the number of iterations is not given.
func (b budget) first() time.Duration {
	if b.sample > 0 {
		return max(min(b.share(0, 0), 2*b.sample), leastShare)
	}
	return b.share(0, 0)
}

// share returns what the next sample may take after some that were taken.
func (b budget) share(spent time.Duration, taken int) time.Duration {
	return max((b.limit-spent)/time.Duration(max(b.samples-taken, 1)), leastShare)
}

// sample takes a sample and returns how long its timed part was. The first finds the
// number of iterations, which those after it have as far as their share of the time goes.
func (x *row) sample(ctx context.Context) (time.Duration, error) {
	r, err := x.once(ctx, x.options, x.cfg)
	if err != nil {
		return 0, err
	}
	x.spent += r.Elapsed()
	if x.taken++; x.taken == 1 {
		x.cfg.Iterations = r.Iterations
	}
	x.cfg.MaxTime = x.budget.share(x.spent, x.taken)
	x.latest = r
	return r.Elapsed(), nil
}

// side makes a side of a [bench.Plan].
func (x *row) side() bench.Side {
	return bench.Side{
		Name: x.name,
		Once: x.sample,
		Figures: func(time.Duration, int) []bench.Value {
			x.keep(x.latest)
			return figures(x.about(), x.latest, x.ofOneClock(x.latest))
		},
		Over: x.spentUp,
	}
}

// keep records a sample that is kept.
func (x *row) keep(r app.Result) {
	x.kept++
	x.repetitions += r.Iterations
	ns, iterations := r.Slices()
	x.samples, x.sliced = append(x.samples, bench.Percentiles(ns)), append(x.sliced, iterations...)
}

// spentUp reports whether no more samples are to be taken. One is always kept.
func (x *row) spentUp(warmup bool) bool {
	return x.spent >= x.budget.limit && (warmup || x.kept > 0)
}

// ofOneClock reports whether all origins have surely read the same clock: those of ranks without memory in common may
// be on several machines.
func (x *row) ofOneClock(r app.Result) bool {
	n := len(r.Origins)
	return x.perClock == 0 || n == 0 || r.Origins[0].PE/x.perClock == r.Origins[n-1].PE/x.perClock
}

// figures returns the metrics of a sample; the first is the time of an iteration. What needs the times of several
// origins is among them if oneClock.
func figures(t app.Test, r app.Result, oneClock bool) []bench.Value {
	all := []bench.Value{{Unit: "ns/op", Value: r.NsPerIteration()}}
	add := func(unit string, value float64) { all = append(all, bench.Value{Unit: unit, Value: value}) }
	if t.RoundTrip {
		add("ns/half", r.NsPerIteration()/2)
	}
	rates := r.MBPerSecond()
	add("MB/s", rates.Mean)
	const mb = 1 << 20 // bytes
	if t.Kind == app.Bandwidth {
		add("GB/s", rates.Mean*mb/1e9)
		add("min-MB/s", rates.Min)
		add("max-MB/s", rates.Max)
		add("sum-MB/s", rates.Sum)
	}
	if t.Kind == app.Bandwidth && oneClock {
		aggregate := r.AggregateMBPerSecond()
		add("aggregate-MB/s", aggregate)
		add("aggregate-GB/s", aggregate*mb/1e9)
	}
	add("msg/s", r.MessagesPerSecond().Mean)
	return all
}
