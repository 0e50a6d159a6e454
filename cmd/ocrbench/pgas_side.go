package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	c2capp "ocr/apps/c2c"
	pgasapp "ocr/apps/pgas"
	"ocr/internal/bench"
	"ocr/internal/matrix"
)

// pgasSide is a row while it is measured: every sample is one run of the app.
type pgasSide struct {
	pgasKey
	name string
	once func(ctx context.Context, cfg pgasapp.Config) (pgasapp.Result, error)

	cfg    pgasapp.Config // of the next run
	latest pgasapp.Result
	kept   int
	slices []float64 // ns of an iteration, of the samples that were kept
}

// budget is what a sample's timed part may take: the app fills half of it where the
// number of iterations is not given.
func (r *pgasRun) budget() time.Duration {
	share := r.flags.maxTime / time.Duration(r.options.samples+r.options.warmup)
	if r.flags.iters == 0 {
		share = min(share, 2*r.options.sampleTime)
	}
	return max(share, time.Millisecond)
}

func (r *pgasRun) newSide(k pgasKey) *pgasSide {
	x := &pgasSide{pgasKey: k, name: r.resultName(k), cfg: r.config(k), once: r.asGraph}
	if k.test == baseC2C {
		x.once = r.handOffs(r.pair)
	}
	return x
}

// asGraph runs the app once, without garbage collections.
func (r *pgasRun) asGraph(ctx context.Context, cfg pgasapp.Config) (pgasapp.Result, error) {
	cfg.Done = ctx.Done()
	var g graphRun
	a := pgasapp.New(cfg)
	var err error
	uncollected(func() { err = r.workers.run(ctx, a.Main(), &g, pgasName) })
	r.noteGraph(&g)
	if err != nil {
		return pgasapp.Result{}, err
	}
	return a.Result()
}

// handOffs returns what runs a trial of the core-to-core test between two lines, each
// end polling the other's, and tells it as iterations of a round trip.
func (r *pgasRun) handOffs(pair matrix.Pair) func(context.Context, pgasapp.Config) (pgasapp.Result, error) {
	d := c2capp.Defaults()
	suite := &c2cRun{session: r.session, flags: &c2cFlags{stimLen: d.Transfers, warmup: d.Warmup, lines: defaultLines}}
	x := suite.newSide(c2cGroup{pair: pair, test: c2capp.Dual, width: 8, layout: c2capp.Separate, length: 1}, c2capp.Polled)
	trial := -1
	return func(ctx context.Context, _ pgasapp.Config) (pgasapp.Result, error) {
		if trial++; trial == 0 {
			if err := x.calibrate(ctx); err != nil {
				return pgasapp.Result{}, err
			}
		}
		cfg := x.fitted
		cfg.Line = trial % x.lines
		t, err := x.once(ctx, cfg)
		iterations, elapsed := t.Transfers/2, t.Ends[0].Elapsed
		return pgasapp.Result{
			Iterations: iterations, Warmup: cfg.Warmup / 2,
			Origins: []pgasapp.Timing{{Partner: 1, End: elapsed, Marks: []pgasapp.Mark{{Iterations: iterations, At: elapsed}}}},
		}, err
	}
}

// side makes a side of a bench.Plan. The first run finds the number of iterations, which
// those after it have.
func (x *pgasSide) side() bench.Side {
	return bench.Side{
		Name: x.name,
		Once: func(ctx context.Context) (time.Duration, error) {
			r, err := x.once(ctx, x.cfg)
			if err == nil {
				x.cfg.Iterations, x.cfg.MaxTime = r.Iterations, 0
			}
			x.latest = r
			return r.Elapsed(), err
		},
		Figures: func(time.Duration, int) []bench.Value {
			x.kept++
			x.slices = append(x.slices, x.latest.Slices()...)
			return pgasFigures(x.suiteTest(), x.latest)
		},
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
	if t.Kind == pgasapp.Bandwidth {
		rates, aggregate := r.MBPerSecond(), r.AggregateMBPerSecond()
		figures = append(figures,
			bench.Value{Unit: "MB/s", Value: rates.Mean},
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
	parts = append(parts, fmt.Sprintf("pes=%d", r.workers.workers))
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
