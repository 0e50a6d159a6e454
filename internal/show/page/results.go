package page

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/chart"
	"ocr/internal/show/report"
)

// short is [report.Short], with an exponent from 1e7 on.
func short(v float64) string {
	if math.Abs(v) >= 1e7 {
		return strconv.FormatFloat(v, 'e', 3, 64)
	}
	return report.Short(v)
}

// A group is the results of one operation, in one unit, on one axis.
type group struct {
	Title     string
	Low, High string // the ends of the axis
	Log       bool   // the axis is logarithmic, else it begins at zero
	Ratios    bool   // some row has a ratio
	Rows      []*result
	unit      string
}

// A result is the figures of one form. The embedded figures are in the group's unit.
type result struct {
	Name   string
	Short  string // the name without what all results of the file share
	Kind   string // label "does": how the operation is done; may be empty
	Labels string
	Units  []figures
	figures
	Ratio           string  // to the baseline; may be empty
	Left, Width, At float64 // the interval and the median on the axis of the group, in percent of the axis
	title           string  // of its group
	own             string  // name of the project's own result of this operation: Name without the part peer=
}

// figures are the figures of one unit.
type figures struct {
	Unit string
	bench.Summary
}

// Interval writes the interval of the median.
func (f figures) Interval() string { return short(f.Lo) + " .. " + short(f.Hi) }

// Alike reports whether all samples are the same.
func (f figures) Alike() bool { return f.Min == f.Max }

// peerPart matches the part of a name with another runtime's name.
var peerPart = regexp.MustCompile(`/peer=[^/]*`)

func newResult(of report.Result, short string) *result {
	r := &result{Name: of.Name, Short: short, own: peerPart.ReplaceAllString(of.Name, ""), Kind: of.Labels.Text("does"),
		Labels: labelText(of.Labels)}
	for _, m := range of.Metrics {
		r.Units = append(r.Units, figures{m.Unit, bench.Summarize(m.Samples)})
	}
	return r
}

func labelText(labels report.Config) string {
	var parts []string
	for _, s := range labels {
		if value := labels.Text(s.Key); value != "" {
			parts = append(parts, s.Key+" "+value)
		}
	}
	return strings.Join(parts, ", ")
}

// groups picks a unit for each result: its time or rate that most results have, or else its first unit. Results of one
// operation and unit are a group. In it each result of the project is followed by those of other runtimes, by kind.
func groups(d *report.Document) (list []*group) {
	count := map[string]int{}
	for _, r := range d.Results {
		for _, m := range r.Metrics {
			if report.BetterOf(m.Unit) != report.Neither {
				count[m.Unit]++
			}
		}
	}
	names := d.ShortNames()
	results := make([]*result, len(d.Results))
	for i := range d.Results {
		r := newResult(d.Results[i], names[i])
		r.figures = r.Units[0]
		for _, u := range r.Units {
			if count[u.Unit] > count[r.Unit] {
				r.figures = u
			}
		}
		r.title = chart.Title(d, &d.Results[i]) + ": " + r.Unit
		results[i] = r
	}
	for _, rows := range report.Grouped(results, func(r *result) string { return r.title }) {
		g := &group{Title: rows[0].title, Rows: rows, unit: rows[0].Unit}
		g.order()
		g.place()
		g.compare(d)
		list = append(list, g)
	}
	return list
}

func (g *group) order() {
	first := map[string]int{}
	for k, r := range slices.Backward(g.Rows) {
		first[r.own] = k
	}
	slices.SortStableFunc(g.Rows, func(a, b *result) int {
		peers := cmp.Compare(len(a.Name)-len(a.own), 0) - cmp.Compare(len(b.Name)-len(b.own), 0)
		return cmp.Or(cmp.Compare(first[a.own], first[b.own]), peers, cmp.Compare(a.Kind, b.Kind))
	})
}

// farApart is the ratio of the greatest figure to the least from which an axis is logarithmic.
const farApart = 50

// place places the figures of a group on its axis.
func (g *group) place() {
	low, high := math.Inf(1), 0.0
	for _, r := range g.Rows {
		low, high = min(low, r.Lo), max(high, r.Hi)
	}
	at := func(v float64) float64 { return 100 * max(v, 0) / cmp.Or(high, 1) }
	if g.Low, g.High = "0", short(high); low > 0 && low <= high/farApart {
		low = max(low, high/1e15) // smaller figures are at the lower end
		g.Low, g.Log = short(low), true
		at = func(v float64) float64 { return 100 * math.Log(max(v, low)/low) / math.Log(high/low) }
	}
	for _, r := range g.Rows {
		r.Left, r.Width, r.At = at(r.Lo), at(r.Hi)-at(r.Lo), at(r.Median)
	}
}

// compare computes the ratio of each figure to the baseline, or else to the project's own result beside it. As in the
// text, the ratios are those of samples which were taken in turn.
func (g *group) compare(d *report.Document) {
	for _, r := range g.Rows {
		base := cmp.Or(d.Baseline, r.own)
		s := bench.Ratios(d.Metrics(r.Name).Samples(g.unit), d.Metrics(base).Samples(g.unit))
		if m := math.Abs(s.Median); m > 0 && !math.IsInf(m, 0) && base != r.Name {
			r.Ratio, g.Ratios = "x"+report.Short(s.Median), true
		}
	}
}
