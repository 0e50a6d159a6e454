package compare

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ocr/internal/report"
)

// parse is Parse of what must be right.
func parse(t testing.TB, text string) *File {
	t.Helper()
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// bench writes Go benchmark text of one result and unit.
func benchText(name, unit string, samples ...float64) string {
	var b strings.Builder
	for _, v := range samples {
		fmt.Fprintf(&b, "Benchmark%s 1 %v %s\n", name, v, unit)
	}
	return b.String()
}

// around returns n different samples around a value.
func around(v float64, n int) []float64 {
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = v * (1 + 0.001*float64(i-n/2))
	}
	return samples
}

func TestBetterOf(t *testing.T) {
	for unit, want := range map[string]Better{
		"ns/op": Lower, "ns/edt": Lower, "us/timestep": Lower, "ns/transfer-b": Lower, "ns": Lower, "sec/op": Lower,
		"B/op": Lower, "allocs/op": Lower, "bytes/edt": Lower, "bytes": Lower, "metg-us": Lower, "cycles/op": Lower,
		"MB/s": Higher, "Gbit/s": Higher, "Mflop/s": Higher, "msg/s": Higher, "min-MB/s": Higher, "transfers/s": Higher,
		"efficiency": Higher, "peak-efficiency": Higher, "speedup": Higher,
		"preemptions": Neither, "collections": Neither, "x": Neither, "steals/op": Neither,
	} {
		if got := BetterOf(unit); got != want {
			t.Errorf("%s: %s is better, want %s", unit, got, want)
		}
	}
}

// TestVerdicts: which way a change goes, and whether it is a regression.
func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		unit       string
		old, new   []float64
		alpha      float64
		failOver   float64
		verdict    string
		change     float64
		regression bool
		tooFew     bool
	}{
		{"ns/op", around(100, 10), around(110, 10), 0.05, 5, Slower, 0.1, true, false},
		{"ns/op", around(100, 10), around(110, 10), 0.05, 20, Slower, 0.1, false, false},
		{"ns/op", around(100, 10), around(110, 10), 0.05, -1, Slower, 0.1, false, false},
		{"ns/op", around(100, 10), around(90, 10), 0.05, 5, Faster, -0.1, false, false},
		{"ns/op", around(100, 10), around(100, 10), 0.05, 0, Same, 0, false, false},
		{"ns/op", around(100, 10), around(110, 10), 1e-6, 5, Same, 0.1, false, true},
		{"ns/op", []float64{100, 100, 100}, []float64{200, 200, 200}, 0.05, 5, Same, 1, false, true},
		{"ns/op", around(100, 4), around(110, 4), 0.05, 5, Slower, 0.1, true, false},
		{"ns/op", around(100, 3), around(110, 5), 0.05, 5, Slower, 0.1, true, false},
		{"ns/op", []float64{100}, []float64{200}, 0.05, 5, Same, 1, false, true},
		{"MB/s", around(100, 10), around(110, 10), 0.05, 5, Faster, 0.1, false, false},
		{"MB/s", around(100, 10), around(90, 10), 0.05, 5, Slower, -0.1, true, false},
		{"efficiency", around(1, 10), around(0.9, 10), 0.05, 5, Worse, -0.1, true, false},
		{"bytes/edt", around(64, 10), around(32, 10), 0.05, 5, Finer, -0.5, false, false},
		{"allocs/op", make([]float64, 10), []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0.05, 1000, Worse, math.Inf(1), true, false},
		{"allocs/op", make([]float64, 10), make([]float64, 10), 0.05, 0, Same, 0, false, false},
		{"preemptions", around(100, 10), around(200, 10), 0.05, 5, Differs, 1, false, false},
		{"ns/tax", around(-10, 10), around(-5, 10), 0.05, 5, Slower, 0.5, true, false},
	} {
		before, after := parse(t, benchText("X", tt.unit, tt.old...)), parse(t, benchText("X", tt.unit, tt.new...))
		c := Compare(before, after, Options{Alpha: tt.alpha, FailOver: tt.failOver})
		if len(c.Rows) != 1 {
			t.Fatalf("%d rows, want 1", len(c.Rows))
		}
		r := c.Rows[0]
		if r.Verdict != tt.verdict || math.Abs(r.Change-tt.change) > 1e-9 || r.Regression != tt.regression || r.TooFew != tt.tooFew {
			t.Errorf("%s, %v -> %v, level %v, limit %v: %s, change %v, regression %v, too few %v (p=%v), want %s, %v, %v, %v",
				tt.unit, tt.old, tt.new, tt.alpha, tt.failOver, r.Verdict, r.Change, r.Regression, r.TooFew, r.P,
				tt.verdict, tt.change, tt.regression, tt.tooFew)
		}
		if got := len(c.Regressions()) > 0; got != tt.regression {
			t.Errorf("Regressions() has some: %v, want %v", got, tt.regression)
		}
	}
}

