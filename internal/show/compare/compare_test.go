package compare

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

// result is one unit of a result.
type result struct {
	name, unit string
	samples    []float64
}

// file returns a file with the results.
func file(t testing.TB, results ...result) *File {
	t.Helper()
	d := &report.Document{App: "x", Path: "file", Verified: true}
	for _, r := range results {
		if n := len(d.Results); n == 0 || d.Results[n-1].Name != r.name {
			d.Results = append(d.Results, report.Result{Name: r.name})
		}
		last := &d.Results[len(d.Results)-1]
		last.Metrics = append(last.Metrics, bench.Metric{Unit: r.unit, Samples: r.samples})
	}
	f, err := Of(d)
	testrun.OK(t, err)
	return f
}

// in returns the file as if its samples were of runs in turn with another's.
func (f *File) in(runs int) *File {
	f.runs = runs
	return f
}

// verdicts returns the verdicts of all rows.
func (c *Comparison) verdicts() string {
	var list []string
	for _, r := range c.Rows {
		list = append(list, r.Verdict)
	}
	return strings.Join(list, " ")
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

// twoStates returns n samples of a, then m of b.
func twoStates(a float64, n int, b float64, m int) []float64 {
	return append(slices.Repeat([]float64{a}, n), slices.Repeat([]float64{b}, m)...)
}

// TestVerdicts: the direction of a change, and whether it is a regression.
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
		{"ns/op", []float64{100}, []float64{200}, 0.05, 5, Unknown, 1, false, true},
		{"ns/op", []float64{100}, []float64{200}, 0.05, -1, Same, 1, false, true},
		{"ns/op", []float64{200, 201}, []float64{100, 100, 100}, 0.05, 50, Same, -0.50124688, false, true},
		{"ns/op", twoStates(1, 14, 10, 16), twoStates(2, 16, 11, 14), 0.05, -1, Unknown, -0.8, false, false},
		{"MB/s", twoStates(1, 14, 10, 16), twoStates(2, 16, 11, 14), 0.05, 5, Unknown, -0.8, false, false},
		{"MB/s", around(100, 10), around(110, 10), 0.05, 5, Faster, 0.1, false, false},
		{"MB/s", around(100, 10), around(90, 10), 0.05, 5, Slower, -0.1, true, false},
		{"ratio/pool", make([]float64, 10), around(1, 10), 0.05, 1000, Slower, math.Inf(1), true, false},
		{"ratio/pool", make([]float64, 10), make([]float64, 10), 0.05, 0, Same, 0, false, false},
		{"preemptions", around(100, 10), around(200, 10), 0.05, 5, Count, 1, false, false},
		{"ns/tax", around(-10, 10), around(-5, 10), 0.05, 5, Slower, 0.5, true, false},
	} {
		c := Compare(one(t, tt.unit, tt.old...), one(t, tt.unit, tt.new...), Options{Alpha: tt.alpha, FailOver: tt.failOver})
		if len(c.Rows) != 1 {
			t.Fatalf("%d rows, want 1", len(c.Rows))
		}
		r := c.Rows[0]
		if r.Verdict != tt.verdict || math.Abs(r.Change-tt.change) > 1e-8 || r.Regression != tt.regression ||
			r.TooFew != tt.tooFew {
			t.Errorf("%s, %v -> %v, level %v, limit %v: %s, change %v, regression %v, too few %v (p=%v), want %s, %v, %v, %v",
				tt.unit, tt.old, tt.new, tt.alpha, tt.failOver, r.Verdict, r.Change, r.Regression, r.TooFew, r.P,
				tt.verdict, tt.change, tt.regression, tt.tooFew)
		}
		testrun.Same(t, tt.regression, len(c.Regressions()) > 0, "Regressions() has some")
	}
}

