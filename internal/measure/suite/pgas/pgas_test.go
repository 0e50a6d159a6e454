package pgas

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	app "ocr/apps/pgas"
	"ocr/apps/trial"
	"ocr/internal/core/sizes"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/chart"
	"ocr/internal/show/matrix/matrixtest"
	"ocr/internal/show/report"
	"ocr/runtime"
)

var (
	directForm = []app.Form{app.Direct}
	edtForm    = []app.Form{app.EDT}
)

// runOf returns a run of some tests on pretended processors.
func runOf(t *testing.T, pes int, change func(c *Config), names ...string) *run {
	t.Helper()
	cfg := Defaults()
	cfg.Tests = names
	if change != nil {
		change(&cfg)
	}
	cpus := make([]int, pes)
	for i := range cpus {
		cpus[i] = i
	}
	m := &machine.Machine{Topology: matrixtest.Machine{Packages: 1, Nodes: 1, L3s: 1, Cores: pes, Threads: 1}.Topology(),
		Allowed: cpus}
	r := &run{bed: bedOf(t, m, pes, nil, runtime.BindCompact), cfg: cfg}
	r.pins = r.bed.Pool.Pins()
	return r
}

// direct is a key of the direct form, of a test in the first of its ways to synchronise.
func direct(test string, bytes int) key {
	t, _ := app.Lookup(test)
	return key{test, app.Direct, bytes, append(t.Uses.Syncs, "")[0], 1}
}

// bedOf returns a testbed with a pool of PEs.
func bedOf(t *testing.T, m *machine.Machine, pes int, cpus []int, bind runtime.Binding) *testbed.Bed {
	t.Helper()
	pool, err := testbed.NewPool(m, 1, pes, cpus, bind)
	testrun.OK(t, err)
	return &testbed.Bed{
		Machine: m, Pool: pool, Console: testbed.NewConsole("ocrbench", io.Discard),
		Sampling: sampling,
	}
}

var sampling = testbed.Sampling{Samples: 1, SampleTime: time.Millisecond, Seed: 1, Verify: true}

// here returns a testbed on this machine.
func here(t *testing.T, pes int) *testbed.Bed {
	t.Helper()
	return suitetest.Bed(t, pes, sampling)
}

// namesOf names the keys of a test.
func namesOf(t *testing.T, r *run) []string {
	t.Helper()
	var names []string
	for _, test := range r.cfg.tests() {
		keys, without, err := r.keysOf(test, false)
		testrun.OK(t, err)
		for _, k := range keys {
			names = append(names, strings.TrimPrefix(r.resultName(k), "pgas/"))
		}
		if len(keys) == 0 {
			names = append(names, without.Error())
		}
	}
	return names
}

// TestKeys holds which settings a test is run with, and what its results are called.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		test   string
		change func(c *Config)
		want   []string
	}{
		{"putget", nil, []string{"putget/direct/bytes=8/pes=2", "putget/edt/bytes=8/pes=2"}},
		{"putput", func(c *Config) { c.Sizes = []int{4, 12} }, []string{
			"putput/direct/bytes=4/pes=2/sync=p2p", "putput/edt/bytes=4/pes=2/sync=p2p", "putput/direct/bytes=4/pes=2/sync=flag",
			"putput/direct/bytes=12/pes=2/sync=p2p", "putput/edt/bytes=12/pes=2/sync=p2p",
		}},
		{"getget", nil, []string{"getget/direct/bytes=8/pes=2/sync=p2p", "getget/edt/bytes=8/pes=2/sync=p2p"}},
		{"putbw", func(c *Config) { c.Sizes, c.Forms = []int{8}, edtForm }, []string{"putbw/edt/bytes=8/pes=2"}},
		{"stridedput", func(c *Config) { c.Forms = directForm }, []string{
			"stridedput/direct/bytes=131072/pes=2", "stridedput/direct/bytes=131072/pes=2/stride=8",
		}},
		{"stridedget", func(c *Config) { c.Forms, c.Strides = directForm, []int{2} }, []string{
			"stridedget/direct/bytes=131072/pes=2/stride=2",
		}},
		{"reduce", func(c *Config) { c.Forms = directForm }, []string{
			"reduce/direct/bytes=8/pes=2", "reduce/direct/bytes=65536/pes=2", "reduce/direct/bytes=4194304/pes=2",
		}},
	} {
		t.Run(c.test, func(t *testing.T) {
			testrun.Same(t, c.want, namesOf(t, runOf(t, 2, c.change, c.test)), "keys")
		})
	}
}

