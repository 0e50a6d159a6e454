package compare

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// parse is Parse of what must be right.
func parse(t testing.TB, text string) *File {
	t.Helper()
	f, err := Parse("file", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// result is one unit of a result.
type result struct {
	name, unit string
	samples    []float64
}

// file returns a file with the results, as if it was read.
func file(t testing.TB, results ...result) *File {
	t.Helper()
	d := report.Document{App: "x", Verified: true}
	for _, r := range results {
		m := bench.Metric{Unit: r.unit, Samples: r.samples}
		if n := len(d.Results); n > 0 && d.Results[n-1].Name == r.name {
			d.Results[n-1].Metrics = append(d.Results[n-1].Metrics, m)
		} else {
			d.Results = append(d.Results, report.Result{Name: r.name, Metrics: bench.Metrics{m}})
		}
	}
	var b bytes.Buffer
	testrun.OK(t, d.Write(&b, "json"))
	return parse(t, b.String())
}

// one returns a file of one result, X.
func one(t testing.TB, unit string, samples ...float64) *File {
	t.Helper()
	return file(t, result{"X", unit, samples})
}

// around returns n different samples around a value.
func around(v float64, n int) []float64 {
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = v * (1 + 0.001*float64(i-n/2))
	}
	return samples
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
		{"ns/op", around(100, 10), around(110, 10), 1e-6, 50, Same, 0.1, false, true},
		{"ns/op", around(100, 10), around(110, 10), 1e-6, 0.001, Unknown, 0.1, false, true},
		{"ns/op", []float64{1, 100, 100, 900, 2, 100, 100, 70, 980, 99.9}, around(100, 10), 0.05, 5, Unknown, -0.0005, false,
			false},
		{"ns/op", []float64{100, 100, 100}, []float64{200, 200, 200}, 0.05, 5, Same, 1, false, true},
		{"ns/op", around(100, 4), around(110, 4), 0.05, 5, Slower, 0.1, true, false},
		{"ns/op", around(100, 3), around(110, 5), 0.05, 5, Slower, 0.1, true, false},
		{"ns/op", []float64{100}, []float64{200}, 0.05, 5, Same, 1, false, true},
		{"MB/s", around(100, 10), around(110, 10), 0.05, 5, Faster, 0.1, false, false},
		{"MB/s", around(100, 10), around(90, 10), 0.05, 5, Slower, -0.1, true, false},
		{"efficiency", around(1, 10), around(0.9, 10), 0.05, 5, Worse, -0.1, true, false},
		{"bytes/edt", around(64, 10), around(32, 10), 0.05, 5, Finer, -0.5, false, false},
		{"allocs/op", make([]float64, 10), around(1, 10), 0.05, 1000, Worse, math.Inf(1), true, false},
		{"allocs/op", make([]float64, 10), make([]float64, 10), 0.05, 0, Same, 0, false, false},
		{"preemptions", around(100, 10), around(200, 10), 0.05, 5, Count, 1, false, false},
		{"cycles/tax", around(-10, 10), around(-5, 10), 0.05, 5, Slower, 0.5, true, false},
	} {
		c := Compare(one(t, tt.unit, tt.old...), one(t, tt.unit, tt.new...), Options{Alpha: tt.alpha, FailOver: tt.failOver})
		if len(c.Rows) != 1 {
			t.Fatalf("%d rows, want 1", len(c.Rows))
		}
		r := c.Rows[0]
		if r.Verdict != tt.verdict || math.Abs(r.Change-tt.change) > 1e-9 || r.Regression != tt.regression ||
			r.TooFew != tt.tooFew {
			t.Errorf("%s, %v -> %v, level %v, limit %v: %s, change %v, regression %v, too few %v (p=%v), want %s, %v, %v, %v",
				tt.unit, tt.old, tt.new, tt.alpha, tt.failOver, r.Verdict, r.Change, r.Regression, r.TooFew, r.P,
				tt.verdict, tt.change, tt.regression, tt.tooFew)
		}
		testrun.Same(t, tt.regression, len(c.Regressions()) > 0, "Regressions() has some")
	}
}

