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

func TestTaskTax(t *testing.T) {
	r := testRun(Config{}, 1, zeroOne)
	single, array := groupOf(app.Single, app.Same, 1, 0, 1), groupOf(app.Array, app.Same, 64, 0, 1)
	same, separate := groupOf(app.Dual, app.Same, 1, 0, 1), groupOf(app.Dual, app.Separate, 1, 0, 1)
	r.put(single, app.Polled, 50)
	r.put(single, app.EDT, 400)
	r.put(single, app.Local, 80)
	r.put(single, C, 45)
	one := fmt.Sprint(taxRows(r))
	testrun.Equal(t, "[single edt 400-50 of single, one line, local 80]", one, "without two lines")
	r.put(same, app.Polled, 51)
	r.put(separate, app.Polled, 110)
	r.put(separate, app.Chain, 330)
	r.put(array, app.Polled, 200)
	r.put(array, app.EDT, 900)
	r.put(groupOf(app.DualArray, app.Separate, 64, 0, 1), app.Polled, 300)
	want := []string{
		"single edt 400-50 of single, one line, local 80",
		"single edt 400-110 of dual, two lines, local 80",
		"dual edt-chain 330-51 of dual, one line, local 0",
		"dual edt-chain 330-110 of dual, two lines, local 0",
		"array edt 900-200 of array, local 0",
		"array edt 900-300 of dual-array, local 0",
	}
	testrun.Same(t, want, taxRows(r), "taxes")
	_, table := taxTable(r.taxes(), 1)
	const row = "dual|edt-chain|8|1|0:1|dual, two lines|330.0|110.0|220.0|3.000|-"
	testrun.Same(t, row, strings.Join(table.Rows[3], "|"), "row of the tax table")
}

func taxRows(r *run) []string {
	var rows []string
	for _, tax := range r.taxes() {
		rows = append(rows, fmt.Sprintf("%s %s %v-%v of %s, local %v", tax.row.test, tax.row.form, tax.task, tax.polled,
			tax.beside, tax.local))
	}
	return rows
}

// TestRatiosOfTrialsInTurn: the pair of processors changes its state amid two rounds of trials. The medians of two
// forms are of different states; ratios and taxes are of trials that were taken in turn.
func TestRatiosOfTrialsInTurn(t *testing.T) {
	r := testRun(Config{}, 1, zeroOne)
	g := groupOf(app.Single, app.Same, 1, 0, 1)
	r.put(g, app.Polled, 60, 60, 300, 300, 300)
	r.put(g, C, 50, 50, 50, 50, 250)
	r.put(g, app.EDT, 180, 180, 180, 180, 900)
	testrun.Same(t, "1.200", r.ratio(r.find[key{g, app.Polled}], C), "ratio")
	_, table := taxTable(r.taxes(), 1)
	testrun.Same(t, "180.0|300.0|120.0|3.000", strings.Join(table.Rows[0][len(table.Rows[0])-4:], "|"), "tax")
}

// TestTurns: tests that are compared with each other take turns, others do not.
func TestTurns(t *testing.T) {
	c := Config{
		Tests: []app.Test{app.Single, app.Dual, app.Array}, Widths: []int{4, 8},
		Layouts: []app.Layout{app.Same, app.Separate}, Lengths: []int{1, 64},
	}
	var got []string
	for _, turn := range turns(c.groups(pair{Pair: zeroOne})) {
		var names []string
		for _, g := range turn {
			names = append(names, fmt.Sprint(g.test, " ", g.layout))
		}
		got = append(got, fmt.Sprintf("width %d, length %d: %s", turn[0].width, turn[0].length, strings.Join(names, ", ")))
	}
	testrun.Same(t, []string{
		"width 4, length 1: single same, dual same, dual separate, array same",
		"width 8, length 1: single same, dual same, dual separate, array same",
		"width 4, length 64: array same",
		"width 8, length 64: array same",
	}, got, "turns")
}

