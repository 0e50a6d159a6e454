package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/internal/bench"
	"ocr/internal/machine"
	"ocr/internal/metg"
	"ocr/internal/report"
	"ocr/internal/topo"
)

func TestMetgUsage(t *testing.T) {
	defer goleak.VerifyNone(t)
	patterns := strings.Join(taskbenchapp.Patterns(), ", ")
	for _, c := range []struct{ args, want string }{
		{"--types stencil", "--types stencil: must be a comma-separated list of " + patterns + ", all"},
		{"--types trivial,", "--types trivial,: must be a comma-separated list of "},
		{"--forms edt,mpi", "--forms edt,mpi: must be a comma-separated list of edt, goroutines, floor"},
		{"--width 0", "--width 0: must be a whole number in 1..2147483647"},
		{"--steps 0", "--steps 0: must be a whole number in 1..2147483647"},
		{"--radix 9 --width 8 --types nearest", "--radix 9 (with type nearest): more than the width, 8: must be 0..8"},
		{"--types fft --width 1", "--width 1: type fft needs two columns: must be 2..16777216"},
		{"--types all --width 2", "--width 2: type stencil_1d_periodic needs three columns: must be 3..16777216"},
		{"--output-bytes 15", "--output-bytes 15 (with type trivial): must be 16.."},
		{"--width 100000000", "--width 100000000 (with type trivial): must be 1..16777216"},
		{"--output-bytes 2000000000 --window 1024 --width 100000", "--output-bytes 2000000000 (with type trivial): the graphs need "},
		{"--threshold 100", "--threshold 100: must be a whole number in 1..99"},
		{"--per-octave 0", "--per-octave 0: must be a whole number in 1..16"},
		{"--interpolate cubic", "--interpolate cubic: must be one of linear, log"},
		{"--imbalance 3", "--imbalance 3: must be a number in 0..2"},
		{"--fraction NaN", "--fraction NaN: must be a number in 0..1"},
		{"--graphs 0", "--graphs 0: must be a whole number in 1..64"},
		{"--max-run 0s", "--max-run 0s: must be a duration in 1ms..1h0m0s"},
		{"--place here", "--place here: must be one of bound, stealable, none"},
		{"--window 1", "--window 1: must be a whole number in 2..65536"},
		{"--svg=", `--svg "": must be a file`},
		{"--svg /nonexistent/x", "--svg /nonexistent/x: must be a file in a directory that can be written: "},
		{"--svg metg.svg -o metg.svg", "--svg metg.svg: must be another file than that of the results"},
		{"extra", "unexpected argument extra: this command takes flags only"},
		{"-steps 3", "unknown flag -s in -steps: see ocrbench metg --help"},
	} {
		t.Run(c.args, func(t *testing.T) { wantUsage(t, noEnv, append([]string{"metg"}, strings.Fields(c.args)...), c.want) })
	}
}

// modelRun is a run whose tasks take 2 ns an iteration beside an overhead of each form
// in ns, on one core whose peak is one flop a ns: a task has two flops an iteration.
func modelRun(flags metgFlags, overheads map[string]float64, repetitions int) *metgRun {
	flags.width, flags.radix, flags.between = 4, 4, string(metg.Linear)
	flags.outputBytes, flags.many, flags.window, flags.place = 16, 1, taskbenchapp.DefaultWindow, string(taskbenchapp.PlaceBound)
	flags.perOctave = 4
	r := &metgRun{
		commonFlags: flagsTo(nil), flags: &flags,
	}
	r.format = "json"
	r.bed, r.out = bedAndOutput(r.commonFlags, &machine.Machine{Topology: &topo.Topology{}, Allowed: []int{0}}, 1)
	r.addPeak(bench.Series{Side: "metg/peak/workers=1", Runs: []int{1, 1}, Metrics: []bench.Metric{{Unit: "flop/s", Samples: []float64{0.9e9, 1e9}}}})
	g := r.newGroup(taskbenchapp.Stencil1D, taskbenchapp.Defaults())
	for _, w := range g.sweeps {
		for size := int64(1 << 12); size > 0; size /= 2 {
			p := &metgPoint{size: size, cfg: sized(w.cfg, size, 1000)}
			p.series = bench.Series{Side: r.pointName(w, size)}
			for i := range repetitions {
				p.sample(overheads[w.form]*(1+float64(i)/10)+2*float64(size), size)
			}
			w.points = append(w.points, p)
		}
	}
	r.groups = []*metgGroup{g}
	return r
}

