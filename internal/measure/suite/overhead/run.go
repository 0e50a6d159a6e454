package overhead

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Name is the suite's.
const Name = "overhead"

// Config is what is measured.
type Config struct {
	Rows    []*Row // see Select
	Workers []int  // numbers of workers, in turn; none for 1 and as many as the testbed's pool has
	Others  bool   // other runtimes take turns with the rows that have them

	miscount func(*edt.Counters) // for tests of the verification: changes what the runtime has counted
}

// run is one run of the suite: what is to be measured, and what was.
type run struct {
	*testbed.Bed
	cfg   Config
	pools []*testbed.Pool // one for each number of workers
	bench Bench

	programs *peers.Set // of other runtimes

	groups  []group
	results []*result

	graph   *testbed.GraphRun // of the latest run on most workers
	graphOf string            // the row that graph is of
}

// group is a row on a pool: it takes turns with its peers.
type group struct {
	row  *Row
	pool *testbed.Pool
}

// result is what was sampled of a row or of a peer.
type result struct {
	row     *Row
	workers int
	peer    string // empty for the row itself
	does    string
	series  bench.Series
}

// name returns the result's full name.
func (x *result) name() string {
	name := Name + "/" + x.row.Name
	if x.peer != "" {
		name += "/peer=" + x.peer
	}
	return fmt.Sprintf("%s/workers=%d", name, x.workers)
}

// labels returns the facts of a result for programs. The key workers is one of the
// configuration.
func (x *result) labels() report.Config {
	return report.Config{
		{Key: "section", Value: x.row.Section}, {Key: "row", Value: x.row.Name},
		{Key: "row-workers", Value: x.workers}, {Key: "peer", Value: x.peer},
		{Key: "does", Value: x.does},
	}
}

// Run measures all rows. The document holds what was measured also if the error is not
// nil: of the rows before the one that failed.
func Run(ctx context.Context, bed *testbed.Bed, cfg Config) (*report.Document, error) {
	r, err := layOut(bed, cfg)
	if err != nil {
		return nil, err
	}
	for _, p := range r.pools {
		r.Warn(p.Warnings...)
	}
	defer r.programs.Close()
	err = r.During(r.most().Used(), func() error { return r.measureAll(ctx) })
	r.Aside(r.programs.Notes()...)
	return r.document(err != nil), err
}

// layOut lists what is to be measured.
func layOut(bed *testbed.Bed, cfg Config) (*run, error) {
	r := &run{Bed: bed, cfg: cfg, programs: peers.NewSet()}
	if err := r.makePools(); err != nil {
		return nil, err
	}
	r.bench = Bench{Target: bed.SampleTime, noVerify: !bed.Verify, miscount: cfg.miscount}
	for _, row := range cfg.Rows {
		if row.MinWorkers > r.most().Workers {
			r.Note(fmt.Sprintf("left out: %s: needs %d workers", row.Name, row.MinWorkers))
		}
		for _, p := range r.pools {
			if p.Workers >= row.MinWorkers {
				r.groups = append(r.groups, group{row, p})
			}
		}
	}
	if len(r.groups) == 0 {
		row := cfg.Rows[0]
		return nil, &trial.ConfigError{
			Flag: "workers", Value: r.workerCounts(), Allowed: fmt.Sprintf("%d or more for row %s", row.MinWorkers, row.Name),
		}
	}
	return r, nil
}

// makePools makes a pool for each number of workers.
func (r *run) makePools() error {
	counts := r.cfg.Workers
	if len(counts) == 0 {
		counts = slices.Compact([]int{1, r.Pool.Workers})
	}
	for _, n := range counts {
		p, err := testbed.NewPool(r.Machine, 1, n, r.Pool.CPUs, r.Pool.Bind)
		if err != nil {
			return err
		}
		r.pools = append(r.pools, p)
	}
	return nil
}

func (r *run) most() *testbed.Pool {
	return slices.MaxFunc(r.pools, func(a, b *testbed.Pool) int { return a.Workers - b.Workers })
}

