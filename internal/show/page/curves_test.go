package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/plot"
	"ocr/internal/show/report"
	"ocr/internal/show/svg"
)

// Short writes a figure as the page does, for tests of the page in a browser.
var Short = short

// swept returns a file with a result for each value of a key, for each number of workers.
func swept(letter, key string, workers []int, values ...string) *fileView {
	d := &report.Document{App: "x"}
	for _, n := range workers {
		for i, v := range values {
			d.AddLabelled(fmt.Sprintf("x/edt/%s=%s/workers=%d", key, v, n), nil,
				bench.Series{Runs: []int{1}, Metrics: bench.Metrics{
					{Unit: "ns/op", Samples: []float64{float64(10 + i)}}, {Unit: "steals", Samples: []float64{1}}}})
		}
	}
	return &fileView{mark: mark{Letter: letter}, App: "x", document: d}
}

// TestCharts: which results are a curve, and how curves are named.
func TestCharts(t *testing.T) {
	for name, c := range map[string]struct {
		files []*fileView
		want  []string
	}{
		"two values": {[]*fileView{swept("A", "n", []int{1}, "1", "2")}, nil},
		"words":      {[]*fileView{swept("A", "n", []int{1}, "a", "b", "c")}, nil},
		"three":      {[]*fileView{swept("A", "n", []int{1}, "3", "2", "1")}, []string{"x: ns/op by n", "edt"}},
		"from zero":  {[]*fileView{swept("A", "n", []int{1}, "0", "1", "1000")}, []string{"x: ns/op by n", "edt"}},
		"two workers": {[]*fileView{swept("A", "n", []int{1, 2}, "1", "2", "3")},
			[]string{"x: ns/op by n", "edt workers=1", "edt workers=2"}},
		"of files": {[]*fileView{swept("A", "n", []int{1}, "7"), swept("B", "n", []int{2}, "7"),
			swept("C", "n", []int{4}, "7")},
			[]string{"x: ns/op by workers", "edt"}},
		"beside": {[]*fileView{swept("A", "n", []int{1}, "1", "2", "3"), swept("B", "n", []int{1}, "1", "2", "3")},
			[]string{"x: ns/op by n", "edt (A)", "edt (B)"}},
		"infinite": {[]*fileView{swept("A", "n", []int{1}, "1", "2", "Inf")}, nil},
	} {
		var got []string
		for _, c := range charts(c.files) {
			got = append(got, c.Title)
			for _, s := range c.Series {
				got = append(got, s.Name)
				if !slices.IsSortedFunc(s.Points, func(a, b plot.Point) int { return int(a.X - b.X) }) {
					t.Errorf("%s: points of %s: %v", name, s.Name, s.Points)
				}
			}
		}
		testrun.Same(t, c.want, got, "%s: charts and curves", name)
	}
}

// TestHeatMap: a pair measured one way is shown both ways, unless some pair was measured in both.
func TestHeatMap(t *testing.T) {
	for _, c := range []struct {
		cpus []string
		want []string
	}{
		{[]string{"0,1", "0,2", "1,2"}, []string{"- 10.0 11.0", "10.0 - 12.0", "11.0 12.0 -"}},
		{[]string{"0,1", "1,0", "1,2"}, []string{"- 10.0 -", "11.0 - 12.0", "- - -"}},
		{[]string{"0,1"}, nil},
		{[]string{"3,3", "0", "a,b"}, nil},
	} {
		d := &report.Document{App: "c2c"}
		for i, pair := range c.cpus {
			d.Add("c2c/single/polled/cpus="+pair, bench.Series{
				Runs: []int{1}, Metrics: bench.Metrics{{Unit: "ns/oneway", Samples: []float64{float64(10 + i)}}}})
		}
		var got []string
		for _, m := range heatMaps([]*fileView{{mark: mark{Letter: "A"}, App: "c2c", document: d}}) {
			for row := range m.Len() {
				var cells []string
				for column := range m.Len() {
					cell := "-"
					if v, ok := m.Value(row, column); ok {
						cell = m.Format(v)
					}
					cells = append(cells, cell)
				}
				got = append(got, strings.Join(cells, " "))
			}
		}
		testrun.Same(t, c.want, got, "cells of pairs %v", c.cpus)
	}
}

// TestHistogram: every sample is in a bin.
func TestHistogram(t *testing.T) {
	for _, samples := range [][]float64{{1}, {1, 2, 3}, {1, 1e6}, {0, 0}, slices.Repeat([]float64{2, 3}, 5000)} {
		sum := 0
		for _, n := range histogram(samples, svg.NewScale(slices.Min(samples), slices.Max(samples), 8, 300)) {
			sum += n
		}
		if sum != len(samples) {
			t.Errorf("the bins of %d samples hold %d", len(samples), sum)
		}
	}
}
