package pgas

import "time"

// Result is the result of one run of one test.
type Result struct {
	Config     Config
	Iterations int // N, the same for all PEs
	Warmup     int
	// Origins are the PEs that timed, ascending: the origins of pairs, or all.
	Origins []Timing
	// Checked is the number of bytes that were compared after the timed part.
	Checked  int
	Verified bool
}

// A Timing has the times of one PE, by the clock of its machine.
type Timing struct {
	PE, Partner int // Partner is -1 if the test has no pairs
	Start, End  time.Duration
	// Marks are points within the loop, the last being its end.
	Marks []Mark
}

// A Mark is the time after a number of iterations.
type Mark struct {
	Iterations int
	At         time.Duration
}

// Elapsed is the PE's timed part, completion included.
func (t Timing) Elapsed() time.Duration { return t.End - t.Start }

// Elapsed is the mean of the timed parts of all origins.
func (r Result) Elapsed() time.Duration {
	var sum time.Duration
	for _, t := range r.Origins {
		sum += t.Elapsed()
	}
	return sum / time.Duration(max(len(r.Origins), 1))
}

// Span is from the first start to the last end. It has no meaning if the origins are on several machines: each has
// another clock.
func (r Result) Span() time.Duration {
	if len(r.Origins) == 0 {
		return 0
	}
	first, last := r.Origins[0].Start, r.Origins[0].End
	for _, t := range r.Origins {
		first, last = min(first, t.Start), max(last, t.End)
	}
	return last - first
}

// NsPerIteration is the mean over origins: the round trip of a latency test with
// [Test.RoundTrip], the time of a reduction.
func (r Result) NsPerIteration() float64 {
	return float64(r.Elapsed().Nanoseconds()) / float64(max(r.Iterations, 1))
}

// Slices returns the mean ns of an iteration, and the number of iterations, of each slice: the part of an origin's loop
// between two marks. It is one iteration if those are long, and more if reading the clock would show.
func (r Result) Slices() (ns, iterations []float64) {
	for _, t := range r.Origins {
		before := Mark{At: t.Start}
		for _, m := range t.Marks {
			n := float64(m.Iterations - before.Iterations)
			ns, iterations = append(ns, float64((m.At-before.At).Nanoseconds())/n), append(iterations, n)
			before = m
		}
	}
	return ns, iterations
}

// Rates are figures over pairs, or PEs, of a run.
type Rates struct{ Min, Mean, Max, Sum float64 }

// MBPerSecond returns the bandwidth of each origin, in 2^20 bytes a second as the suite prints: payload bytes only.
func (r Result) MBPerSecond() Rates { return r.rates(float64(r.Config.Bytes) / (1 << 20)) }

// MessagesPerSecond returns the message rate of each origin.
func (r Result) MessagesPerSecond() Rates { return r.rates(1) }

// rates are work an iteration by time, over origins.
func (r Result) rates(work float64) Rates {
	var f Rates
	for i, t := range r.Origins {
		v := work * float64(r.Iterations) / max(t.Elapsed().Seconds(), 1e-9)
		if i == 0 {
			f.Min, f.Max = v, v
		}
		f.Min, f.Max, f.Sum = min(f.Min, v), max(f.Max, v), f.Sum+v
	}
	f.Mean = f.Sum / float64(max(len(r.Origins), 1))
	return f
}

// AggregateMBPerSecond is the bytes of all origins by [Result.Span], in 2^20 bytes a second. It
// is for bandwidth tests: others leave time out of their spans.
func (r Result) AggregateMBPerSecond() float64 {
	bytes := float64(r.Config.Bytes) * float64(r.Iterations) * float64(len(r.Origins))
	return bytes / (1 << 20) / max(r.Span().Seconds(), 1e-9)
}