// TestGroups holds that what is set against each other takes turns: the tests of a class and size.
func TestGroups(t *testing.T) {
	groupsOf := func(change func(*Config), names ...string) []string {
		r := runOf(t, 2, change, names...)
		testrun.OK(t, r.layOut())
		var told []string
		for _, g := range r.groups {
			var tests []string
			bytes := 0
			for _, k := range g {
				tests = append(tests, k.test)
				bytes = max(bytes, k.bytes)
			}
			told = append(told, fmt.Sprintf("%s: %s", sizes.Format(bytes), strings.Join(slices.Compact(tests), " ")))
		}
		return told
	}
	sized := func(sizes ...int) func(*Config) { return func(c *Config) { c.Sizes = sizes } }
	for _, c := range []struct {
		got, want []string
	}{
		{groupsOf(sized(4, 8), "putget", "putput"), []string{"4: putget putput", "8: putget putput"}},
		{
			groupsOf(sized(4096), "putbw", "randomput", "reduce"),
			[]string{"4KiB: putbw randomput", "4KiB: reduce"},
		},
		{groupsOf(nil, "stridedput"), []string{"128KiB: stridedput", "128KiB: stridedput"}},
	} {
		testrun.Same(t, c.want, c.got, "groups")
	}
}

// TestLeavesOutWhatDoesNotFit: the whole suite has rows that grow with the PEs.
func TestLeavesOutWhatDoesNotFit(t *testing.T) {
	r := runOf(t, 128, func(c *Config) { c.Forms = directForm })
	testrun.OK(t, r.layOut())
	if !slices.ContainsFunc(r.bed.Notes, func(n string) bool {
		return strings.HasPrefix(n, "left out: randomput direct 8: pgas: --sizes 8: the test needs a segment of ")
	}) {
		t.Errorf("notes %q, want one about randomput", r.bed.Notes)
	}
}

// timing is a PE that was timed from start to end, ns, in even slices.
func timing(pe, iterations int, start, end time.Duration) app.Timing {
	half := app.Mark{Iterations: iterations / 2, At: (start + end) / 2}
	return app.Timing{PE: pe, Start: start, End: end, Marks: []app.Mark{half, {Iterations: iterations, At: end}}}
}

func TestFigures(t *testing.T) {
	cfg := app.Defaults("putbibw")
	cfg.Bytes = 1 << 20
	r := app.Result{Config: cfg, Iterations: 1000, Origins: []app.Timing{
		timing(0, 1000, 0, time.Second), timing(1, 1000, time.Second, 3*time.Second),
	}}
	test, _ := app.Lookup("putbibw")
	want := []bench.Value{
		{Unit: "ns/op", Value: 1.5e6}, {Unit: "MB/s", Value: 750}, {Unit: "GB/s", Value: 0.786432},
		{Unit: "min-MB/s", Value: 500}, {Unit: "max-MB/s", Value: 1000}, {Unit: "sum-MB/s", Value: 1500},
		{Unit: "aggregate-MB/s", Value: 2000.0 / 3}, {Unit: "aggregate-GB/s", Value: 2000.0 / 3 * (1 << 20) / 1e9},
		{Unit: "msg/s", Value: 750},
	}
	if diff := cmp.Diff(want, figures(test, r, true), nearly); diff != "" {
		t.Errorf("bandwidth (-want +got):\n%s", diff)
	}
	want = slices.DeleteFunc(want, func(v bench.Value) bool { return strings.HasPrefix(v.Unit, "aggregate-") })
	if diff := cmp.Diff(want, figures(test, r, false), nearly); diff != "" {
		t.Errorf("bandwidth by several clocks (-want +got):\n%s", diff)
	}
	test, _ = app.Lookup("putget")
	want = []bench.Value{{Unit: "ns/op", Value: 1.5e6}, {Unit: "ns/half", Value: 0.75e6}, {Unit: "MB/s", Value: 750},
		{Unit: "msg/s", Value: 750}}
	if diff := cmp.Diff(want, figures(test, r, true), nearly); diff != "" {
		t.Errorf("round trip (-want +got):\n%s", diff)
	}
	test, _ = app.Lookup("reduce")
	want = []bench.Value{{Unit: "ns/op", Value: 1.5e6}, {Unit: "MB/s", Value: 750}, {Unit: "msg/s", Value: 750}}
	if diff := cmp.Diff(want, figures(test, r, true), nearly); diff != "" {
		t.Errorf("reduction (-want +got):\n%s", diff)
	}
}