// sample adds a sample of a task's time in ns.
func (p *metgPoint) sample(ns float64, size int64) {
	if len(p.series.Metrics) == 0 {
		p.series.Metrics = []bench.Metric{{Unit: "ns/task"}, {Unit: "flop/s"}}
	}
	p.series.Runs = append(p.series.Runs, 1)
	p.series.Metrics[0].Samples = append(p.series.Metrics[0].Samples, ns)
	p.series.Metrics[1].Samples = append(p.series.Metrics[1].Samples, 2*float64(size)/ns*1e9)
}

// TestMetgOfAModel holds that METG(50 %) is twice the overhead, of each repetition and
// against the best of the peak's samples, and how it is told.
func TestMetgOfAModel(t *testing.T) {
	r := modelRun(metgFlags{threshold: 50, forms: "edt,floor"}, map[string]float64{formEDT: 300, formFloor: 40}, 3)
	d := r.document(false)
	var names []string
	for _, result := range d.Results[:3] {
		names = append(names, result.Name)
	}
	if diff := cmp.Diff([]string{"metg/stencil_1d/workers=1", "metg/stencil_1d/floor/workers=1", "metg/stencil_1d/iter=4096/workers=1"}, names); diff != "" {
		t.Errorf("first results (-want +got):\n%s", diff)
	}
	for i, overhead := range []float64{300, 40} {
		m := d.Results[i].Metrics
		if m[0].Unit != "ns/metg50" || m[1].Unit != "ns/metg10" || m[len(m)-1].Unit != "ns/metg90" || len(m[0].Samples) != 3 {
			t.Fatalf("metrics of %s: %+v", d.Results[i].Name, m)
		}
		for rep, ns := range m[0].Samples {
			if want := 2 * overhead * (1 + float64(rep)/10); math.Abs(ns/want-1) > 0.07 {
				t.Errorf("%s, repetition %d: METG(50 %%) %v, want %v within 7 %%", d.Results[i].Name, rep, ns, want)
			}
		}
	}
	if got := d.Results[2].Labels; got[len(got)-1].Key != "efficiency" || math.Abs(got[len(got)-1].Value.(float64)-8192/(8192+330.)) > 1e-9 {
		t.Errorf("labels of the largest size: %v, want the median's efficiency", got)
	}
	if last := d.Results[len(d.Results)-1]; last.Name != "metg/peak/workers=1" {
		t.Errorf("the last result is %s, want the peak", last.Name)
	}
}

// TestMetgBounds holds that a threshold which no size, or every size, has on its side is
// told as a bound and has no metric.
func TestMetgBounds(t *testing.T) {
	for _, c := range []struct {
		overhead float64
		missing  string
		warning  string
	}{
		{0.01, "ns/metg50", "METG(50 %) in ns is < 2.01"},
		{1e6, "ns/metg50", "METG(50 %) in ns is > 1.008e+06: in some sweeps no size reaches it, see --max-run"},
	} {
		r := modelRun(metgFlags{threshold: 50, forms: formEDT}, map[string]float64{formEDT: c.overhead}, 1)
		d := r.document(false)
		for _, result := range d.Results {
			for _, m := range result.Metrics {
				if m.Unit == c.missing {
					t.Errorf("overhead %v: %s has %s", c.overhead, result.Name, m.Unit)
				}
			}
		}
		if all := strings.Join(d.Warnings, "\n"); !strings.Contains(all, "metg/stencil_1d/workers=1: "+c.warning) {
			t.Errorf("overhead %v: %q is missing in the warnings:\n%s", c.overhead, c.warning, all)
		}
		if cell := r.metgTable().Rows[0][2]; !strings.HasPrefix(cell, "< ") && !strings.HasPrefix(cell, "> ") {
			t.Errorf("overhead %v: the table has %q, want a bound", c.overhead, cell)
		}
	}
}

