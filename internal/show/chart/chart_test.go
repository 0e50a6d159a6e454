package chart

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/picture"
	"ocr/internal/show/report"
)

// swept returns a document with a result for each value of a key, for each number of workers.
func swept(key string, workers []int, values ...string) *report.Document {
	d := &report.Document{App: "x"}
	for _, n := range workers {
		for i, v := range values {
			d.AddLabelled(fmt.Sprintf("x/edt/%s=%s/workers=%d", key, v, n), nil,
				bench.Series{Runs: []int{1}, Metrics: bench.Metrics{
					{Unit: "ns/op", Samples: []float64{float64(10 + i)}}, {Unit: "steals", Samples: []float64{1}}}})
		}
	}
	return d
}

// TestCurves: the results that are a curve, and the names of curves.
func TestCurves(t *testing.T) {
	for name, c := range map[string]struct {
		*report.Document
		want []string
	}{
		"two values": {swept("n", []int{1}, "1", "2"), nil},
		"words":      {swept("n", []int{1}, "a", "b", "c"), nil},
		"three":      {swept("n", []int{1}, "3", "2", "1"), []string{"x: ns/op by n", "edt"}},
		"from zero":  {swept("n", []int{1}, "0", "1", "1000"), []string{"x: ns/op by n", "edt"}},
		"two workers": {swept("n", []int{1, 2}, "1", "2", "3"),
			[]string{"x: ns/op by n", "edt workers=1", "edt workers=2"}},
		"settings": {swept("events", []int{1, 2, 3}, "once", "sticky"),
			[]string{"x: ns/op by workers", "edt events=once", "edt events=sticky"}},
		"infinite": {swept("n", []int{1}, "1", "2", "Inf"), nil},
	} {
		var got []string
		for _, c := range Curves(3, c.Document) {
			got = append(got, c.Title)
			for _, s := range c.Series {
				got = append(got, s.Name)
				if !slices.IsSortedFunc(s.Points, func(a, b picture.Point) int { return int(a.X - b.X) }) {
					t.Errorf("%s: points of %s: %v", name, s.Name, s.Points)
				}
			}
		}
		testrun.Same(t, c.want, got, "%s: charts and curves", name)
	}
}

// granularities returns a document with METG of forms on numbers of workers: of form k on n workers it is 100(k+1)+n
// ns. The last form has only a bound.
func granularities(width int, workers []int, forms ...string) *report.Document {
	d := &report.Document{App: "metg"}
	if width > 0 {
		d.Config = report.Settings("width", width)
	}
	for _, n := range workers {
		for k, form := range forms {
			labels := report.Settings("type", "dom", "form", form)
			name := "metg/dom/" + form
			if width > 0 && width != 4*n {
				name += fmt.Sprintf("/width=%d", width)
			}
			whole := fmt.Sprintf("%s/workers=%d", name, n)
			unit, bound := "metg50-ns", labels
			if k == len(forms)-1 {
				unit, bound = "metg90-ns", labels.With("metg50-ns", fmt.Sprintf("< %d", 100*(k+1)+n))
			}
			d.AddLabelled(whole, bound, bench.Series{
				Runs: []int{1}, Metrics: bench.Metrics{{Unit: unit, Samples: []float64{float64(100*(k+1) + n)}}}})
			for iter := 1; iter < 1<<(6+k); iter *= 2 { // forms have different sizes
				d.AddLabelled(fmt.Sprintf("%s/iter=%d/workers=%d", name, iter, n),
					labels.With("iter", iter, report.Efficiency, float64(iter)/(float64(iter)+3)),
					bench.Series{Runs: []int{1}, Metrics: bench.Metrics{
						{Unit: "ns/task", Samples: []float64{float64(10 * iter)}}, {Unit: "flop/s", Samples: []float64{1e9}}}})
			}
		}
	}
	return d
}

// TestMETG reads the labels of the picture: it has a curve for each form and number of workers, with its own METG, and
// no chart of single sizes. If there are many curves, each number of workers has a picture.
func TestMETG(t *testing.T) {
	forms := []string{"edt", "recorded", "floor", "mpi-ranks", "omp-depend"}
	text := regexp.MustCompile(`<text[^>]*>([^<]*)</text>`)
	for _, c := range []struct{ width, workers, forms, panels int }{
		{8, 2, 2, 1}, {0, 2, 2, 1}, {8, 1, 2, 1}, {12, 3, 2, 1}, {0, 4, 2, 1}, {16, 2, 4, 1}, {0, 2, 5, 2}, {8, 3, 5, 3},
		{0, 9, 2, 9},
	} {
		workers := []int{1, 2, 3, 4, 6, 8, 12, 16, 24}[:c.workers]
		var b strings.Builder
		testrun.OK(t, Draw(&b, granularities(c.width, workers, forms[:c.forms]...)))
		got := map[string]int{}
		for _, m := range text.FindAllStringSubmatch(b.String(), -1) {
			title, _, ok := strings.Cut(m[1], "efficiency by granularity")
			if ok {
				got[title]++
			}
			if strings.Contains(m[1], "METG") || strings.Contains(m[1], "iter=") {
				got[m[1]]++
			}
		}
		want := map[string]int{"metg dom: ": c.panels}
		for _, n := range workers {
			for k, form := range forms[:c.forms] {
				if len(workers) > 1 {
					form += fmt.Sprintf(" workers=%d", n)
				}
				about := fmt.Sprintf("%d.0", 100*(k+1)+n)
				if k == c.forms-1 {
					about = fmt.Sprintf("&lt; %d", 100*(k+1)+n)
				}
				want[form+": METG(50 %) "+about+" ns"] = 1
			}
		}
		testrun.Same(t, want, got, "%+v", c)
	}
}

