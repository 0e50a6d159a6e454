package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	c2capp "ocr/apps/c2c"
	pgasapp "ocr/apps/pgas"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/matrix"
)

// pgasSide is a row while it is measured: every sample is one run of the app.
type pgasSide struct {
	pgasKey
	name string
	once func(ctx context.Context, cfg pgasapp.Config) (pgasapp.Result, error)

	budget pgasBudget
	cfg    pgasapp.Config // of the next run
	latest pgasapp.Result
	graph  *harness.GraphRun // of the latest run that ended well; nil where it was none
	taken  int               // samples, those that are dropped too
	spent  time.Duration     // in the timed parts of all runs
	pgasKept
}

// pgasKept is what the samples that were kept have told.
type pgasKept struct {
	kept        int
	repetitions int       // iterations of all of them
	slices      []float64 // ns of an iteration
	sliced      []float64 // iterations of a slice
	lasted      []float64 // ns of a sample's timed part
	series      bench.Series
}

func (r *pgasRun) newSide(k pgasKey) *pgasSide {
	x := &pgasSide{pgasKey: k, name: r.resultName(k), budget: r.budget(), cfg: r.config(k)}
	x.once = func(ctx context.Context, cfg pgasapp.Config) (pgasapp.Result, error) {
		g := new(harness.GraphRun)
		result, err := r.asGraph(ctx, cfg, g)
		if err == nil {
			x.graph = g
		}
		return result, err
	}
	if k.test == baseC2C {
		x.once = r.handOffs(r.pair)
	}
	return x
}

// asGraph runs the app once, without garbage collections.
func (r *pgasRun) asGraph(ctx context.Context, cfg pgasapp.Config, g *harness.GraphRun) (pgasapp.Result, error) {
	cfg.Done = ctx.Done()
	a := pgasapp.New(cfg)
	var err error
	uncollected(func() { *g, err = r.workers.Run(ctx, a.Main(), r.run, pgasName) })
	for _, warning := range g.Warnings {
		r.note(warning)
	}
	if err != nil {
		return pgasapp.Result{}, err
	}
	return a.Result()
}

// handOffs returns what runs a trial of the core-to-core test between two lines, each
// end polling the other's, and tells it as iterations of a round trip: as many as fit
// the time that a sample may take, and a few at least.
func (r *pgasRun) handOffs(pair matrix.Pair) func(context.Context, pgasapp.Config) (pgasapp.Result, error) {
	d := c2capp.Defaults()
	suite := &c2cRun{commonFlags: r.commonFlags, run: r.run, flags: &c2cFlags{stimLen: d.Transfers, warmup: d.Warmup, lines: defaultLines}}
	x := suite.newSide(c2cGroup{pair: pair, test: c2capp.Dual, width: 8, layout: c2capp.Separate, length: 1}, c2capp.Polled)
	trial := -1
	return func(ctx context.Context, asked pgasapp.Config) (pgasapp.Result, error) {
		if trial++; trial == 0 {
			if err := x.calibrate(ctx); err != nil {
				return pgasapp.Result{}, err
			}
		}
		cfg := x.fitted
		cfg.Line = trial % x.lines
		if asked.MaxTime > 0 {
			most := int(float64(asked.MaxTime.Nanoseconds()) / x.quickest)
			cfg.Transfers = min(cfg.Transfers, max(most, leastTransfers)/2*2)
		}
		t, err := x.once(ctx, cfg)
		iterations, elapsed := t.Transfers/2, t.Ends[0].Elapsed
		return pgasapp.Result{
			Iterations: iterations, Warmup: cfg.Warmup / 2,
			Origins: []pgasapp.Timing{{Partner: 1, End: elapsed, Marks: []pgasapp.Mark{{Iterations: iterations, At: elapsed}}}},
		}, err
	}
}

// side makes a side of a bench.Plan.
func (x *pgasSide) side() bench.Side {
	return bench.Side{
		Name: x.name,
		Once: x.sample,
		Figures: func(time.Duration, int) []bench.Value {
			x.see(x.latest)
			return pgasFigures(x.suiteTest(), x.latest)
		},
	}
}

// recalibrations is how often a first sample is dropped that found too small a number
// of iterations.
const recalibrations = 2