// TestMetgPartial holds that only whole sweeps give a METG, and that their sizes are
// told all the same.
func TestMetgPartial(t *testing.T) {
	r := modelRun(metgFlags{threshold: 50, forms: formEDT}, map[string]float64{formEDT: 300}, 2)
	w := r.groups[0].sweeps[0]
	for _, p := range w.points[1:] {
		p.series.Runs = p.series.Runs[:1]
	}
	w.points[len(w.points)-1].series = bench.Series{}
	if n := w.repetitions(); n != 0 {
		t.Errorf("%d repetitions are whole, want none", n)
	}
	d := r.document(true)
	if d.Results[0].Name != "metg/stencil_1d/iter=4096/workers=1" || !d.Partial {
		t.Errorf("the first result is %s, partial %v", d.Results[0].Name, d.Partial)
	}
	if got := r.metgTable().Rows[0][2]; got != "unknown" {
		t.Errorf("METG of no whole sweep is %q", got)
	}
	var b strings.Builder
	if err := r.draw(&b, true); err != nil || !strings.Contains(b.String(), "partial") {
		t.Errorf("picture: %v", err)
	}
	empty := modelRun(metgFlags{threshold: 50, forms: formEDT}, nil, 0)
	empty.peak = bench.Series{}
	b.Reset()
	if err := empty.draw(&b, true); err != nil {
		t.Errorf("picture of nothing: %v", err)
	}
	if d := empty.document(true); len(d.Results) != 0 {
		t.Errorf("results of nothing: %+v", d.Results)
	}
}

func TestMetgSuperlinear(t *testing.T) {
	r := modelRun(metgFlags{threshold: 50, forms: formEDT}, map[string]float64{formEDT: 300}, 2)
	g := r.groups[0]
	probe, err := r.newProbe(t.Context(), g.sweeps[0])
	if err != nil {
		t.Fatal(err)
	}
	if fewer, more := probe.fewer.cfg.Graphs[0], probe.more.cfg.Graphs[0]; more.Steps != 4*fewer.Steps || fewer.Kernel.Kind.String() != "empty" {
		t.Errorf("the probe has %d and %d steps of kernel %v", fewer.Steps, more.Steps, fewer.Kernel.Kind)
	}
	for _, c := range []struct {
		more float64
		want string
	}{{101, "does not grow"}, {400, "superlinear"}} {
		probe.fewer.series, probe.more.series = bench.Series{Side: "fewer"}, bench.Series{Side: "more"}
		for range 3 {
			probe.fewer.sample(100, 1)
			probe.more.sample(c.more, 1)
		}
		g.probes = []*metgProbe{probe}
		if got := r.probeLines(); !strings.HasSuffix(got, ": "+c.want+"\n") || strings.Count(got, "\n") != 1 {
			t.Errorf("four times the steps cost %v ns in place of 100: %q, want %q", c.more, got, c.want)
		}
		warned := strings.Contains(strings.Join(r.document(false).Warnings, "\n"), "stencil_1d, edt: superlinear: with 4 times the steps a task costs x4.000")
		if warned != (c.want == "superlinear") {
			t.Errorf("four times the steps cost %v ns in place of 100: warned %v", c.more, warned)
		}
	}
}

// TestMetgPeakIsTheBestSeen holds that a peak measured too low flatters nobody.
func TestMetgPeakIsTheBestSeen(t *testing.T) {
	r := modelRun(metgFlags{threshold: 50, forms: formEDT}, map[string]float64{formEDT: 300}, 1)
	if got := r.peakRate(); got != 1e9 {
		t.Errorf("peak %v, want its best sample", got)
	}
	r.peak.Metrics[0].Samples = []float64{1e8, 2e8}
	if got, want := r.peakRate(), 8192/(8192+300.)*1e9; math.Abs(got/want-1) > 1e-9 {
		t.Errorf("peak %v, want the best size's %v", got, want)
	}
	if all := strings.Join(r.notes(), "\n"); !strings.Contains(all, "is taken for the peak") {
		t.Errorf("no note tells it:\n%s", all)
	}
	r.peak = bench.Series{}
	if got := r.peakRate(); got != 0 {
		t.Errorf("peak %v without a sample of it", got)
	}
}

