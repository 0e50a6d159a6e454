package report

import (
	"fmt"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
)

// saved returns a document with everything that any format writes.
func saved() *Document {
	d := document()
	d.Checked = "checksum 7, expected 7"
	d.Conditions = &machine.Conditions{Processors: 2, Seconds: 0.25, CapacityBefore: 1.7, CapacityAfter: 1.2,
		OneBefore: 0.9, OneAfter: 0.75, Others: 0.4, Steal: -1, Load: 3, Involuntary: 12}
	d.Config = append(d.Config, Setting{"share", 0.000001}, Setting{"limit", 5e6}, Setting{"rate", 2e21})
	d.AddLabelled("synch_p2p/edt/P=20/workers=2", Config{{"form", "edt"}, {"rows", 1 << 40}, {"spread", 12500000.0}},
		bench.Series{
			Runs: []int{1, 2}, Metrics: []bench.Metric{{Unit: "ns/edt", Samples: []float64{0.1, 1.0 / 3}}},
		})
	d.AddEfficiency()
	d.Ranks = ranks(2)
	d.Stats = &Stats{Value: map[string]int{"edts": 3}, Sections: []Section{{
		Title: "one run", Table: Table{Head: []string{"worker", "EDTs"}, Rows: [][]string{{"0", "3"}}},
	}}}
	return d
}

// TestSavedDocumentsWriteTheSame: what was read of JSON writes in every format what the
// document did that was saved, with a text of its own or without.
func TestSavedDocumentsWriteTheSame(t *testing.T) {
	table := Table{
		Head: []string{"a", "b", "c"}, Rows: [][]string{{"x", "1", "so"}, {"y", "2", "not so"}},
		Left: 1, Ends: true, Over: map[int]string{1: "------"},
	}
	sections := []Section{{Title: "first", Table: table, Body: "peak: 3\n"}, {Body: "alone\n"}}
	for name, text := range map[string]*Text{
		"usual": nil, "sections": {Sections: sections}, "bare": {NoTitle: true, NoHeader: true, Sections: sections},
		"whole": {Whole: true, Sections: sections},
	} {
		for _, wide := range []bool{false, true} {
			d := saved()
			d.Text, d.Wide = text, wide
			read, err := Parse([]byte(render(t, d, "json")))
			testrun.OK(t, err)
			read.Wide = wide
			for _, format := range Formats() {
				if want, got := render(t, d, format), render(t, read, format); got != want {
					t.Errorf("%s, wide %v: %s of what was read:\n%s\nwant\n%s", name, wide, format, got, want)
				}
			}
		}
	}
}

// TestUnevenUnitsAreRefused: a line of the Go format has a value of each unit.
func TestUnevenUnitsAreRefused(t *testing.T) {
	d, err := Parse(
		[]byte(
			`{"schema": "ocrbench/1", "results": [{"name": "a", "metrics": {"ns/op": {"samples": [1, 2]},
				"MB/s": {"samples": [1]}}},
				{"name": "b", "metrics": {}}]}`,
		),
	)
	testrun.OK(t, err)
	var b strings.Builder
	if err := d.Write(&b, "go"); err == nil || err.Error() != "report: bad figure: a: 2 samples of ns/op, 1 of MB/s" {
		t.Errorf("writing it gave %v", err)
	}
	if err := d.Write(&b, "csv"); err != nil {
		t.Errorf("as CSV: %v", err)
	}
}

// TestEarlierNames: what was saved before the form of an EDT was in the name of synch_p2p's results has the names of
// today.
func TestEarlierNames(t *testing.T) {
	for _, tt := range []struct{ app, config, old, want string }{
		{"synch_p2p", `"clone": "again"`, "synch_p2p/edt/P=10/workers=2", "synch_p2p/edt-again/P=10/workers=2"},
		{"synch_p2p", `"clone": "both"`, "synch_p2p/edt-channel/P=10/workers=2",
			"synch_p2p/edt-channel-again/P=10/workers=2"},
		{"synch_p2p", `"clone": "both"`, "synch_p2p/edt/P=10/workers=2/place=none/clone=new",
			"synch_p2p/edt/P=10/workers=2/place=none"},
		{"synch_p2p", `"clone": "both"`, "synch_p2p/serial/P=10/workers=2", "synch_p2p/serial/P=10/workers=2"},
		{"synch_p2p", `"P": 10`, "synch_p2p/edt/P=10/workers=2", "synch_p2p/edt/P=10/workers=2"},
		{"synch_p2p", `"P": 10`, "synch_p2p/edt-again/P=10/workers=2", "synch_p2p/edt-again/P=10/workers=2"},
		{"overhead", `"P": 10`, "overhead/sweep/grid=25x50/tile=3x5/workers=1",
			"overhead/sweep/form=edt-again/grid=25x50/tile=3x5/workers=1"},
		{"overhead", `"P": 10`, "overhead/sweep/form=edt/grid=25x50/tile=3x5",
			"overhead/sweep/form=edt/grid=25x50/tile=3x5"},
		{"hello", `"clone": "again"`, "hello/edt/sweep/grid=1", "hello/edt/sweep/grid=1"},
	} {
		d, err := Parse(fmt.Appendf(nil, `{"schema": "ocrbench/1", "app": %q, "config": {%s}, "baseline": %q,
			"results": [{"name": %q, "metrics": {"ns/edt": {"samples": [1]}}}]}`, tt.app, tt.config, tt.old, tt.old))
		testrun.OK(t, err)
		if d.Results[0].Name != tt.want || d.Baseline != tt.want {
			t.Errorf("%s with %s: %s was read as %s, baseline %s, want %s", tt.app, tt.config, tt.old,
				d.Results[0].Name, d.Baseline, tt.want)
		}
		if d.App == "synch_p2p" && strings.Contains(render(t, d, "csv"), "clone") {
			t.Errorf("%s: the setting clone is still there", tt.old)
		}
	}
}
