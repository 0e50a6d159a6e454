package page_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/page"
	"ocr/internal/show/report"
)

// odd is text that must be shown as text wherever a file has it.
const odd = `<script>alert("x")</script>&amp;'"`

func file(path string, d *report.Document) *report.Document {
	d.Path = path
	return d
}

// begin returns a document without results.
func begin(app string, settings ...report.Setting) *report.Document {
	return &report.Document{
		App: app, Argv: []string{"ocrbench", app, "--format", "json"}, Verified: true, Config: settings,
		Machine: machine.Facts{
			CPU: "AMD EPYC", Sockets: 1, Cores: 2, SMT: 1, Caches: []string{
				"L1d 32 KiB x2, for 1 CPU each, 64 B lines", "L3 32 MiB x1"},
			Mask: "0-1", Placement: []int{0, 1}, Kernel: "linux 6.18", Governor: "unknown", ClockResolutionNS: 20,
		},
		Build:      machine.Build{Version: "(devel)", Commit: "0123abc", Go: "go1.26"},
		Conditions: &machine.Conditions{Processors: 2, Others: 0.3, Steal: 0.01},
		Warnings:   []string{"virtual machine: this is the topology its hypervisor shows, not the hardware's"},
		Counters:   map[string]uint64{"steals": 3, "edt.created": 8003},
	}
}

// around returns samples about a value, with a long tail.
func around(value float64, n int) []float64 {
	order := rand.New(rand.NewPCG(uint64(n), uint64(value*1000)))
	list := make([]float64, n)
	for i := range list {
		list[i] = value * (1 + 0.05*order.ExpFloat64())
	}
	return list
}

// add adds a result with a time, and the rate that it makes.
func add(d *report.Document, name string, labels report.Config, unit string, samples ...float64) {
	rates := make([]float64, len(samples))
	for i, v := range samples {
		rates[i] = 1e9 / v
	}
	d.AddLabelled(name, labels, bench.Series{
		Runs: slices.Repeat([]int{1}, len(samples)), Metrics: bench.Metrics{
			{Unit: unit, Samples: samples}, {Unit: "op/s", Samples: rates}},
	})
}

// forms is a run of three forms. slower multiplies the times of two of them.
func forms(slower float64) *report.Document {
	d := begin("synch_p2p", report.Setting{Key: "P", Value: 10}, report.Setting{Key: "workers", Value: 2})
	d.Baseline = "synch_p2p/serial/P=10/workers=2"
	add(d, "synch_p2p/edt/P=10/workers=2", report.Config{{Key: "efficiency", Value: 0.7654321}}, "ns/edt",
		around(100*slower, 30)...)
	add(d, "synch_p2p/serial/P=10/workers=2", nil, "ns/edt", around(12, 30)...)
	add(d, "synch_p2p/goroutines/P=10/workers=2", nil, "ns/edt", around(50*slower, 30)...)
	d.Results[0].Metrics = append(d.Results[0].Metrics, bench.Metric{
		Unit: "allocs/op", Samples: slices.Repeat([]float64{0}, 30)})
	d.StatsText = []report.Section{{Title: "one run", Table: report.Table{
		Head: []string{"worker", "EDTs"}, Rows: [][]string{{"0", "4004"}}}}}
	return d
}

// sizes is a run over several sizes, of two tests in two forms.
func sizes() *report.Document {
	d := begin("pgas", report.Setting{Key: "pes", Value: 2})
	for _, test := range []string{"put", "get"} {
		for _, form := range []string{"direct", "edt"} {
			for bytes := 8; bytes <= 1<<20; bytes *= 2 {
				add(d, fmt.Sprintf("pgas/%s/%s/bytes=%d/pes=2", test, form, bytes),
					report.Config{{Key: "test", Value: test}, {Key: "form", Value: form}}, "ns/op", around(20+float64(bytes)/10, 6)...)
			}
		}
	}
	add(d, "pgas/line/direct/pes=2", nil, "ns/op", 0.000101, 0.000118, 0.000125, 0.000142)
	d.Text = &report.Text{Sections: []report.Section{{Title: "put",
		Table: report.Table{Head: []string{"bytes", "ns"}, Rows: [][]string{{"8", "20.8"}}}, Body: "as it\nstands\n"}}}
	return d
}

// metg is sweeps with efficiencies on numbers of workers, and their METG: 600 ns for each worker.
func metg(workers ...int) *report.Document {
	d := begin("metg")
	labels := report.Config{{Key: "type", Value: "stencil_1d"}, {Key: "form", Value: "edt"}}
	for _, n := range workers {
		metg := float64(600 * n)
		d.AddLabelled(fmt.Sprintf("metg/stencil_1d/workers=%d", n), labels, bench.Series{
			Runs: []int{1, 1}, Metrics: bench.Metrics{{Unit: "metg50-ns", Samples: []float64{metg - 20, metg + 20}}}})
		for iter := 16; iter <= 4096; iter *= 2 {
			ns := 300 + float64(iter)
			d.AddLabelled(fmt.Sprintf("metg/stencil_1d/iter=%d/workers=%d", iter, n),
				append(slices.Clip(labels), report.Setting{Key: "efficiency", Value: float64(iter) / ns}),
				bench.Series{Runs: []int{1, 1}, Metrics: bench.Metrics{
					{Unit: "ns/task", Samples: []float64{ns, ns + 10}}, {
						Unit: "flop/s", Samples: []float64{2e9 * float64(iter) / ns, 1.9e9 * float64(iter) / ns}}}})
		}
	}
	return d
}

