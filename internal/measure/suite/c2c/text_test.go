package c2c

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	app "ocr/apps/c2c"
	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/matrix"
	"ocr/internal/show/report"
)

// TestRatiosOfTrialsInTurn: the pair of processors changes its state amid two rounds of trials. The medians of two
// forms are of different states; ratios are of trials that were taken in turn.
func TestRatiosOfTrialsInTurn(t *testing.T) {
	r := testRun(Config{}, 1, zeroOne)
	g := groupOf(app.Single, 1, 0, 1)
	r.put(g, app.EDT, 180, 180, 180, 180, 900)
	testrun.Same(t, "", r.timesPolled(r.rows[0]), "ratio to what was not measured")
	r.put(g, app.Polled, 60, 60, 300, 300, 300)
	testrun.Same(t, "3.000", r.timesPolled(r.rows[0]), "ratio")
	testrun.Same(t, "", r.timesPolled(r.rows[1]), "ratio to itself")
}

// TestTurns: tests that are compared with each other take turns, others do not.
func TestTurns(t *testing.T) {
	c := Config{
		Tests: []app.Test{app.Single, app.Dual, app.Array}, Widths: []int{4, 8}, Lengths: []int{1, 64},
	}
	var got []string
	for _, turn := range turns(c.groups(zeroOne)) {
		var names []string
		for _, g := range turn {
			names = append(names, string(g.test))
		}
		got = append(got, fmt.Sprintf("width %d, length %d: %s", turn[0].width, turn[0].length, strings.Join(names, ", ")))
	}
	testrun.Same(t, []string{
		"width 4, length 1: single, dual, array",
		"width 8, length 1: single, dual, array",
		"width 4, length 64: array",
		"width 8, length 64: array",
	}, got, "turns")
}

func TestMatrices(t *testing.T) {
	r := testRun(Config{AllPairs: true}, 1, zeroOne, matrix.Pair{From: 3, To: 3})
	r.put(groupOf(app.Single, 1, 0, 1), app.Goroutines, 7)
	r.put(groupOf(app.Single, 1, 0, 1), app.Polled, 40, 50, 90)
	r.put(groupOf(app.Single, 1, 3, 3), app.Polled, 5000)
	r.put(groupOf(app.Array, 16, 0, 1), app.Polled, 60)
	all := r.matrices(true)
	if len(all) != 2 {
		t.Fatalf("%d matrices, want one a test", len(all))
	}
	single, array := all[0], all[1]
	if single.Title != "single, polled, 8 bytes: median time one way, partial" ||
		array.Title != "array, polled, 16 x 8 bytes: median time one way, partial" {
		t.Errorf("titles %q and %q", single.Title, array.Title)
	}
	if single.Len() != 4 || single.Missing() != 5 || array.Missing() != 5 {
		t.Errorf("%d CPUs; missing %d and %d of 6", single.Len(), single.Missing(), array.Missing())
	}
	for _, cell := range []struct {
		m        *matrix.Matrix
		from, to int
		want     float64
	}{{single, 0, 2, 50}, {single, 2, 0, 50}, {array, 0, 2, 60}} {
		if v, _ := cell.m.Value(cell.from, cell.to); v != cell.want {
			t.Errorf("%s: pair %v has %v, want %v", cell.m.Title, cell.m.Pair(cell.from, cell.to), v, cell.want)
		}
	}
}

// TestMatrixFormOfEachTest holds that each test is shown in its first form, if it has no form polled.
func TestMatrixFormOfEachTest(t *testing.T) {
	r := testRun(Config{}, 1, zeroOne)
	r.put(groupOf(app.Single, 1, 0, 1), app.EDT, 400)
	r.put(groupOf(app.Single, 1, 0, 1), app.Goroutines, 500)
	r.put(groupOf(app.Array, 16, 0, 1), app.Goroutines, 600)
	all := r.matrices(false)
	if len(all) != 2 || !strings.HasPrefix(all[0].Title, "single, edt, ") ||
		!strings.HasPrefix(all[1].Title, "array, goroutines, ") {
		t.Errorf("%d matrices, want single of edt and array of goroutines", len(all))
	}
}

