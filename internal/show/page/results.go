package page

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/chart"
	"ocr/internal/show/report"
)

// short writes a figure in four digits, with an exponent if it is very large.
func short(v float64) string {
	if math.Abs(v) >= 1e7 {
		return strconv.FormatFloat(v, 'e', 3, 64)
	}
	return report.Short(v)
}

// A group is the results of one thing that is measured, in one unit, on one axis.
type group struct {
	Title     string
	Low, High string // the ends of the axis
	Log       bool   // the axis is logarithmic, else it begins at zero
	Ratios    bool   // some row has a ratio
	Rows      []*result
}

// A result is the figures of all files under one name.
type result struct {
	Name   string
	Kind   string // kind of a result of another runtime; may be empty
	Labels string
	Units  []*unit
	Bars   []bar  // in the group's unit, one for each file that has it
	own    string // the project's own result beside it: its name without the part peer=, or its own name
	title  string // of its group, without the unit
}

// A unit is one unit of a result.
type unit struct {
	*report.Row
	Sides []side
}

// A side is the figures of one file.
type side struct {
	mark
	bench.Summary
	P25, P75 float64
}

// Interval writes the interval of the median.
func (s side) Interval() string { return short(s.Lo) + " .. " + short(s.Hi) }

// Alike reports whether all samples are the same.
func (s side) Alike() bool { return s.Min == s.Max }

// A bar is a median with its interval on the axis of the group, in percent of the axis.
type bar struct {
	side
	Ratio           string // to the baseline; may be empty
	Left, Width, At float64
}

// peerPart matches the part of a name with another runtime's name.
var peerPart = regexp.MustCompile(`/peer=[^/]*`)

// results merges the results of all files by name, in the order of first appearance.
func results(files []*fileView) (list []*result) {
	byName := map[string]*result{}
	for _, f := range files {
		for i := range f.Results {
			if of := &f.Results[i]; byName[of.Name] == nil {
				r := &result{Name: of.Name, own: peerPart.ReplaceAllString(of.Name, ""), title: chart.Title(f.Document, of),
					Kind: of.Labels.Text("does"), Labels: labelText(of.Labels)}
				byName[of.Name], list = r, append(list, r)
			}
		}
	}
	for _, row := range report.RowsOf(documents(files)...) {
		r := byName[row.Name]
		r.Units = append(r.Units, newUnit(row, files))
	}
	return list
}

func newUnit(row *report.Row, files []*fileView) *unit {
	u := &unit{Row: row}
	for i, samples := range row.Samples {
		if samples != nil {
			ascending := slices.Sorted(slices.Values(samples))
			u.Sides = append(u.Sides, side{files[i].mark, bench.Summarize(ascending), bench.Quantile(ascending, 0.25),
				bench.Quantile(ascending, 0.75)})
		}
	}
	return u
}

func labelText(labels report.Config) string {
	var parts []string
	for _, s := range labels {
		value := fmt.Sprint(s.Value)
		if f, err := strconv.ParseFloat(value, 64); err == nil && strings.Contains(value, ".") {
			value = report.Short(f)
		}
		if value != "" {
			parts = append(parts, s.Key+" "+value)
		}
	}
	return strings.Join(parts, ", ")
}

// groups shows one unit of each result. The results of one operation are a group: each of the project's own is followed
// by those of other runtimes, in order of their kinds.
func groups(files []*fileView, results []*result) (list []*group) {
	count := map[string]int{}
	for _, r := range results {
		for _, u := range r.Units {
			count[u.Unit]++
		}
	}
	shown := map[*group]string{}
	for _, r := range results {
		best := r.Units[0] // or a time that restates it and that more results have
		for _, u := range r.Units {
			if u.Restates && report.BetterOf(u.Unit) == report.Lower && count[u.Unit] > count[best.Unit] {
				best = u
			}
		}
		title := r.title + ": " + best.Unit
		k := slices.IndexFunc(list, func(g *group) bool { return g.Title == title })
		if k < 0 {
			k = len(list)
			list = append(list, &group{Title: title})
			shown[list[k]] = best.Unit
		}
		list[k].Rows = append(list[k].Rows, r)
	}
	for _, g := range list {
		first := map[string]int{}
		for k, r := range slices.Backward(g.Rows) {
			first[r.own] = k
		}
		slices.SortStableFunc(g.Rows, func(a, b *result) int {
			peers := cmp.Compare(len(a.Name)-len(a.own), 0) - cmp.Compare(len(b.Name)-len(b.own), 0)
			return cmp.Or(cmp.Compare(first[a.own], first[b.own]), peers, cmp.Compare(a.Kind, b.Kind))
		})
		g.draw(files, shown[g])
	}
	return list
}

// farApart is the ratio of the greatest figure to the least from which an axis is logarithmic.
const farApart = 50

// draw places the figures of a group on its axis, and computes the ratio of each to the baseline of its file, or else
// to the project's own result beside it.
func (g *group) draw(files []*fileView, of string) {
	low, high := math.Inf(1), 0.0
	for _, r := range g.Rows {
		for _, s := range r.unit(of).Sides {
			low, high = min(low, s.Lo), max(high, s.Hi)
		}
	}
	at := func(v float64) float64 { return 100 * max(v, 0) / cmp.Or(high, 1) }
	if g.Low, g.High = "0", short(high); low > 0 && low <= high/farApart {
		low = max(low, high/1e15) // smaller figures are at the lower end
		g.Low, g.Log = short(low), true
		at = func(v float64) float64 { return 100 * math.Log(max(v, low)/low) / math.Log(high/low) }
	}
	for _, r := range g.Rows {
		for _, s := range r.unit(of).Sides {
			k := slices.IndexFunc(files, func(f *fileView) bool { return f.Letter == s.Letter })
			base := cmp.Or(files[k].Baseline, r.own)
			b := bar{side: s, Left: at(s.Lo), Width: at(s.Hi) - at(s.Lo), At: at(s.Median)}
			if m := files[k].Metric(base, of).Median; m != 0 && base != r.Name {
				b.Ratio, g.Ratios = "x"+report.Short(s.Median/m), true
			}
			r.Bars = append(r.Bars, b)
		}
	}
}

func (r *result) unit(name string) *unit {
	return r.Units[slices.IndexFunc(r.Units, func(u *unit) bool { return u.Unit == name })]
}