// sample takes a sample and returns how long its timed part was. The first finds the
// number of iterations, which those after it have as far as their share of the time goes.
func (x *pgasSide) sample(ctx context.Context) (time.Duration, error) {
	for tries := 0; ; tries++ {
		r, err := x.once(ctx, x.cfg)
		if err != nil {
			return 0, err
		}
		x.spent += r.Elapsed()
		finds := x.taken == 0 && x.test != baseC2C
		if finds && tries < recalibrations && x.budget.short(r, x.cfg.Iterations) {
			continue
		}
		if x.taken++; x.taken == 1 {
			x.cfg.Iterations = r.Iterations
		}
		x.cfg.MaxTime = x.budget.share(x.spent, x.taken)
		x.latest = r
		return r.Elapsed(), nil
	}
}

// spentUp reports whether no more samples are to be taken. One is always kept.
func (x *pgasSide) spentUp(dropped bool) bool {
	return x.spent >= x.budget.limit && (dropped || x.kept > 0)
}

func (s *pgasKept) see(r pgasapp.Result) {
	s.kept++
	s.repetitions += r.Iterations
	s.slices = append(s.slices, r.Slices()...)
	s.lasted = append(s.lasted, float64(r.Elapsed().Nanoseconds()))
	for _, t := range r.Origins {
		before := 0
		for _, m := range t.Marks {
			s.sliced = append(s.sliced, float64(m.Iterations-before))
			before = m.Iterations
		}
	}
}

// join appends the samples of a round.
func (s *pgasKept) join(round bench.Series) {
	s.series.Side = round.Side
	s.series.Runs = append(s.series.Runs, round.Runs...)
	s.series.Coarse = s.series.Coarse || round.Coarse
	for i, m := range round.Metrics {
		if i == len(s.series.Metrics) {
			s.series.Metrics = append(s.series.Metrics, bench.Metric{Unit: m.Unit})
		}
		all := &s.series.Metrics[i]
		all.Samples = append(all.Samples, m.Samples...)
	}
}

// suiteTest returns the test of a row. The core-to-core baseline passes for one.
func (k pgasKey) suiteTest() pgasapp.Test {
	t, ok := pgasapp.Lookup(k.test)
	if !ok {
		return pgasapp.Test{Name: k.test, Kind: pgasapp.Latency, RoundTrip: true, Uses: pgasapp.Uses{DirectOnly: true}}
	}
	return t
}

// pgasFigures returns the metrics of a sample; the first is the time of an iteration.
func pgasFigures(t pgasapp.Test, r pgasapp.Result) []bench.Value {
	figures := []bench.Value{{Unit: "ns/op", Value: r.NsPerIteration()}}
	if t.RoundTrip {
		figures = append(figures, bench.Value{Unit: "ns/half", Value: r.NsPerIteration() / 2})
	}
	rates := r.MBPerSecond()
	if t.Uses.Bytes {
		figures = append(figures, bench.Value{Unit: "MB/s", Value: rates.Mean})
	}
	if t.Kind == pgasapp.Bandwidth {
		aggregate := r.AggregateMBPerSecond()
		figures = append(figures,
			bench.Value{Unit: "GB/s", Value: rates.Mean * (1 << 20) / 1e9},
			bench.Value{Unit: "min-MB/s", Value: rates.Min},
			bench.Value{Unit: "max-MB/s", Value: rates.Max},
			bench.Value{Unit: "sum-MB/s", Value: rates.Sum},
			bench.Value{Unit: "aggregate-MB/s", Value: aggregate},
			bench.Value{Unit: "aggregate-GB/s", Value: aggregate * (1 << 20) / 1e9})
	}
	return append(figures, bench.Value{Unit: "msg/s", Value: r.MessagesPerSecond().Mean})
}

// resultName names a row: what is not in it is as by default.
func (r *pgasRun) resultName(k pgasKey) string {
	if k.test == baseC2C {
		return fmt.Sprintf("%s/%s/%s/cpus=%d,%d", pgasName, baseC2C, k.form, r.pair.From, r.pair.To)
	}
	parts := []string{pgasName, k.test, string(k.form)}
	if k.bytes > 0 {
		parts = append(parts, fmt.Sprintf("bytes=%d", k.bytes))
	}
	parts = append(parts, fmt.Sprintf("pes=%d", r.workers.Workers))
	for _, setting := range k.settings() {
		parts = append(parts, setting.Key+"="+fmt.Sprint(setting.Value))
	}
	u := k.suiteTest().Uses
	if q := r.flags.partnerOffset; q > 0 && u.Pairs {
		parts = append(parts, fmt.Sprintf("partner-offset=%d", q))
	}
	if u.Stride && r.flags.element != fmt.Sprint(pgasapp.DefaultElementBytes) {
		parts = append(parts, "element="+r.flags.element)
	}
	if u.Random && r.flags.self {
		parts = append(parts, "self=true")
	}
	return strings.Join(parts, "/")
}
