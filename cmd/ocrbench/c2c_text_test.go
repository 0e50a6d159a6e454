package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/matrix"
)

// written returns what a run writes to standard output.
func written(t *testing.T, r *c2cRun) string {
	t.Helper()
	if err := r.write(false, nil); err != nil {
		t.Fatal(err)
	}
	return r.stdio.out.(*strings.Builder).String()
}

// TestMatrixFormOfEachTest holds that a test that the first form does not have is
// shown all the same.
func TestMatrixFormOfEachTest(t *testing.T) {
	r := testRun(&c2cFlags{forms: "edt,edt-chain", tests: "single,ring"}, matrix.Pair{From: 0, To: 1})
	r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.EDT, 400)
	r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Chain, 500)
	r.put(group(c2capp.Ring, c2capp.Separate, 16, 0, 1), c2capp.Chain, 600)
	all, err := r.matrices(false)
	if err != nil || len(all) != 2 || !strings.HasPrefix(all[0].Title(), "single, edt, ") || !strings.HasPrefix(all[1].Title(), "ring, edt-chain, ") {
		t.Errorf("%d matrices, %v, want single of edt and ring of edt-chain", len(all), err)
	}
}

func TestNoMatrixIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "map.csv")
	r := testRun(flagsOf(1), matrix.Pair{From: 0, To: 1}, matrix.Pair{From: 3, To: 3})
	var err error
	if r.matrixFile, err = harness.NewSink(file, nil); err != nil {
		t.Fatal(err)
	}
	r.put(group(c2capp.Single, c2capp.Same, 1, 3, 3), c2capp.Polled, 50)
	const note = "--svg and --matrix wrote nothing"
	if text := written(t, r); !strings.Contains(text, note) {
		t.Errorf("no %q in\n%s", note, text)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("an empty matrix was written")
	}
	r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Polled, 50)
	r.notes = nil
	if text := written(t, r); strings.Count(text, note) != 1 {
		t.Errorf("%q is told of a matrix that was written:\n%s", note, text)
	}
}

// TestMatrixSwitches holds that titles and heads of matrices can be left out as those
// of tables.
func TestMatrixSwitches(t *testing.T) {
	const title, columns, classes = "single, polled, 8 bytes: median time one way", "\nCPU ", "class  "
	for _, c := range []struct {
		flags     c2cFlags
		has, lack []string
	}{
		{c2cFlags{title: true, header: true}, []string{title, columns, classes}, nil},
		{c2cFlags{header: true}, []string{"CPU ", classes}, []string{title}},
		{c2cFlags{title: true}, []string{title}, []string{columns, classes}},
	} {
		f := c.flags
		f.tests, f.forms, f.widths, f.pairs, f.stats = "single", "polled", "8", "0:1,0:3", true
		r := testRun(&f, matrix.Pair{From: 0, To: 1}, matrix.Pair{From: 0, To: 3})
		r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Polled, 50)
		r.put(group(c2capp.Single, c2capp.Same, 1, 0, 3), c2capp.Polled, 60)
		text := written(t, r)
		for _, part := range append(c.has, "60.0") {
			if !strings.Contains(text, part) {
				t.Errorf("title %v, header %v: no %q in\n%s", f.title, f.header, part, text)
			}
		}
		for _, part := range c.lack {
			if strings.Contains(text, part) {
				t.Errorf("title %v, header %v: %q in\n%s", f.title, f.header, part, text)
			}
		}
	}
}

// TestPlacementOfSeveralPairs holds that the one placement in the head is not taken
// for that of all pairs.
func TestPlacementOfSeveralPairs(t *testing.T) {
	const note = "those of the first graph"
	one, two := matrix.Pair{From: 0, To: 1}, matrix.Pair{From: 0, To: 3}
	for _, pairs := range [][]matrix.Pair{{one}, {one, two}} {
		r := testRun(flagsOf(1), pairs...)
		r.placement = []int{0, 1}
		r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Polled, 50)
		if text := written(t, r); strings.Contains(text, note) != (len(pairs) > 1) {
			t.Errorf("%d pairs:\n%s", len(pairs), text)
		}
	}
}

// cellOf returns what the statistics of a row show under a head.
func cellOf(t *testing.T, r *c2cRun, row *c2cRow, head string) string {
	t.Helper()
	table := r.statistics([]*c2cRow{row})
	for i, name := range table.Head {
		if name == head {
			return table.Rows[0][i]
		}
	}
	t.Fatalf("no column %s in %v", head, table.Head)
	return ""
}

func TestByLineNeedsTrials(t *testing.T) {
	for trials, want := range map[int]string{2: "-", 59: "-", 60: "50.00..50.00"} {
		r := testRun(flagsOf(trials), matrix.Pair{From: 0, To: 1})
		times := make([]float64, trials)
		for i := range times {
			times[i] = 50
		}
		r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Polled, times...)
		if got := cellOf(t, r, r.rows[0], "by line"); got != want {
			t.Errorf("%d trials on 20 lines: %s, want %s", trials, got, want)
		}
	}
}

func TestUnknownPreemptions(t *testing.T) {
	for _, c := range []struct {
		form c2capp.Form
		ends [2]int64
		want int64
	}{
		{c2capp.Polled, [2]int64{2, 3}, 5},
		{c2capp.Local, [2]int64{2, 3}, 3},
		{c2capp.Polled, [2]int64{-1, 3}, -1},
		{c2capp.Local, [2]int64{2, -1}, -1},
	} {
		cfg := c2capp.Defaults()
		cfg.Form = c.form
		trial := trialOf(cfg, 50)
		trial.Ends[0].Preemptions, trial.Ends[1].Preemptions = c.ends[0], c.ends[1]
		if got := preemptions(trial); got != c.want {
			t.Errorf("%s: ends with %v make %d, want %d", c.form, c.ends, got, c.want)
		}
	}
	for want, samples := range map[string][]float64{"5": {5, 0}, "-": {5, -1, 7}} {
		r := testRun(flagsOf(2), matrix.Pair{From: 0, To: 1})
		r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Polled, 50)
		row := r.rows[0]
		row.series.Metrics = append(row.series.Metrics[:0:0], bench.Metric{Unit: preemptionsUnit, Samples: samples}, row.series.Metrics[0])
		if got := cellOf(t, r, row, "preempted"); got != want {
			t.Errorf("trials with %v show %s, want %s", samples, got, want)
		}
	}
}