// TestPValues: exact values. U test: 2/C(10,5) if two samples of five do not overlap; twice that if one pair of 25 is
// in the other order. Sign test of n pairs: 2 of 2^n outcomes are as extreme as all pairs one way, and 2n more as all
// but one.
func TestPValues(t *testing.T) {
	ones := []float64{1, 1, 1, 1, 1, 1}
	for _, tt := range []struct {
		test     func(before, after []float64) float64
		old, new []float64
		want     float64
	}{
		{uTest, []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 2.0 / 252},
		{uTest, []float64{1, 2, 3, 4, 6}, []float64{5, 7, 8, 9, 10}, 4.0 / 252},
		{uTest, []float64{3, 3, 3}, []float64{3, 3, 3}, 1},
		{uTest, []float64{200, 201}, []float64{100, 100, 100}, 2.0 / 10}, // ties, and other numbers of samples
		{uTest, []float64{100, 100, 100}, []float64{200, 201}, 2.0 / 10},
		{uTest, []float64{12, 13, 14, 15, 16}, []float64{10, 10, 11, 11, 11, 11}, 2.0 / 462},
		{uTest, []float64{2, 2, 2, 2, 3, 3, 3}, []float64{3, 4, 4, 5}, 8.0 / 330},
		{uTest, []float64{3, 4, 4, 5}, []float64{2, 2, 2, 2, 3, 3, 3}, 8.0 / 330},
		{signTest, ones, []float64{2, 3, 4, 5, 6, 700}, 2.0 / 64},
		{signTest, []float64{2, 3, 4, 5, 6, 7}, ones, 2.0 / 64},
		{signTest, ones, []float64{-900, 3, 4, 5, 6, 7}, 14.0 / 64},
		{signTest, ones, []float64{1, 1, 2, 3, 4, 5}, 2.0 / 16}, // two without a difference
		{signTest, ones, []float64{0, 2, 0, 2, 0, 2}, 1},
		{signTest, ones, ones, 1},
		{pairedChange, []float64{1, 10, 100}, []float64{1.1, 11, 90}, 0.1},
	} {
		if got := tt.test(tt.old, tt.new); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v, %v: %v, want %v", tt.old, tt.new, got, tt.want)
		}
	}
}

// TestHolm: three judged rows, and two that are not judged and so do not count. Rows of five samples have p-values that
// are multiples of 2/252.
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
		if few := len(c.TooFew()); alpha == 0.023 && few != 3 || alpha > 0.03 && few != 0 {
			t.Errorf("level %v: too few samples in %d rows", alpha, few)
		}
	}
	even := file(t, result{"a", "ns/op", low}, result{"b", "ns/op", low})
	c := Compare(even, file(t, result{"a", "ns/op", mixed}, result{"b", "ns/op", high}),
		Options{Alpha: 0.05, FailOver: -1})
	if a, b := c.Rows[0], c.Rows[1]; a.Holm < b.Holm || a.P < b.P {
		t.Errorf("corrected %v, %v of %v, %v: the order of p-values must stay", a.Holm, b.Holm, a.P, b.P)
	}
}

// TestFewBesideMany: six rows of five samples differ because a row of many takes the largest share of the level.
func TestFewBesideMany(t *testing.T) {
	rows := func(v float64) *File {
		list := []result{{"X", "ns/op", around(v, 30)}}
		for k := range 6 {
			list = append(list, result{fmt.Sprint("few", k), "ns/op", around(v, 5)})
		}
		return file(t, list...)
	}
	c := Compare(rows(1), rows(2), Options{Alpha: 0.05, FailOver: 5})
	testrun.Same(t, 7, len(c.Regressions()), "regressions")
	testrun.Same(t, 0, len(c.TooFew()), "rows of too few samples")
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

// TestRestated: a time, a multiple of it and its rate are one measurement. Another time is another measurement, and so
// is a unit without a direction.
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
	testrun.Same(t, []string{"X ns/block", "X ns/p90", "X bytes/op", "Y Mflop/s"}, got, "rows")
	single := file(t, result{"X", "ns/p50", times[:1]}, result{"X", "ns/p99", times[5:]})
	testrun.Same(t, 2, len(Compare(single, single, Options{Alpha: 0.05}).Rows), "rows of one sample, which does not tell")
	few := file(t, result{"X", "ns/block", times[:5]}, result{"X", "us/timestep", around(7, 5)})
	testrun.Same(t, 2, len(Compare(f, few, Options{Alpha: 0.05}).Rows), "rows of what one file alone restates")
}