func TestMetgNames(t *testing.T) {
	r := modelRun(metgFlags{threshold: 50, forms: formEDT}, nil, 0)
	if got := r.resultName(taskbenchapp.Nearest, formGoroutines); got != "metg/nearest/goroutines/workers=1" {
		t.Errorf("name by default: %s", got)
	}
	f := r.flags
	f.width, f.radix, f.period, f.fraction, f.outputBytes, f.imbalance, f.many, f.window, f.place = 8, 3, 2, 0.5, 32, 1.5, 4, 8, "none"
	want := "metg/random_nearest/width=8/radix=3/period=2/fraction=0.5/output=32/imbalance=1.5/graphs=4/window=8/place=none/iter=3/workers=1"
	if got := r.resultName(taskbenchapp.RandomNearest, formEDT, "iter=3"); got != want {
		t.Errorf("name is %s, want %s", got, want)
	}
	f.steps = 70
	if got := r.resultName(taskbenchapp.RandomNearest, formEDT); !strings.Contains(got, "/width=8/steps=70/radix=3/") {
		t.Errorf("name with --steps is %s", got)
	}
	if got := r.resultName(taskbenchapp.RandomNearest, formEDT, "steps=30"); strings.Contains(got, "70") {
		t.Errorf("name of a probe is %s", got)
	}
	if got := r.resultName(taskbenchapp.Trivial, formEDT); strings.Contains(got, "radix") || strings.Contains(got, "period") {
		t.Errorf("name of trivial is %s", got)
	}
}

// TestMetgSweepNotes holds that curves that cross more than once are counted, and that
// runs of few tasks are told.
func TestMetgSweepNotes(t *testing.T) {
	r := modelRun(metgFlags{threshold: 50, forms: formEDT}, map[string]float64{formEDT: 300}, 3)
	w := r.groups[0].sweeps[0]
	if notes := r.sweepNotes(w); len(notes) != 0 {
		t.Errorf("a smooth sweep has notes: %q", notes)
	}
	last := w.points[len(w.points)-1].series.Metrics[1].Samples
	last[0], last[2] = 0.9e9, 0.9e9
	r.around = time.Hour
	all := strings.Join(r.sweepNotes(w), "\n")
	for _, want := range []string{
		"in 2 of 3 repetitions the curve crosses 50 % more than once: METG is the smallest",
		"the curve of the medians crosses 50 % 2 times",
		"and the pool 1h0m0s to start and stop: ",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in %q", want, all)
		}
	}
}

// TestMetgTotalsAreComputedOnce: forms share their sizes.
func TestMetgTotalsAreComputedOnce(t *testing.T) {
	r := &metgRun{}
	cfg := taskbenchapp.Defaults()
	for range 2 {
		if got, err := r.totalsOf(t.Context(), cfg); err != nil || got.Tasks != 16 {
			t.Errorf("%+v, %v", got, err)
		}
		r.totals[cfg.Graphs[0]] = taskbenchapp.Totals{Tasks: 16, Flops: 1}
	}
	if got, err := r.totalsOf(t.Context(), cfg); err != nil || got.Flops != 1 {
		t.Errorf("computed again: %+v, %v", got, err)
	}
}

// TestMetgFormats holds that what metg makes can be written in every format.
func TestMetgFormats(t *testing.T) {
	for _, format := range report.Formats() {
		r := modelRun(metgFlags{threshold: 50, forms: "edt,goroutines,floor"}, map[string]float64{formEDT: 300, formGoroutines: 700, formFloor: 20}, 7)
		var b strings.Builder
		if err := r.document(false).Write(&b, format); err != nil || strings.Contains(b.String(), "NaN") {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestMetgAll(t *testing.T) {
	f := metgFlags{types: "nearest,all"}
	if got := spelled(f.patterns()); len(got) != len(taskbenchapp.Patterns()) {
		t.Errorf("all types are %v", got)
	}
	f.types = "fft,trivial,fft"
	if diff := cmp.Diff([]string{"trivial", "fft"}, spelled(f.patterns())); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}
