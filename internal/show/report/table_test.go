package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
)

func written(t *testing.T, table *Table, width int) string {
	t.Helper()
	var b bytes.Buffer
	table.Write(&b, width)
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
	testrun.Same(t, "", strings.TrimSpace(written(t, &Table{}, 10)), "an empty table")
}

// TestTableLosesNothing: at any width every cell is written, and no line is too long if it could be shorter.
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

// TestBegin: the document has the facts of the run, and a busy machine as a warning.
func TestBegin(t *testing.T) {
	m := &machine.Machine{Topology: &topo.Topology{CPUs: []topo.CPU{{ID: 0}}, Warnings: []string{"virtual"}},
		Allowed: []int{0}}
	c := &machine.Conditions{Processors: 2, Others: 0.4}
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
		"x: verified\n", "load      other processes took 40 % of the processors\n",
		"placement=0", "steals=1")
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

// TestTimesAsLong: an interval of ratios that contains 1 is written as an interval.
func TestTimesAsLong(t *testing.T) {
	for want, s := range map[string]bench.Summary{
		"3.2 times as long as": {Median: 3.21, Lo: 3, Hi: 4}, "0.31 times as long as": {Median: 0.311, Lo: 0.2, Hi: 0.9},
		"1.030 times as long as": {Median: 1.03, Lo: 1.01, Hi: 1.04}, "0.999 to 1.2 times as long as": {Lo: 0.999, Hi: 1.2},
		"about as long as":            {Median: 1.01, Lo: 0.95, Hi: 1.05},
		"0.5 to 1.4 times as long as": {Median: 0.9, Lo: 0.5, Hi: 1.4},
		"120 times as long as":        {Median: 123, Lo: 99, Hi: 140},
	} {
		testrun.Equal(t, want, TimesAsLong(s), "%+v", s)
	}
	few, checked := document(), document()
	checked.Config = checked.Config.With("check", true)
	for i := range few.Results {
		r := &few.Results[i]
		r.Runs, r.Metrics = nil, bench.Metrics{{Unit: "ns/op", Samples: []float64{1, 2, 3, 4, 5}}}
	}
	for _, d := range []*Document{few, checked} {
		testrun.Equal(t, 0, strings.Count(render(t, d, "text"), "as long as"), "sentences of few samples, in check mode")
	}
}
