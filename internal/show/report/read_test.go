package report

import (
	"encoding/json"
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
	d.Stats, d.StatsText = json.RawMessage(`{"edts":1152921504606846977,"blocks":3}`), []Section{{
		Title: "one run", Table: Table{Head: []string{"worker", "EDTs"}, Rows: [][]string{{"0", "3"}}},
	}}
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
	} {
		for _, width := range []int{0, -1} {
			d := saved()
			d.Text, d.Width = text, width
			read, err := Parse([]byte(render(t, d, "json")))
			testrun.OK(t, err)
			read.Width = width
			for _, format := range Formats() {
				if want, got := render(t, d, format), render(t, read, format); got != want {
					t.Errorf("%s, width %v: %s of what was read:\n%s\nwant\n%s", name, width, format, got, want)
				}
			}
		}
	}
}

// TestOlderConditions: older files say -1 for what the system did not tell.
func TestOlderConditions(t *testing.T) {
	read, err := Parse([]byte(`{"schema": "ocrbench/1", "conditions": {"processors": 2, "others": -1, "steal": -1}}`))
	testrun.OK(t, err)
	testrun.Equal(t, nil, read.Conditions, "conditions")
}

// TestNoMeasurementGivesThis: a document that no measurement gives is refused in one line.
func TestNoMeasurementGivesThis(t *testing.T) {
	const times = `"ns/op": {"samples": [1, 2]}`
	const runs = "2 samples are the means of %d numbers of runs: must be a positive number each"
	const layout = "does not have the layout of ocrbench/1: "
	for members, want := range map[string]string{
		`"metrics": {` + times + `, "MB/s": {"samples": [1]}}`:                  `"a": 2 samples of ns/op, 1 of MB/s`,
		`"metrics": {` + times + `, ` + times + `}`:                             `"a": has the unit ns/op twice`,
		`"metrics": {` + times + `}}, {"name": "a", "metrics": {` + times + `}`: `"a": is there twice`,
		`"metrics": {}`: `"a": has no figures`,
		`"labels": {}`:  `"a": has no figures`,
		`"metrics": {"ns/op": {"samples": [3, 0]}}`:       `"a": 0 ns/op: a time must be greater than 0`,
		`"metrics": {"us/timestep": {"samples": [-0.5]}}`: `"a": -0.5 us/timestep: a time must be greater than 0`,
		`"metrics": {"s/run": {"samples": [1e-300]}}`:     `"a": 1e-300 s/run: a time must be greater than 0`,
		`"metrics": {"MB/s": {"samples": [1e101]}}`:       `"a": 1e+101 MB/s: must be finite, at most 1e+100`,
		`"metrics": {"ns/op": {"samples": [5, null]}}`:    layout + `"a": "ns/op": a sample is null: must be a number`,
		`"metrics": {"ns/op": null}`:                      `"a": has no samples of ns/op`,
		`"metrics": {"ns/op": {"median": 1}}`:             `"a": has no samples of ns/op`,
		`"metrics": {"": {"samples": [1]}}`:               layout + `"a": "": a name is empty`,
		`"metrics": [1]`:                                  layout + `"a": config, labels and metrics must be objects`,
		`"metrics": {` + times + `}, "runs": [1]`:         `"a": ` + fmt.Sprintf(runs, 1),
		`"metrics": {` + times + `}, "runs": [7, null]`:   `"a": ` + fmt.Sprintf(runs, 2),
		`"metrics": {` + times + `}, "labels": {"P": [3, 4]}`: layout + `"a": "P": a setting must be a text, a number, ` +
			`true or false`,
		`"name": ""`:     layout + `"": a name is empty`,
		`"name": "a\nb"`: layout + `"a\nb": the name has characters that do not print`,
		`"metrics": {"MB/s": {"samples": [1e999]}}`: layout + `"a": "MB/s": json: cannot unmarshal number 1e999 into Go ` +
			`struct field metric.samples of type float64`,
	} {
		_, err := Parse(fmt.Appendf(nil, `{"schema": "ocrbench/1", "results": [{"name": "a", %s}]}`, members))
		testrun.Equal(t, want, fmt.Sprint(err), "error of %s", members)
	}
	const conditions = `{"schema": "ocrbench/1", "conditions": {"processors": 1, "others": %s}}`
	for share, taken := range map[string]bool{"0.5": true, "-2": false, "1e300": false} {
		_, err := Parse(fmt.Appendf(nil, conditions, share))
		testrun.Equal(t, taken, err == nil, "conditions with a share of %s are taken: %v", share, err)
	}
}

// TestOtherFiles: each is refused in one line that says what is wrong.
func TestOtherFiles(t *testing.T) {
	full := render(t, saved(), "json")
	const notJSON = "is not a result file: must be JSON of ocrbench (--format json): "
	for data, want := range map[string]string{
		"":                              notJSON + "unexpected end of JSON input",
		full[:len(full)/2]:              notJSON + "unexpected end of JSON input",
		"Dear reader,\n":                notJSON + "invalid character 'D' looking for beginning of value",
		full + "\n" + full:              notJSON + "invalid character '{' after top-level value",
		"[1, 2]":                        notJSON + "json: cannot unmarshal array into Go value of type report.result",
		`{"a": 1}`:                      `has the schema "": must be ocrbench/1`,
		`{"schema": "ocrbench/2\n"}`:    `has the schema "ocrbench/2\n": must be ocrbench/1`,
		`{"schema": "x", "results": 7}`: `has the schema "x": must be ocrbench/1`,
		`{"schema": "ocrbench/1", "results": 7}`: "does not have the layout of ocrbench/1: json: cannot unmarshal number " +
			"into Go struct field Document.results of type []report.Result",
	} {
		_, err := Parse([]byte(data))
		testrun.Equal(t, want, fmt.Sprint(err), "error of %.40q", data)
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                          "is a directory, not a result file",
		filepath.Join(dir, "nix"):    "no such file or directory",
		filepath.Join(dir, "a", "b"): "no such file or directory",
	} {
		_, err := Read(path)
		testrun.Equal(t, want, fmt.Sprint(err), "error of Read(%s)", path)
	}
}
