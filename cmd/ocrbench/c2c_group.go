package main

import (
	"context"
	"fmt"
	"slices"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/matrix"
)

// c2cGroup is what forms are set against each other in: one test of one pair.
type c2cGroup struct {
	pair   matrix.Pair
	test   c2capp.Test
	width  int
	layout c2capp.Layout
	length int
}

// String is the end of a result's name.
func (g c2cGroup) String() string {
	length := ""
	if g.test.HasLength() {
		length = fmt.Sprintf("/length=%d", g.length)
	}
	return fmt.Sprintf("width=%d/layout=%s%s/cpus=%d,%d", g.width, g.layout, length, g.pair.From, g.pair.To)
}

// groups returns the groups of a pair, in the order in which they are measured.
func (f *c2cFlags) groups(pair c2cPair) []c2cGroup {
	var groups []c2cGroup
	for _, test := range f.testList() {
		if pair.reversed && !directed(test) {
			continue
		}
		for _, width := range chosen(f.widths, c2capp.Widths()) {
			for _, length := range f.lengthList(test) {
				for _, layout := range f.layoutList(test) {
					groups = append(groups, c2cGroup{pair.Pair, test, width, layout, length})
				}
			}
		}
	}
	return groups
}

// layoutList returns where the elements of a test lie. Only those of dual can be
// laid out in two ways; a single element shares a line with itself, and whatever
// else two ends write is apart.
func (f *c2cFlags) layoutList(test c2capp.Test) []c2capp.Layout {
	switch {
	case test.HasLayout():
		return chosen(f.layouts, c2capp.Layouts())
	case test == c2capp.Single || test == c2capp.Array:
		return []c2capp.Layout{c2capp.Same}
	}
	return []c2capp.Layout{c2capp.Separate}
}

// sides returns the forms of a group. EDTs pass blocks on, and two blocks never
// share a line: where dual is measured in both layouts, they are in the separate one.
func (r *c2cRun) sides(g c2cGroup) []*c2cSide {
	var sides []*c2cSide
	layouts := r.flags.layoutList(g.test)
	for _, form := range r.flags.formList() {
		own := g
		switch {
		case form == formC && (r.c == nil || r.noC), form != formC && !form.Has(g.test):
			continue
		case ofEDTs(form) && g.test.HasLayout():
			own.layout = c2capp.Separate
			if g.layout != own.layout && slices.Contains(layouts, own.layout) {
				continue
			}
			if g.layout != own.layout {
				r.note(fmt.Sprintf("form %s: EDTs pass on blocks of their own, so test %s has layout %s", form, g.test, own.layout))
			}
		}
		sides = append(sides, r.newSide(own, form))
	}
	return sides
}

// ofEDTs reports whether a form passes transfers on from EDT to EDT.
func ofEDTs(form c2capp.Form) bool { return form != formC && form.Tasks() }

func (r *c2cRun) newSide(g c2cGroup, form c2capp.Form) *c2cSide {
	cfg := c2capp.Defaults()
	cfg.Test, cfg.Form, cfg.Width, cfg.Layout, cfg.Length = g.test, form, g.width, g.layout, g.length
	cfg.Transfers, cfg.Warmup, cfg.System = r.flags.stimLen, r.flags.warmup, c2cSystem
	x := &c2cSide{
		c2cGroup: g, form: form,
		cfg: cfg, lines: r.flags.lines, exact: r.flags.exact,
	}
	switch form {
	case formC:
		x.once = inC(r.c)
	case c2capp.Goroutines:
		x.once = x.inGoroutines
	default:
		x.once = func(ctx context.Context, cfg c2capp.Config) (c2capp.Result, error) { return x.inGraph(ctx, r.run, cfg) }
	}
	return x
}

// plan is how the forms of a group take turns: every sample is one trial.
func (r *c2cRun) plan(progress func(bench.Progress)) bench.Plan {
	return bench.Plan{
		Samples: r.flags.trials, OneRun: true,
		Resolution: r.machine.Clock, Seed: r.sampling.Seed, Progress: progress,
	}
}