// TestClocks: ranks that reach each other by MPI may be on several machines, and those have no clock in common.
func TestClocks(t *testing.T) {
	for _, c := range []struct {
		window, last int
		want         bool
	}{{0, 3, true}, {1 << 20, 1, true}, {1 << 20, 3, false}} {
		r := runOf(t, 2, nil)
		r.window = c.window
		result := app.Result{Origins: []app.Timing{{PE: 0}, {PE: c.last}}}
		testrun.Equal(t, c.want, r.newRow(direct("putbibw", 8)).ofOneClock(result),
			"window of %d bytes, PEs 0 and %d: one clock", c.window, c.last)
	}
}

var nearly = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(a) })

// withRow adds a row of two samples of one iteration time, ns, and one rate, MB/s.
func withRow(r *run, k key, ns, rate float64) *row {
	x := &row{
		key: k, name: r.resultName(k), latest: app.Result{Origins: make([]app.Timing, 1)},
		kept: 2, repetitions: 1000, samples: [][]float64{{ns}, {ns}}, sliced: []float64{5, 5, 5},
	}
	x.series = bench.Series{Side: x.name, Runs: []int{1, 1},
		Metrics: bench.Metrics{{Unit: "ns/op", Samples: []float64{ns, ns}}}}
	if rate > 0 {
		x.series.Metrics = append(x.series.Metrics, bench.Metric{Unit: "MB/s", Samples: []float64{rate, rate}})
	}
	r.rows = append(r.rows, x)
	return x
}

func TestTimesDirect(t *testing.T) {
	r := runOf(t, 2, nil)
	v := direct("putbw", 4096)
	withRow(r, v, 40, 1)
	withRow(r, v.in(app.EDT), 160, 1)
	table := r.text().Sections[0].Table
	cell := func(row int, head string) string { return table.Rows[row][slices.Index(table.Head, head)] }
	testrun.Same(t, "- 4.000", cell(0, "times direct")+" "+cell(1, "times direct"), "times direct")
	if slices.Contains(table.Head, "settings") || slices.Contains(table.Head, "all") {
		t.Errorf("columns without a figure are shown: %v", table.Head)
	}
}

// TestSamplesCountAlike: a line takes 120 ns in some rounds and 580 in others, and a side in MPI takes twice as long.
// In the slow rounds it has a fifth as many slices, but its median shows them. Where the state has changed amid two
// rounds the medians are of different states; the ratio is not.
func TestSamplesCountAlike(t *testing.T) {
	const sample = 10 * time.Millisecond
	for _, c := range []struct {
		ours, theirs []time.Duration // what a line takes in each round
		median, half string
	}{
		{[]time.Duration{580, 580, 120, 580, 120, 580}, []time.Duration{580, 580, 120, 580, 120, 580}, "1160", "580.0"},
		{[]time.Duration{580, 580, 580, 580, 120, 120}, []time.Duration{580, 580, 120, 120, 120, 120}, "240.0", "120.0"},
	} {
		r := runOf(t, 2, nil)
		ours, theirs := withRow(r, direct("putput", 8), 1, 0), withRow(r, direct("putput", 8).in(MPI), 1, 0)
		ours.samples, theirs.samples = nil, nil
		for k := range c.ours {
			ours.keep(app.Result{Iterations: 1, Origins: []app.Timing{evenly(1000, 10, c.ours[k])}})
			each := 2 * c.theirs[k]
			theirs.keep(app.Result{Iterations: 1, Origins: []app.Timing{evenly(int(sample/(100*each)), 100, each)}})
		}
		table := r.text().Sections[0].Table
		want := []string{"240.0", c.median, "1160", c.half, "240.0..1160", "2.000"}
		testrun.Same(t, want, table.Rows[1][4:10], "%v", table.Head[4:10])
		testrun.Contains(t, strings.Join(r.document().Warnings, "\n"), "several states")
	}
}

