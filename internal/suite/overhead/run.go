package overhead

import (
	"context"
	"fmt"
	"maps"
	"ocr/edt"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/report"
	"ocr/runtime"
	"slices"
	"time"
)

// run is one run of the suite: what is to be measured, and what was.
type run struct {
	*harness.Testbed
	cfg   Config
	pools []*harness.Pool // one for each number of workers
	bench Bench
	notes []string

	footprints []*Row
	groups     []group

	find    map[key]*result
	graph   *harness.GraphRun // of the latest run on most workers
	graphOf string            // the row that graph is of
}

// group is a row on a pool: it takes turns with its peers.
type group struct {
	row  *Row
	pool *harness.Pool
}

// key tells results apart.
type key struct {
	row     string
	workers int
	peer    string // empty for the row itself
}

// result is what was sampled of a row or of a peer.
type result struct {
	key
	series bench.Series
}

// name returns the result's full name.
func (k key) name() string {
	name := Name + "/" + k.row
	if k.peer != "" {
		name += "/peer=" + k.peer
	}
	return fmt.Sprintf("%s/workers=%d", name, k.workers)
}

// note adds a note to the results, once.
func (r *run) note(text string) {
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// Run measures all rows. The document holds what was measured also if the error is not
// nil: of the rows before the one that failed.
func Run(ctx context.Context, bed *harness.Testbed, cfg Config) (*report.Document, error) {
	r, err := layOut(bed, cfg, offHeap)
	if err != nil {
		return nil, err
	}
	for _, p := range r.pools {
		r.Warn(p.Warnings...)
	}
	err = r.During(r.pools[len(r.pools)-1].Used(), func() error { return r.measureAll(ctx) })
	return r.document(err != nil), err
}

func (r *run) measureAll(ctx context.Context) error {
	groups := len(r.footprints) + len(r.groups)
	at := func(k int, p bench.Progress) {
		p.Side = fmt.Sprintf("row %d of %d, %s", k+1, groups, p.Side)
		r.Tell(p)
	}
	for k, row := range r.footprints {
		at(k, bench.Progress{Side: row.Name, Total: 1})
		if err := r.measureFootprint(ctx, row); err != nil {
			if ctx.Err() == nil { // the row goes with its peers
				maps.DeleteFunc(r.find, func(k key, _ *result) bool { return k.row == row.Name })
			}
			return err
		}
	}
	for k, g := range r.groups {
		if err := r.measureGroup(ctx, g, func(p bench.Progress) { at(len(r.footprints)+k, p) }); err != nil {
			return err
		}
	}
	return nil
}

// measureGroup samples a row and its peers in turn. It keeps what was measured also
// where it ends with an error.
func (r *run) measureGroup(ctx context.Context, g group, tell func(bench.Progress)) error {
	b := r.bench
	b.Run = r.runner(g)
	keys := []key{{row: g.row.Name, workers: g.pool.Workers}}
	var wakes wakeCount
	sides := []bench.Side{side(keys[0].name(), func(ctx context.Context) (Sample, error) {
		s, err := g.row.Measure(ctx, &b, g.pool.Workers)
		wakes.add(s)
		return s, err
	})}
	for _, p := range g.row.Peers {
		k := key{g.row.Name, g.pool.Workers, p.Name}
		keys = append(keys, k)
		sides = append(sides, side(k.name(), func(ctx context.Context) (Sample, error) {
			return p.Measure(ctx, &b, g.pool.Workers)
		}))
	}
	plan := r.Plan()
	plan.OneRun, plan.Progress = true, tell
	series, err := plan.Run(ctx, sides...)
	if err != nil && ctx.Err() == nil {
		return err
	}
	for i, k := range keys {
		if len(series[i].Runs) > 0 {
			r.find[k] = &result{k, series[i]}
		}
	}
	if g.row.Wakes && wakes.all > 0 {
		r.note(fmt.Sprintf("%s: workers had parked before %d of %d hand-offs", keys[0].name(), wakes.parked, wakes.all))
	}
	return err
}

// wakeCount is how many operations of a row can have woken a worker that had parked.
type wakeCount struct{ parked, all uint64 }

// add adds a sample: workers park more often than they are woken where there are many.
func (n *wakeCount) add(s Sample) {
	n.parked += min(s.Counts.Parks, s.All)
	n.all += s.All
}

// overheadSide makes a side of what takes a sample.
func side(name string, sample func(context.Context) (Sample, error)) bench.Side {
	var last Sample
	return bench.Side{
		Name: name,
		Once: func(ctx context.Context) (elapsed time.Duration, err error) {
			last, err = sample(ctx)
			return last.Busy, err
		},
		Figures: func(time.Duration, int) []bench.Value {
			values := []bench.Value{
				{Unit: "ns/op", Value: last.NsPerOp()}, {Unit: "op/s", Value: last.Rate},
				{Unit: "allocs/op", Value: last.AllocsPerOp()}, {Unit: "B/op", Value: last.BytesPerOp()},
			}
			if len(last.Latencies) > 0 {
				each := bench.Summarize(last.Latencies)
				values = append(values, bench.Value{Unit: "p50-ns", Value: each.P50}, bench.Value{Unit: "p90-ns", Value: each.P90},
					bench.Value{Unit: "p99-ns", Value: each.P99}, bench.Value{Unit: "max-ns", Value: each.Max})
			}
			return values
		},
	}
}

// measureFootprint measures a row of memory and its peers.
func (r *run) measureFootprint(ctx context.Context, row *Row) error {
	b := r.bench
	one := *r.pools[0]
	one.Workers = 1
	b.Run = r.runner(group{row, &one})
	keep := func(peer string, measure func(context.Context, *Bench, int) ([]float64, error)) error {
		k := key{row.Name, 1, peer}
		sizes, err := measure(ctx, &b, r.Samples)
		if err != nil {
			if ctx.Err() == nil {
				err = fmt.Errorf("%s: %w", k.name(), err)
			}
			return err
		}
		r.find[k] = &result{k, bench.Series{
			Side: k.name(), Runs: slices.Repeat([]int{1}, len(sizes)), Metrics: []bench.Metric{{Unit: "B/object", Samples: sizes}},
		}}
		return nil
	}
	if err := keep("", row.Footprint); err != nil {
		return err
	}
	for _, p := range row.Peers {
		if err := keep(p.Name, p.Footprint); err != nil {
			return err
		}
	}
	return nil
}

// runner returns what runs graphs on a pool.
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
		for _, warning := range graph.Warnings {
			r.note(warning)
		}
		if r.graph == nil || len(graph.Placement) >= len(r.graph.Placement) {
			r.graph, r.graphOf = &graph, g.row.Name
		}
		return graph.Counters, err
	}
}