// TestPValue: exact values of the U test, from tables: 2/C(10,5) if two samples of five do
// not overlap; if one pair of 25 is the other way round, twice that.
func TestPValue(t *testing.T) {
	for _, tt := range []struct {
		old, new []float64
		want     float64
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 2.0 / 252},
		{[]float64{1, 2, 3, 4, 6}, []float64{5, 7, 8, 9, 10}, 4.0 / 252},
		{[]float64{3, 3, 3}, []float64{3, 3, 3}, 1},
	} {
		c := Compare(one(t, "ns/op", tt.old...), one(t, "ns/op", tt.new...), Options{Alpha: 0.05, FailOver: -1})
		if got := c.Rows[0].P; math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v, %v: p = %v, want %v", tt.old, tt.new, got, tt.want)
		}
	}
}

// TestHolm: three rows that are judged, and two that are not and so do not count. Rows of
// five samples have p-values of a multiple of 2/252.
func TestHolm(t *testing.T) {
	low, high := []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}
	mixed := []float64{5, 7, 8, 9, 10}
	before := file(t, result{"a", "ns/op", low}, result{"b", "ns/op", []float64{1, 2, 3, 4, 6}},
		result{"c2", "ns/op", low},
		result{"d/serial", "ns/op", low}, result{"e", "steals", low})
	after := file(t, result{"a", "ns/op", high}, result{"b", "ns/op", mixed}, result{"c2", "ns/op", low},
		result{"d/serial", "ns/op", high}, result{"e", "steals", high})
	const p = 2.0 / 252
	for alpha, want := range map[float64][]string{
		0.05:  {Slower, Slower, Same, OfPeer, Count}, // 3p = 0.024, 2 x 2p = 0.032
		0.03:  {Slower, Same, Same, OfPeer, Count},
		0.023: {Same, Same, Same, OfPeer, Count},
	} {
		c := Compare(before, after, Options{Alpha: alpha, FailOver: 0})
		for i, r := range c.Rows {
			if holm := []float64{3 * p, 4 * p, 1, 1, 1}[i]; r.Verdict != want[i] || math.Abs(r.Holm-holm) > 1e-12 {
				t.Errorf("level %v, %s: %s, p = %v, corrected %v, want %s, %v", alpha, r.Name, r.Verdict, r.P, r.Holm, want[i],
					holm)
			}
		}
		if r := c.Rows[3]; r.Regression || math.Abs(r.P-p) > 1e-12 {
			t.Errorf("the peer is a regression, or its p-value is not shown: %+v", r)
		}
		few, samples := c.TooFew()
		if alpha == 0.023 && (few != 3 || samples != 6) || alpha > 0.03 && few != 0 {
			t.Errorf("level %v: too few samples in %d rows, %d are enough", alpha, few, samples)
		}
	}
	even := file(t, result{"a", "ns/op", low}, result{"b", "ns/op", low})
	c := Compare(even, file(t, result{"a", "ns/op", mixed}, result{"b", "ns/op", high}),
		Options{Alpha: 0.05, FailOver: -1})
	if a, b := c.Rows[0], c.Rows[1]; a.Holm < b.Holm || a.P < b.P {
		t.Errorf("corrected %v, %v of %v, %v: the order of p-values must stay", a.Holm, b.Holm, a.P, b.P)
	}
}

func TestEnough(t *testing.T) {
	for alpha, want := range map[float64]int{0.5: 2, 0.2: 3, 0.05: 4, 0.01: 5, 0.001: 7, MinAlpha: 17} {
		n := enough(alpha, false)
		testrun.Same(t, want, n, "level %v", alpha)
		for _, few := range []bool{false, true} {
			verdict := Slower
			if few {
				n, verdict = n-1, Same
			}
			c := Compare(one(t, "ns/op", around(1, n)...), one(t, "ns/op", around(2, n)...), Options{Alpha: alpha, FailOver: -1})
			if r := c.Rows[0]; r.TooFew != few || r.Verdict != verdict {
				t.Errorf("level %v: %d samples: too few: %v, %s (p=%v), want %v, %s", alpha, n, r.TooFew, r.Verdict, r.P, few,
					verdict)
			}
		}
	}
}