// pairs is a run of all pairs of this many processors, each measured in one direction.
func pairs(cpus int) *report.Document {
	d := begin("c2c", report.Setting{Key: "pairs", Value: "all"})
	for from := range cpus {
		for to := from + 1; to < cpus; to++ {
			add(d, fmt.Sprintf("c2c/single/polled/width=8/cpus=%d,%d", from, to),
				report.Config{{Key: "test", Value: "single"}, {Key: "form", Value: "polled"}}, "ns/oneway",
				around(float64(60+200*(to/6-from/6)), 6)...)
		}
	}
	return d
}

// few is a run of results of one number, and of 9 and 10 samples.
func few() *report.Document {
	d := begin("x")
	for i := range 7 {
		add(d, fmt.Sprintf("x/once=%d", i), nil, "ns/op", float64(i+1))
	}
	add(d, "x/nine", nil, "ns/op", around(100, 9)...)
	add(d, "x/ten", nil, "ns/op", around(100, 10)...)
	return d
}

// hostile is a document with markup wherever a file can have text.
func hostile() *report.Document {
	name := strings.ReplaceAll(odd, " ", "")
	d := begin(name, report.Setting{Key: odd, Value: odd})
	d.Argv, d.Warnings, d.Checked, d.Baseline = []string{odd}, []string{odd}, odd, name
	d.Partial, d.Verified = true, false
	d.Machine.CPU, d.Counters = odd, map[string]uint64{odd: 1}
	d.Conditions = nil
	for _, x := range []string{"1", "2", "3"} {
		add(d, name+"/"+name+"/"+name+"="+x, report.Config{{Key: "test", Value: odd}, {Key: "form", Value: odd}}, "ns/"+name,
			5, 7, 6, 1e9)
	}
	add(d, strings.Repeat(name, 4), nil, "ns/op", 3)
	d.Text = &report.Text{Sections: []report.Section{{Title: odd,
		Table: report.Table{Head: []string{odd}, Rows: [][]string{{odd}}}, Body: odd}}}
	d.StatsText = d.Text.Sections
	return d
}

func write(t *testing.T, files ...*report.Document) string {
	t.Helper()
	p, err := page.New(files...)
	testrun.OK(t, err)
	var b strings.Builder
	testrun.OK(t, p.Write(&b))
	return b.String()
}

// TestEverythingIsText: the text of a file is never markup.
func TestEverythingIsText(t *testing.T) {
	got := write(t, file("a", hostile()), file(odd, hostile()))
	if n := strings.Count(got, "<script>"); n != 1 || strings.Contains(got, "<script>alert") {
		t.Errorf("%d scripts, want the page's own", n)
	}
	testrun.Contains(t, html.UnescapeString(got), odd)
}

// TestNothingIsLoaded: a page has no address of another place, and forbids itself to load.
func TestNothingIsLoaded(t *testing.T) {
	for name, files := range kinds(t) {
		got := write(t, files...)
		for _, bad := range []string{"http:", "https:", "url(", "src=", "@import", "<link rel=\"stylesheet"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
		testrun.Contains(t, got, `content="default-src 'none'; `)
	}
}

// TestMETG: each number of workers of each file has a curve with its own METG.
func TestMETG(t *testing.T) {
	got := html.UnescapeString(write(t, file("a.json", metg(1, 3)), file("b.json", metg(4))))
	testrun.Contains(t, got, "edt workers=1: METG(50 %) 600.0 ns", "edt workers=3: METG(50 %) 1800 ns",
		"edt: METG(50 %) 2400 ns")
	testrun.Same(t, 3, strings.Count(got, "METG(50 %)"), "curves with METG")
	testrun.Same(t, 0, strings.Count(got, "edt iter="), "curves of a size")
}

// TestGroups: the results of one operation are beside each other, the project's own first, then others by kind, with
// the ratios of their times.
func TestGroups(t *testing.T) {
	var names []string
	var ratios []string
	row := regexp.MustCompile(`data-name="([^"]*)"|<span class="number muted">(x[^<]*)<`)
	got := write(t, file("beside.json", beside()))
	for _, found := range row.FindAllStringSubmatch(got, -1) {
		if found[1] != "" {
			names = append(names, found[1])
		} else {
			ratios = append(ratios, found[2])
		}
	}
	testrun.Same(t, []string{"x/chain", "x/chain/peer=c", "x/chain/peer=b", "x/fork", "x/fork/peer=a"}, names, "rows")
	testrun.Same(t, []string{"x2.000", "x0.5000", "x3.000"}, ratios, "ratios")
	testrun.Contains(t, got, "<h3>x chain: ns/op</h3>", "<h3>x fork: ns/op</h3>", "<i>graph built once</i>")
}

// beside is a run of two operations with others beside them, mixed. The machine is slow in the second and third round,
// but for the last result: then the ratio of medians is not that of rounds.
func beside() *report.Document {
	d := begin("x")
	for _, r := range []struct {
		name, row, does string
		ns, last        float64
	}{{"chain/peer=b", "chain", "graph built once", 5, 50}, {"fork", "fork", "", 7, 70}, {"chain", "chain", "", 10, 100},
		{"fork/peer=a", "fork", "", 21, 210}, {"chain/peer=c", "chain", "each time", 20, 20}} {
		add(d, "x/"+r.name, report.Settings("row", r.row, "does", r.does), "ns/op", r.ns, 10*r.ns, r.last)
	}
	return d
}

// TestWithoutResults: the error of a file without results names it.
func TestWithoutResults(t *testing.T) {
	d := begin("pgas")
	d.Partial = true
	_, err := page.New(file("a.json", forms(1)), file("b.json", d))
	testrun.Equal(t, "b.json: has no results: the run was interrupted", fmt.Sprint(err), "error")
}
