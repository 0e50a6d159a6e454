package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/cbaseline"
	"ocr/internal/harness"
	"ocr/internal/machine"
	"ocr/internal/report"
)

// c2cRun is one run of c2c: what is to be measured, and what was.
type c2cRun struct {
	*commonFlags
	flags   *c2cFlags
	machine *machine.Machine
	pairs   []c2cPair
	notes   []string

	resultFile          *harness.Sink
	svgFile, matrixFile *harness.Sink // nil where not asked for

	c       *cbaseline.Process // of the pair that is measured; nil without
	noC     bool               // the baseline cannot be had
	told    func(bench.Progress)
	rows    []*c2cRow
	find    map[c2cKey]*c2cRow
	dropped []string // results that could not be had, and why

	bed *harness.Testbed
	out *harness.Output
	run harness.RunOptions // of the graphs

	placement []int             // of the first graph, read back
	counters  map[string]uint64 // of the first graph that passes transfers on
}

// measure measures all pairs and writes the results: those there are where the
// user interrupts or some cannot be had, none where wrong values arrived.
func (r *c2cRun) measure(ctx context.Context) error {
	if r.check {
		r.note(harness.TimesMeanNothing)
	}
	defer spareProcessor()()
	if err := r.observeTrial(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	r.told = r.console.Tell
	err := r.bed.During(r.cpusUsed(), func() error { return r.measurePairs(ctx) })
	return r.finish(ctx, err)
}

// observed returns a side that --trace, --dot and --stats can be of: the first that passes
// transfers on from EDT to EDT, else the first that is a graph at all, nil where there is
// none.
func (r *c2cRun) observed() *c2cSide {
	var found *c2cSide
	for _, pair := range r.pairs {
		for _, g := range r.flags.groups(pair) {
			for _, x := range r.sides(g) {
				switch {
				case ofEDTs(x.form):
					return x
				case x.form != formC && x.form != c2capp.Goroutines && found == nil:
					found = x
				}
			}
		}
	}
	return found
}

// observeTrial observes a trial of that side, as long as the others.
func (r *c2cRun) observeTrial(ctx context.Context) error {
	if r.bed.Watch == nil {
		return nil
	}
	x := r.observed()
	if err := x.calibrate(ctx); err != nil {
		return err
	}
	return r.bed.Observe(ctx, x.name(), func(ctx context.Context, o harness.RunOptions) error {
		defer func(before harness.RunOptions) { r.run = before }(r.run)
		r.run = o
		_, err := x.once(ctx, x.fitted)
		return err
	})
}

// finish writes what was measured, unless that is nothing or wrong; err is how the
// measuring ended.
func (r *c2cRun) finish(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		return err
	}
	dropped := r.dropError()
	if len(r.rows) == 0 {
		if err == nil && dropped == nil {
			err = fmt.Errorf("c2c: nothing was measured: %s", strings.Join(r.notes, "; "))
		}
		return errors.Join(dropped, err)
	}
	partial := err != nil || dropped != nil
	return r.write(partial, errors.Join(dropped, err))
}

func (r *c2cRun) measurePairs(ctx context.Context) error {
	for i, pair := range r.pairs {
		at := ""
		if len(r.pairs) > 1 {
			at = fmt.Sprintf("pair %d of %d, ", i+1, len(r.pairs))
		}
		if err := r.measurePair(ctx, pair, at); err != nil {
			return err
		}
	}
	return nil
}

func (r *c2cRun) measurePair(ctx context.Context, pair c2cPair, at string) error {
	if err := r.startC(ctx, pair); err != nil {
		return err
	}
	err := r.measureGroups(ctx, pair, at)
	if r.c != nil {
		if end := r.c.Close(); end != nil {
			r.note(fmt.Sprintf("baseline c of cpus=%d,%d: %v", pair.From, pair.To, end))
		}
		r.c = nil
	}
	return err
}

// startC starts the baseline in C for a pair where it is asked for. A note says
// where it cannot be had.
func (r *c2cRun) startC(ctx context.Context, pair c2cPair) error {
	if r.noC || !slices.Contains(r.flags.baselines(), formC) {
		return nil
	}
	if pair.From == pair.To {
		r.note("skipped: baseline c with both ends on one processor: its threads poll without giving way, for 4 ms and more a transfer")
		return nil
	}
	p, err := cbaseline.Start(ctx, pair.From, pair.To)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.noC = true
		r.note(fmt.Sprintf("skipped: baseline c: %v", err))
		return nil
	}
	r.c = p
	return nil
}

// note adds a note to the results, once.
func (r *c2cRun) note(text string) {
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

func (r *c2cRun) measureGroups(ctx context.Context, pair c2cPair, at string) error {
	for _, g := range r.flags.groups(pair) {
		sides := r.sides(g)
		tell := func(p bench.Progress) {
			p.Side = at + p.Side
			r.told(p)
		}
		if err := r.measureGroup(ctx, sides, tell); err != nil {
			return err
		}
	}
	return nil
}

// measureGroup keeps what was measured also where it ends with an error. A form that
// cannot be measured is given up.
func (r *c2cRun) measureGroup(ctx context.Context, sides []*c2cSide, tell func(bench.Progress)) error {
	var fit []*c2cSide
	var turns []bench.Side
	for _, x := range sides {
		tell(bench.Progress{Side: x.name(), Warmup: true, Total: 1})
		switch err := x.calibrate(ctx); {
		case err == nil:
			fit = append(fit, x)
		case ctx.Err() != nil:
			return err
		case fatal(ctx, err):
			return fmt.Errorf("%s: %w", x.name(), err)
		default:
			r.giveUp(x, err)
		}
	}
	for _, x := range fit {
		turns = append(turns, r.turn(x, fit))
	}
	plan := r.plan(tell)
	series, err := plan.Run(ctx, turns...)
	for i, x := range fit {
		if x.kept > 0 && !x.gone {
			r.add(x, series[i])
		}
	}
	if errors.Is(err, errNoneLeft) {
		return nil
	}
	return err
}

// write writes the document and the files beside it.
func (r *c2cRun) write(partial bool, end error) error {
	matrices, err := r.matrices(partial)
	if err != nil {
		return err
	}
	if len(matrices) == 0 && (r.svgFile != nil || r.matrixFile != nil) {
		r.note("--svg and --matrix wrote nothing: no result of two processors")
	}
	if len(r.pairs) > 1 && r.placement != nil {
		r.note("the workers' processors above are those of the first graph, of one pair: each result has its own as its placement")
	}
	d := r.document(partial)
	if r.format == "text" {
		d.Text = r.text(matrices)
		if d.Text.NoTitle {
			r.console.Warn(d.Warnings...)
		}
	}
	return r.out.Write(d, end, r.matrixFiles(matrices)...)
}

// cpusUsed returns the processors of all pairs.
func (r *c2cRun) cpusUsed() []int {
	var cpus []int
	for _, pair := range r.pairs {
		cpus = append(cpus, pair.From, pair.To)
	}
	slices.Sort(cpus)
	return slices.Compact(cpus)
}

func (r *c2cRun) document(partial bool) *report.Document {
	d := r.bed.Document(harness.About{App: c2cName, Settings: r.flags.settings(r.bed, r.pairs[0]), Notes: r.notes})
	d.Machine, d.Counters = r.machine.Facts(r.placement), r.counters
	d.Verified, d.Partial = true, partial
	for _, row := range r.rows {
		d.AddLabelled(row.series.Side, row.labels(), row.series)
		for _, doubt := range row.doubts {
			d.Warn(doubt)
		}
	}
	return d
}
