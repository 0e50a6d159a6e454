package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
)

func written(t *testing.T, table *Table, width int) string {
	t.Helper()
	var b strings.Builder
	testrun.OK(t, table.Write(&b, width))
	return b.String()
}

func TestTable(t *testing.T) {
	table := &Table{
		Head: []string{"name", "é", "wide column", "verdict"}, Left: 1, Ends: true,
		Rows: [][]string{{"a", "1", "22", "same"}, {"bb", "10", "3", "worse"}, {"c", "x"}},
		Over: map[int]string{1: "group"},
	}
	const whole = `name   é  wide column  verdict
a      1           22  same
group
bb    10            3  worse
c      x
`
	const narrow = `name   é
a      1
group
bb    10
c      x

name  wide column
a              22
group
bb              3
c

name  verdict
a     same
group
bb    worse
c
`
	for width, want := range map[int]string{0: whole, 30: whole, 100: whole, 18: narrow, 1: narrow} {
		testrun.Same(t, want, written(t, table, width), "width %d", width)
	}
	if got := written(t, &Table{}, 10); strings.TrimSpace(got) != "" {
		t.Errorf("an empty table: %q", got)
	}
}

// TestTableLosesNothing: at any width every cell is there, and no line is too long that could be shorter.
func TestTableLosesNothing(t *testing.T) {
	table := &Table{Head: []string{"row"}, Left: 1}
	row := []string{"r"}
	for i := range 30 {
		table.Head = append(table.Head, strings.Repeat("h", i%7+1))
		row = append(row, strings.Repeat("c", i%5+1))
	}
	table.Rows = [][]string{row}
	for width := 14; width < 160; width++ {
		cells := 0
		for line := range strings.Lines(written(t, table, width)) {
			if len(strings.TrimRight(line, "\n")) > width {
				t.Errorf("width %d: %q", width, line)
			}
			cells += strings.Count(line, "c") + strings.Count(line, "h")
		}
		if want := strings.Count(strings.Join(slices.Concat(table.Head, row), ""), "c") +
			strings.Count(strings.Join(table.Head, ""), "h"); cells != want {
			t.Errorf("width %d: %d letters, want %d", width, cells, want)
		}
	}
}

func TestTabulate(t *testing.T) {
	of := func(i int) func([]string) string { return func(row []string) string { return row[i] } }
	got := Tabulate([][]string{{"a", "", "1", "x"}, {"b", "", "", "y"}}, []Column[[]string]{
		Words("name", of(0)), Cells("empty", of(1)), Cells("n", of(2)).Detail(), Words("note", of(3)),
	})
	want := Table{Head: []string{"name", "n", "note"}, Rows: [][]string{{"a", "1", "x"}, {"b", "-", "y"}}, Left: 1,
		Ends: true, Details: []int{1}}
	testrun.Same(t, want, got, "table")
	brief := got.brief()
	testrun.Same(t, "name  note\na     x\nb     y\n", written(t, &brief, 0), "without details")
}

