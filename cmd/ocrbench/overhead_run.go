package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	overheadapp "ocr/apps/overhead"
	"ocr/edt"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/machine"
	"ocr/internal/report"
	"ocr/runtime"
)

// overheadRun is one run of overhead: what is to be measured, and what was.
type overheadRun struct {
	*commonFlags
	flags   *overheadFlags
	machine *machine.Machine
	pools   []*harness.Pool // one for each number of workers
	bench   overheadapp.Bench
	rows    []*overheadapp.Row
	notes   []string
	bed     *harness.Testbed
	out     *harness.Output

	footprints []*overheadapp.Row
	groups     []overheadGroup

	find  map[overheadKey]*overheadResult
	graph *harness.GraphRun // of the latest run on most workers
	told  string            // the row that graph is of
}

// overheadGroup is a row on a pool: it takes turns with its peers.
type overheadGroup struct {
	row  *overheadapp.Row
	pool *harness.Pool
}

// overheadKey tells results apart.
type overheadKey struct {
	row     string
	workers int
	peer    string // empty for the row itself
}

// overheadResult is what was sampled of a row or of a peer.
type overheadResult struct {
	overheadKey
	series bench.Series
}

// name returns the result's full name.
func (k overheadKey) name() string {
	name := overheadName + "/" + k.row
	if k.peer != "" {
		name += "/peer=" + k.peer
	}
	return fmt.Sprintf("%s/workers=%d", name, k.workers)
}

// measure measures all rows and writes the results: those there are where the user
// interrupts, and those of the rows before where a run fails or its result is wrong.
func (r *overheadRun) measure(ctx context.Context) error {
	for _, p := range r.pools {
		r.console.Warn(p.Warnings...)
	}
	err := r.bed.During(r.pools[len(r.pools)-1].Used(), func() error { return r.measureAll(ctx, r.console.Tell) })
	if err != nil && ctx.Err() == nil && len(r.find) == 0 {
		return err
	}
	return r.out.Write(r.document(err != nil), err)
}

