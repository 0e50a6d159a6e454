package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	pgasapp "ocr/apps/pgas"
	"ocr/internal/bench"
	"ocr/internal/machine"
	"ocr/internal/matrix"
	"ocr/internal/report"
)

// pgasRun is one run of pgas: what is to be measured, and what was.
type pgasRun struct {
	*session
	flags   *pgasFlags
	machine *machine.Machine
	workers *pool // PE i is worker i
	caches  pgasCaches
	tests   []pgasapp.Test
	pair    matrix.Pair // of the core-to-core baseline
	groups  []*pgasGroup
	notes   []string

	resultFile, svgFile *sink // svgFile is nil where not asked for

	rows  []*pgasRow
	find  map[pgasKey]*pgasRow
	graph *graphRun // the first
}

// measure measures all groups and writes the results: those there are where the user
// interrupts, none where a run fails or its result is wrong.
func (r *pgasRun) measure(ctx context.Context) error {
	r.begin()
	r.warn(r.workers.warnings)
	defer spareProcessor()()
	tell, stop := func(bench.Progress) {}, func() {}
	if !r.options.quiet && isTerminal(r.stdio.err) {
		line := startProgress(r.stdio.err, progressDelay, progressInterval)
		tell, stop = line.tell, line.stop
	}
	err := r.measureGroups(ctx, tell)
	stop()
	if err != nil && ctx.Err() == nil {
		return err
	}
	return errors.Join(r.write(err != nil), err)
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
	var turns []bench.Side
	for _, k := range g.keys {
		x := r.newSide(k)
		sides, turns = append(sides, x), append(turns, x.side())
	}
	plan := bench.Plan{
		Warmup: r.options.warmup, Samples: r.options.samples, OneRun: true,
		Resolution: r.machine.Clock, Seed: r.options.seed, Progress: tell,
	}
	series, err := plan.Run(ctx, turns...)
	for i, x := range sides {
		if x.kept > 0 {
			r.add(x, series[i])
		}
	}
	return err
}

// note adds a note to the results, once.
func (r *pgasRun) note(text string) {
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// noteGraph keeps what the runtime tells of a run.
func (r *pgasRun) noteGraph(g *graphRun) {
	if r.graph == nil {
		r.graph = g
	}
	for _, warning := range g.warnings {
		r.note(warning)
	}
}

// write writes the results and the picture beside them.
func (r *pgasRun) write(partial bool) error {
	d := r.document(partial)
	var b bytes.Buffer
	if r.flags.compat {
		r.warn(d.Warnings)
		r.compat(&b)
	} else if err := d.Write(&b, r.options.format); err != nil {
		return err
	}
	if err := r.resultFile.commit(b.Bytes()); err != nil {
		return err
	}
	if r.svgFile == nil {
		return nil
	}
	var picture bytes.Buffer
	if err := r.draw(&picture, partial); err != nil {
		return err
	}
	return r.svgFile.commit(picture.Bytes())
}

func (r *pgasRun) document(partial bool) *report.Document {
	d := &report.Document{
		App: pgasName, Argv: r.args, Config: r.flags.settings(&r.options, r.workers, r.tests),
		Build:    machine.ReadBuild(),
		Verified: !r.options.noVerify && len(r.rows) > 0, Partial: partial,
		Warnings: slices.Concat(r.notes, r.machine.Topology.Warnings),
		Text:     r.text(),
	}
	var placement []int
	if r.graph != nil {
		placement, d.Counters = r.graph.placement, r.graph.counters
	}
	d.Machine = r.machine.Facts(placement)
	for _, row := range r.rows {
		d.AddLabelled(row.series.Side, row.labels(), row.series)
	}
	return d
}
