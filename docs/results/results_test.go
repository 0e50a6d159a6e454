package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// TestBusy: a machine whose load is unknown is not quiet.
func TestBusy(t *testing.T) {
	for conditions, want := range map[string]string{
		"": "the machine's load is unknown",
		`"conditions": {"processors": 2, "others": 0.5}, `: "other processes took 50 % of the processors",
	} {
		file := filepath.Join(t.TempDir(), "x.json")
		testrun.OK(t, os.WriteFile(file, []byte(`{"schema": "ocrbench/1", `+conditions+
			`"results": [{"name": "a", "metrics": {"ns/op": {"samples": [1]}}}]}`), 0o666))
		testrun.Fails(t, run([]string{"busy", file}), want)
	}
}

// settings are the times that documents name and that are not measured: what the runtime, a suite or a test waits or
// runs for. All other times are in docs/results.md.
var settings = map[string]string{
	"docs/tutorial.md":  "10 s",
	"runtime/README.md": "1 µs, 10 µs, 20 ms, 75 µs, 2 µs, 200 µs, 20 µs, 100 ms",
}

var (
	times = regexp.MustCompile(`([\d.]+ ?)?(\b(ns|us|ms)\b|µs)|\b\d+ s\b|[\d.]+ times as long`)
	code  = regexp.MustCompile("`[^`]*`")
)

// prose is a document without blocks of code, code in a line, and what is between the markers.
func prose(text string) string {
	var lines []string
	fenced, generated := false, false
	for l := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(l), "```"):
			fenced = !fenced
		case l == begin || l == end:
			generated = l == begin
		case !fenced && !generated && !strings.HasPrefix(l, "    "):
			lines = append(lines, l)
		}
	}
	return code.ReplaceAllString(strings.Join(lines, ""), "")
}

// byHand lists the times in a text that are no settings.
func byHand(text, allowed string) (found []string) {
	for _, f := range times.FindAllString(prose(text), -1) {
		if !slices.Contains(strings.Split(allowed, ", "), strings.TrimSpace(f)) {
			found = append(found, strings.TrimSpace(f))
		}
	}
	return found
}

// documents are the Markdown files of the module, relative to its root.
func documents(t *testing.T) (names []string) {
	root := os.DirFS("../..")
	testrun.OK(t, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.Name() == "testdata":
			return fs.SkipDir
		case path.Ext(name) == ".md" && name != "docs/results.md":
			names = append(names, name)
		}
		return err
	}))
	return names
}

// TestNoTimesByHand: documents quote no time that docs/results.sh has not measured.
func TestNoTimesByHand(t *testing.T) {
	for _, name := range documents(t) {
		text, err := os.ReadFile(filepath.Join("../..", name))
		testrun.OK(t, err)
		if found := byHand(string(text), settings[name]); len(found) > 0 {
			t.Errorf("%s: times by hand: %q; name a row of docs/results.md", name, found)
		}
		for _, s := range strings.Split(settings[name], ", ") {
			if s != "" && !slices.Contains(byHand(string(text), ""), s) {
				t.Errorf("%s: %s is a setting no longer: take it out of this test", name, s)
			}
		}
	}
	testrun.Equal(t, 2, len(byHand("A hop takes 30 ns, after `8 ms`; three take 3 times as long as 5 s.\n", "5 s")),
		"by hand")
}

// TestTable: the table of made-up results has at most 12 lines of 100 columns, and goes between the markers.
func TestTable(t *testing.T) {
	peers := &report.Document{Machine: machine.Facts{CPU: "AMD EPYC"}}
	around := func(unit string, v, part float64) bench.Series {
		samples := []float64{v, (1 - part) * v, (1 + part) * v}
		return bench.Series{Runs: []int{1, 1, 1}, Metrics: bench.Metrics{{Unit: unit, Samples: samples}}}
	}
	add := func(row, peer, does string, by ...float64) {
		for k, v := range by {
			labels := report.Settings("row", row, "row-workers", workers[k], "peer", peer, "does", does)
			peers.AddLabelled("x", labels, around("ns/op", v, 0.1))
		}
	}
	for _, q := range quoted {
		add(q.name, "", "built each time", 345, 280)
		add(q.name, "omp-depend", "built each time", 172, 1040)
		add(q.name, "tbb-flow-each", "built each time", 680, 560)
		add(q.name, "gomp-doacross", "loop with flags", 333, 12.3)
	}
	add(quoted[0].name, "omp-task", "built each time", 12.3, 12.3)
	uts := &report.Document{Config: report.Settings("workers", 1)}
	uts.Add("uts/edt", around("ratio/pool", 1.34, 0.2))
	text := table([]*report.Document{peers, uts})
	_, rows, _ := strings.Cut(text, "\n\n")
	if n := strings.Count(rows, "\n"); n != len(quoted)+3 || n > 12 {
		t.Errorf("%d lines in a table:\n%s", n, rows)
	}
	for l := range strings.Lines(text) {
		if utf8.RuneCountInString(l) > 101 {
			t.Errorf("more than 100 columns: %s", l)
		}
	}
	testrun.Contains(t, rows, "| EDT of 100 000 | 345 / 280 | omp-task **12.3** / **12.3** | 333 / **12.3** |\n")
	testrun.Contains(t, rows, "| recorded | 345 / 280 | omp-depend **172** / tbb-flow-each 560 | 333 / **12.3** |\n")
	testrun.Contains(t, rows, "| gallery, by goroutines | ~1.34 to ~1.34 / - | | |\n")
	put, err := between("a\n"+begin+"old\n"+end+"b\n", text)
	if err != nil || put != "a\n"+begin+text+end+"b\n" {
		t.Errorf("between the markers: %q, error %v", put, err)
	}
	if _, err := between("a\n", text); err == nil {
		t.Error("a README without markers was taken")
	}
}

// TestCycle: a chain of loads comes to each line once, then to the first again.
func TestCycle(t *testing.T) {
	for _, n := range []int{1, 2, 256} {
		lines, seen := cycle(n), map[uint32]bool{}
		for at := uint32(0); !seen[at]; at = follow(lines, at, 1) {
			seen[at] = true
		}
		testrun.Equal(t, n, len(seen), "lines of a cycle")
	}
}