// TestPValue: exact values of the U test, from tables: 2/C(10,5) where two samples
// of five do not overlap; where one pair of 25 is the other way round, twice that.
func TestPValue(t *testing.T) {
	for _, tt := range []struct {
		old, new []float64
		want     float64
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 2.0 / 252},
		{[]float64{1, 2, 3, 4, 6}, []float64{5, 7, 8, 9, 10}, 4.0 / 252},
		{[]float64{3, 3, 3}, []float64{3, 3, 3}, 1},
	} {
		c := Compare(parse(t, benchText("X", "ns/op", tt.old...)), parse(t, benchText("X", "ns/op", tt.new...)), Options{Alpha: 0.05, FailOver: -1})
		if got := c.Rows[0].P; math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v, %v: p = %v, want %v", tt.old, tt.new, got, tt.want)
		}
	}
}

func TestEnough(t *testing.T) {
	for alpha, want := range map[float64]int{0.5: 2, 0.2: 3, 0.05: 4, 0.01: 5, 0.001: 7, MinAlpha: 17} {
		n := enough(alpha)
		if n != want {
			t.Errorf("level %v: %d samples are enough, want %d", alpha, n, want)
		}
		c := Compare(parse(t, benchText("X", "ns/op", around(1, n)...)), parse(t, benchText("X", "ns/op", around(2, n)...)), Options{Alpha: alpha, FailOver: -1})
		if r := c.Rows[0]; r.TooFew || r.Verdict != Slower {
			t.Errorf("level %v: %d samples: %s (p=%v), want them to be enough", alpha, n, r.Verdict, r.P)
		}
		c = Compare(parse(t, benchText("X", "ns/op", around(1, n-1)...)), parse(t, benchText("X", "ns/op", around(2, n-1)...)), Options{Alpha: alpha, FailOver: -1})
		if r := c.Rows[0]; !r.TooFew || r.Verdict != Same {
			t.Errorf("level %v: %d samples: %s (p=%v), want too few", alpha, n-1, r.Verdict, r.P)
		}
	}
}

