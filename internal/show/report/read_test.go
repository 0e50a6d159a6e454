package report

import (
	"fmt"
	"path/filepath"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
)

// saved returns a document with all that any format writes.
func saved() *Document {
	d := document()
	d.Checked = "checksum 7, expected 7"
	d.Conditions = &machine.Conditions{Processors: 2, Others: 0.4, Steal: 0.01}
	d.Config = append(d.Config, Setting{"share", 0.000001}, Setting{"limit", 5e6}, Setting{"rate", 2e21})
	d.AddLabelled("synch_p2p/edt/P=20/workers=2", Config{{"form", "edt"}, {"rows", 1 << 40}, {"spread", 12500000.0}},
		bench.Series{
			Runs: []int{1, 2}, Metrics: []bench.Metric{{Unit: "ns/edt", Samples: []float64{0.1, 1.0 / 3}}},
		})
	d.Ranks = []Rank{{[]int{0, -1}, 4000}, {[]int{1, -1}, 4001}}
	d.Stats = &Stats{Value: map[string]int{"edts": 3}, Sections: []Section{{
		Title: "one run", Table: Table{Head: []string{"worker", "EDTs"}, Rows: [][]string{{"0", "3"}}},
	}}}
	return d
}

// TestSavedDocumentsWriteTheSame: a document that was read from JSON writes the same in every format as the original,
// with a text of its own or without.
func TestSavedDocumentsWriteTheSame(t *testing.T) {
	table := Table{
		Head: []string{"a", "b", "c"}, Rows: [][]string{{"x", "1", "so"}, {"y", "2", "not so"}},
		Left: 1, Ends: true, Over: map[int]string{1: "------"},
	}
	sections := []Section{{Title: "first", Table: table, Body: "peak: 3\n"}, {Body: "alone\n"}}
	for name, text := range map[string]*Text{
		"usual": nil, "sections": {Sections: sections},
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

// TestOlderConditions: older files say -1 for what the system did not tell.
func TestOlderConditions(t *testing.T) {
	read, err := Parse([]byte(`{"schema": "ocrbench/1", "conditions": {"processors": 2, "others": -1, "steal": -1}}`))
	testrun.OK(t, err)
	if read.Conditions != nil {
		t.Errorf("conditions: %v", read.Conditions)
	}
}

// TestNoMeasurementGivesThis: a document that no measurement gives is refused in one line.
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
		`"metrics": {"ns/op": null}`:                          "has no samples of ns/op",
		`"metrics": {` + times + `}, "runs": [1]`:             fmt.Sprintf(runs, 1),
		`"metrics": {` + times + `}, "runs": [7, null]`:       fmt.Sprintf(runs, 2),
		`"metrics": {` + times + `}, "labels": {"P": [3, 4]}`: `"P": a setting must be a text, a number, true or false`,
	} {
		d, err := Parse(fmt.Appendf(nil, `{"schema": "ocrbench/1", "results": [{"name": "a", %s}]}`, members))
		if err == nil || err.Error() != `"a": `+want {
			t.Errorf("%s was read as %v, %v, want %s", members, d, err, want)
		}
	}
	const conditions = `{"schema": "ocrbench/1", "conditions": {"processors": 1, "others": %s}}`
	for share, taken := range map[string]bool{"0.5": true, "-2": false, "1e300": false} {
		if _, err := Parse(fmt.Appendf(nil, conditions, share)); (err == nil) != taken {
			t.Errorf("conditions with a share of %s: %v", share, err)
		}
	}
}

// TestBadFiles: each is one line that says what is wrong.
func TestBadFiles(t *testing.T) {
	full := render(t, saved(), "json")
	const results = `{"schema":"ocrbench/1","results":[{"name":"a","metrics":`
	const notJSON = "is not a result file: must be JSON of ocrbench (--format json)"
	for _, tt := range []struct{ name, data, want string }{
		{"empty", "", "is empty"},
		{"truncated JSON", full[:len(full)/2], "is truncated: the JSON document does not end"},
		{"syntax", `{"schema" 1}`, "is not JSON: byte 11: invalid character '1' after object key"},
		{"no schema", `{"a":1}`, "is JSON, but no result file: it has no schema"},
		{"other schema", `{"schema":"ocrbench/2","results":7}`, `has the schema "ocrbench/2": must be ocrbench/1`},
		{"schema of a comparison", `{"schema":"ocrbench-compare/1"}`,
			`has the schema "ocrbench-compare/1": must be ocrbench/1`},
		{"schema is no string", `{"schema":1}`,
			"is not a result file: schema: a JSON number is not what the schema has there"},
		{"two documents", full + full, "has more than one JSON document"},
		{"garbage behind", full + "}", "has more than one JSON document"},
		{"results are a number", `{"schema":"ocrbench/1","results":7}`,
			"is not a result file: results: a JSON number is not what the schema has there"},
		{"metrics are a list", results + `[1]}]}`, `"a": is not a result file: config and metrics must be objects`},
		{"no samples", results + `{"ns/op":{"median":1}}}]}`, `"a": has no samples of ns/op`},
		{"samples of text", results + `{"ns/op":{"samples":["1"]}}}]}`,
			`"a": "ns/op": is not a result file: samples: a JSON string is not what the schema has there`},
		{"a huge sample", results + `{"ns/op":{"samples":[1e999]}}}]}`,
			`"a": "ns/op": is not a result file: samples: a JSON number 1e999 is not what the schema has there`},
		{"no name", `{"schema":"ocrbench/1","results":[{"metrics":{"ns/op":{"samples":[1]}}}]}`,
			`"": a result name is empty`},
		{"no unit", results + `{"":{"samples":[1]}}}]}`, `"a": "": a unit is empty`},
		{"a name of two lines", `{"schema":"ocrbench/1","results":[{"name":"a\nb"}]}`,
			`"a\nb": the result name has characters that do not print`},
		{"a list", "[1, 2]", notJSON},
		{"prose", "Dear reader,\n", notJSON},
		{"Go benchmark text", render(t, saved(), "go"), notJSON},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse([]byte(tt.data))
			if err == nil || err.Error() != tt.want {
				t.Errorf("Parse() = %v, %v, want the error %s", f, err, tt.want)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                          "is a directory, not a result file",
		filepath.Join(dir, "nix"):    "no such file or directory",
		filepath.Join(dir, "a", "b"): "no such file or directory",
	} {
		if f, err := Read(path); err == nil || err.Error() != want {
			t.Errorf("Read(%s) = %v, %v, want %s", path, f, err, want)
		}
	}
}