func (r *overheadRun) measureAll(ctx context.Context, tell func(bench.Progress)) error {
	groups := len(r.footprints) + len(r.groups)
	at := func(k int, p bench.Progress) {
		p.Side = fmt.Sprintf("row %d of %d, %s", k+1, groups, p.Side)
		tell(p)
	}
	for k, row := range r.footprints {
		at(k, bench.Progress{Side: row.Name, Total: 1})
		if err := r.measureFootprint(ctx, row); err != nil {
			if ctx.Err() == nil { // the row goes with its peers
				maps.DeleteFunc(r.find, func(k overheadKey, _ *overheadResult) bool { return k.row == row.Name })
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
func (r *overheadRun) measureGroup(ctx context.Context, g overheadGroup, tell func(bench.Progress)) error {
	b := r.bench
	b.Run = r.runner(g)
	keys := []overheadKey{{row: g.row.Name, workers: g.pool.Workers}}
	var wakes wakeCount
	sides := []bench.Side{overheadSide(keys[0].name(), func(ctx context.Context) (overheadapp.Sample, error) {
		s, err := g.row.Measure(ctx, &b, g.pool.Workers)
		wakes.add(s)
		return s, err
	})}
	for _, p := range g.row.Peers {
		k := overheadKey{g.row.Name, g.pool.Workers, p.Name}
		keys = append(keys, k)
		sides = append(sides, overheadSide(k.name(), func(ctx context.Context) (overheadapp.Sample, error) {
			return p.Measure(ctx, &b, g.pool.Workers)
		}))
	}
	plan := bench.Plan{
		Warmup: r.sampling.Warmup, Samples: r.sampling.Samples, OneRun: true,
		Resolution: r.machine.Clock, Seed: r.sampling.Seed, Progress: tell,
	}
	series, err := plan.Run(ctx, sides...)
	if err != nil && ctx.Err() == nil {
		return err
	}
	for i, k := range keys {
		if len(series[i].Runs) > 0 {
			r.find[k] = &overheadResult{k, series[i]}
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
func (n *wakeCount) add(s overheadapp.Sample) {
	n.parked += min(s.Counts.Parks, s.All)
	n.all += s.All
}

// overheadSide makes a side of what takes a sample.
func overheadSide(name string, sample func(context.Context) (overheadapp.Sample, error)) bench.Side {
	var last overheadapp.Sample
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
func (r *overheadRun) measureFootprint(ctx context.Context, row *overheadapp.Row) error {
	b := r.bench
	one := *r.pools[0]
	one.Workers = 1
	b.Run = r.runner(overheadGroup{row, &one})
	keep := func(peer string, measure func(context.Context, *overheadapp.Bench, int) ([]float64, error)) error {
		k := overheadKey{row.Name, 1, peer}
		sizes, err := measure(ctx, &b, r.sampling.Samples)
		if err != nil {
			if ctx.Err() == nil {
				err = fmt.Errorf("%s: %w", k.name(), err)
			}
			return err
		}
		r.find[k] = &overheadResult{k, bench.Series{
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
func (r *overheadRun) runner(g overheadGroup) overheadapp.Runner {
	return func(ctx context.Context, main edt.Func, asked overheadapp.Pool) (overheadapp.Counts, error) {
		p := *g.pool
		p.Workers = asked.Workers
		o := r.bed.Options
		if asked.Sleepy {
			o = o.With(runtime.Spin(0))
		}
		if asked.Greedy {
			o = o.With(runtime.StealGap(0))
		}
		graph, err := p.Run(ctx, main, o, overheadName)
		for _, warning := range graph.Warnings {
			r.note(warning)
		}
		if r.graph == nil || len(graph.Placement) >= len(r.graph.Placement) {
			r.graph, r.told = &graph, g.row.Name
		}
		n := graph.Counters
		return overheadapp.Counts{Counters: n.Counters, Steals: n.Steals, Parks: n.Parks, Received: n.Received}, err
	}
}

func (r *overheadRun) document(partial bool) *report.Document {
	about := harness.About{App: overheadName, Settings: r.settings(), Notes: r.notes}
	if r.graph != nil {
		about.Graph = &harness.GraphRun{Placement: r.graph.Placement, Counters: r.graph.Counters}
		about.Notes = append(slices.Clip(about.Notes), "counters are of a run of "+r.told)
	}
	d := r.bed.Document(about)
	d.Text, d.Partial = r.text(), partial
	for _, row := range r.rows {
		for _, x := range r.resultsOf(row) {
			d.AddLabelled(x.name(), x.labels(row), x.series)
		}
	}
	return d
}

// resultsOf returns the results of a row, those of its peers behind them.
func (r *overheadRun) resultsOf(row *overheadapp.Row) []*overheadResult {
	var list []*overheadResult
	for _, workers := range r.workersOf(row) {
		for _, peer := range append([]string{""}, peerNames(row)...) {
			if x := r.find[overheadKey{row.Name, workers, peer}]; x != nil {
				list = append(list, x)
			}
		}
	}
	return list
}

// workersOf returns the numbers of workers that a row is measured on.
func (r *overheadRun) workersOf(row *overheadapp.Row) []int {
	if row.IsFootprint() {
		return []int{1}
	}
	var list []int
	for _, p := range r.pools {
		list = append(list, p.Workers)
	}
	return list
}

func peerNames(row *overheadapp.Row) []string {
	var names []string
	for _, p := range row.Peers {
		names = append(names, p.Name)
	}
	return names
}

// labels returns the facts of a result for programs. The key workers is one of the
// configuration.
func (x *overheadResult) labels(row *overheadapp.Row) report.Config {
	return report.Config{
		{Key: "section", Value: string(row.Section)}, {Key: "row", Value: row.Name},
		{Key: "row-workers", Value: x.workers}, {Key: "peer", Value: x.peer},
	}
}

// settings returns the recorded configuration.
func (r *overheadRun) settings() report.Config {
	var names []string
	for _, row := range r.rows {
		names = append(names, row.Name)
	}
	rows := "default"
	if all, err := overheadapp.Select(overheadapp.Rows(), nil, r.flags.full); err != nil || len(all) != len(names) {
		rows = joinWords(names)
	}
	var counts []int
	for _, p := range r.pools {
		counts = append(counts, p.Workers)
	}
	common := r.bed.Settings()
	for i := range common {
		if common[i].Key == "workers" {
			common[i].Value = joined(counts)
		}
	}
	return append(report.Config{{Key: "rows", Value: rows}, {Key: "full", Value: r.flags.full}}, common...)
}
