package metg

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"ocr/apps/taskbench"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/chart"
	"ocr/internal/show/report"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newBed returns a testbed of one worker on one processor.
func newBed(t *testing.T) *testbed.Bed {
	t.Helper()
	bed := suitetest.Bed(t, 1, bench.Plan{Samples: 1, SampleTime: 50 * time.Microsecond, Seed: 1})
	bed.Pool.CPUs = bed.Pool.CPUs[:1]
	return bed
}

func stencil(forms ...Form) Config {
	return Config{Types: []taskbench.Pattern{taskbench.Stencil1D}, Forms: forms, Longest: time.Second}
}

func runOf(t *testing.T, cfg Config) *run {
	t.Helper()
	bed := newBed(t)
	r, err := begin(bed, bed.Pool, cfg)
	testrun.OK(t, err)
	return r
}

// modelRun is a run whose tasks take 2 ns an iteration, and the overhead of their form in ns. An iteration has two
// flops, and the peak is one flop a ns. From one repetition to the next the overhead grows by a tenth.
func modelRun(t *testing.T, overheads map[Form]float64, repetitions int, forms ...Form) *run {
	t.Helper()
	r := runOf(t, stencil(forms...))
	r.addPeak(bench.Series{Side: "metg/peak/workers=1", Runs: []int{1, 1},
		Metrics: []bench.Metric{{Unit: "flop/s", Samples: []float64{0.9e9, 1e9}}}})
	for _, w := range r.types[0] {
		for size := int64(1 << 12); size > 0; size /= 2 {
			p := r.point(w, size, 1000)
			for i := range repetitions {
				p.sample(overheads[w.form]*(1+float64(i)/10) + 2*float64(size))
			}
			w.points = append(w.points, p)
		}
	}
	return r
}

// sample adds a sample of a task's time in ns.
func (p *point) sample(ns float64) {
	p.series.Side = p.name
	if len(p.series.Metrics) == 0 {
		p.series.Metrics = bench.Metrics{{Unit: "ns/task"}, {Unit: "flop/s"}}
	}
	p.series.Runs = append(p.series.Runs, 1)
	p.series.Metrics[0].Samples = append(p.series.Metrics[0].Samples, ns)
	p.series.Metrics[1].Samples = append(p.series.Metrics[1].Samples, 2*float64(p.app.Graphs[0].Kernel.Iterations)/ns*1e9)
}

// TestOfAModel holds that METG(50 %) of each repetition is twice its overhead, if the peak is the best of the peak's
// samples. It also checks how METG is shown.
func TestOfAModel(t *testing.T) {
	r := modelRun(t, map[Form]float64{EDT: 300, Floor: 40}, 3, EDT, Floor)
	d := document([]*run{r}, false)
	var names []string
	for _, result := range d.Results[:3] {
		names = append(names, result.Name)
	}
	testrun.Same(t, []string{"metg/stencil_1d/workers=1", "metg/stencil_1d/floor/workers=1",
		"metg/stencil_1d/iter=4096/workers=1"}, names, "first results")
	for i, overhead := range []float64{300, 40} {
		m := d.Results[i].Metrics
		if m[0].Unit != "metg50-ns" || m[1].Unit != "metg10-ns" || m[len(m)-1].Unit != "metg90-ns" || len(m[0].Samples) != 3 {
			t.Fatalf("metrics of %s: %+v", d.Results[i].Name, m)
		}
		for rep, ns := range m[0].Samples {
			if want := 2 * overhead * (1 + float64(rep)/10); math.Abs(ns/want-1) > 0.07 {
				t.Errorf("%s, repetition %d: METG(50 %%) %v, want %v within 7 %%", d.Results[i].Name, rep, ns, want)
			}
		}
	}
	if got := d.Results[2].Labels; got[len(got)-1].Key != "efficiency" ||
		math.Abs(got[len(got)-1].Value.(float64)-8192/(8192+330.)) > 1e-9 {
		t.Errorf("labels of the largest size: %v, want the median's efficiency", got)
	}
	testrun.Equal(t, "metg/peak/workers=1", d.Results[len(d.Results)-1].Name, "the last result")
}

