package compare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// golden reads a document that package report wrote.
func golden(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "report", "testdata", name))
	testrun.OK(t, err)
	return string(data)
}

// TestBadFiles: each is one line that says what is wrong.
func TestBadFiles(t *testing.T) {
	full := golden(t, "full.json.golden")
	const results = `{"schema":"ocrbench/1","results":[{"name":"a","metrics":`
	const notJSON = "is not a result file: must be JSON of ocrbench (--format json)"
	for _, tt := range []struct{ name, data, want string }{
		{"empty", "", "is empty"},
		{"blank", " \n\t\n", "is empty"},
		{"truncated JSON", full[:len(full)/2], "is truncated: the JSON document does not end"},
		{"open brace", "{", "is truncated: the JSON document does not end"},
		{"syntax", `{"schema" 1}`, "is not JSON: byte 11: invalid character '1' after object key"},
		{"no schema", `{"a":1}`, "is JSON, but no result file: it has no schema"},
		{"null schema", `{"schema":null}`, "is JSON, but no result file: it has no schema"},
		{"other schema", `{"schema":"ocrbench/2","results":7}`, `has the schema "ocrbench/2": must be ocrbench/1`},
		{"schema of a comparison", `{"schema":"ocrbench-compare/1"}`,
			`has the schema "ocrbench-compare/1": must be ocrbench/1`},
		{"schema is no string", `{"schema":1}`,
			"is not a result file: schema: a JSON number is not what the schema has there"},
		{"two documents", full + full, "has more than one JSON document"},
		{"garbage behind", full + "}", "has more than one JSON document"},
		{"no results", `{"schema":"ocrbench/1","results":[]}`, "has no results"},
		{"nothing", `{"schema":"ocrbench/1"}`, "has no results"},
		{"interrupted early", golden(t, "partial.json.golden"), "has no results: the run was interrupted"},
		{"results are a number", `{"schema":"ocrbench/1","results":7}`,
			"is not a result file: results: a JSON number is not what the schema has there"},
		{"metrics are a list", results + `[1]}]}`, "is not a result file: config and metrics must be objects"},
		{"no samples", results + `{"ns/op":{"median":1}}}]}`, `"a": "ns/op": has no samples`},
		{"null samples", results + `{"ns/op":{"samples":null}}}]}`, `"a": "ns/op": has no samples`},
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
		{"binary", "\x7fELF\x02\x01\x00\x00", notJSON},
		{"Go benchmark text", golden(t, "full.go.golden"), notJSON},
		{"CSV", golden(t, "full.csv.golden"), notJSON},
		{"text for people", golden(t, "full.text.golden"), notJSON},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("file", []byte(tt.data))
			if err == nil || err.Error() != tt.want {
				t.Errorf("Parse() = %v, %v, want the error %s", f, err, tt.want)
			}
		})
	}
}

// TestEveryTruncation: a document cut anywhere is refused.
func TestEveryTruncation(t *testing.T) {
	full := strings.TrimRight(golden(t, "full.json.golden"), "\n")
	for n := range len(full) {
		if _, err := Parse("file", []byte(full[:n])); err == nil {
			t.Fatalf("the first %d bytes of %d were accepted", n, len(full))
		}
	}
	if f := parse(t, full); len(f.Series) != 4 || len(f.Series[0].Samples) != 6 || f.Series[0].Unit != "ns/edt" {
		t.Errorf("series %v, want 4 with 6 samples", f.Series)
	}
}

func TestRepeatedName(t *testing.T) {
	f := parse(
		t, `{"schema":"ocrbench/1","results":[{"name":"a","metrics":{"ns/op":{"samples":[1]}}},
			{"name":"a","metrics":{"ns/op":{"samples":[2]}}}]}`,
	)
	if len(f.Series) != 2 || f.Series[0].Name != "a" || f.Series[1].Name != "a#2" {
		t.Errorf("series %v, want a and a#2", f.Series)
	}
	f = parse(
		t, `{"schema":"ocrbench/1","results":[{"name":"a/mpi","metrics":{"ns/op":{"samples":[1]}}},
			{"name":"a/mpi","metrics":{"ns/op":{"samples":[2]}}}]}`,
	)
	if !f.Series[0].Peer || !f.Series[1].Peer {
		t.Errorf("series %v, want both of a peer", f.Series)
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                          "is a directory, not a result file",
		filepath.Join(dir, "nix"):    "no such file or directory",
		filepath.Join(dir, "a", "b"): "no such file or directory",
	} {
		if f, err := report.Read(path); err == nil || err.Error() != want {
			t.Errorf("Read(%s) = %v, %v, want %s", path, f, err, want)
		}
	}
}
