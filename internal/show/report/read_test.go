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

// TestNoMeasurementGivesThis: what no measurement gives is refused in one line, when it is read and when it is written.
func TestNoMeasurementGivesThis(t *testing.T) {
	const times = `"ns/op": {"samples": [1, 2]}`
	const runs = "2 samples are the means of %d numbers of runs: must be a positive number each"
	for members, want := range map[string]string{
		`"metrics": {` + times + `, "MB/s": {"samples": [1]}}`: "2 samples of ns/op, 1 of MB/s",
		`"metrics": {` + times + `, ` + times + `}`:            "has the unit ns/op twice",
		`"metrics": {}`: "has no figures",
		`"labels": {}`:  "has no figures",
		`"metrics": {"ns/op": {"samples": [3, 0]}}`:           "0 ns/op: a time must be greater than 0",
		`"metrics": {"us/timestep": {"samples": [-0.5]}}`:     "-0.5 us/timestep: a time must be greater than 0",
		`"metrics": {"s/run": {"samples": [1e-300]}}`:         "1e-300 s/run: a time must be greater than 0",
		`"metrics": {"MB/s": {"samples": [1e101]}}`:           "1e+101 MB/s: must be finite, at most 1e+100",
		`"metrics": {"ns/op": {"samples": [5, null]}}`:        `"ns/op": a sample is null: must be a number`,
		`"metrics": {"MB/s": {"samples": [null, null, 4]}}`:   `"MB/s": a sample is null: must be a number`,
		`"metrics": {"ns/op": null}`:                          `"ns/op": has no samples`,
		`"metrics": {` + times + `}, "runs": [1]`:             fmt.Sprintf(runs, 1),
		`"metrics": {` + times + `}, "runs": [7, null]`:       fmt.Sprintf(runs, 2),
		`"metrics": {` + times + `}, "labels": {"P": [3, 4]}`: `"P": a setting must be a text, a number, true or false`,
	} {
		d, err := Parse(fmt.Appendf(nil, `{"schema": "ocrbench/1", "results": [{"name": "a", %s}]}`, members))
		if err == nil || err.Error() != `"a": `+want {
			t.Errorf("%s was read as %v, %v, want %s", members, d, err, want)
		}
	}
	const conditions = `{"schema": "ocrbench/1", "conditions": {"seconds": %s}}`
	for number, taken := range map[string]bool{"0.5": true, "-2": false, "1e300": false} {
		if _, err := Parse(fmt.Appendf(nil, conditions, number)); (err == nil) != taken {
			t.Errorf("conditions of %s seconds: %v", number, err)
		}
	}
	d := &Document{Results: []Result{{Name: "a", Metrics: bench.Metrics{{Unit: "ns/op"}}}}}
	for _, format := range Formats() {
		err := d.Write(&strings.Builder{}, format)
		if err == nil || err.Error() != "report: bad figure: a: has no samples of ns/op" {
			t.Errorf("%s: writing it gave %v", format, err)
		}
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
