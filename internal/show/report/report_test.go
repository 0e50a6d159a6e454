package report

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
)

// document returns a run of two forms, with figures of five and three digits to round.
func document() *Document {
	d := &Document{
		App:  "synch_p2p",
		Argv: []string{"ocrbench", "synch_p2p", "-P", "10"},
		Config: Config{
			{"P", 10}, {"K", 5}, {"B", 3}, {"workers", 2}, {"verify", true}, {"samples", 6},
			{"env", "OCRBENCH_WORKERS=2"}, {"cpus", ""},
		},
		Machine: machine.Facts{
			CPU: "AMD EPYC", Sockets: 1, Cores: 2, SMT: 1,
			Caches: []string{"L1d 32 KiB x2", "L2 1 MiB x2"}, NUMA: []string{"node0 cpus 0-1"},
			Mask: "0-1", Placement: []int{0, -1}, Kernel: "Linux 6.18", Governor: "unknown",
			ClockResolutionNS: 20,
		},
		Build: machine.Build{Version: "(devel)", Commit: "0123abc", Dirty: true, Go: "go1.26", GOOS: "linux",
			GOARCH: "amd64", GOMAXPROCS: 3, GOGC: 100},
		Verified: true,
		Asides:   []string{"rows grouped B=3: PRK's rated figure uses B=1"},
		Warnings: []string{"the machine was busy"},
		Baseline: "synch_p2p/serial/P=10/workers=2",
		Counters: map[string]uint64{"steals": 3, "edt.created": 8003},
	}
	d.Add("synch_p2p/edt/P=10/workers=2", bench.Series{
		Runs: []int{2, 2, 2, 2, 2, 2},
		Metrics: []bench.Metric{
			{Unit: "ns/edt", Samples: []float64{101.5, 99.25, 103, 98, 110.125, 100}},
			{Unit: "Mflop/s", Samples: []float64{289.7, 296.3, 285.5, 300.1, 267.0, 294.1}},
		},
	})
	d.Add("synch_p2p/serial/P=10/workers=2", bench.Series{
		Runs: []int{900, 900, 900, 900, 900, 900},
		Metrics: []bench.Metric{
			{Unit: "ns/block", Samples: []float64{7.25, 7.5, 7.125, 7.375, 9, 7.0625}},
			{Unit: "Mflop/s", Samples: []float64{4055, 3920, 4126, 3986, 3266, 4163}},
		},
	})
	return d
}

func render(t *testing.T, d *Document, format string) string {
	t.Helper()
	var b bytes.Buffer
	testrun.OK(t, d.Write(&b, format), "Write %s", format)
	return b.String()
}

func TestGolden(t *testing.T) {
	partial := document()
	partial.Partial, partial.Verified = true, false
	partial.Results, partial.Counters = nil, nil
	for name, d := range map[string]*Document{"full": document(), "partial": partial} {
		for _, format := range Formats() {
			t.Run(name+"/"+format, func(t *testing.T) {
				testrun.Golden(t, name+"."+format+".golden", render(t, d, format))
			})
		}
		d.Verbose = true
		testrun.Golden(t, name+".verbose.golden", render(t, d, "text"))
	}
}

// TestGoComparable: benchstat puts two runs of one machine into one table, whatever facts that may differ have changed.
// It makes a table of each configuration.
func TestGoComparable(t *testing.T) {
	before, after := document(), document()
	after.Build.Commit, after.Build.Dirty, after.Build.GOMAXPROCS = "fedcba9", false, 7
	after.Machine.Placement = []int{1, 0}
	after.Machine.NUMA, after.Machine.Kernel = []string{"node0 cpus 0-1, 17 GiB"}, "Linux 6.19"
	after.Conditions = &machine.Conditions{Processors: 2, Others: 0.15}
	after.Config[5].Value = 20
	after.Argv = append(after.Argv, "--samples", "20")
	after.Warn("the machine was busy")
	after.Ranks = []Rank{{[]int{0, -1}, 4000}, {[]int{1, -1}, 4001}}
	testrun.Contains(t, render(t, after, "text"), "\nranks     placement-by-rank 0,?;1,?, edts-by-rank 4000;4001\n")
	text := render(t, after, "go")
	testrun.Contains(t, text, "# placement-by-rank: 0,?;1,?\n# edts-by-rank: 4000;4001\n", "# commit: fedcba9",
		"# load: other processes took 15 % of the processors", "# kernel: Linux 6.19")
	testrun.Equal(t, 1, tables(t, render(t, before, "go"), text), "tables of two runs of one machine")
	after.Machine.CPU = "another"
	testrun.Equal(t, 2, tables(t, render(t, before, "go"), render(t, after, "go")), "tables of two machines")
	quota := document()
	quota.Machine.Quota = 1
	testrun.Equal(t, 2, tables(t, render(t, before, "go"), render(t, quota, "go")), "tables of two quotas")
}