func (r *run) document(partial bool) *report.Document {
	about := harness.About{App: Name, Settings: r.settings(), Notes: r.notes}
	if r.graph != nil {
		about.Graph = &harness.GraphRun{Placement: r.graph.Placement, Counters: r.graph.Counters}
		about.Notes = append(slices.Clip(about.Notes), "counters are of a run of "+r.graphOf)
	}
	d := r.Document(about)
	d.Text, d.Partial = r.text(), partial
	for _, row := range r.cfg.Rows {
		for _, x := range r.resultsOf(row) {
			d.AddLabelled(x.name(), x.labels(row), x.series)
		}
	}
	return d
}

// resultsOf returns the results of a row, those of its peers behind them.
func (r *run) resultsOf(row *Row) []*result {
	var list []*result
	for _, workers := range r.workersOf(row) {
		for _, peer := range append([]string{""}, peerNames(row)...) {
			if x := r.find[key{row.Name, workers, peer}]; x != nil {
				list = append(list, x)
			}
		}
	}
	return list
}

// workersOf returns the numbers of workers that a row is measured on.
func (r *run) workersOf(row *Row) []int {
	if row.IsFootprint() {
		return []int{1}
	}
	var list []int
	for _, p := range r.pools {
		list = append(list, p.Workers)
	}
	return list
}

func peerNames(row *Row) []string {
	var names []string
	for _, p := range row.Peers {
		names = append(names, p.Name)
	}
	return names
}

// labels returns the facts of a result for programs. The key workers is one of the
// configuration.
func (x *result) labels(row *Row) report.Config {
	return report.Config{
		{Key: "section", Value: string(row.Section)}, {Key: "row", Value: row.Name},
		{Key: "row-workers", Value: x.workers}, {Key: "peer", Value: x.peer},
	}
}