func (r *run) workerCounts() string {
	var counts []int
	for _, p := range r.pools {
		counts = append(counts, p.Workers)
	}
	return sizes.Join(counts)
}

func (r *run) measureAll(ctx context.Context) error {
	for k, g := range r.groups {
		kept, err := r.measureGroup(ctx, g, r.TellWithin("row", k, len(r.groups)))
		if err == nil || ctx.Err() != nil { // a row that failed goes with its peers
			r.results = append(r.results, kept...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measureGroup samples a row and its peers in turn. It returns what was measured also if there is an
// error.
func (r *run) measureGroup(ctx context.Context, g group, tell func(bench.Progress)) ([]*result, error) {
	b := r.bench
	b.Run = r.runner(g)
	b.others = func(ctx context.Context, l *peers.Library) (*peers.Program, error) {
		return r.programs.Program(ctx, l, g.pool.Pins())
	}
	beside, err := r.peersOf(ctx, b, g)
	if err != nil {
		return nil, err
	}
	var all []*result
	var turns []bench.Side
	var parked, wakes uint64 // operations that can have woken a worker that had parked, and all of them
	own := Peer{measure: g.row.measure}
	if r.cfg.Others {
		own.Does = g.row.Does
	}
	for _, p := range append([]Peer{own}, beside...) {
		x := &result{row: g.row, workers: g.pool.Workers, peer: p.Name, does: p.Does}
		all = append(all, x)
		var last Sample
		turns = append(turns, bench.Side{
			Name: x.name(),
			Once: func(ctx context.Context) (elapsed time.Duration, err error) {
				last, err = p.measure(ctx, &b, x.workers)
				// Many workers park more often than they are woken.
				parked, wakes = parked+min(last.Counts.Parks, last.All), wakes+last.All
				return last.Busy, named(cmp.Or(p.Name, x.row.Name), err)
			},
			Figures: func(time.Duration, int) []bench.Value { return last.figures() },
		})
	}
	plan := r.Plan()
	plan.OneRun, plan.Progress = true, tell
	series, err := plan.Run(ctx, turns...)
	for k := range series {
		all[k].series = series[k]
	}
	if g.row.Wakes && wakes > 0 {
		r.Note(fmt.Sprintf("%s: workers had parked before %d of %d hand-offs", all[0].name(), parked, wakes))
	}
	return slices.DeleteFunc(all, func(x *result) bool { return len(x.series.Runs) == 0 }), err
}

// figures returns the figures of a sample.
func (s Sample) figures() []bench.Value {
	values := []bench.Value{{Unit: "ns/op", Value: s.NsPerOp()}, {Unit: "op/s", Value: s.Rate}}
	if !s.Unaccounted {
		values = append(values,
			bench.Value{Unit: "allocs/op", Value: s.AllocsPerOp()}, bench.Value{Unit: "B/op", Value: s.BytesPerOp()})
	}
	if len(s.Latencies) > 0 {
		each := bench.Summarize(s.Latencies)
		values = append(values,
			bench.Value{Unit: "p50-ns", Value: each.Median}, bench.Value{Unit: "p90-ns", Value: each.P90},
			bench.Value{Unit: "p99-ns", Value: each.P99}, bench.Value{Unit: "max-ns", Value: each.Max})
	}
	return values
}

func (r *run) runner(g group) Runner {
	return func(ctx context.Context, main edt.Func, asked Pool) (runtime.Counters, error) {
		p := *g.pool
		p.Workers = asked.Workers
		o := r.Options
		if asked.Sleepy {
			o = o.With(runtime.Spin(0))
		}
		if asked.Greedy {
			o = o.With(runtime.StealGap(0))
		}
		graph, err := p.Run(ctx, main, o, Name)
		r.Note(graph.Warnings...)
		if r.graph == nil || len(graph.Placement) >= len(r.graph.Placement) {
			r.graph, r.graphOf = &graph, g.row.Name
		}
		return graph.Counters, err
	}
}