// golden reads a document that package report wrote.
func golden(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "report", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFormatsAgree: the same run in JSON and as Go benchmark text is the same.
func TestFormatsAgree(t *testing.T) {
	a, b := parse(t, golden(t, "full.json.golden")), parse(t, golden(t, "full.go.golden"))
	if diff := cmp.Diff(a.Series, b.Series); diff != "" {
		t.Errorf("series of JSON (-) and text (+):\n%s", diff)
	}
	if len(a.Series) != 4 || len(a.Series[0].Samples) != 6 {
		t.Errorf("series %v, want 4 with 6 samples", a.Series)
	}
	for _, pair := range [][2]*File{{a, b}, {b, a}} {
		if d := Compare(pair[0], pair[1], Options{Alpha: 0.05}).Differences; len(d) > 0 {
			t.Errorf("differences %v, want none", d)
		}
	}
}

func TestDifferences(t *testing.T) {
	full := golden(t, "full.json.golden")
	other := strings.NewReplacer(
		`"cpu": "AMD EPYC"`, `"cpu": "Intel"`, `"go": "go1.26"`, `"go": "go1.27"`, `"gomaxprocs": 3`, `"gomaxprocs": 8`,
		`"workers": 2,`, `"workers": 4, "place": "block",`, `"samples": 6,`, ``, "0,\n      -1", "0, 1", `"commit": "0123abc"`, `"commit": "fed"`,
	).Replace(full)
	want := []string{
		"machine cpu: AMD EPYC -> Intel", "build commit: 0123abc -> fed", "build go: go1.26 -> go1.27", "build gomaxprocs: 3 -> 8",
		"config workers: 2 -> 4", "config samples: 6 -> (none)", "config placement: 0,? -> 0,1", "config place: (none) -> block",
	}
	c := Compare(parse(t, full), parse(t, other), Options{Alpha: 0.05})
	var got []string
	for _, d := range c.Differences {
		got = append(got, d.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	plainText := parse(t, "goos: plan9\ncpu: Intel\n"+benchText("X", "ns/op", 1))
	c = Compare(parse(t, full), plainText, Options{Alpha: 0.05})
	if len(c.Differences) != 1 || c.Differences[0].String() != "machine cpu: AMD EPYC -> Intel" {
		t.Errorf("differences %v, want that of the cpu: the text says nothing of the others", c.Differences)
	}
}

// TestSeveralConfigurations: lines of one name under two machines are two results.
func TestSeveralConfigurations(t *testing.T) {
	both := "cpu: A\n" + benchText("X", "ns/op", 1, 2) + "cpu: B\n" + benchText("X", "ns/op", 10, 20) + benchText("Y", "ns/op", 5)
	f := parse(t, both)
	want := []Series{
		{"X [cpu=A]", "ns/op", Lower, []float64{1, 2}}, {"X [cpu=B]", "ns/op", Lower, []float64{10, 20}}, {"Y", "ns/op", Lower, []float64{5}},
	}
	if diff := cmp.Diff(want, f.Series); diff != "" {
		t.Errorf("series (-want +got):\n%s", diff)
	}
	if got := f.fact("cpu"); got != "A and B" {
		t.Errorf("cpu is %q, want both", got)
	}
	packages := parse(t, "pkg: a/b\n"+benchText("X", "ns/op", 1)+"pkg: c\n"+benchText("X", "ns/op", 2))
	if len(packages.Series) != 2 || packages.Series[0].Name != "a/b.X" || packages.Series[1].Name != "c.X" {
		t.Errorf("series %v, want one a package", packages.Series)
	}
}

// TestDeclaredDirection: what a file says of a unit goes before its name.
func TestDeclaredDirection(t *testing.T) {
	f := parse(t, "Unit widgets better=higher\nUnit MB/s better=lower\nUnit odd assume=exact\n"+
		"BenchmarkX 1 1 widgets 2 MB/s 3 odd 4 ns/op\n")
	for i, want := range []Better{Higher, Lower, Neither, Lower} {
		if f.Series[i].Better != want {
			t.Errorf("%s: %s is better, want %s", f.Series[i].Unit, f.Series[i].Better, want)
		}
	}
}

func TestOnlyInOneFile(t *testing.T) {
	before := parse(t, benchText("X", "ns/op", 1)+"BenchmarkY 1 1 ns/op 2 B/op\n")
	after := parse(t, benchText("Y", "ns/op", 1)+benchText("Z", "ns/op", 1))
	c := Compare(before, after, Options{Alpha: 0.05})
	if len(c.Rows) != 1 || c.Rows[0].Name != "Y" || c.Rows[0].Unit != "ns/op" {
		t.Errorf("rows %v, want Y in ns/op", c.Rows)
	}
	names := func(series []Series) (all []string) {
		for _, s := range series {
			all = append(all, s.Name+" "+s.Unit)
		}
		return all
	}
	if got, want := names(c.OnlyOld), []string{"X ns/op", "Y B/op"}; !slices.Equal(got, want) {
		t.Errorf("only in old: %v, want %v", got, want)
	}
	if got, want := names(c.OnlyNew), []string{"Z ns/op"}; !slices.Equal(got, want) {
		t.Errorf("only in new: %v, want %v", got, want)
	}
}

func TestNotes(t *testing.T) {
	partial := strings.Replace(golden(t, "full.json.golden"), `"partial": false`, `"partial": true`, 1)
	unverified := strings.Replace(golden(t, "full.go.golden"), "# verified: true", "# verified: false", 1)
	for _, tt := range []struct {
		old, new string
		want     []string
	}{
		{golden(t, "full.json.golden"), golden(t, "full.go.golden"), nil},
		{partial, unverified, []string{"old is partial: the run was interrupted", "new is not verified: results were not checked, or not right"}},
		{benchText("X", "ns/op", around(1, 6)...) + "FAIL\n", benchText("X", "ns/op", around(1, 6)...), []string{"old is of tests that failed: it has a line FAIL"}},
		{benchText("X", "ns/op", around(1, 3)...), benchText("X", "ns/op", around(1, 3)...), []string{
			"too few samples in 1 of 1 comparisons: no difference can be significant at 0.05, it takes 4 in each file",
			"fewer than 6 samples in 1 of 1 comparisons: the interval is the range, its level is below 95 %",
		}},
	} {
		before, after := parse(t, tt.old), parse(t, tt.new)
		before.Path, after.Path = "old", "new"
		if diff := cmp.Diff(tt.want, Compare(before, after, Options{Alpha: 0.05}).Notes()); diff != "" {
			t.Errorf("notes (-want +got):\n%s", diff)
		}
	}
	var many string
	for i := range 40 {
		many += benchText(fmt.Sprint("X", i), "ns/op", around(1, 6)...)
	}
	f := parse(t, many)
	want := []string{"40 comparisons at 0.05: about 2 would be significant by chance"}
	if diff := cmp.Diff(want, Compare(f, f, Options{Alpha: 0.05}).Notes()); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// TestBadFiles: each is one line that says what is wrong.
func TestBadFiles(t *testing.T) {
	full := golden(t, "full.json.golden")
	text := golden(t, "full.go.golden")
	const results = `{"schema":"ocrbench/1","results":[{"name":"a","metrics":`
	for _, tt := range []struct{ name, data, want string }{
		{"empty", "", "is empty"},
		{"blank", " \n\t\n", "is empty"},
		{"truncated JSON", full[:len(full)/2], "is truncated: the JSON document does not end"},
		{"open brace", "{", "is truncated: the JSON document does not end"},
		{"syntax", `{"schema" 1}`, "is not JSON: byte 11: invalid character '1' after object key"},
		{"no schema", `{"a":1}`, "is JSON, but no result file: it has no schema"},
		{"null schema", `{"schema":null}`, "is JSON, but no result file: it has no schema"},
		{"other schema", `{"schema":"ocrbench/2","results":7}`, `has the schema "ocrbench/2": must be ocrbench/1`},
		{"schema of a comparison", `{"schema":"ocrbench-compare/1"}`, `has the schema "ocrbench-compare/1": must be ocrbench/1`},
		{"schema is no string", `{"schema":1}`, "is not a result file: schema: a JSON number is not what the schema has there"},
		{"two documents", full + full, "has more than one JSON document"},
		{"garbage behind", full + "}", "has more than one JSON document"},
		{"no results", `{"schema":"ocrbench/1","results":[]}`, "has no results"},
		{"nothing", `{"schema":"ocrbench/1"}`, "has no results"},
		{"interrupted early", golden(t, "partial.json.golden"), "has no results: the run was interrupted"},
		{"interrupted early, text", golden(t, "partial.go.golden"), "has no results: the run was interrupted"},
		{"results are a number", `{"schema":"ocrbench/1","results":7}`, "is not a result file: results: a JSON number is not what the schema has there"},
		{"metrics are a list", results + `[1]}]}`, "is not a result file: there must be an object where config and metrics are"},
		{"no samples", results + `{"ns/op":{"median":1}}}]}`, "a, ns/op: has no samples"},
		{"null samples", results + `{"ns/op":{"samples":null}}}]}`, "a, ns/op: has no samples"},
		{"samples of text", results + `{"ns/op":{"samples":["1"]}}}]}`, "a, ns/op: is not a result file: samples: a JSON string is not what the schema has there"},
		{"a huge sample", results + `{"ns/op":{"samples":[1e999]}}}]}`, "a, ns/op: is not a result file: samples: a JSON number 1e999 is not what the schema has there"},
		{"no name", `{"schema":"ocrbench/1","results":[{"metrics":{"ns/op":{"samples":[1]}}}]}`, "a result name is empty"},
		{"no unit", results + `{"":{"samples":[1]}}}]}`, "a unit is empty"},
		{"a name of two lines", `{"schema":"ocrbench/1","results":[{"name":"a\nb"}]}`, `result name "a\nb" has characters that do not print`},
		{"a list", "[1, 2]", "is not a result file: neither JSON of ocrbench nor Go benchmark text"},
		{"prose", "Dear reader,\n", "is not a result file: neither JSON of ocrbench nor Go benchmark text"},
		{"binary", "\x7fELF\x02\x01\x00\x00", "is not a result file: neither JSON of ocrbench nor Go benchmark text"},
		{"CSV", golden(t, "full.csv.golden"), "is not a result file: neither JSON of ocrbench nor Go benchmark text"},
		{"text for people", golden(t, "full.text.golden"), "is not a result file: neither JSON of ocrbench nor Go benchmark text"},
		{"no unit, text", "BenchmarkX 1 2\n", "is truncated or no result file: line 1: missing units"},
		{"no count, text", "cpu: A\nBenchmarkX y 2 ns/op\n", "is truncated or no result file: line 2: parsing iteration count: invalid syntax"},
		{"NaN", "BenchmarkX 1 NaN ns/op\n", "line 1: NaN is not a figure"},
		{"Inf", "BenchmarkX 1 2 ns/op -Inf MB/s\n", "line 1: -Inf is not a figure"},
		{"a line cut off", strings.TrimSuffix(text, "/s\n"), "is truncated: its last line does not end"},
		{"a name that does not print", "BenchmarkX\x01 1 1 ns/op\n", `line 1: result name "X\x01" has characters that do not print`},
		{"a long line", "BenchmarkX" + strings.Repeat("x", 1<<17) + " 1 1 ns/op\n", "is not a result file: a line is longer than 64 KiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse([]byte(tt.data))
			if err == nil || err.Error() != tt.want {
				t.Errorf("Parse() = %v, %v, want the error %s", f, err, tt.want)
			}
		})
	}
}

// TestEveryTruncation: cut anywhere, JSON is refused, and text either refused or
// read as the lines that are whole.
func TestEveryTruncation(t *testing.T) {
	full := strings.TrimRight(golden(t, "full.json.golden"), "\n")
	for n := range len(full) {
		if _, err := Parse([]byte(full[:n])); err == nil {
			t.Fatalf("the first %d bytes of %d were accepted", n, len(full))
		}
	}
	text := golden(t, "full.go.golden")
	whole := parse(t, text)
	for n := range len(text) {
		f, err := Parse([]byte(text[:n]))
		if err != nil {
			continue
		}
		for i, s := range f.Series {
			if !slices.Equal(s.Samples, whole.Series[i].Samples[:len(s.Samples)]) {
				t.Fatalf("the first %d bytes: %s, %s: %v, want a beginning of %v", n, s.Name, s.Unit, s.Samples, whole.Series[i].Samples)
			}
		}
	}
}

func TestRepeatedName(t *testing.T) {
	f := parse(t, `{"schema":"ocrbench/1","results":[{"name":"a","metrics":{"ns/op":{"samples":[1]}}},{"name":"a","metrics":{"ns/op":{"samples":[2]}}}]}`)
	if len(f.Series) != 2 || f.Series[0].Name != "a" || f.Series[1].Name != "a#2" {
		t.Errorf("series %v, want a and a#2", f.Series)
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

// written compares two small files in a format.
func written(t *testing.T, format string) string {
	t.Helper()
	before := parse(t, "cpu: A\n"+benchText("X/edt", "ns/op", around(100, 10)...)+benchText("X/edt", "MB/s", around(50, 10)...)+benchText("gone", "ns/op", 1))
	after := parse(t, "cpu: B\n"+benchText("X/edt", "ns/op", around(110, 9)...)+benchText("X/edt", "MB/s", around(50, 10)...)+benchText("more", "ns/op", 2)+benchText("more", "B/op", 3))
	before.Path, after.Path = "old.txt", "new.txt"
	var b bytes.Buffer
	if err := Compare(before, after, Options{Alpha: 0.05, FailOver: 5}).Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	want := `old      old.txt
new      new.txt
differs  machine cpu: A -> B

           old   95 % interval    new   95 % interval   change        p     n
X/edt
  ns/op  99.95  99.60 .. 100.3  110.0  109.7 .. 110.3  +10.1 %  <0.0001  10+9  slower, over the limit
  MB/s   49.98  49.80 .. 50.15  49.98  49.80 .. 50.15      0 %   1.0000    10  ~

only in old.txt:
  gone  ns/op

only in new.txt:
  more  ns/op, B/op

2 compared at level 0.05, 1 slower, 1 ~, 1 worse by more than 5 %
`
	if diff := cmp.Diff(want, written(t, "text")); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestCSV(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(written(t, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) (cells []string) {
		i := slices.Index(rows[0], name)
		for _, row := range rows[1:] {
			cells = append(cells, row[i])
		}
		return cells
	}
	for name, want := range map[string][]string{
		"name":       {"X/edt", "X/edt", "gone", "more", "more"},
		"unit":       {"ns/op", "MB/s", "ns/op", "ns/op", "B/op"},
		"better":     {"lower", "higher", "lower", "lower", "lower"},
		"old_n":      {"10", "10", "1", "", ""},
		"new_n":      {"9", "10", "", "1", "1"},
		"new_median": {"110", "49.975", "", "2", "3"},
		"verdict":    {"slower", "~", "only in old", "only in new", "only in new"},
		"regression": {"true", "false", "false", "false", "false"},
	} {
		if got := column(name); !slices.Equal(got, want) {
			t.Errorf("column %s: %v, want %v", name, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	var got layout
	dec := json.NewDecoder(strings.NewReader(written(t, "json")))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != Schema || got.Old != "old.txt" || *got.FailOver != 5 || got.Regressions != 1 || len(got.Differences) != 1 {
		t.Errorf("%+v", got)
	}
	if r := got.Comparisons[0]; r.Name != "X/edt" || r.Old.N != 10 || r.Verdict != Slower || !r.Regression || math.Abs(*r.Change-10.055) > 0.01 {
		t.Errorf("first comparison %+v", r)
	}
	if len(got.OnlyOld) != 1 || len(got.OnlyNew) != 2 {
		t.Errorf("only in one: %v, %v", got.OnlyOld, got.OnlyNew)
	}
	fromZero := Compare(parse(t, benchText("X", "B/op", 0, 0, 0, 0, 0)), parse(t, benchText("X", "B/op", 1, 2, 3, 4, 5)), Options{Alpha: 0.05, FailOver: -1})
	var b bytes.Buffer
	if err := fromZero.Write(&b, "json"); err != nil || !strings.Contains(b.String(), `"change_percent": null`) || !strings.Contains(b.String(), `"fail_over_percent": null`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Compare(&File{}, &File{}, Options{}).Write(&bytes.Buffer{}, "go"); err == nil || !strings.Contains(err.Error(), "text, json, csv") {
		t.Errorf("Write(go) = %v", err)
	}
}

// TestSchema: what is read is what is written.
func TestSchema(t *testing.T) {
	if !strings.Contains(golden(t, "full.json.golden"), `"schema": "`+report.Schema+`"`) {
		t.Error("the golden document has another schema")
	}
}
