package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/compare"
	"ocr/internal/show/report"
	"ocr/internal/show/svg"
)

// short writes a figure in four digits, or in its exponent's form if it is very large.
func short(v float64) string {
	if math.Abs(v) >= 1e7 {
		return strconv.FormatFloat(v, 'e', 3, 64)
	}
	return report.Short(v)
}

// result is what all files say of one name.
type result struct {
	Name   string
	ID     string
	Labels string
	Units  []*unit
}

// Single reports whether each file has one sample of each unit.
func (r *result) Single() bool {
	return !slices.ContainsFunc(r.Units, func(u *unit) bool {
		return slices.ContainsFunc(u.Sides, func(s side) bool { return s.N > 1 })
	})
}

// unit is one unit of a result.
type unit struct {
	Unit  string
	Sides []side
	Chart template.HTML // empty if there is nothing to see: all samples are alike, or another unit shows it
	Of    string        // the unit that shows the same; may be empty
}

// side is what one file says.
type side struct {
	mark
	bench.Summary
	P25, P75 float64
	Ratio    string // to the file's baseline; may be empty
	samples  []float64
}

// Interval writes the interval of the median.
func (s side) Interval() string { return short(s.Lo) + " .. " + short(s.Hi) }

// Alike reports whether all samples are the same.
func (s side) Alike() bool { return s.Min == s.Max }

// results merges the results of all files by name, in the order of first appearance.
func results(files []*fileView) []*result {
	var list []*result
	byName := map[string]*result{}
	for _, f := range files {
		labels := map[string]string{}
		for _, r := range f.Results {
			labels[r.Name] = labelText(r.Labels)
		}
		for _, s := range f.file.Series {
			r := byName[s.Name]
			if r == nil {
				r = &result{Name: s.Name, ID: fmt.Sprintf("r%d", len(list)), Labels: labels[s.Name]}
				byName[s.Name] = r
				list = append(list, r)
			}
			r.add(f, s)
		}
	}
	for _, r := range list {
		r.draw(len(files) > 1)
	}
	return list
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

func (r *result) add(f *fileView, s compare.Series) {
	i := slices.IndexFunc(r.Units, func(u *unit) bool { return u.Unit == s.Unit })
	if i < 0 {
		i = len(r.Units)
		r.Units = append(r.Units, &unit{Unit: s.Unit})
	}
	ascending := slices.Sorted(slices.Values(s.Samples))
	one := side{
		mark: f.mark, Summary: bench.Summarize(s.Samples), samples: s.Samples,
		P25: bench.Quantile(ascending, 0.25), P75: bench.Quantile(ascending, 0.75),
	}
	if base := f.Metric(f.Baseline, s.Unit); base.Median != 0 && r.Name != f.Baseline {
		one.Ratio = "x" + report.Short(one.Median/base.Median)
	}
	r.Units[i].Sides = append(r.Units[i].Sides, one)
	if s.Restates && r.Units[i].Of == "" {
		r.Units[i].Of = r.Units[0].Unit
	}
}

// draw draws the units that show something.
func (r *result) draw(letters bool) {
	for _, u := range r.Units {
		varies := slices.ContainsFunc(u.Sides, func(s side) bool { return s.Max > s.Min }) ||
			slices.ContainsFunc(u.Sides, func(s side) bool { return s.Min != u.Sides[0].Min })
		if u.Of == "" && varies {
			u.Chart = drawSamples(r.Name+", "+u.Unit, u.Sides, letters)
		}
	}
}

// overview is the results of one unit on one axis.
type overview struct {
	Unit     string
	Low      string // the ends of the axis
	High     string
	Log      bool
	Baseline bool // some row has a ratio
	Rows     []overviewRow
}

type overviewRow struct {
	Name, ID string
	Bars     []bar
}

// bar is an interval on the axis, in percent of its length.
type bar struct {
	side
	Left, Width, At float64
}

// common returns of each result the first unit, or a time that says the same and that more
// results have.
func common(results []*result) func(*result) *unit {
	count := map[string]int{}
	for _, r := range results {
		for _, u := range r.Units {
			count[u.Unit]++
		}
	}
	return func(r *result) *unit {
		best := r.Units[0]
		for _, u := range r.Units {
			if u.Of != "" && report.BetterOf(u.Unit) == report.Lower && count[u.Unit] > count[best.Unit] {
				best = u
			}
		}
		return best
	}
}

// overviews shows one unit of each result, those of one unit beside each other.
func overviews(results []*result) []overview {
	var order []string
	units := map[string][]*result{}
	shown := common(results)
	for _, r := range results {
		u := shown(r).Unit
		if units[u] == nil {
			order = append(order, u)
		}
		units[u] = append(units[u], r)
	}
	var list []overview
	for _, name := range order {
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range units[name] {
			for _, s := range shown(r).Sides {
				low, high = min(low, s.Lo), max(high, s.Hi)
			}
		}
		a := svg.NewScale(low, high, 0, 100)
		o := overview{Unit: name, Low: short(a.Low), High: short(a.High), Log: a.Log}
		for _, r := range units[name] {
			row := overviewRow{Name: r.Name, ID: r.ID}
			for _, s := range shown(r).Sides {
				left, right := a.At(s.Lo), a.At(s.Hi)
				row.Bars = append(row.Bars, bar{s, left, right - left, a.At(s.Median)})
				o.Baseline = o.Baseline || s.Ratio != ""
			}
			o.Rows = append(o.Rows, row)
		}
		list = append(list, o)
	}
	return list
}
