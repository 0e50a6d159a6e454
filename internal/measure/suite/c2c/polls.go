package c2c

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	app "ocr/apps/c2c"
	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// polls is how often end B polled each element of an array, in a trial of its own: counting makes transfers slower.
type polls struct {
	row       *row
	transfers float64 // that B received
	elements  []app.ElementPolls
}

// polledArrays are the tests whose polls can be counted.
var polledArrays = []app.Test{app.Array, app.DualArray, app.Flow}

// counts reports whether the polls of a row are counted.
func (c *Config) counts(k key) bool {
	return c.CountPolls && k.form == app.Polled && slices.Contains(polledArrays, k.test)
}

// CanCountPolls reports whether there are rows of which [Config.CountPolls] counts something.
func (c *Config) CanCountPolls() bool {
	return slices.Contains(c.forms(), app.Polled) && slices.ContainsFunc(c.Tests,
		func(t app.Test) bool { return slices.Contains(polledArrays, t) })
}

// countPolls counts the polls of the form polled of a group, if it was measured.
func (r *run) countPolls(ctx context.Context, rows []*row) error {
	for _, x := range rows {
		if !r.counts(x.key) || r.find[x.key] == nil {
			continue
		}
		cfg := x.cfg
		cfg.CountPolls = true
		result, err := x.once(ctx, cfg)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return fmt.Errorf("polls of %s: %w", x.name(), err)
		}
		r.polls = append(r.polls, polls{x, float64(result.Transfers) / 2, result.Polls[1]})
	}
	return nil
}

// result returns the counts as a result whose samples are the elements, in order.
func (p *polls) result() report.Result {
	var mean, most []float64
	for _, e := range p.elements {
		mean = append(mean, float64(e.InVain)/p.transfers)
		most = append(most, float64(e.Most))
	}
	return report.Result{
		Name: p.row.name() + "/polls=element", Labels: p.row.labels(),
		Metrics: bench.Metrics{{Unit: "polls/transfer", Samples: mean}, {Unit: "most-polls", Samples: most}},
	}
}

// section shows the counts of the first elements, then of ranges that double.
func (p *polls) section() report.Section {
	type span struct {
		from, to int
		app.ElementPolls
	}
	var spans []span
	for from, to := 0, 1; from < len(p.elements); from, to = to, 2*to {
		s := span{from: from, to: min(to, len(p.elements))}
		for _, e := range p.elements[from:s.to] {
			s.InVain += e.InVain
			s.Most = max(s.Most, e.Most)
			for i, n := range e.Transfers {
				s.Transfers[i] += n
			}
		}
		spans = append(spans, s)
	}
	columns := []report.Column[span]{
		report.Words("elements", func(s span) string {
			if s.to == s.from+1 {
				return strconv.Itoa(s.from)
			}
			return fmt.Sprintf("%d-%d", s.from, s.to-1)
		}),
		report.Cells("mean", func(s span) string {
			return report.Short(float64(s.InVain) / p.transfers / float64(s.to-s.from))
		}),
		report.Cells("most", func(s span) string { return fmt.Sprint(s.Most) }),
	}
	for b, head := range []string{"0", "1", "2-3", "4-7", "8-15", "16-31", "32-63", "64-127", "128+"} {
		columns = append(columns, report.Cells(head, func(s span) string { return fmt.Sprint(s.Transfers[b]) }))
	}
	k := p.row.key
	return report.Section{
		Title: fmt.Sprintf("%s, %d x %d bytes%s, %v: polls in vain of an element, and transfers by their number", k.test,
			k.length, k.width, k.between(), k.pair),
		Table: report.Tabulate(spans, columns),
	}
}
