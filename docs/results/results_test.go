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

	"ocr/internal/proof/testrun"
)

// settings are the times that documents name and that are not measured: what the runtime, a suite or a test waits or
// runs for. All other times are in docs/results.md.
var settings = map[string]string{
	"docs/tutorial.md":  "10 s",
	"runtime/README.md": "1 µs, 10 µs, 20 ms, 75 µs, 2 µs, 200 µs, 100 ms",
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

// TestPage: a page of made-up rows has a table of at most 12 lines of 100 columns, and goes between the markers.
func TestPage(t *testing.T) {
	peers := &section{stem: "peers", Title: "Beside", Commands: []string{"ocrbench"}}
	for _, q := range quoted {
		add := func(peer, does string, by float64) {
			peers.Rows = append(peers.Rows, &row{Name: q.name, Peer: peer, Does: does, Unit: "ns/op",
				By: map[int]figure{1: {Median: 345 * by}, 2: {Median: 280 * by}}})
		}
		add("", "built each time", 1)
		add("tbb-task_group", "built each time", 0.5)
		add("tbb-flow-light", "loop with flags", 3)
	}
	uts := &row{Name: "uts/edt", By: map[int]figure{1: {Median: 1.34}, 2: {Median: 1.4}}}
	p := page{Date: "2026-11-27", Machine: "AMD EPYC", Sections: []*section{peers, {stem: "gallery", Rows: []*row{uts}}}}
	table := p.table()
	if n := strings.Count(table, "\n|"); n > 12 || n < len(quoted)+3 {
		t.Errorf("%d lines in a table:\n%s", n, table)
	}
	for l := range strings.Lines(table) {
		if utf8.RuneCountInString(l) > 101 {
			t.Errorf("more than 100 columns: %s", l)
		}
	}
	want := "| EDT behind an event | 345 / 280 | tbb-task_group **172** / **140** | tbb-flow-light 1035 / 840 |"
	last := "| gallery, by goroutines | 1.34 to 1.34 / 1.40 to 1.40 |"
	if !strings.Contains(table, want) || !strings.Contains(table, last) {
		t.Errorf("the table has no line %s:\n%s", want, table)
	}
	text, err := between("a\n"+begin+"old\n"+end+"b\n", table)
	if err != nil || text != "a\n"+begin+table+end+"b\n" {
		t.Errorf("between the markers: %q, error %v", text, err)
	}
	if _, err := between("a\n", table); err == nil {
		t.Error("a README without markers was taken")
	}
	testrun.Contains(t, p.markdown(), "\n| row | beside | does | unit | 1 | 2 |\n|---|---|---|---|---|---|\n")
	testrun.Contains(t, p.markdown(), "\n| chain/event |  | built each time | ns/op | 345 | 280 |\n|  | tbb-task_group |")
}