// TestBounds holds that METG is a bound, without a metric, if no size reaches the efficiency, or every size does.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		overhead float64
		meaning  string
		warning  string
	}{
		{0.01, "< ", "METG(50 %) in ns is < 2.01: 0 of 1 sweeps cross it\n"},
		{1e6, "> ", "METG(50 %) in ns is > 1.008e+06: 0 of 1 sweeps cross it, see --max-run\n"},
	} {
		r := modelRun(t, map[Form]float64{EDT: c.overhead}, 1, EDT)
		d := document([]*run{r}, false)
		for _, result := range d.Results {
			for _, m := range result.Metrics {
				if m.Unit == "metg50-ns" {
					t.Errorf("overhead %v: %s has %s", c.overhead, result.Name, m.Unit)
				}
			}
		}
		if all := strings.Join(d.Notes(), "\n") + "\n"; !strings.Contains(all, "metg/stencil_1d/workers=1: "+c.warning) {
			t.Errorf("overhead %v: %q is missing in the warnings:\n%s", c.overhead, c.warning, all)
		}
		testrun.Contains(t, r.meaning(), "must a task of stencil_1d take for 1 core to be half busy: "+c.meaning)
		if cell := text([]*run{r}).Sections[0].Table.Rows[0][2]; !strings.HasPrefix(cell, c.meaning) {
			t.Errorf("overhead %v: the table has %q, want a bound", c.overhead, cell)
		}
	}
}

// TestCrossesAgain holds that a note names the type and form of which a curve crosses the efficiency several times.
func TestCrossesAgain(t *testing.T) {
	r := modelRun(t, map[Form]float64{EDT: 300, Floor: 40}, 3, EDT, Floor)
	r.types[0][1].points[0].series.Metrics[1].Samples[1] = 1e8
	notes := document([]*run{r}, false).Notes()
	testrun.Contains(t, strings.Join(notes, "\n"),
		"metg/stencil_1d/floor/workers=1, form floor: 1 of 3 sweeps cross 50 % several times: the smallest size counts")
	testrun.Equal(t, 1, strings.Count(strings.Join(notes, "\n"), "several times"), "notes")
}

// TestPartial holds that only repetitions with all sizes give METG, and that the samples of others are shown too.
func TestPartial(t *testing.T) {
	r := modelRun(t, map[Form]float64{EDT: 300, Floor: 20}, 2, EDT, Floor)
	w := r.types[0][0]
	for _, p := range w.points[1:] {
		p.series.Runs = p.series.Runs[:1]
	}
	w.points[len(w.points)-1].series = bench.Series{}
	testrun.Equal(t, 0, w.repetitions(), "repetitions")
	d := document([]*run{r}, true)
	if d.Results[1].Name != "metg/stencil_1d/iter=4096/workers=1" || !d.Partial {
		t.Errorf("the first result of edt is %s, partial %v", d.Results[1].Name, d.Partial)
	}
	testrun.Same(t, "unknown", text([]*run{r}).Sections[0].Table.Rows[0][2], "METG of no whole sweep")
	if said := r.meaning(); !strings.HasSuffix(said, " us in form floor.") || strings.Contains(said, "edt") {
		t.Errorf("%q, want METG of the floor alone", said)
	}
	empty := modelRun(t, nil, 0, EDT)
	empty.peak = bench.Series{}
	testrun.Equal(t, 0, len(document([]*run{empty}, true).Results), "results of nothing")
}

// TestSeveralWorkers: the run on the second number of workers ended before the floor. The table has all that a run has
// measured, each METG with its own number of samples, and the settings name no width of one run.
func TestSeveralWorkers(t *testing.T) {
	overheads := map[Form]float64{EDT: 300, Floor: 20}
	whole, cut := modelRun(t, overheads, 3, EDT, Floor), modelRun(t, overheads, 2, EDT, Floor)
	cut.pool, cut.types[0][1].points = &testbed.Pool{Ranks: 1, Workers: 2, CPUs: []int{0, 1}}, nil
	d := document([]*run{whole, cut}, true)
	var got []string
	for _, row := range d.Text.Sections[0].Table.Rows {
		got = append(got, strings.Join([]string{row[1], row[4], row[5], row[7]}, " "))
	}
	want := []string{"edt 3 " + cut.findingLike(cut.types[0][0]).micros() + " 2", "floor 3 unknown 0"}
	testrun.Same(t, want, got, "form, n on 1, METG on 2, n on 2")
	testrun.Same(t, "4/worker 5", d.Config.Text("width")+" "+d.Config.Text("radix"), "width and radix")
	three := (&Config{Width: 3}).settings()
	testrun.Same(t, "3 3", three.Text("width")+" "+three.Text("radix"), "width and radix")
}