// evenly is a PE that was timed in n slices with the same iterations and time.
func evenly(n, iterations int, each time.Duration) (timed app.Timing) {
	for k := range n {
		done := (k + 1) * iterations
		timed.Marks = append(timed.Marks, app.Mark{Iterations: done, At: time.Duration(done) * each})
	}
	return timed
}

// TestBudget holds that the samples of a row stay within --max-time together.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		iters, samples, warmup int
		maxTime, sampleTime    time.Duration
		want                   time.Duration
	}{
		{0, 6, 1, time.Second, 10 * time.Millisecond, 20 * time.Millisecond},
		{0, 9, 1, 100 * time.Millisecond, 10 * time.Millisecond, 10 * time.Millisecond},
		{10000, 9, 1, time.Second, 10 * time.Millisecond, 100 * time.Millisecond},
		{10000, 999, 1, 10 * time.Millisecond, time.Millisecond, time.Millisecond},
	} {
		bed := &testbed.Bed{Sampling: testbed.Sampling{Samples: c.samples, Warmup: c.warmup, SampleTime: c.sampleTime}}
		r := &run{bed: bed, cfg: Config{Iterations: c.iters, MaxTime: c.maxTime}}
		testrun.Same(t, c.want, r.budget().first(), "%+v", c)
	}
}

// sampled returns a side whose runs last as told, one after the other, and what it asked the app for.
func sampled(b budget, iters int, lasting ...time.Duration) (*row, *[]string) {
	var asked []string
	x := &row{
		key:    direct("putbw", 8),
		budget: b, cfg: app.Config{Iterations: iters, MaxTime: b.first()},
	}
	x.once = func(_ context.Context, _ testbed.RunOptions, cfg app.Config) (app.Result, error) {
		n := 640 + len(asked)
		elapsed := lasting[len(asked)]
		asked = append(asked, fmt.Sprint(cfg.Iterations, " ", cfg.MaxTime))
		return app.Result{Iterations: n, Origins: []app.Timing{timing(0, n, 0, elapsed)}}, nil
	}
	return x, &asked
}

// TestHasOneNumberOfIterations holds that the first sample finds N, that the others
// have it, and that each gets its share of the time that is left.
func TestHasOneNumberOfIterations(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name    string
		budget  budget
		iters   int
		lasting []time.Duration
		samples int
		want    []string
		spent   bool
	}{
		{"room", budget{100 * ms, 10 * ms, 3}, 0, []time.Duration{10 * ms, 10 * ms, 10 * ms}, 3,
			[]string{"0 20ms", "640 45ms", "640 80ms"}, false},
		{"a long one takes from the others", budget{100 * ms, 10 * ms, 3}, 0, []time.Duration{10 * ms, 84 * ms, 10 * ms}, 3,
			[]string{"0 20ms", "640 45ms", "640 6ms"}, true},
		{"nothing is left", budget{20 * ms, 10 * ms, 3}, 0, []time.Duration{30 * ms, 10 * ms}, 2,
			[]string{"0 6.666666ms", "640 1ms"}, true},
		{"--max-time leaves no room", budget{30 * ms, 10 * ms, 3}, 0, []time.Duration{2 * ms, 2 * ms}, 2,
			[]string{"0 10ms", "640 14ms"}, false},
		{"given", budget{30 * ms, 0, 3}, 100, []time.Duration{1 * ms}, 1, []string{"100 10ms"}, false},
	} {
		x, asked := sampled(c.budget, c.iters, c.lasting...)
		side := x.side()
		for range c.samples {
			elapsed, err := side.Once(t.Context())
			testrun.OK(t, err)
			side.Figures(elapsed, 1)
		}
		if diff := cmp.Diff(c.want, *asked); diff != "" || x.spentUp(false) != c.spent {
			t.Errorf("%s: spent up %v, asked for (-want +got):\n%s", c.name, x.spentUp(false), diff)
		}
	}
}