// TestProcesses holds that rows between processes differ from those between threads, in the text, the document and
// the pictures, and compared with them.
func TestProcesses(t *testing.T) {
	cfg := single()
	cfg.Ranks, cfg.Forms, cfg.Baselines = 2, []app.Form{app.Polled, app.EDT, app.Local}, []app.Form{app.Goroutines}
	r := testRun(cfg, 1)
	testrun.OK(t, r.prepare())
	threads := groupOf(app.Single, app.Same, 1, 0, 1)
	processes := threads
	processes.apart = true
	r.put(threads, app.Polled, 50)
	r.put(processes, app.Polled, 60)
	r.put(threads, app.EDT, 200)
	r.put(processes, app.EDT, 300)
	r.put(threads, app.Local, 80)
	r.put(threads, app.Goroutines, 40)
	for n, want := range []string{"threads - 1.250", "processes 1.200 1.500", "threads - 5.000",
		"processes 1.500 7.500"} {
		row := r.rows[n]
		testrun.Equal(t, want, words(cellOf(t, r, row, "ends"), cellOf(t, r, row, "times threads"),
			cellOf(t, r, row, "times goroutines")), "%s", row.name())
	}
	testrun.Same(t, []string{
		"single edt 200-50 of single, one line, local 80", "single edt 300-60 of single, one line, local 80",
	}, taxRows(r), "taxes")
	if all := r.matrices(false); len(all) != 2 ||
		all[1].Title != "single, polled, 8 bytes, two processes: median time one way" {
		t.Errorf("%d matrices, want one of threads and one of processes", len(all))
	}
	for n, row := range r.rows {
		last := row.labels()[len(row.labels())-1]
		testrun.Equal(t, n == 1 || n == 3, last.Key == "row-ranks" && last.Value == 2,
			"%s: last label %v", row.name(), last)
	}
	text := strings.Join(strings.Fields(written(t, r)), " ")
	contains(t, "text", text, []string{"not run between two processes: edt-local, goroutines",
		"edt processes"}, nil)
}

func TestNoTaxOnOneProcessor(t *testing.T) {
	r := testRun(Config{}, 1)
	g := groupOf(app.Single, app.Same, 1, 2, 2)
	r.put(g, app.Polled, 50_000)
	r.put(g, app.EDT, 60_000)
	testrun.Equal(t, 0, len(r.taxes()), "taxes of transfers within a processor")
}

func TestMatrices(t *testing.T) {
	r := testRun(Config{AllPairs: true}, 1, zeroOne, matrix.Pair{From: 1, To: 0}, matrix.Pair{From: 3, To: 3})
	r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Goroutines, 7)
	r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, 40, 50, 90)
	r.put(groupOf(app.Single, app.Same, 1, 3, 3), app.Polled, 5000)
	r.put(groupOf(app.Flow, app.Separate, 16, 0, 1), app.Polled, 60)
	r.put(groupOf(app.Flow, app.Separate, 16, 1, 0), app.Polled, 70)
	all := r.matrices(true)
	if len(all) != 2 {
		t.Fatalf("%d matrices, want one a test", len(all))
	}
	single, flow := all[0], all[1]
	if single.Title != "single, polled, 8 bytes: median time one way, partial" ||
		flow.Title != "flow, polled, 16 x 8 bytes: median time one way, partial" {
		t.Errorf("titles %q and %q", single.Title, flow.Title)
	}
	if !single.Symmetric || flow.Symmetric || single.Len() != 4 || single.Missing() != 5 || flow.Missing() != 10 {
		t.Errorf("symmetric %v, %v; missing %d of 6, %d of 12", single.Symmetric, flow.Symmetric, single.Missing(),
			flow.Missing())
	}
	for _, cell := range []struct {
		m        *matrix.Matrix
		from, to int
		want     float64
	}{{single, 0, 2, 50}, {single, 2, 0, 50}, {flow, 0, 2, 60}, {flow, 2, 0, 70}} {
		if v, _ := cell.m.Value(cell.from, cell.to); v != cell.want {
			t.Errorf("%s: pair %v has %v, want %v", cell.m.Title, cell.m.Pair(cell.from, cell.to), v, cell.want)
		}
	}
}

// TestMatrixFormOfEachTest holds that a test that the first form does not have is shown all the same.
func TestMatrixFormOfEachTest(t *testing.T) {
	r := testRun(Config{}, 1, zeroOne)
	r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.EDT, 400)
	r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Chain, 500)
	r.put(groupOf(app.Ring, app.Separate, 16, 0, 1), app.Chain, 600)
	all := r.matrices(false)
	if len(all) != 2 || !strings.HasPrefix(all[0].Title, "single, edt, ") ||
		!strings.HasPrefix(all[1].Title, "ring, edt-chain, ") {
		t.Errorf("%d matrices, want single of edt and ring of edt-chain", len(all))
	}
}