// TestRestated: a time, a multiple of it and its rate are one measurement. Another time,
// and what is no pace, are others.
func TestRestated(t *testing.T) {
	times := around(100, 6)
	scaled := func(of func(float64) float64) []float64 {
		list := slices.Clone(times)
		for i, v := range list {
			list[i] = of(v)
		}
		return list
	}
	f := file(t,
		result{"X", "ns/block", times}, result{"X", "us/timestep", scaled(func(v float64) float64 { return v / 3 })},
		result{"X", "Mflop/s", scaled(func(v float64) float64 { return 7e5 / v })},
		result{"X", "ns/p90", scaled(func(v float64) float64 { return v + 1 })}, result{"X", "bytes/op", times},
		result{"Y", "Mflop/s", scaled(func(v float64) float64 { return 7e5 / v })})
	c := Compare(f, f, Options{Alpha: 0.05})
	var got []string
	for _, r := range c.Rows {
		got = append(got, r.Name+" "+r.Unit)
	}
	if want := []string{"X ns/block", "X ns/p90", "X bytes/op", "Y Mflop/s"}; !slices.Equal(got, want) || c.Restated != 2 {
		t.Errorf("rows %q, %d left out, want %q, 2", got, c.Restated, want)
	}
	single := file(t, result{"X", "ns/p50", times[:1]}, result{"X", "ns/p99", times[5:]})
	if c := Compare(single, single, Options{Alpha: 0.05}); c.Restated != 0 || len(c.Rows) != 2 {
		t.Errorf("%d rows, %d left out: one sample does not tell that two units say the same", len(c.Rows), c.Restated)
	}
	few := file(t, result{"X", "ns/block", times[:5]}, result{"X", "us/timestep", around(7, 5)})
	if c := Compare(f, few, Options{Alpha: 0.05}); c.Restated != 0 || len(c.Rows) != 2 {
		t.Errorf("%d rows, %d left out: a unit that is not restated in both files must stay", len(c.Rows), c.Restated)
	}
}

func TestFilterAndPeers(t *testing.T) {
	f := file(t, result{"app/edt/P=1", "ns/op", around(1, 6)}, result{"app/goroutines/P=1", "ns/op", around(1, 6)},
		result{"app/chain/peer=function-call/workers=1", "ns/op", around(1, 6)},
		result{"app/serially/c2c", "ns/op", around(1, 6)})
	for filter, want := range map[string]string{
		"":         "~ peer peer ~",
		"^app/edt": "~",
		"P=1|c2c":  "~ peer ~",
		"nothing":  "",
	} {
		c := Compare(f, f, Options{Alpha: 0.05, Filter: regexp.MustCompile(filter)})
		var got []string
		for _, r := range c.Rows {
			got = append(got, r.Verdict)
		}
		if strings.Join(got, " ") != want || len(c.OnlyOld)+len(c.OnlyNew) > 0 {
			t.Errorf("filter %q: verdicts %q, only in one %v, %v, want %q", filter, got, c.OnlyOld, c.OnlyNew, want)
		}
	}
}

// TestIsPeer: the form tells, not the app's name.
func TestIsPeer(t *testing.T) {
	for name, want := range map[string]bool{
		"app/goroutines/n=3/workers=2": true, "app/goroutines-pool/workers=2": true, "app/serial": true,
		"c2c/oneway/c/width=8": true, "app/chain/peer=function-call/workers=1": true,
		"serial/mpi/workers=2": true,
		"app/edt/workers=2":    false, "app/goroutinesx/workers=2": false, "app/serially": false, "app": false,
		"app/edt#2":            false,
		"serial/edt/workers=2": false, "c/edt/workers=2": false, "copy": false, "goroutines-pool/edt": false,
		"peer=me/edt": false,
	} {
		testrun.Same(t, want, isPeer(name), "isPeer(%s)", name)
	}
}

