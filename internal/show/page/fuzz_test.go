package page_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
	"ocr/internal/show/compare"
	"ocr/internal/show/page"
	"ocr/internal/show/report"
)

// nonsense matches NaN, infinities and undefined values, as Go, JavaScript and people write them.
var nonsense = regexp.MustCompile(`(?i)\bnan\b|[+-]inf\b|\binfinity\b|\bundefined\b`)

// small is a small file. Most changes of it are still valid files.
const small = `{"schema": "ocrbench/1", "app": "uts", "config": {"depth": 4},
	"conditions": {"processors": 1, "others": 0.5},
	"verified": true, "baseline": "uts/serial", "results": [
	{"name": "uts/serial", "runs": [1, 1, 2], "metrics":
		{"ns/node": {"samples": [3, 4, 5]}, "MB/s": {"samples": [7, 6, 5]}}},
	{"name": "uts/edt/workers=2", "labels": {"workers": 2}, "metrics": {"ns/node": {"samples": [30, 40, 50]}}}]}`

// FuzzFiles: a command refuses any result file in one line, or shows it in numbers.
func FuzzFiles(f *testing.F) {
	f.Add(fullFile(f))
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, data []byte) { refusedOrShown(t, data) })
}

// TestEveryValueReplaced replaces each value of a file by several values of wrong kinds.
func TestEveryValueReplaced(t *testing.T) {
	var document any
	testrun.OK(t, json.Unmarshal(fullFile(t), &document))
	replace(&document, func() {
		data, err := json.Marshal(document)
		testrun.OK(t, err)
		refusedOrShown(t, data)
	})
}

// replace calls try with *at replaced by other values, and then with each value inside it replaced.
func replace(at *any, try func()) {
	old := *at
	for _, *at = range []any{nil, 0, -1, 1e308, -1e308, 5e-324, "", "nan\n", true, []any{}, []any{nil}, map[string]any{},
		map[string]any{"": nil}} {
		try()
	}
	switch *at = old; v := old.(type) {
	case []any:
		for k := range v {
			replace(&v[k], try)
		}
	case map[string]any:
		for key, value := range v {
			replace(&value, func() {
				v[key] = value
				try()
			})
			v[key] = value
		}
	}
}

func fullFile(t testing.TB) []byte {
	data, err := os.ReadFile(filepath.Join("..", "report", "testdata", "full.json.golden"))
	testrun.OK(t, err)
	return data
}

// refusedOrShown checks that a file is refused in one line, or that convert in all formats, report, and compare with
// another file show numbers. A file must not differ from itself.
func refusedOrShown(t *testing.T, data []byte) {
	d, err := report.Parse(data)
	if err != nil {
		if text := err.Error(); text == "" || strings.ContainsAny(text, "\n\r\x00") {
			t.Errorf("the error is not one line: %q", text)
		}
		return
	}
	good, err := report.Parse([]byte(small))
	testrun.OK(t, err)
	samples := 0
	for _, r := range d.Results {
		samples += len(r.Metrics) * len(r.Metrics[0].Samples)
	}
	if samples > 50 {
		return // with many ties the test is slow
	}
	var b bytes.Buffer
	for _, format := range report.Formats() {
		testrun.OK(t, d.Write(&b, format), "as %s:\n%s", format, data)
	}
	if p, err := page.New(d); err == nil {
		testrun.OK(t, p.Write(&b))
	}
	for _, before := range []*report.Document{good, d} {
		one, err1 := compare.Of(before)
		two, err2 := compare.Of(d)
		if err1 != nil || err2 != nil {
			continue
		}
		c := compare.Compare(one, two, compare.Options{Alpha: 0.05})
		if before == d && (len(c.Differences) > 0 || len(c.Regressions()) > 0 || len(c.Rows) == 0 || c.NotComparable != "") {
			t.Errorf("a file and itself: %+v", c)
		}
		testrun.OK(t, c.Write(&b))
	}
	if found := nonsense.FindIndex(b.Bytes()); found != nil && !nonsense.Match(data) {
		t.Errorf("%q is shown of\n%s", b.Bytes()[max(found[0]-60, 0):found[1]], data)
	}
}