// TestFiles holds that the picture and the table are written if there is a pair of two
// processors, and that a note says so if there is none.
func TestFiles(t *testing.T) {
	const note = "--svg and --matrix wrote nothing"
	cfg := single()
	cfg.Picture = "matrix"
	r := testRun(cfg, 1, zeroOne, matrix.Pair{From: 3, To: 3})
	r.put(groupOf(app.Single, 1, 3, 3), app.Polled, 50)
	result := r.result(false)
	if len(result.Files(nil, nil)) != 0 || !strings.Contains(textOf(t, result), note) {
		t.Errorf("an empty matrix is written, or no note says %q", note)
	}
	r = testRun(cfg, 1, zeroOne)
	r.put(groupOf(app.Single, 1, 0, 1), app.Polled, 50)
	if result = r.result(false); strings.Contains(textOf(t, result), note) {
		t.Errorf("%q of a matrix that is written", note)
	}
	var written []string
	for _, f := range result.Files(new(testbed.Sink), new(testbed.Sink)) {
		var b bytes.Buffer
		testrun.OK(t, f.Write(&b))
		written = append(written, b.String())
	}
	const title = "single, polled, 8 bytes: median time one way"
	if len(written) != 2 || !strings.Contains(written[0], ">c2c single: ns/oneway</text>") ||
		!strings.HasPrefix(written[1], "# "+title+" (ns)\nCPU,0,1\n") {
		t.Errorf("written: %q", written)
	}
}

// TestSwitches holds what each part of the text is.
func TestSwitches(t *testing.T) {
	const title, head, trial = "single, 8-byte elements", "p50", "\npolled      2     1 "
	for _, c := range []struct {
		show     []Part
		has, not []string
	}{
		{[]Part{Title, Header, Statistics}, []string{title, head, "c2c: verified", "run  "}, []string{trial}},
		{[]Part{Header, Statistics}, []string{head}, []string{title, "verified", "run  "}},
		{[]Part{Title, Statistics}, []string{title}, []string{head}},
		{[]Part{Title, Header, Trials}, []string{title + ": trials", "ns/roundtrip", trial}, []string{head}},
		{[]Part{Trials}, []string{"polled  2  1 "}, []string{title, "ns/oneway"}},
	} {
		cfg := single()
		cfg.Show = c.show
		r := testRun(cfg, 1, zeroOne)
		r.put(groupOf(app.Single, 1, 0, 1), app.Polled, 50, 51, 52, 53, 54, 55)
		contains(t, fmt.Sprint(c.show), written(t, r), c.has, c.not)
	}
}

// TestLengthCurves holds that the picture has the pairs, and curves over the lengths of the first of them.
func TestLengthCurves(t *testing.T) {
	cfg := single()
	cfg.Tests, cfg.AllPairs = []app.Test{app.Single, app.Array}, true
	r := testRun(cfg, 1, zeroOne, matrix.Pair{From: 0, To: 3})
	r.put(groupOf(app.Single, 1, 0, 1), app.Polled, 50)
	for _, length := range []int{64, 8, 512} {
		r.put(groupOf(app.Array, length, 0, 1), app.Polled, 50, 51, 52, 53, 54, 90)
		r.put(groupOf(app.Array, length, 0, 3), app.Polled, 500)
	}
	var b strings.Builder
	testrun.OK(t, r.result(false).writeSVG(&b))
	contains(t, "picture", b.String(),
		[]string{">array, polled, 8 x 8 bytes", ">c2c array: ns/oneway by length<", ">512<"}, []string{">500.0 "})
}