func TestDifferences(t *testing.T) {
	full := golden(t, "full.json.golden")
	other := strings.NewReplacer(
		`"cpu": "AMD EPYC"`, `"cpu": "Intel"`, `"go": "go1.26"`, `"go": "go1.27"`, `"gomaxprocs": 3`, `"gomaxprocs": 8`,
		`"workers": 2,`, `"workers": 4, "place": "block",`, `"samples": 6,`, ``, "0,\n      -1", "0, 1",
		`"commit": "0123abc"`, `"commit": "fed"`,
	).Replace(full)
	want := []string{
		"machine cpu: AMD EPYC -> Intel", "build commit: 0123abc -> fed", "build go: go1.26 -> go1.27",
		"build gomaxprocs: 3 -> 8",
		"config workers: 2 -> 4", "config samples: 6 -> (none)", "config placement: 0,? -> 0,1",
		"config place: (none) -> block",
	}
	c := Compare(parse(t, full), parse(t, other), Options{Alpha: 0.05})
	var got []string
	for _, d := range c.Differences {
		got = append(got, d.String())
	}
	testrun.Same(t, want, got, "differences")
}

func TestNotes(t *testing.T) {
	full := golden(t, "full.json.golden")
	partial := strings.Replace(full, `"partial": false`, `"partial": true`, 1)
	unverified := strings.Replace(full, `"verified": true,
  "partial"`, `"verified": false, "partial"`, 1)
	few := file(t, result{"X", "ns/op", around(1, 3)}, result{"Y", "ns/op", around(1, 3)})
	for _, tt := range []struct {
		old, new *File
		want     []string
	}{
		{parse(t, full), parse(t, full), nil},
		{parse(t, partial), parse(t, unverified), []string{"old is partial: the run was interrupted",
			"new is not verified: results were not checked, or not right"}},
		{few, few, []string{
			"too few samples in 2 of 2 comparisons: with so many, none can be significant at 0.05 below 5 samples in each file",
			"fewer than 6 samples in 2 of 2 comparisons: the interval is the range, its level is below 95 %",
		}},
	} {
		before, after := *tt.old, *tt.new
		before.Path, after.Path = "old", "new"
		testrun.Same(t, tt.want, Compare(&before, &after, Options{Alpha: 0.05}).Notes(), "notes")
	}
}

// written compares two small files.
func written(t *testing.T) string {
	t.Helper()
	v := around(50, 10)
	before := file(t, result{"X/edt", "ns/op", around(100, 10)}, result{"X/edt", "MB/s", v}, result{"gone", "ns/op", v})
	after := file(t, result{"X/edt", "ns/op", around(110, 9)}, result{"X/edt", "MB/s", v[:9]},
		result{"X/edt", "B/op", v[:9]}, result{"more", "ns/op", v}, result{"more", "B/op", v})
	before.Path, after.Path = "old.json", "new.json"
	before.Facts[0].Value = "A"
	var b bytes.Buffer
	testrun.OK(t, Compare(before, after, Options{Alpha: 0.05, FailOver: 5}).Write(&b))
	return b.String()
}

func TestText(t *testing.T) {
	want := `old       old.json
new       new.json
differs   machine sockets: A -> 0

                 old          new   change        p     n
X/edt
  ns/op  99.95 ± 0 %  110.0 ± 0 %  +10.1 %  <0.0001  10+9  slower, over the limit
  MB/s   49.98 ± 0 %  49.95 ± 0 %   -0.1 %   0.7347  10+9  ~

only in old.json:
  gone  ns/op

only in new.json:
  X/edt  B/op
  more  ns/op, B/op

2 compared at level 0.05 (Holm), 1 slower, 1 ~, 1 worse by more than 5 %
`
	testrun.Same(t, want, written(t), "text")
}