// tables counts the tables that benchstat would make of files: one for each value of its default projection.
func tables(t *testing.T, files ...string) int {
	t.Helper()
	var parser benchproc.ProjectionParser
	projection, err := parser.Parse(".config", nil)
	testrun.OK(t, err)
	keys := map[benchproc.Key]bool{}
	for _, file := range files {
		for _, result := range parse(t, file) {
			keys[projection.Project(result)] = true
		}
	}
	return len(keys)
}

func parse(t *testing.T, text string) []*benchfmt.Result {
	t.Helper()
	var results []*benchfmt.Result
	r := benchfmt.NewReader(strings.NewReader(text), "test")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			results = append(results, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	testrun.OK(t, r.Err())
	return results
}

func TestCSVLeavesOutARestatedUnit(t *testing.T) {
	d := document()
	d.Results[0].Metrics[1] = bench.Metric{Unit: "us/timestep", Samples: []float64{203, 198.5, 206, 196, 220.25, 200}}
	testrun.Same(t, false, strings.Contains(render(t, d, "csv"), "us/timestep"), "a unit that says the same is there")
}

func TestBadFiguresAreNotWritten(t *testing.T) {
	for _, m := range []bench.Metric{
		{Unit: "ns/edt", Samples: []float64{1, 0}},
		{Unit: "us/timestep", Samples: []float64{-1}},
		{Unit: "Mflop/s", Samples: []float64{math.NaN()}},
		{Unit: "Mflop/s", Samples: []float64{math.Inf(1)}},
		{Unit: "Mflop/s"},
	} {
		for _, format := range Formats() {
			d := document()
			d.Results[1].Metrics[0] = m
			var b bytes.Buffer
			if err := d.Write(&b, format); !errors.Is(err, ErrBadFigure) || b.Len() > 0 {
				t.Errorf("%v as %s: error %v and %d bytes, want ErrBadFigure and none", m, format, err, b.Len())
			}
		}
	}
	d := document()
	d.Results[0].Metrics[0] = bench.Metric{Unit: "allocs/op", Samples: []float64{0, 0, 0, 0, 0, 0}}
	d.Verbose = true
	testrun.Contains(t, render(t, d, "text"), "allocs/op") // a count may be zero
}

func TestUnknownFormat(t *testing.T) {
	testrun.Fails(t, document().Write(&bytes.Buffer{}, "xml"), "text, go, json, csv")
}

func TestAddFewSamples(t *testing.T) {
	d := &Document{}
	few := bench.Series{Runs: []int{1}, Metrics: []bench.Metric{{Unit: "ns/op", Samples: []float64{1}}}}
	d.Add("a/x", few)
	few.Coarse = true
	d.Add("a/y", few)
	d.Add("a/none", bench.Series{Metrics: []bench.Metric{{Unit: "ns/op"}}})
	if len(d.Results) != 2 || len(d.Warnings) != 2 || !strings.HasPrefix(d.Warnings[1], "a/y: ") {
		t.Errorf("%d results, warnings %q; want 2, one warning for both, one of a/y", len(d.Results), d.Warnings)
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {1, "1.000"}, {99.996, "100.00"}, {123.456, "123.5"}, {12345.6, "12346"},
		{0.000123456, "0.0001235"}, {1e-9, "1.000e-09"}, {-2.5, "-2.500"}, {1e16, "1.000e+16"},
	} {
		testrun.Same(t, c.want, Short(c.v), "Short(%v)", c.v)
	}
}

func TestShortNames(t *testing.T) {
	two := Document{Results: []Result{
		{Name: "c2c/single/polled/width=1/layout=same"},
		{Name: "c2c/single/polled/width=8/layout=same"},
	}}
	testrun.Same(t, []string{"single/polled/width=1", "single/polled/width=8"}, two.ShortNames(), "names")
	one := Document{Results: []Result{{Name: "hello"}}}
	testrun.Same(t, []string{"hello"}, one.ShortNames(), "name of a lone result")
}

func TestBetterOf(t *testing.T) {
	for unit, want := range map[string]Better{
		"ns/op": Lower, "ns/edt": Lower, "us/timestep": Lower, "ns/transfer-b": Lower, "ns": Lower,
		"metg50-ns": Lower, "ratio/pool": Lower,
		"MB/s": Higher, "Gbit/s": Higher, "Mflop/s": Higher, "msg/s": Higher, "min-MB/s": Higher, "transfers/s": Higher,
		"preemptions": Neither, "collections": Neither, "x": Neither, "steals/op": Neither, "B/op": Neither,
	} {
		testrun.Same(t, want, BetterOf(unit), "%s", unit)
	}
}