// TestStopsAtMaxTime holds that a row takes no more samples once its time is spent, that
// it has one in any case, and that rows beside it go on.
func TestStopsAtMaxTime(t *testing.T) {
	const ms = time.Millisecond
	r := runOf(t, 2, func(c *Config) { c.MaxTime = 40 * ms })
	r.bed.Warmup, r.bed.Samples, r.bed.SampleTime = 1, 4, 3*ms
	lasts := func(test string, lasting ...time.Duration) *row {
		x, _ := sampled(r.budget(), 0, lasting...)
		x.test = test
		return x
	}
	rows := []*row{
		lasts("putbw", 3*ms, 3*ms, 3*ms, 3*ms, 3*ms),
		lasts("getbw", 3*ms, 30*ms, 10*ms),
		lasts("putbibw", 50*ms, 3*ms),
		lasts("getbibw", 3*ms, 1*ms, 1*ms, 1*ms, 1*ms),
	}
	testrun.OK(t, r.takeTurns(t.Context(), rows, nil))
	for i, want := range []int{4, 2, 1, 4} {
		if x := rows[i]; x.kept != want || len(x.series.Runs) != want || len(x.series.Metrics[0].Samples) != want ||
			r.rows[i] != x {
			t.Errorf("%s has %d samples, series %+v, want %d", x.test, x.kept, x.series, want)
		}
	}
	if x := rows[1]; x.iterations() != (641+642)/2 || x.repetitions != 641+642 {
		t.Errorf("row %+v", x)
	}
	r.noteTimes()
	want := []string{
		"fewer samples than asked for, since they reached --max-time 40ms: getbw direct 8, putbibw direct 8",
	}
	testrun.Same(t, want, r.bed.Notes, "notes")
}

// TestNamesFewRows holds that a note stays short.
func TestNamesFewRows(t *testing.T) {
	r := runOf(t, 2, func(c *Config) { c.MaxTime = time.Second })
	r.bed.Samples = 3
	for n := 8; n <= 256; n *= 2 {
		x := withRow(r, direct("putbw", n), 10, 10)
		x.budget, x.spent = r.budget(), time.Second
	}
	r.noteTimes()
	want := "fewer samples than asked for, since they reached --max-time 1s: putbw direct 8, putbw direct 16, putbw " +
		"direct 32, putbw direct 64 and 2 more"
	testrun.Same(t, []string{want}, r.bed.Notes, "notes")
}

// TestLabelsAreNoSettings: what a row says of its ranks has names of its own, so a table has no column twice.
func TestLabelsAreNoSettings(t *testing.T) {
	r := runOf(t, 2, nil)
	r.bed.Pool.Ranks, r.bed.Pool.Workers = 2, 1
	x := withRow(r, direct("putput", 8), 100, 0)
	x.graph = new(testbed.GraphRun)
	labels := r.labels(x)
	for _, s := range r.settings() {
		if slices.ContainsFunc(labels, func(l report.Setting) bool { return l.Key == s.Key }) {
			t.Errorf("label %s is a setting", s.Key)
		}
	}
	for _, key := range []string{"row-ranks", "row-segments"} {
		if !slices.ContainsFunc(labels, func(l report.Setting) bool { return l.Key == key }) {
			t.Errorf("no label %s in %v", key, labels)
		}
	}
}

// TestRates holds that one origin has one rate, and several one together too.
func TestRates(t *testing.T) {
	r := runOf(t, 2, nil)
	one := withRow(r, direct("putbw", 1<<20), 2e6, 400)
	one.samples = [][]float64{{1e6, 2e6, 4e6}}
	one.series.Metrics = append(one.series.Metrics, bench.Metric{Unit: "aggregate-MB/s", Samples: []float64{800}})
	want := report.Table{
		Head: []string{"test", "form", "size", "MB/s", "p99", "N"},
		Rows: [][]string{{"putbw", "direct", "1MiB", "500.0", "252.5", "500"}}, Left: 3,
		Details: []int{4, 5},
	}
	testrun.Same(t, want, r.text().Sections[0].Table, "one origin")
	one.latest.Origins = make([]app.Timing, 2)
	if table := r.text().Sections[0].Table; table.Head[5] != "all" || table.Rows[0][5] != "800.0" {
		t.Errorf("two origins: columns %v, %v", table.Head, table.Rows)
	}
}