// TestBegin: what a run says is in its document, a busy machine as a warning.
func TestBegin(t *testing.T) {
	m := &machine.Machine{Topology: &topo.Topology{CPUs: []topo.CPU{{ID: 0}}, Warnings: []string{"virtual"}},
		Allowed: []int{0}}
	c := &machine.Conditions{Processors: 2, CapacityBefore: 1.9, CapacityAfter: 1.8, Others: 0.4}
	d := &Document{App: "x", Conditions: c, Verified: true, Counters: map[string]uint64{"steals": 1},
		Config: Config{{"P", 1}}}
	d.Begin(m, []int{0}, "note", "note")
	want := []string{"virtual", "note", "the machine was busy: other processes took 40 % of the processors"}
	testrun.Same(t, want, d.Notes(), "notes")
	if text := render(t, d, "text"); !strings.HasPrefix(text, "x: not verified\n") {
		t.Errorf("a document without results is verified:\n%s", text)
	}
	d.Add("x/edt", bench.Series{Runs: []int{1, 1}, Metrics: bench.Metrics{{Unit: "ns/op", Samples: []float64{1, 3}}}})
	brief := render(t, d, "text")
	testrun.Contains(t, brief, "x: verified\n", "run       on CPUs 0 of ", "\nnote      note\n", "40 % of the processors")
	testrun.Same(t, false, strings.Contains(brief, "virtual") || strings.Contains(brief, "steals"), "details in\n%s",
		brief)
	d.Verbose = true
	text := render(t, d, "text")
	testrun.Contains(t, text, "note      virtual\n",
		"x: verified\n", "load      capacity 1.90 of 2 before, 1.80 after; other processes took 40 % of the processors, ",
		"workers on 0 (read back)", "steals=1")
	for line := range strings.Lines(text) {
		if len([]rune(line)) > Width+1 {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
	if got := d.Metric("x/edt", "ns/op"); got.Median != 2 || got.N != 2 {
		t.Errorf("Metric = %+v", got)
	}
	for _, name := range []string{"x/edt", "y"} {
		if got := d.Metric(name, "MB/s"); got.N != 0 {
			t.Errorf("Metric of %s = %+v, want none", name, got)
		}
	}
	read, err := Parse([]byte(render(t, d, "json")))
	testrun.OK(t, err)
	testrun.Same(t, d.Facts(), read.Facts(), "facts")
	testrun.Same(t, d.Results[0].Metrics, read.Results[0].Metrics, "metrics")
	testrun.Same(t, c, read.Conditions, "conditions")
}

// TestEfficiency: of results that are twice and 1.5 times as fast as the serial baseline, on
// processors that gave loops together 1.6 times what one loop got.
func TestEfficiency(t *testing.T) {
	run := func(c *machine.Conditions) *Document {
		d := &Document{App: "x", Baseline: "x/serial", Verified: true, Conditions: c}
		add := func(name string, metrics ...bench.Metric) {
			for k := range metrics {
				metrics[k].Samples = append(metrics[k].Samples, metrics[k].Samples[0])
			}
			d.Add(name, bench.Series{Runs: []int{1, 1}, Metrics: metrics})
		}
		add("x/serial", bench.Metric{Unit: "ns/block", Samples: []float64{7}},
			bench.Metric{Unit: "Mflop/s", Samples: []float64{100}},
			bench.Metric{Unit: "ns/op", Samples: []float64{30}}, bench.Metric{Unit: "steals", Samples: []float64{1}})
		add("x/edt", bench.Metric{Unit: "ns/edt", Samples: []float64{3}},
			bench.Metric{Unit: "Mflop/s", Samples: []float64{200}})
		add("x/time", bench.Metric{Unit: "steals", Samples: []float64{9}},
			bench.Metric{Unit: "ns/op", Samples: []float64{20}})
		add("x/other", bench.Metric{Unit: "ns/other", Samples: []float64{20}},
			bench.Metric{Unit: "steals", Samples: []float64{9}})
		d.AddEfficiency()
		return d
	}
	d := run(&machine.Conditions{Processors: 2, CapacityBefore: 1.6, CapacityAfter: 0.8, OneBefore: 1, OneAfter: 0.5})
	for i, want := range []string{"", "1.25", "0.9375", ""} {
		testrun.Same(t, want, d.Results[i].Labels.Text(Efficiency), "%s: efficiency", d.Results[i].Name)
	}
	if text := render(t, d, "text"); strings.Contains(text, "efficiency") {
		t.Errorf("a short text has efficiencies:\n%s", text)
	}
	d.Verbose = true
	text := strings.Join(strings.Fields(render(t, d, "text")), " ")
	testrun.Contains(t, text, "times serial efficiency", "2.000 1.250", "0.6667 0.9375", "9.000 - time ns/op")
	if json := render(t, d, "json"); strings.Count(json, `"efficiency": `) != 2 {
		t.Errorf("want two efficiencies in\n%s", json)
	}
	for what, c := range map[string]*machine.Conditions{"on one processor": {Processors: 1},
		"of times that mean nothing": nil} {
		d := run(c)
		d.Verbose = true
		if d.Results[1].Labels != nil || strings.Contains(render(t, d, "text"), "efficiency") {
			t.Errorf("efficiency %s: %+v", what, d.Results[1])
		}
	}
}

// TestEfficiencyUnderLoad: a graph takes 60 s where the serial loop takes 100 s, on two processors
// that give two bare loops 1.9 times what they give one. What other processes take of the processors is
// no part of the efficiency; if it changes too much, no efficiency is shown.
func TestEfficiencyUnderLoad(t *testing.T) {
	const serial, graph, scaling = 100.0, 60.0, 1.9
	want := serial / graph / scaling
	same := func(share float64) (list [10]float64) {
		for k := range list {
			list[k] = share
		}
		return list
	}
	for _, tt := range []struct {
		what          string
		one, all      [10]float64 // the shares of its processors that a form gets, round by round
		before, after float64     // the share that bare loops get
		shown         bool
	}{
		{"nothing else runs", same(1), same(1), 1, 1, true},
		{"eight busy loops", same(0.2), same(0.2), 0.2, 0.2, true},
		{"forty busy loops", same(0.05), same(0.05), 0.05, 0.05, true},
		{"busy loops before, none afterwards", same(0.5), same(0.5), 0.2, 1, true},
		{"each round has another load", [10]float64{1, 0.1, 0.5, 0.2, 1, 0.3, 0.7, 0.05, 0.6, 0.9},
			[10]float64{1, 0.1, 0.5, 0.2, 1, 0.3, 0.7, 0.05, 0.6, 0.9}, 1, 1, true},
		{"one round is unlucky", same(1), [10]float64{1, 1, 1, 0.1, 1, 1, 1, 1, 1, 1}, 1, 1, true},
		{"the load is not the same within a round", [10]float64{0.1, 1, 0.2, 1, 0.1, 0.3, 0.1, 1, 0.2, 0.1},
			[10]float64{1, 0.1, 0.9, 0.1, 1, 0.2, 1, 0.5, 0.8, 1}, 0.5, 0.5, false},
	} {
		d := &Document{App: "x", Baseline: "x/serial", Verified: true, Conditions: &machine.Conditions{
			Processors: 2, OneBefore: tt.before, OneAfter: tt.after, CapacityBefore: scaling * tt.before,
			CapacityAfter: scaling * tt.after}}
		times := func(alone float64, shares [10]float64) (all []float64) {
			for _, share := range shares {
				all = append(all, alone/share)
			}
			return all
		}
		for name, samples := range map[string][]float64{"x/edt": times(graph, tt.all), "x/serial": times(serial,
			tt.one)} {
			d.Add(name, bench.Series{Runs: make([]int, 10), Metrics: bench.Metrics{{Unit: "s/run", Samples: samples}}})
		}
		d.AddEfficiency()
		i := slices.IndexFunc(d.Results, func(r Result) bool { return r.Name == "x/edt" })
		text := d.Results[i].Labels.Text(Efficiency)
		switch got, err := strconv.ParseFloat(text, 64); {
		case tt.shown && (err != nil || math.Abs(got-want) > 1e-9 || len(d.Asides) != 0):
			t.Errorf("%s: efficiency %q, asides %q; want %v and none", tt.what, text, d.Asides, want)
		case !tt.shown && (text != "" || len(d.Asides) != 1 || !strings.HasPrefix(d.Asides[0],
			"no efficiency is shown of edt (")):
			t.Errorf("%s: efficiency %q, asides %q; want none, and why", tt.what, text, d.Asides)
		}
	}
	// Loops together got four times as much as one before the run, and no more than one after it.
	d := &Document{App: "x", Baseline: "x/serial", Conditions: &machine.Conditions{
		Processors: 4, OneBefore: 1, OneAfter: 1, CapacityBefore: 4, CapacityAfter: 1}}
	for _, name := range []string{"x/serial", "x/edt"} {
		d.Add(name, bench.Series{Runs: []int{1, 1, 1, 1, 1, 1}, Metrics: bench.Metrics{{Unit: "s/run",
			Samples: []float64{1, 1, 1, 1, 1, 1}}}})
	}
	d.AddEfficiency()
	testrun.Same(t,
		[]string{
			"no efficiency is shown of edt (0.2500 to 1.000): too uncertain, by the samples and by what the processors " +
				"gave before and after",
		},
		d.Asides, "asides of processors that gave 4 and 1")
}

// TestTimesAsLong: an interval of ratios that has 1 in it says how far it reaches.
func TestTimesAsLong(t *testing.T) {
	for want, s := range map[string]bench.Summary{
		"3.2 times as long as": {Median: 3.21, Lo: 3, Hi: 4}, "0.31 times as long as": {Median: 0.311, Lo: 0.2, Hi: 0.9},
		"about as long as":            {Median: 1.01, Lo: 0.95, Hi: 1.05},
		"0.5 to 1.4 times as long as": {Median: 0.9, Lo: 0.5, Hi: 1.4},
	} {
		testrun.Equal(t, want, TimesAsLong(s), "%+v", s)
	}
}
