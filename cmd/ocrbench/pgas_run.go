package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	pgasapp "ocr/apps/pgas"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/machine"
	"ocr/internal/matrix"
	"ocr/internal/report"
)

// pgasRun is one run of pgas: what is to be measured, and what was.
type pgasRun struct {
	*commonFlags
	flags   *pgasFlags
	machine *machine.Machine
	workers *harness.Pool // PE i is worker i
	caches  pgasCaches    // of PE 0

	partnerCPU int // of PE 0's partner

	tests  []pgasapp.Test
	pair   matrix.Pair // of the core-to-core baseline
	groups []*pgasGroup
	notes  []string

	svgFile *harness.Sink // nil where not asked for
	bed     *harness.Testbed
	out     *harness.Output
	run     harness.RunOptions // of the graphs

	rows []*pgasRow
	find map[pgasKey]*pgasRow
}

// measure measures all groups and writes the results: those there are where the user
// interrupts, none where a run fails or its result is wrong.
func (r *pgasRun) measure(ctx context.Context) error {
	r.console.Warn(r.workers.Warnings...)
	defer spareProcessor()()
	if err := r.observeRow(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	err := r.bed.During(r.workers.Used(), func() error { return r.measureGroups(ctx, r.console.Tell) })
	if err != nil && ctx.Err() == nil {
		return err
	}
	return r.write(err)
}

// observed returns the row that --trace, --dot and --stats are of: the first of form edt,
// else the first that is a graph at all, nil where there is none.
func (r *pgasRun) observed() *pgasKey {
	var found *pgasKey
	for _, g := range r.groups {
		for i := range g.keys {
			k := &g.keys[i]
			if k.test != baseC2C && k.form == pgasapp.EDT {
				return k
			}
			if k.test != baseC2C && found == nil {
				found = k
			}
		}
	}
	return found
}

func (r *pgasRun) observeRow(ctx context.Context) error {
	k := r.observed()
	if k == nil {
		return nil
	}
	x := r.newSide(*k)
	return r.bed.Observe(ctx, x.name, func(ctx context.Context, o harness.RunOptions) error {
		defer func(before harness.RunOptions) { r.run = before }(r.run)
		r.run = o
		_, err := x.once(ctx, x.cfg)
		return err
	})
}

func (r *pgasRun) measureGroups(ctx context.Context, tell func(bench.Progress)) error {
	for i, g := range r.groups {
		at := fmt.Sprintf("group %d of %d, ", i+1, len(r.groups))
		err := r.measureGroup(ctx, g, func(p bench.Progress) {
			p.Side = at + p.Side
			tell(p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// measureGroup keeps what was measured also where it ends with an error.
func (r *pgasRun) measureGroup(ctx context.Context, g *pgasGroup, tell func(bench.Progress)) error {
	var sides []*pgasSide
	for _, k := range g.keys {
		sides = append(sides, r.newSide(k))
	}
	err := r.takeTurns(ctx, sides, tell)
	for _, x := range sides {
		if x.kept > 0 {
			r.add(x)
		}
	}
	return err
}

// takeTurns takes a sample of each row in turn, of those that have time left.
func (r *pgasRun) takeTurns(ctx context.Context, sides []*pgasSide, tell func(bench.Progress)) error {
	o := r.sampling
	for round := range o.Warmup + o.Samples {
		at := bench.Progress{Warmup: round < o.Warmup, Done: round, Total: o.Warmup}
		plan := bench.Plan{Warmup: 1, OneRun: true, Resolution: r.machine.Clock, Seed: o.Seed + uint64(round)}
		if !at.Warmup {
			at.Done, at.Total = round-o.Warmup, o.Samples
			plan.Warmup, plan.Samples = 0, 1
		}
		plan.Progress = func(p bench.Progress) {
			at.Side = p.Side
			tell(at)
		}
		left := slices.DeleteFunc(slices.Clone(sides), func(x *pgasSide) bool { return x.spentUp(at.Warmup) })
		if err := takeRound(ctx, plan, left); err != nil {
			return err
		}
	}
	return nil
}

// takeRound takes a sample of each row, and keeps those that were taken before an error.
func takeRound(ctx context.Context, plan bench.Plan, sides []*pgasSide) error {
	var turns []bench.Side
	for _, x := range sides {
		turns = append(turns, x.side())
	}
	series, err := plan.Run(ctx, turns...)
	for i, x := range sides {
		x.join(series[i])
	}
	return err
}

// note adds a note to the results, once.
func (r *pgasRun) note(text string) {
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// noteRows adds a note that names the rows which it is true of, a few of many.
func (r *pgasRun) noteRows(text string, is func(*pgasRow) bool) {
	const most = 4
	var names []string
	for _, row := range r.rows {
		if is(row) {
			names = append(names, row.spelled())
		}
	}
	if len(names) == 0 {
		return
	}
	more := ""
	if n := len(names) - most; n > 0 {
		names, more = names[:most], fmt.Sprintf(" and %d more", n)
	}
	r.note(text + ": " + strings.Join(names, ", ") + more)
}

// noteTimes tells which rows have not the time, or the samples, that was asked for.
func (r *pgasRun) noteTimes() {
	r.noteRows(fmt.Sprintf("fewer samples than asked for (n), since they reached --max-time %v", r.flags.maxTime),
		func(row *pgasRow) bool { return row.cut })
	r.noteRows(fmt.Sprintf("samples last less than half of --sample-time %v", r.sampling.SampleTime),
		func(row *pgasRow) bool { return row.short })
}

// write writes the results and the picture beside them.
func (r *pgasRun) write(end error) error {
	d := r.document(end != nil)
	picture := harness.File{Sink: r.svgFile, Write: func(w io.Writer) error { return r.draw(w, end != nil) }}
	if !r.flags.compat {
		return r.out.Write(d, end, picture)
	}
	r.console.Warn(d.Warnings...)
	return r.out.WriteAs(d, func(w io.Writer) error {
		var b bytes.Buffer
		r.compat(&b)
		_, err := w.Write(b.Bytes())
		return err
	}, end, picture)
}

func (r *pgasRun) document(partial bool) *report.Document {
	r.noteTimes()
	about := harness.About{App: pgasName, Settings: r.flags.settings(r.bed, r.workers, r.tests), Notes: r.notes}
	if i := slices.IndexFunc(r.rows, func(row *pgasRow) bool { return row.graph != nil }); i >= 0 {
		about.Graph = &harness.GraphRun{Placement: r.rows[i].graph.Placement, Counters: r.rows[i].graph.Counters}
		about.Notes = append(slices.Clip(about.Notes), "counters are of a run of "+r.rows[i].series.Side)
	}
	d := r.bed.Document(about)
	d.Text, d.Partial = r.text(), partial
	for _, row := range r.rows {
		d.AddLabelled(row.series.Side, row.labels(), row.series)
	}
	return d
}