// counted returns the counters of a run of n EDTs.
func counted(n uint64) (c runtime.Counters) {
	c.EDTRun = n
	return c
}

// TestCountersAreOfTheFirstResult holds whose counters the document has.
func TestCountersAreOfTheFirstResult(t *testing.T) {
	r := runOf(t, 2, nil)
	withRow(r, direct("putput", 8), 10, 0)
	withRow(r, direct("putput", 8).in(app.EDT), 10, 0)
	withRow(r, direct("getget", 8).in(app.EDT), 10, 0)
	r.rows[1].graph = &testbed.GraphRun{Counters: counted(1)}
	r.rows[2].graph = &testbed.GraphRun{Counters: counted(2)}
	d := r.document()
	const first = "counters are of a run of pgas/putput/edt/bytes=8/pes=2/sync=p2p"
	if d.Counters["edt.run"] != 1 || !slices.Contains(d.Asides, first) {
		t.Errorf("counters %v, notes %q", d.Counters, d.Asides)
	}
}

// TestKeepsWhatWasMeasured holds that only rows with a sample are results.
func TestKeepsWhatWasMeasured(t *testing.T) {
	r := runOf(t, 2, nil, "putget")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(testbed.ErrInterrupted)
	rows := []*row{r.newRow(direct("putget", 8))}
	if err := r.takeTurns(ctx, rows, nil); !errors.Is(err, testbed.ErrInterrupted) || len(r.rows) > 0 {
		t.Errorf("error %v, %d rows; want interrupted and none", err, len(r.rows))
	}
}

// TestNotesOfPlaces holds that what the app notes of where PEs are is noted once.
func TestNotesOfPlaces(t *testing.T) {
	m := &machine.Machine{Topology: matrixtest.Machine{Packages: 1, Nodes: 1, L3s: 1, Cores: 4, Threads: 1}.Topology(),
		Allowed: []int{0, 1, 2, 3}}
	for _, c := range []struct {
		cpus []int
		bind runtime.Binding
		test string
		want string
	}{
		{[]int{1, 0}, runtime.BindListed, "putget", ""},
		{[]int{3}, runtime.BindListed, "putget", "PEs 0 and 1 on processor 3"},
		{[]int{3}, runtime.BindNone, "putget", ""},
		{nil, runtime.BindCompact, "randomput", "each PE has one target"},
	} {
		cfg := Defaults()
		cfg.Tests = []string{c.test}
		r, err := newRun(bedOf(t, m, 2, c.cpus, c.bind), cfg)
		if err != nil || (len(r.bed.Notes) == 1) != (c.want != "") ||
			!strings.Contains(strings.Join(r.bed.Notes, ""), c.want) {
			t.Errorf("%s on %v: %v, notes %q, want %q", c.test, c.cpus, err, r.bed.Notes, c.want)
		}
	}
}

// TestRefusals holds what is refused before anything runs.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		pes    int
		change func(c *Config)
		tests  string
		want   string
	}{
		{2, nil, "putget nosuch", `--tests "nosuch": must be putget, putput, `},
		{3, nil, "", "--pes 3: PEs work in pairs: must be even numbers"},
		{1, nil, "putget", "--pes 1: PEs work in pairs: must be even numbers"},
		{2, func(c *Config) { c.Sizes = []int{512 << 20} }, "putbw", "--sizes 512MiB: the test needs a segment of "},
		{2, func(c *Config) { c.segment = 1 << 20 }, "putbw", "--sizes 4MiB: the test needs a segment of "},
		{2, func(c *Config) { c.Strides = []int{MaxStride} }, "stridedput",
			"--strides 1048576: the test needs a segment of "},
		{2, func(c *Config) { c.Sizes, c.Strides = []int{4 << 20}, []int{1024} }, "stridedput",
			"--sizes 4MiB: the test needs a segment of "},
		{2, func(c *Config) { c.Sizes = []int{6} }, "stridedput", "--sizes 6: elements have 4 bytes: must be multiples of 4"},
		{2, func(c *Config) { c.Sizes = []int{6} }, "reduce", "--sizes 6: elements have 4 bytes: must be multiples of 4"},
	} {
		r := runOf(t, c.pes, c.change, strings.Fields(c.tests)...)
		_, err := newRun(r.bed, r.cfg)
		var bad *trial.ConfigError
		if !errors.As(err, &bad) || !strings.HasPrefix(bad.Error(), "pgas: "+c.want) {
			t.Errorf("%s: error %v, want %s...", c.tests, err, c.want)
		}
	}
}