// TestMatrixSwitches holds that titles and heads of matrices can be left out as those of tables.
func TestMatrixSwitches(t *testing.T) {
	const title, columns, classes = "single, polled, 8 bytes: median time one way", "\nCPU ", "class  "
	for _, c := range []struct {
		show      []Part
		has, lack []string
	}{
		{[]Part{Statistics, Title, Header}, []string{title, columns, classes}, nil},
		{[]Part{Statistics, Header}, []string{"CPU ", classes}, []string{title}},
		{[]Part{Statistics, Title}, []string{title}, []string{columns, classes}},
	} {
		cfg := single()
		cfg.Show, cfg.AllPairs = c.show, true
		r := testRun(cfg, 1, zeroOne, matrix.Pair{From: 0, To: 3})
		r.put(groupOf(app.Single, 1, 0, 1), app.Polled, 50)
		r.put(groupOf(app.Single, 1, 0, 3), app.Polled, 60)
		contains(t, fmt.Sprint(c.show), written(t, r), append(c.has, "60.0"), c.lack)
	}
}

// TestWidth holds that no line is longer than 100 characters.
func TestWidth(t *testing.T) {
	cfg := Defaults()
	cfg.AllPairs = true
	cfg.Show = []Part{Title, Header, Statistics, Trials}
	many := twoCores()
	for id := 4; id < 40; id++ {
		many.Topology.CPUs = append(many.Topology.CPUs, topo.CPU{ID: id, Core: id, L2: id, Siblings: []int{id}})
		many.Topology.Nodes[0].CPUs = append(many.Topology.Nodes[0].CPUs, id)
		many.Allowed = append(many.Allowed, id)
	}
	r := testRun(cfg, 1)
	r.bed.Machine = many
	for to := 1; to < 40; to++ {
		r.pairs = append(r.pairs, matrix.Pair{From: 0, To: to})
		for _, form := range []app.Form{app.Polled, app.EDT} {
			r.put(groupOf(app.Array, 4096, 0, to), form, 123456, 654321)
			r.put(groupOf(app.Dual, 1, 0, to), form, 123456, 654321)
		}
	}
	for line := range strings.Lines(written(t, r)) {
		if n := utf8.RuneCountInString(line) - 1; n > report.Width {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

// TestPlacementOfSeveralPairs holds that the one placement in the head is not taken for that of all pairs.
func TestPlacementOfSeveralPairs(t *testing.T) {
	const note = "those of the first graph"
	for _, pairs := range [][]matrix.Pair{{zeroOne}, {zeroOne, {From: 0, To: 3}}} {
		r := testRun(single(), 1, pairs...)
		r.put(groupOf(app.Single, 1, 0, 1), app.Polled, 50)
		text := strings.Join(r.result(false).Asides, "\n")
		testrun.Equal(t, len(pairs) > 1, strings.Contains(text, note), "%d pairs:\n%s", len(pairs), text)
	}
}

// cellOf returns what the statistics of a row show under a head.
func cellOf(t *testing.T, r *run, row *row, head string) string {
	t.Helper()
	table := r.statistics(append(r.rows, row))
	i := slices.Index(table.Head, head)
	if i < 0 {
		t.Fatalf("no column %s in %v", head, table.Head)
	}
	return table.Rows[len(table.Rows)-1][i]
}

func TestUnknownPreemptions(t *testing.T) {
	for want, ends := range map[int64][2]int64{5: {2, 3}, -1: {-1, 3}} {
		trial := trialOf(app.Defaults(), 50)
		trial.Ends[0].Preemptions, trial.Ends[1].Preemptions = ends[0], ends[1]
		testrun.Same(t, want, preemptions(trial), "ends with %v make", ends)
	}
	for want, samples := range map[string][]float64{"5": {5, 0}, "?": {5, -1, 7}} {
		r := testRun(single(), 2, zeroOne)
		r.put(groupOf(app.Single, 1, 0, 1), app.Polled, 50)
		row := r.rows[0]
		row.series.Metrics = bench.Metrics{{Unit: preemptionsUnit, Samples: samples}, row.series.Metrics[0]}
		testrun.Same(t, want, cellOf(t, r, row, "preempted"), "trials with %v", samples)
	}
}
