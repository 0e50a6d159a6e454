package page

import (
	"fmt"
	"slices"
	"testing"

	"ocr/internal/bench"
	"ocr/internal/report"
	"ocr/internal/testrun"
)

// Short writes a figure as the page does, for tests of the page in a browser.
var Short = short

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{100, 110, []string{"100", "102", "104", "106", "108", "110"}},
		{0, 0, []string{"0", "0.2", "0.4", "0.6", "0.8", "1"}},
		{5, 5, []string{"4.6", "4.8", "5", "5.2", "5.4"}},
		{1, 900, []string{"1", "10", "100", "1000"}},
		{2, 300, []string{"2", "5", "10", "20", "50", "100", "200"}},
		{8, 4e6, []string{"10", "100", "1000", "10k", "100k", "1M"}},
		{1e15, 1e15 + 0.25, []string{"900T", "950T", "1000T", "1050T", "1100T"}},
		{-3, 3, []string{"-2", "0", "2"}},
		{1.5e9, 1.9e9, []string{"1.5G", "1.6G", "1.7G", "1.8G", "1.9G"}},
	} {
		s := newScale(c.low, c.high, 0, 1000)
		var got []string
		for _, tick := range s.ticks(s.rounds(), prefixed) {
			got = append(got, tick.label)
			if tick.at < 0 || tick.at > 1000 {
				t.Errorf("%v .. %v: %s is at %v", c.low, c.high, tick.label, tick.at)
			}
		}
		testrun.Same(t, c.want, got, "ticks of %v .. %v", c.low, c.high)
		for _, v := range []float64{c.low, c.high} {
			if at := s.at(v); !(at >= 0 && at <= 1000) {
				t.Errorf("%v of %v .. %v is at %v", v, c.low, c.high, at)
			}
		}
	}
	for _, ends := range [][2]float64{{-1.7e308, 1.7e308}, {5e-324, 5e-324}, {5e-324, 1.7e308}, {-1e-300, 0}} {
		s := newScale(ends[0], ends[1], 0, 1000)
		for _, tick := range append(s.ticks(s.rounds(), prefixed), tick{at: s.at(ends[0])}, tick{at: s.at(ends[1])}) {
			if !(tick.at >= 0 && tick.at <= 1000) {
				t.Errorf("%v: %q is at %v", ends, tick.label, tick.at)
			}
		}
	}
	if got := newScale(0, 1000, 0, 20); len(got.ticks(got.rounds(), prefixed)) != 1 {
		t.Errorf("a short axis has the numbers %v", got.ticks(got.rounds(), prefixed))
	}
}

// swept returns a file with a result for each value of a key, for each number of workers.
func swept(letter, key string, workers []int, values ...string) *fileView {
	d := &report.Document{App: "x"}
	for _, n := range workers {
		for i, v := range values {
			d.AddLabelled(fmt.Sprintf("x/edt/%s=%s/workers=%d", key, v, n), nil,
				bench.Series{Runs: []int{1}, Metrics: bench.Metrics{{Unit: "ns/op", Samples: []float64{float64(10 + i)}}, {Unit: "steals", Samples: []float64{1}}}})
		}
	}
	return &fileView{mark: mark{Letter: letter}, App: "x", document: d}
}

// TestPanels: which results are a curve, and how curves are named.
func TestPanels(t *testing.T) {
	for name, c := range map[string]struct {
		files []*fileView
		want  []string
	}{
		"two values":  {[]*fileView{swept("A", "n", []int{1}, "1", "2")}, nil},
		"words":       {[]*fileView{swept("A", "n", []int{1}, "a", "b", "c")}, nil},
		"three":       {[]*fileView{swept("A", "n", []int{1}, "1", "2", "3")}, []string{"x: ns/op by n", "edt"}},
		"from zero":   {[]*fileView{swept("A", "n", []int{1}, "0", "1", "1000")}, []string{"x: ns/op by n", "edt"}},
		"two workers": {[]*fileView{swept("A", "n", []int{1, 2}, "1", "2", "3")}, []string{"x: ns/op by n", "edt workers=1", "edt workers=2"}},
		"of files": {[]*fileView{swept("A", "n", []int{1}, "7"), swept("B", "n", []int{2}, "7"), swept("C", "n", []int{4}, "7")},
			[]string{"x: ns/op by workers", "edt"}},
		"beside": {[]*fileView{swept("A", "n", []int{1}, "1", "2", "3"), swept("B", "n", []int{1}, "1", "2", "3")},
			[]string{"x: ns/op by n", "edt (A)", "edt (B)"}},
		"infinite": {[]*fileView{swept("A", "n", []int{1}, "1", "2", "Inf")}, nil},
	} {
		var got []string
		for _, p := range panels(c.files) {
			got = append(got, p.Title)
			for _, l := range p.Lines {
				got = append(got, l.Name)
				if !slices.IsSortedFunc(l.points, func(a, b point) int { return int(a.x - b.x) }) {
					t.Errorf("%s: points of %s: %v", name, l.Name, l.points)
				}
			}
		}
		testrun.Same(t, c.want, got, "%s: panels and curves", name)
	}
}

// TestHeatMap: a pair measured one way is shown both ways, unless some pair was measured in both.
func TestHeatMap(t *testing.T) {
	of := func(cpus ...string) [][]string {
		d := &report.Document{App: "c2c"}
		for i, pair := range cpus {
			d.Add("c2c/single/polled/cpus="+pair, bench.Series{Runs: []int{1}, Metrics: bench.Metrics{{Unit: "ns/oneway", Samples: []float64{float64(10 + i)}}}})
		}
		var cells [][]string
		for _, m := range heatMaps([]*fileView{{mark: mark{Letter: "A"}, App: "c2c", document: d}}) {
			for _, row := range m.Rows {
				var line []string
				for _, c := range row.Cells {
					line = append(line, c.Text)
				}
				cells = append(cells, line)
			}
		}
		return cells
	}
	for _, c := range []struct {
		cpus []string
		want [][]string
	}{
		{[]string{"0,1", "0,2", "1,2"}, [][]string{{"", "10.0", "11.0"}, {"10.0", "", "12.0"}, {"11.0", "12.0", ""}}},
		{[]string{"0,1", "1,0", "1,2"}, [][]string{{"", "10.0", ""}, {"11.0", "", "12.0"}, {"", "", ""}}},
		{[]string{"0,1"}, nil},
		{[]string{"3,3", "0", "a,b"}, nil},
	} {
		testrun.Same(t, c.want, of(c.cpus...), "cells of pairs %v", c.cpus)
	}
}

// TestHistogram: every sample is in a bin.
func TestHistogram(t *testing.T) {
	for _, samples := range [][]float64{{1}, {1, 2, 3}, {1, 1e6}, {0, 0}, slices.Repeat([]float64{2, 3}, 5000)} {
		sum := 0
		x := newScale(slices.Min(samples), slices.Max(samples), 8, 300)
		for _, n := range histogram(samples, x) {
			sum += n
		}
		if sum != len(samples) {
			t.Errorf("the bins of %d samples hold %d", len(samples), sum)
		}
	}
}