// TestFiles holds that the picture and the table are written if there is a pair of two
// processors, and that a note says so if there is none.
func TestFiles(t *testing.T) {
	const note = "--svg and --matrix wrote nothing"
	cfg := single()
	cfg.Picture = "matrix"
	r := testRun(cfg, 1, zeroOne, matrix.Pair{From: 3, To: 3})
	r.put(groupOf(app.Single, app.Same, 1, 3, 3), app.Polled, 50)
	result := r.result(false)
	if len(result.Files(nil, nil)) != 0 || !strings.Contains(textOf(t, result), note) {
		t.Errorf("an empty matrix is written, or no note says %q", note)
	}
	r = testRun(cfg, 1, zeroOne)
	r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, 50)
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
		!strings.HasPrefix(written[1], "# "+title+" (ns)\nfrom\\to,0,1\n") {
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
		{[]Part{Title, Header, Trials}, []string{title + ": trials", "ns/oneway-b", trial}, []string{head, "tax"}},
		{[]Part{Trials}, []string{"polled  2  1 "}, []string{title, "ns/oneway"}},
	} {
		cfg := single()
		cfg.Show = c.show
		r := testRun(cfg, 1, zeroOne)
		r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, 50, 51, 52, 53, 54, 55)
		contains(t, fmt.Sprint(c.show), written(t, r), c.has, c.not)
	}
}

// TestLengthCurves holds that the picture has the pairs, and curves over the lengths of the first of them.
func TestLengthCurves(t *testing.T) {
	cfg := single()
	cfg.Tests, cfg.AllPairs = []app.Test{app.Single, app.Flow}, true
	r := testRun(cfg, 1, zeroOne, matrix.Pair{From: 0, To: 3})
	r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, 50)
	for _, length := range []int{64, 8, 512} {
		r.put(groupOf(app.Flow, app.Same, length, 0, 1), app.Polled, 50, 51, 52, 53, 54, 90)
		r.put(groupOf(app.Flow, app.Same, length, 0, 3), app.Polled, 500)
	}
	var b strings.Builder
	testrun.OK(t, r.result(false).writeSVG(&b))
	contains(t, "picture", b.String(), []string{">flow, polled, 8 x 8 bytes", ">c2c flow: ns/oneway by length<", ">512<"},
		[]string{">500.0 "})
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
		r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, 50)
		r.put(groupOf(app.Single, app.Same, 1, 0, 3), app.Polled, 60)
		contains(t, fmt.Sprint(c.show), written(t, r), append(c.has, "60.0"), c.lack)
	}
}

// TestWidth holds that no line is longer than 100 characters.
func TestWidth(t *testing.T) {
	cfg := Defaults()
	cfg.Tests, cfg.AllPairs = app.Tests(), true
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
		r.pairs = append(r.pairs, pair{Pair: matrix.Pair{From: 0, To: to}})
		for _, form := range []app.Form{app.Polled, app.EDT, app.Local} {
			r.put(groupOf(app.Array, app.Same, 4096, 0, to), form, 123456, 654321)
			r.put(groupOf(app.Dual, app.Separate, 1, 0, to), form, 123456, 654321)
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
		r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, 50)
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

func TestByLineNeedsTrials(t *testing.T) {
	for trials, want := range map[int]string{2: "-", 59: "-", 60: "50.00..50.00"} {
		r := testRun(single(), trials, zeroOne)
		times := slices.Repeat([]float64{50}, 60)
		r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, times...)
		r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Goroutines, times[:trials]...)
		testrun.Same(t, want, cellOf(t, r, r.rows[1], "by line"), "%d trials on 20 lines", trials)
	}
}

func TestUnknownPreemptions(t *testing.T) {
	for _, c := range []struct {
		form app.Form
		ends [2]int64
		want int64
	}{
		{app.Polled, [2]int64{2, 3}, 5},
		{app.Local, [2]int64{2, 3}, 3},
		{app.Polled, [2]int64{-1, 3}, -1},
		{app.Local, [2]int64{2, -1}, -1},
	} {
		cfg := app.Defaults()
		cfg.Form = c.form
		trial := trialOf(cfg, 50)
		trial.Ends[0].Preemptions, trial.Ends[1].Preemptions = c.ends[0], c.ends[1]
		testrun.Same(t, c.want, preemptions(trial), "%s: ends with %v make", c.form, c.ends)
	}
	for want, samples := range map[string][]float64{"5": {5, 0}, "?": {5, -1, 7}} {
		r := testRun(single(), 2, zeroOne)
		r.put(groupOf(app.Single, app.Same, 1, 0, 1), app.Polled, 50)
		row := r.rows[0]
		row.series.Metrics = bench.Metrics{{Unit: preemptionsUnit, Samples: samples}, row.series.Metrics[0]}
		testrun.Same(t, want, cellOf(t, r, row, "preempted"), "trials with %v", samples)
	}
}