func TestFilterAndPeers(t *testing.T) {
	f := file(t, result{"app/edt/P=1", "ns/op", around(1, 6)}, result{"app/goroutines/P=1", "ns/op", around(1, 6)},
		result{"app/chain/peer=tbb-tasks/workers=1", "ns/op", around(1, 6)},
		result{"app/serially/c2c", "ns/op", around(1, 6)})
	for filter, want := range map[string]string{
		"":         "~ peer peer ~",
		"^app/edt": "~",
		"P=1|c2c":  "~ peer ~",
		"nothing":  "",
	} {
		c := Compare(f, f, Options{Alpha: 0.05, Filter: regexp.MustCompile(filter)})
		if got := c.verdicts(); got != want || len(c.OnlyOld)+len(c.OnlyNew) > 0 {
			t.Errorf("filter %q: verdicts %q, only in one %v, %v, want %q", filter, got, c.OnlyOld, c.OnlyNew, want)
		}
	}
}

// TestIsPeer: the form decides, not the app's name.
func TestIsPeer(t *testing.T) {
	for name, want := range map[string]bool{
		"app/goroutines/n=3/workers=2": true, "app/goroutines-pool/workers=2": true, "app/serial": true,
		"c2c/oneway/c/width=8": true, "app/chain/peer=tbb-tasks/workers=1": true,
		"serial/mpi/workers=2": true, "metg/fft/omp-depend/workers=1": true, "metg/fft/mpi-ranks/workers=1": true,
		"app/edt/workers=2": false, "app/goroutinesx/workers=2": false, "app/serially": false, "app": false,
		"serial/edt/workers=2": false, "c/edt/workers=2": false, "copy": false, "goroutines-pool/edt": false,
		"peer=me/edt": false,
	} {
		testrun.Same(t, want, isPeer(name), "isPeer(%s)", name)
	}
}

// TestEqualMedians: samples that differ, with medians that do not, decide nothing.
func TestEqualMedians(t *testing.T) {
	before := slices.Concat(slices.Repeat([]float64{1}, 5), slices.Repeat([]float64{5}, 10))
	after := slices.Concat(slices.Repeat([]float64{5}, 10), slices.Repeat([]float64{9}, 5))
	c := Compare(file(t, result{"X", "ns/op", before}), file(t, result{"X", "ns/op", after}), Options{Alpha: 0.01})
	testrun.Same(t, "?", c.verdicts(), "verdict")
	testrun.Equal(t, 1, len(c.TooWide()), "rows that decide nothing")
}

// TestPaired: pairs are judged as pairs, whatever the spread of a side, and rows that cannot differ do not count.
func TestPaired(t *testing.T) {
	pace := []float64{1, 2, 1, 3, 1, 2, 5, 1} // of the machine in each pair of runs
	var slower []float64
	for _, v := range pace {
		slower = append(slower, 1.1*v)
	}
	same := make([]float64, len(pace))
	rows := func(times []float64) *File {
		return file(t, result{"X", "ns/op", times}, result{"X", "ratio/pool", same}, result{"Y", "ratio/pool", same})
	}
	o := Options{Alpha: 0.01, FailOver: 5}
	testrun.Same(t, "? ~ ~", Compare(rows(pace), rows(slower), o).verdicts(), "files")
	c := Compare(rows(pace).in(8), rows(slower).in(8), o)
	testrun.Same(t, "slower ~ ~", c.verdicts(), "in turn")
	if r := c.Rows[0]; !r.Regression || math.Abs(r.Change-0.1) > 1e-12 || math.Abs(r.Holm-2.0/256) > 1e-12 {
		t.Errorf("in turn: %+v", r)
	}
	testrun.Same(t, "? ~ ~", Compare(rows(pace).in(9), rows(slower).in(9), o).verdicts(), "not in every run")
	o.Alpha = 2.0 / 256
	c = Compare(rows(pace).in(8), rows(slower).in(8), o)
	notes := strings.Join(c.Notes(), "")
	testrun.Contains(t, notes, "too few samples in 1 of 1", "below 9 samples")
	testrun.Equal(t, false, strings.Contains(notes, "that takes --run"), "runs in turn have the note of two runs")
	zero := Compare(file(t, result{"X", "ratio/pool", same}).in(8), file(t, result{"X", "ratio/pool", around(1, 8)}).in(8),
		Options{Alpha: 0.05, FailOver: 1000}).Rows[0]
	if zero.ChangeText() != "from 0" || zero.Verdict != Slower || !zero.Regression {
		t.Errorf("what was 0 in every run: %+v, want slower, from 0, a regression", zero)
	}
}