// TestPeakIsTheBestSeen holds that a peak measured too low makes no efficiency look better.
func TestPeakIsTheBestSeen(t *testing.T) {
	r := modelRun(t, map[Form]float64{EDT: 300}, 1, EDT)
	testrun.Equal(t, 1e9, r.peakRate(), "peak, its best sample")
	r.peak.Metrics[0].Samples = []float64{1e8, 2e8}
	if got, want := r.peakRate(), 8192/(8192+300.)*1e9; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("peak %v, want the best size's %v", got, want)
	}
	testrun.Contains(t, strings.Join(r.notes(), "\n"), "is taken for the peak")
	r.peak = bench.Series{}
	testrun.Equal(t, 0, r.peakRate(), "peak without a sample of it")
}

func TestNames(t *testing.T) {
	r := modelRun(t, nil, 0, EDT, Floor)
	edt, floor := r.types[0][0], r.types[0][1]
	testrun.Same(t, "metg/stencil_1d/floor/workers=1", r.name(floor), "name by default")
	r.cfg.Width, r.cfg.Steps = 8, 70
	testrun.Same(t, "metg/stencil_1d/width=8/steps=70/iter=3/workers=1", r.name(edt, "iter=3"), "name")
}

// TestSummary holds that what people see is a line a type and form, and that nothing is wider than a terminal.
func TestSummary(t *testing.T) {
	r := modelRun(t, map[Form]float64{EDT: 300, Recorded: 90, Floor: 20}, 7, Forms()...)
	var b strings.Builder
	testrun.OK(t, document([]*run{r}, false).Write(&b, "text"))
	testrun.Equal(t, 3, strings.Count(b.String(), "\nstencil_1d "), "lines of stencil_1d in:\n%s", &b)
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > report.Width {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestSizes holds that sizes grow by a third or a half up to a run's longest time, and that small sizes have as many
// thousands of steps as fill a sample.
func TestSizes(t *testing.T) {
	cfg := stencil(EDT)
	cfg.Longest = 250 * time.Microsecond
	r := runOf(t, cfg)
	r.rate, r.bed.SampleTime = 64e9, 4100*time.Microsecond // an iteration takes 2 ns, a step has 4 tasks
	w := r.types[0][0]
	r.addPoints(w)
	var sizes [][2]int
	for _, p := range w.points {
		g := &p.app.Graphs[0]
		sizes = append(sizes, [2]int{int(g.Kernel.Iterations), g.Steps})
	}
	testrun.Same(t, [][2]int{{24, 4000}, {16, 4000}, {12, 4000}, {8, 4000}, {6, 4000}, {4, 4000}, {3, 4000}, {2, 5000},
		{1, 5000}, {0, 5000}}, sizes, "sizes and steps")
}

// TestDraw holds that METG(50 %) is marked on each curve that has it, and nothing else is.
func TestDraw(t *testing.T) {
	r := modelRun(t, map[Form]float64{EDT: 1e6, Recorded: 90, Floor: 20}, 3, Forms()...)
	var b strings.Builder
	testrun.OK(t, chart.Draw(&b, document([]*run{r}, false)))
	testrun.Equal(t, 2, strings.Count(b.String(), "METG(50 %)"), "marks of recorded and floor")
}

// TestKeepsTypesBeforeAFailure: the second type has a form that cannot run.
func TestKeepsTypesBeforeAFailure(t *testing.T) {
	cfg := stencil(Floor)
	cfg.Types = []taskbench.Pattern{taskbench.Trivial, taskbench.NoComm}
	cfg.Steps, cfg.Longest = 30, time.Millisecond
	r := runOf(t, cfg)
	r.types[1][0].form, r.bed.Options = EDT, []runtime.Option{runtime.Logger(nil)}
	err := r.measure(t.Context(), 0, 2)
	d := document([]*run{r}, err != nil)
	testrun.Fails(t, err, "Logger(nil)")
	if !d.Partial || len(d.Results) == 0 || slices.ContainsFunc(d.Results, func(r report.Result) bool {
		return strings.Contains(r.Name, "no_comm")
	}) {
		t.Errorf("partial %v, results %v", d.Partial, d.Results)
	}
}

// TestNotes: the document says which columns share a block if a form has EDTs, and what is wrong with any of the pools.
func TestNotes(t *testing.T) {
	for _, form := range []Form{EDT, Recorded, Floor} {
		r := modelRun(t, map[Form]float64{form: 300}, 2, form)
		_, _, err := r.bed.Pools([]int{3, 1})
		testrun.OK(t, err)
		notes := strings.Join(document([]*run{r}, false).Notes(), "\n")
		testrun.Contains(t, notes, "share 1 processors")
		testrun.Same(t, form != Floor, strings.Contains(notes, "place bound: "), "a note on blocks of form "+string(form))
	}
}
