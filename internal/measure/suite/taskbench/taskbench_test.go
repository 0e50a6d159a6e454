package taskbench

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/taskbench"
	"ocr/apps/taskbench/kernel"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testbed returns a testbed with these workers.
func newBed(t *testing.T, workers, samples int) *testbed.Bed {
	return suitetest.Bed(t, workers, testbed.Sampling{Samples: samples, SampleTime: 100 * time.Microsecond, Seed: 1,
		Verify: true})
}

// graphs returns a configuration of graphs, each of which is changed from the default.
func graphs(changes ...func(*taskbench.Graph)) Config {
	cfg := Config{App: taskbench.Defaults(), Floor: true, Text: true}
	cfg.App.Graphs = nil
	for _, change := range changes {
		g := taskbench.DefaultGraph()
		change(&g)
		cfg.App.Graphs = append(cfg.App.Graphs, g)
	}
	return cfg
}

// text runs a configuration and returns its text.
func text(t *testing.T, bed *testbed.Bed, cfg Config) string {
	t.Helper()
	d, err := Run(t.Context(), bed, cfg)
	testrun.OK(t, err)
	var b bytes.Buffer
	testrun.OK(t, d.Write(&b, "text"))
	return b.String()
}

// scriptLines are the expressions by which Task Bench's scripts read a log.
var scriptLines = map[string]*regexp.Regexp{
	"steps":      regexp.MustCompile(`(?m)^\s*Time Steps: ([0-9]+)$`),
	"width":      regexp.MustCompile(`(?m)^\s*Max Width: ([0-9]+)$`),
	"iterations": regexp.MustCompile(`(?m)^\s*Iterations: ([0-9]+)$`),
	"output":     regexp.MustCompile(`(?m)^\s*Output Bytes: ([0-9]+)$`),
	"tasks":      regexp.MustCompile(`(?m)^\s*Total Tasks ([0-9]+)$`),
	"flops":      regexp.MustCompile(`(?m)^\s*Total FLOPs ([0-9]+)$`),
	"bytes":      regexp.MustCompile(`(?m)^\s*Total Bytes ([0-9]+)$`),
	"elapsed":    regexp.MustCompile(`(?m)^\s*Elapsed Time ([0-9.e+-]+) seconds$`),
}

// TestText: Task Bench's scripts find their lines in the text, once for each graph or run, and no other line matches.
func TestText(t *testing.T) {
	cfg := graphs(func(g *taskbench.Graph) {
		g.Steps, g.Type, g.Kernel.Kind, g.Kernel.Iterations = 50, taskbench.Stencil1D, kernel.ComputeBound, 10
	}, func(g *taskbench.Graph) {
		g.Steps, g.Width, g.Type, g.Output, g.Kernel.Kind, g.Kernel.Iterations = 30, 8, taskbench.FFT, 32,
			kernel.ComputeBound, 3
	})
	out := text(t, newBed(t, 2, 3), cfg)
	for key, want := range map[string]string{
		"steps": "50 30", "width": "4 8", "iterations": "10 3", "output": "16 32",
		"tasks": "440", "flops": strconv.Itoa(200*(128*10+64) + 240*(128*3+64)), "bytes": "0",
	} {
		testrun.Same(t, want, found(scriptLines[key], out), "%s: scripts", key)
	}
	if elapsed, err := strconv.ParseFloat(found(scriptLines["elapsed"], out), 64); err != nil || elapsed <= 0 {
		t.Errorf("elapsed: %v, %v", elapsed, err)
	}
	testrun.Contains(t, out,
		"Running Task Benchmark\n  Configuration:\n    Task Graph 1:\n      Time Steps: 50\n",
		"      Fraction Connected: 0.250000\n      Kernel:\n        Type: compute_bound\n",
		"  Unable to estimate local/nonlocal dependencies\n",
		"\nB/s 0.000000e+00\nTransfer (estimated):\n  Unable to estimate local/nonlocal transfer\n",
		"\n# floor: ", "\n# peak: ", " efficiency ", "\n# note: place bound: ", "\n# spread: 3 runs, ")
}

func found(expression *regexp.Regexp, text string) string {
	var all []string
	for _, match := range expression.FindAllStringSubmatch(text, -1) {
		all = append(all, match[1])
	}
	return strings.Join(all, " ")
}

func TestDocument(t *testing.T) {
	cfg := graphs(func(g *taskbench.Graph) {
		g.Steps, g.Type, g.Kernel.Kind, g.Kernel.Iterations = 40, taskbench.Nearest, kernel.ComputeBound, 5
	})
	cfg.Text = false
	d, err := Run(t.Context(), newBed(t, 2, 2), cfg)
	testrun.OK(t, err)
	if d.App != Name || !d.Verified || d.Partial {
		t.Errorf("app %s, verified %v, partial %v", d.App, d.Verified, d.Partial)
	}
	var names []string
	for _, r := range d.Results {
		names = append(names, r.Name)
	}
	want := []string{
		"taskbench/edt/type=nearest/steps=40/width=4/kernel=compute_bound/iter=5/workers=2",
		"taskbench/floor/type=nearest/steps=40/width=4/kernel=compute_bound/iter=5/workers=2", "taskbench/peak/workers=2",
	}
	testrun.Same(t, want, names, "results")
	if got := d.Metric(want[0], "ns/task"); got.N != 2 || got.Min <= 0 {
		t.Errorf("ns/task: %+v", got)
	}
}

// TestNames: the names of results have the values that differ from the default.
func TestNames(t *testing.T) {
	cfg := graphs(func(*taskbench.Graph) {}, func(g *taskbench.Graph) { g.Steps, g.Radix = 9, 2 })
	cfg.App.Place = taskbench.PlaceNone
	r := &run{bed: newBed(t, 1, 1), cfg: cfg}
	testrun.Same(t, "taskbench/edt/type=trivial/steps=4+9/width=4/radix=3+2/graphs=2/place=none/workers=1",
		r.resultName("edt"), "name")
}

func TestNoFloor(t *testing.T) {
	bed := newBed(t, 1, 1)
	bed.Verify = false
	cfg := graphs(func(*taskbench.Graph) {})
	cfg.Floor = false
	out := text(t, bed, cfg)
	testrun.Contains(t, out, "tasks did not check their inputs")
	if strings.Contains(out, "# floor") || strings.Contains(out, "# peak") || found(scriptLines["tasks"], out) != "16" {
		t.Errorf("floor, peak or a wrong number of tasks in:\n%s", out)
	}
}