// TestUnlike: two files are not judged if the machine gave them different shares of its processors.
func TestUnlike(t *testing.T) {
	quiet := machine.Conditions{Processors: 2, Others: 0.02}
	for _, tt := range []struct {
		what   string
		change func(c *machine.Conditions)
		want   string
	}{
		{"the same", func(*machine.Conditions) {}, ""},
		{"a little more", func(c *machine.Conditions) { c.Others = 0.1 }, ""},
		{"others", func(c *machine.Conditions) { c.Others = 0.5 },
			"other processes took 2 % of the processors in one and 50 % in the other"},
		{"hypervisor", func(c *machine.Conditions) { c.Steal = 0.3 },
			"the hypervisor took 0 % of the processors in one and 30 % in the other"},
	} {
		other, verdict := quiet, Slower
		if tt.change(&other); tt.want != "" {
			verdict = Unknown
		}
		before, after := one(t, "ns/op", around(100, 10)...), one(t, "ns/op", around(110, 10)...)
		before.Conditions, after.Conditions = &quiet, &other
		c := Compare(before, after, Options{Alpha: 0.05, FailOver: 5})
		why, _, _ := strings.Cut(c.NotComparable, ": measure again")
		testrun.Same(t, []string{tt.want, verdict}, []string{why, c.verdicts()}, "%s", tt.what)
		noted := strings.Contains(strings.Join(c.Notes(), "\n"), "not comparable: ")
		testrun.Same(t, tt.want != "", noted, "%s: noted", tt.what)
	}
	before, after := one(t, "ns/op", around(100, 10)...), one(t, "ns/op", around(110, 10)...)
	after.Config, after.Path = report.Settings("check", true), "checked"
	c := Compare(before, after, Options{Alpha: 0.05, FailOver: 5})
	testrun.Same(t, []string{"checked has times of check mode: measure without --check", Unknown},
		[]string{c.NotComparable, c.verdicts()}, "check")
	testrun.Same(t, "", (*machine.Conditions)(nil).Unlike(&quiet)+quiet.Unlike(nil), "an old document")
}

// TestText: the text of a comparison.
func TestText(t *testing.T) {
	v := around(50, 10)
	before := file(t, result{"X/edt", "ns/op", around(100, 10)}, result{"X/edt", "MB/s", v}, result{"gone", "ns/op", v})
	after := file(t, result{"X/edt", "ns/op", around(110, 9)}, result{"X/edt", "MB/s", v[:9]},
		result{"X/edt", "B/op", v[:9]}, result{"more", "ns/op", v}, result{"more", "B/op", v})
	after.Document.Config = report.Settings("workers", 4)
	after.Counters, after.Ranks = map[string]uint64{"steals": 3}, []report.Rank{{EDTs: 7}} // what one run did
	after.Path, after.Notes = "new.json", []string{"is partial"}
	var b bytes.Buffer
	testrun.OK(t, Compare(before, after, Options{Alpha: 0.05, FailOver: 5}).Write(&b))
	const want = `old       file
new       new.json
differs   config workers: (none) -> 4
note      new.json is partial
note      p says that these two runs differ, not that their programs do: that takes --run

                 old          new   change  p (Holm)     n
X/edt
  ns/op  99.95 ± 0 %  110.0 ± 0 %  +10.1 %   <0.0001  10+9  slower, over the limit
  MB/s   49.98 ± 0 %  49.95 ± 0 %   -0.1 %    0.7668  10+9  ~

only in file:
  gone  ns/op

only in new.json:
  X/edt  B/op
  more  ns/op, B/op

2 compared at level 0.05 (Holm), 1 slower, 1 ~, 1 worse by more than 5 %
`
	testrun.Same(t, want, b.String(), "text")
}
