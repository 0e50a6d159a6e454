package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"time"
)

// ErrTooShort says that the timed part of a side is too short for the clock, however often it is repeated.
var ErrTooShort = errors.New("the timed part is too short for the clock")

// ErrOver is the error of a [Side.Once] whose side takes no more samples. The side keeps its samples, and the other
// sides take theirs.
var ErrOver = errors.New("the side takes no more samples")

// Value is one figure of a sample. Unit is a metric key such as "ns/edt".
type Value struct {
	Unit  string
	Value float64
}

// Side is one alternative of a comparison.
type Side struct {
	Name string
	// Once runs the alternative once and returns the time of its timed part. It fails if the result of the run is wrong.
	Once func(ctx context.Context) (time.Duration, error)
	// Figures returns the figures of one run, from the time that a number of runs took together. It returns the same units
	// in the same order every time.
	Figures func(elapsed time.Duration, runs int) []Value
}

// Metric is the series of one unit, one value a sample.
type Metric struct {
	Unit    string
	Samples []float64
}

// Metrics are the figures of one side, in the order of its Figures.
type Metrics []Metric

// Samples returns the samples of a unit, nil if there are none.
func (m Metrics) Samples(unit string) []float64 {
	for _, metric := range m {
		if metric.Unit == unit {
			return metric.Samples
		}
	}
	return nil
}

// Summary describes the samples of a unit; it returns the zero Summary if there are none.
func (m Metrics) Summary(unit string) Summary { return Summarize(m.Samples(unit)) }

// Series is the samples of one side.
type Series struct {
	Side    string
	Runs    []int // how many runs each sample is the mean of
	Metrics Metrics
	Coarse  bool // the timed part of a run is so short that reading the clock shows
}

// Progress is how far a run is, before each sample.
type Progress struct {
	Side        string
	Warmup      bool    // the next sample is not kept
	Done, Total int     // samples of this side and kind: taken, and planned
	Share       float64 // part of the whole run's samples that is taken, 0 to 1
}

// Plan is how to sample.
type Plan struct {
	Warmup     int           // samples of each side that are taken and dropped first
	Samples    int           // samples of each side that are kept
	SampleTime time.Duration // least time of the timed parts of a sample together
	OneRun     bool          // a sample is one run, however short; SampleTime has no effect
	Resolution time.Duration // smallest step of the clock
	Seed       uint64        // of the order of the sides within a round
	Progress   func(Progress)
}

// The timed part of a sample lasts at least 100 steps of the clock (resolutions) and leastElapsed. If most of a run is
// not timed, a sample may end with this least time, before SampleTime: when its runs have taken wallFactor times
// SampleTime, or longestWait if that is more.
const (
	resolutions  = 100
	wallFactor   = 50
	longestWait  = 2 * time.Second
	leastElapsed = time.Microsecond
)

// Run takes the samples of the plan. It returns a series for each side, in their order, also if the error is not nil.
// If ctx is cancelled the error is its cause; any other error names the side that failed.
func (p Plan) Run(ctx context.Context, sides ...Side) ([]Series, error) {
	series := make([]Series, len(sides))
	for i, side := range sides {
		series[i].Side = side.Name
	}
	order, ended := rand.New(rand.NewPCG(p.Seed, 0)), make([]bool, len(sides))
	for round := range p.Warmup + p.Samples {
		warmup := round < p.Warmup
		for k, i := range order.Perm(len(sides)) {
			if ended[i] {
				continue
			}
			p.tell(sides[i].Name, warmup, round, float64(k)/float64(len(sides)))
			elapsed, runs, err := p.sample(ctx, sides[i])
			if ended[i] = errors.Is(err, ErrOver); ended[i] {
				continue
			}
			if err == nil && !warmup {
				series[i].Coarse = series[i].Coarse || elapsed < time.Duration(runs)*resolutions*p.Resolution
				err = series[i].add(sides[i].Figures(elapsed, runs), runs)
			}
			if err != nil {
				return series, err
			}
		}
	}
	return series, nil
}

// tell reports the progress of a run before a sample; part is the share of the round that is over.
func (p Plan) tell(side string, warmup bool, round int, part float64) {
	if p.Progress == nil {
		return
	}
	at := Progress{Side: side, Warmup: warmup, Done: round, Total: p.Warmup}
	at.Share = (float64(round) + part) / float64(p.Warmup+p.Samples)
	if !warmup {
		at.Done, at.Total = round-p.Warmup, p.Samples
	}
	p.Progress(at)
}

// sample runs a side until its timed parts add up to p.SampleTime, or only once if p.OneRun is set. It first collects
// garbage, so that no side pays for the garbage of another.
func (p Plan) sample(ctx context.Context, side Side) (elapsed time.Duration, runs int, err error) {
	enough := max(resolutions*p.Resolution, leastElapsed)
	wait := max(wallFactor*p.SampleTime, longestWait)
	goruntime.GC()
	begin := time.Now()
	for runs = 1; ; runs++ {
		once := time.Duration(0)
		if ctx.Err() == nil {
			once, err = side.Once(ctx)
		}
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		elapsed += once
		late := time.Since(begin) > wait
		switch {
		case err != nil:
			return 0, 0, fmt.Errorf("%s: %w", side.Name, err)
		case p.OneRun || elapsed >= max(p.SampleTime, enough) || late && elapsed >= enough:
			return elapsed, runs, nil
		case late:
			return 0, 0, fmt.Errorf("%s: %w: %v in %d runs", side.Name, ErrTooShort, elapsed, runs)
		}
	}
}

// add adds the figures of a sample. Their units must be those of the samples before.
func (s *Series) add(values []Value, runs int) error {
	if len(s.Metrics) == 0 {
		for _, v := range values {
			s.Metrics = append(s.Metrics, Metric{Unit: v.Unit})
		}
	}
	if len(values) != len(s.Metrics) {
		return fmt.Errorf("%s: %d figures in this sample, %d in those before", s.Side, len(values), len(s.Metrics))
	}
	for i, v := range values {
		if v.Unit != s.Metrics[i].Unit || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return fmt.Errorf("%s: figure %v %s: its unit must be %s", s.Side, v.Value, v.Unit, s.Metrics[i].Unit)
		}
	}
	for i, v := range values {
		s.Metrics[i].Samples = append(s.Metrics[i].Samples, v.Value)
	}
	s.Runs = append(s.Runs, runs)
	return nil
}