// TestMaps: a pair is shown both ways round.
func TestMaps(t *testing.T) {
	for _, c := range []struct {
		cpus []string
		want []string
	}{
		{[]string{"0,1", "0,2", "1,3"}, []string{"- 10.0 11.0 -", "10.0 - - 12.0", "11.0 - - -", "- 12.0 - -"}},
		{[]string{"0,1"}, nil},
		{[]string{"3,3", "0", "a,b"}, nil},
	} {
		d := &report.Document{App: "c2c"}
		for i, pair := range c.cpus {
			d.Add("c2c/single/polled/cpus="+pair, bench.Series{
				Runs: []int{1}, Metrics: bench.Metrics{{Unit: "ns/oneway", Samples: []float64{float64(10 + i)}}}})
		}
		var got []string
		for _, m := range Maps(d) {
			for _, row := range m.Values {
				var cells []string
				for _, v := range row {
					cell := "-"
					if !math.IsNaN(v) {
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

// TestBars: a document without curves and maps is shown as bars, one picture for each thing that is measured; a bar is
// named by what differs.
func TestBars(t *testing.T) {
	d := &report.Document{App: "c2c"}
	for k, name := range []string{
		"single/polled/cpus=0,1", "single/edt/cpus=0,1", "dual/polled/cpus=0,1", "dual/polled/cpus=0,2",
	} {
		d.Add("c2c/"+name+"/width=8", bench.Series{Runs: []int{1}, Metrics: bench.Metrics{
			{Unit: "ns/oneway", Samples: []float64{float64(k)}}}})
	}
	var got []string
	for _, b := range bars(d) {
		for _, r := range b.Rows {
			got = append(got, fmt.Sprint(b.Title, " | ", r.Name, " | ", r.Text, " | ", r.Value))
		}
	}
	testrun.Same(t, []string{
		"c2c single: ns/oneway | polled cpus=0,1 | 0 ns/oneway | 0",
		"c2c single: ns/oneway | edt cpus=0,1 | 1.000 ns/oneway | 1",
		"c2c dual: ns/oneway | polled cpus=0,1 | 2.000 ns/oneway | 2",
		"c2c dual: ns/oneway | polled cpus=0,2 | 3.000 ns/oneway | 3",
	}, got, "bars")
	var svg strings.Builder
	testrun.OK(t, Draw(&svg, d))
	testrun.Same(t, 4, strings.Count(svg.String(), `class="bar"`), "bars drawn")
}

// TestDraw: a default number, which is only a label, is a point; a document without a curve has a picture.
func TestDraw(t *testing.T) {
	d := &report.Document{App: "x", Partial: true, Date: "2026-01-02", Config: report.Settings("workers", 3)}
	d.Machine.CPU, d.Build.Commit = "EPYC", "0123456789abcdef"
	for name, stride := range map[string]int{"x/put/edt/pes=2": 1, "x/put/edt/pes=2/stride=8": 8} {
		d.AddLabelled(name, report.Settings("test", "put", "stride", stride, "transfers", 7), bench.Series{
			Runs: []int{1}, Metrics: bench.Metrics{{Unit: "ns/op", Samples: []float64{float64(stride)}}}})
	}
	var b strings.Builder
	if err := Draw(&b, d); err != nil || strings.Count(b.String(), "by stride<") != 1 ||
		strings.Contains(b.String(), "transfers") {
		t.Errorf("%v in %s", err, b.String())
	}
	testrun.Contains(t, b.String(), "x, partial<", ">8<", "M64.2", ">EPYC, workers 3, commit 0123456789ab, 2026-01-02<")
	d.Results = slices.DeleteFunc(d.Results, func(r report.Result) bool { return !strings.Contains(r.Name, "stride") })
	b.Reset()
	testrun.OK(t, Draw(&b, d))
	testrun.Contains(t, b.String(), `class="bar"`)
}