// TestRun runs a latency and a bandwidth test in both forms.
func TestRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	bed := here(t, 2)
	bed.Samples, bed.SampleTime = 2, 10*time.Microsecond
	cfg := Defaults()
	cfg.Tests, cfg.Sizes, cfg.MaxTime = []string{"putget", "putbw"}, []int{8, 4096}, time.Hour
	d, err := Run(t.Context(), bed, cfg)
	testrun.OK(t, err)
	for name, units := range map[string][]string{
		"pgas/putget/edt/bytes=8/pes=2":      {"ns/op", "ns/half", "MB/s", "msg/s"},
		"pgas/putbw/direct/bytes=4096/pes=2": {"ns/op", "MB/s", "GB/s", "aggregate-MB/s", "msg/s"},
		"pgas/putbw/edt/bytes=8/pes=2":       {"MB/s"},
	} {
		for _, unit := range units {
			if m := d.Metric(name, unit); m.N != 2 || m.Min <= 0 {
				t.Errorf("%s: %s = %+v", name, unit, m)
			}
		}
	}
	seen := map[string]bool{}
	for _, result := range d.Results {
		if seen[result.Name] {
			t.Errorf("%s comes twice", result.Name)
		}
		seen[result.Name] = true
	}
	if !d.Verified || d.Partial || len(d.Counters) == 0 {
		t.Errorf("verified %v, partial %v, counters %v", d.Verified, d.Partial, d.Counters)
	}
	var text, picture strings.Builder
	if err := errors.Join(d.Write(&text, "text"), chart.Draw(&picture, d)); err != nil ||
		!strings.Contains(picture.String(), "</svg>") {
		t.Errorf("error %v, picture %.100s", err, picture.String())
	}
	for line := range strings.Lines(text.String()) {
		if len(line) > report.Width+1 {
			t.Errorf("%d columns: %s", len(line)-1, line)
		}
	}
}

// TestSabotage holds that a transfer which is broken on purpose is found in both forms,
// and that its run has no result: test, size, PE, offset, got, expected.
func TestSabotage(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, c := range []struct {
		pes         int
		test        string
		form        app.Form
		bytes       int
		name, where string
	}{
		{2, "putget", app.Direct, 8, "pgas/putget/direct/bytes=8/pes=2",
			`putget/direct, 8 bytes: PE [01], offset [0-9]+`},
		{4, "putbw", app.EDT, 4096, "pgas/putbw/edt/bytes=4096/pes=4",
			`putbw/edt, 4096 bytes: PE 0, offset [0-9]+`},
		{2, "reduce", app.Direct, 8, "pgas/reduce/direct/bytes=8/pes=2",
			`reduce/direct, 8 bytes: PE 0, offset [0-9]+`},
		{2, "putput", app.Direct, 8, "pgas/putput/direct/bytes=8/pes=2/sync=p2p",
			`putput/direct, .*PE [01], offset [0-9]+`},
	} {
		cfg := Defaults()
		cfg.Tests, cfg.Forms, cfg.Sizes, cfg.Iterations = []string{c.test}, []app.Form{c.form}, []int{c.bytes}, 100
		cfg.sabotage = func(segments [][]byte) { segments[0][len(segments[0])-1] ^= 0x40 }
		bed := here(t, c.pes)
		d, err := Run(t.Context(), bed, cfg)
		var wrong *trial.VerifyError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.name+": ") || d != nil {
			t.Errorf("%s: document %v, error %v", c.name, d, err)
		} else if !regexp.MustCompile("^"+c.where+"$").MatchString(wrong.Where) || wrong.Got == wrong.Want {
			t.Errorf("%s: %s: got %s, expected %s", c.name, wrong.Where, wrong.Got, wrong.Want)
		}
		bed.Verify = false
		if d, err = Run(t.Context(), bed, cfg); err != nil || d.Verified ||
			len(d.Results) == 0 {
			t.Errorf("%s, not verified: %v", c.name, err)
		}
	}
}
