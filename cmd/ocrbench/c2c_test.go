package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	c2capp "ocr/apps/c2c"
	"ocr/internal/bench"
	"ocr/internal/cpulist"
	"ocr/internal/harness"
	"ocr/internal/machine"
	"ocr/internal/matrix"
	"ocr/internal/sys"
	"ocr/internal/topo"
)

// twoCPUs returns the processors that this process may use, two at least.
func twoCPUs(t *testing.T) []int {
	t.Helper()
	mask, err := sys.GetAffinity()
	if err != nil {
		t.Skip(err)
	}
	if len(mask) < 2 {
		t.Skipf("one processor only (%v): a transfer needs two", mask)
	}
	return mask
}

func TestC2CUsageErrors(t *testing.T) {
	mask := twoCPUs(t)
	allowed := cpulist.Format(mask)
	a, b := mask[0], mask[1]
	pair := fmt.Sprintf("%d:%d", a, b)
	for _, c := range []struct{ args, want string }{
		{"here", "unexpected argument here: this command takes flags only"},
		{"--stim-len 0", "--stim-len 0: must be an even whole number in 2..1073741824"},
		{"--stim-len 7", "--stim-len 7: must be an even whole number in 2..1073741824"},
		{"--stim-len x", "--stim-len x: must be an even whole number in 2..1073741824"},
		{"--trials 0", "--trials 0: must be a whole number in 1..1000000"},
		{"--warmup -1", "--warmup -1: must be a whole number in 0..1000000"},
		{"--warmup 1000001", "--warmup 1000001: must be a whole number in 0..1000000"},
		{"--lines 0", "--lines 0: must be a whole number in 1..64"},
		{"--lines 65", "--lines 65: must be a whole number in 1..64"},
		{"--width 3", "--width 3: must be a comma-separated list of 1, 2, 4, 8"},
		{"--test triple", "--test triple: must be a comma-separated list of single, dual, array, dual-array, flow, blocked, ring, all"},
		{"--layout near", "--layout near: must be a comma-separated list of same, separate"},
		{"--forms c", "--forms c: must be a comma-separated list of polled, goroutines, edt, edt-chain, edt-local, edt-parked"},
		{"--baseline rust", "--baseline rust: must be a comma-separated list of c, goroutines, none"},
		{"--baseline none,c", "--baseline none,c: none cannot be had together with another"},
		{"--lengths 0", "--lengths 0: must be a comma-separated list of lengths and doubling ranges of them, as 1,16:256, within 1..65536"},
		{"--lengths=", `--lengths "": must be a comma-separated list of lengths`},
		{"--lengths 1:131072", "--lengths 1:131072: must be a comma-separated list of lengths"},
		{"--lengths 8:4", "--lengths 8:4: must be a comma-separated list of lengths"},
		{"--samples 3", "unknown flag --samples: see ocrbench c2c --help"},
		{"--cpus x", "--cpus x: must be two processors A,B within " + allowed},
		{"--cpus=", `--cpus "": must be two processors A,B within ` + allowed},
		{fmt.Sprintf("--cpus %d", a), fmt.Sprintf("--cpus %d: must be two processors A,B within %s", a, allowed)},
		{fmt.Sprintf("--cpus %d,%d,%d", a, b, a), fmt.Sprintf("--cpus %d,%d,%d: must be two processors A,B within %s", a, b, a, allowed)},
		{fmt.Sprintf("--cpus %d,%d", a, a), fmt.Sprintf("--cpus %d,%d: processor %d is named twice: must be two of the allowed processors %s, or add --same-core", a, a, a, allowed)},
		{fmt.Sprintf("--cpus %d,8190", a), fmt.Sprintf("--cpus %d,8190: processor 8190 is not in the allowed mask %s", a, allowed)},
		{"--pairs some", "--pairs some: must be all, or a list of pairs of processors within " + allowed + ", as 0:1,0:2"},
		{"--pairs=", `--pairs "": must be all, or a list of pairs of processors within ` + allowed},
		{"--pairs 8190:8191", "--pairs 8190:8191: processor 8190 is not in the allowed mask " + allowed},
		{"--pairs " + pair + "," + pair, "--pairs " + pair + "," + pair + ": pair " + pair + " is named twice"},
		{fmt.Sprintf("--pairs %d:%d", b, b), fmt.Sprintf("--pairs %d:%d: processor %d is named twice", b, b, b)},
		{"--pairs all --same-core", "--pairs all: cannot be had together with --same-core"},
		{fmt.Sprintf("--pairs all --cpus %d,%d", a, b), "--pairs all: cannot be had together with --cpus"},
		{"--svg /", "--svg /: must be a file, not a directory"},
		{"--svg -", "--svg -: must be a file: results go to standard output"},
		{"--svg=", `--svg "": must be a file`},
		{"--matrix=", `--matrix "": must be a file`},
		{"--svg x --matrix ./x", "--svg x: --matrix names the same file"},
		{"--svg x -o x", "--svg x: -o names the same file"},
		{"--matrix ./x --output x", "--matrix ./x: --output names the same file"},
		{"--test blocked --forms edt --baseline none", "--forms edt: no test of --test blocked has one of these, and there is no --baseline to run beside"},
		{"--same-core --test blocked --forms edt --baseline c", "--forms edt: no test of --test blocked has one of these"},
		{"--same-core --svg x", "--svg x: needs a pair of two processors: both ends are on one"},
		{"--matrix /nonexistent/x", "--matrix /nonexistent/x: must be a file in a directory that can be written: no such file or directory"},
		{"--print-stats=maybe", "--print-stats maybe: must be true or false"},
		{"--format xml", "--format xml: must be one of text, go, json, csv"},
		{"-o /", "-o /: must be a file, not a directory"},
	} {
		t.Run(c.args, func(t *testing.T) {
			wantUsage(t, noEnv, append([]string{"c2c"}, strings.Fields(c.args)...), c.want)
		})
	}
	for pair, want := range map[string]string{
		"OCRBENCH_CPUS=8190,8191": "OCRBENCH_CPUS 8190,8191: processor 8190 is not in the allowed mask ",
		"OCRBENCH_STIM_LEN=3":     "OCRBENCH_STIM_LEN 3: must be an even whole number",
		"OCRBENCH_TRIALS=0":       "OCRBENCH_TRIALS 0: must be a whole number in 1..1000000",
		"OCRBENCH_WARMUP=x":       "OCRBENCH_WARMUP x: must be a whole number in 0..1000000",
	} {
		t.Run(pair, func(t *testing.T) { wantUsage(t, envOf(pair), []string{"c2c"}, want) })
	}
}

func TestLengths(t *testing.T) {
	for text, want := range map[string][]int{
		"1": {1}, "1:8": {1, 2, 4, 8}, "3:13": {3, 6, 12}, "512,1:4,2": {1, 2, 4, 512}, "65536": {65536},
	} {
		if got, err := parseLengths(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", ",", "1,", "1:", ":8", "1:2:3", "-4", "1-8", "65537", "99999999999999999999"} {
		if got, err := parseLengths(text); err == nil {
			t.Errorf("%q = %v, want an error", text, got)
		}
	}
}

// twoCores is a machine of two cores with two threads each: 0 and 2, 1 and 3.
func twoCores() *machine.Machine {
	var cpus []topo.CPU
	for id := range 4 {
		core := id % 2
		cpus = append(cpus, topo.CPU{ID: id, Core: core, L2: core, Siblings: []int{core, core + 2}})
	}
	return &machine.Machine{
		Topology: &topo.Topology{CPUs: cpus, Nodes: []topo.Node{{CPUs: []int{0, 1, 2, 3}}}},
		Allowed:  []int{0, 1, 2, 3}, Clock: 20 * time.Nanosecond,
	}
}

func TestPairLists(t *testing.T) {
	for _, c := range []struct {
		flags c2cFlags
		want  string
		notes int
	}{
		{c2cFlags{}, "0:1", 0},
		{c2cFlags{sameCore: true}, "0:0", 0},
		{c2cFlags{cpus: "3,1"}, "3:1", 0},
		{c2cFlags{cpus: "2-3"}, "2:3", 0},
		{c2cFlags{cpus: "2,2", sameCore: true}, "2:2", 0},
		{c2cFlags{pairs: "3:0,0:3,1:2"}, "3:0 0:3 1:2", 0},
		// rows of the matrix: 0 and its sibling 2, 1 and its sibling 3
		{c2cFlags{pairs: allPairs, tests: "single,array"}, "0:2 0:1 0:3 2:1 2:3 1:3", 0},
		{c2cFlags{pairs: allPairs, tests: "single", skipSMT: true}, "0:1 0:3 2:1 2:3", 1},
		{c2cFlags{pairs: allPairs, tests: "single,ring", skipSMT: true}, "0:1 0:3 2:1 2:3 1:0r 1:2r 3:0r 3:2r", 1},
	} {
		s := flagsTo(nil)
		var notes []string
		pairs, err := c.flags.pairList(s, c2c.command(s.session), twoCores(), &notes)
		if err != nil {
			t.Errorf("%+v: %v", c.flags, err)
		}
		var got []string
		for _, pair := range pairs {
			text := pair.String()
			if pair.reversed {
				text += "r"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want || len(notes) != c.notes {
			t.Errorf("pairs %v, notes %q, want %s and %d notes", got, notes, c.want, c.notes)
		}
	}
	alone := twoCores()
	alone.Allowed = []int{2}
	for _, flags := range []c2cFlags{{}, {pairs: allPairs}} {
		s := flagsTo(nil)
		_, err := flags.pairList(s, c2c.command(s.session), alone, new([]string))
		if err == nil || err.Error() != "c2c: needs two processors, the allowed mask is 2: allow another (taskset), or put both ends on it with --same-core" {
			t.Errorf("one processor: %v", err)
		}
	}
}

// names returns the names of the results of a run with these flags on a pair.
func names(f *c2cFlags, pair c2cPair) []string {
	r := &c2cRun{commonFlags: flagsTo(nil), flags: f}
	var names []string
	for _, g := range f.groups(pair) {
		for _, x := range r.sides(g) {
			names = append(names, x.name())
		}
	}
	return names
}

func TestC2CNames(t *testing.T) {
	forward := c2cPair{Pair: matrix.Pair{From: 0, To: 1}}
	back := c2cPair{Pair: matrix.Pair{From: 1, To: 0}, reversed: true}
	for _, c := range []struct {
		name  string
		flags c2cFlags
		pair  c2cPair
		want  []string
	}{
		{"the design's name", c2cFlags{tests: "single", forms: "polled", widths: "8", layouts: "separate"}, forward,
			[]string{"c2c/single/polled/width=8/layout=same/cpus=0,1"}},
		{"EDTs of dual lie apart, and are measured once",
			c2cFlags{tests: "dual", forms: "polled,edt", widths: "1,2", layouts: "same,separate"}, forward,
			[]string{
				"c2c/dual/polled/width=1/layout=same/cpus=0,1",
				"c2c/dual/polled/width=1/layout=separate/cpus=0,1", "c2c/dual/edt/width=1/layout=separate/cpus=0,1",
				"c2c/dual/polled/width=2/layout=same/cpus=0,1",
				"c2c/dual/polled/width=2/layout=separate/cpus=0,1", "c2c/dual/edt/width=2/layout=separate/cpus=0,1",
			}},
		{"also where the other layout is not asked for", c2cFlags{tests: "dual", forms: "polled,edt", widths: "8", layouts: "same"}, forward,
			[]string{"c2c/dual/polled/width=8/layout=same/cpus=0,1", "c2c/dual/edt/width=8/layout=separate/cpus=0,1"}},
		{"arrays have a length", c2cFlags{tests: "array,flow", forms: "polled", widths: "4", layouts: "same", lengths: "1,512"}, forward,
			[]string{
				"c2c/array/polled/width=4/layout=same/length=1/cpus=0,1", "c2c/array/polled/width=4/layout=same/length=512/cpus=0,1",
				"c2c/flow/polled/width=4/layout=separate/length=1/cpus=0,1", "c2c/flow/polled/width=4/layout=separate/length=512/cpus=0,1",
			}},
		{"forms that a test does not have are left out", c2cFlags{tests: "blocked,ring", forms: "polled,edt,edt-chain", widths: "8", lengths: "1"}, forward,
			[]string{
				"c2c/blocked/polled/width=8/layout=separate/length=1/cpus=0,1",
				"c2c/ring/polled/width=8/layout=separate/length=1/cpus=0,1", "c2c/ring/edt-chain/width=8/layout=separate/length=1/cpus=0,1",
			}},
		{"backwards only where that differs", c2cFlags{tests: "single,array,blocked", forms: "polled", widths: "8", lengths: "1"}, back,
			[]string{"c2c/blocked/polled/width=8/layout=separate/length=1/cpus=1,0"}},
		{"a baseline is run", c2cFlags{tests: "single", forms: "polled", widths: "8", baseline: "goroutines"}, forward,
			[]string{"c2c/single/polled/width=8/layout=same/cpus=0,1", "c2c/single/goroutines/width=8/layout=same/cpus=0,1"}},
	} {
		if diff := cmp.Diff(c.want, names(&c.flags, c.pair)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestLengthsOfTests(t *testing.T) {
	plain := &c2cFlags{tests: defaultTests}
	asked := &c2cFlags{tests: "array,ring"}
	given := &c2cFlags{tests: "array,ring", lengths: "3"}
	for _, c := range []struct {
		flags *c2cFlags
		test  c2capp.Test
		want  string
	}{
		{plain, c2capp.Single, "[1]"}, {plain, c2capp.Array, "[64 512]"},
		{asked, c2capp.Array, "[1 2 4 8 16 32 64 128 256 512 1024 2048 4096]"},
		{asked, c2capp.Ring, "[1 2 4 8 16 32 64 128 256]"},
		{given, c2capp.Array, "[3]"}, {given, c2capp.Ring, "[3]"},
	} {
		if got := fmt.Sprint(c.flags.lengthList(c.test)); got != c.want {
			t.Errorf("tests %s, lengths %q: %s has %s, want %s", c.flags.tests, c.flags.lengths, c.test, got, c.want)
		}
	}
	for flags, want := range map[*c2cFlags]string{plain: "64,512", asked: "1:4096 ring=1:256", given: "3"} {
		if got := flags.lengthTexts(); got != want {
			t.Errorf("recorded lengths %q, want %q", got, want)
		}
	}
}

// trialOf returns a trial that took ns for each transfer.
func trialOf(cfg c2capp.Config, ns float64) c2capp.Result {
	took := time.Duration(ns * float64(cfg.Transfers))
	end := c2capp.End{Elapsed: took, CPU: [2]int{0, 0}}
	other := c2capp.End{Elapsed: took, CPU: [2]int{1, 1}}
	return c2capp.Result{Config: cfg, Transfers: cfg.Transfers, Ends: [2]c2capp.End{end, other}}
}

// sideOf returns a side whose trials take these ns a transfer in turn, the last
// from then on.
func sideOf(form c2capp.Form, ns ...float64) *c2cSide {
	cfg := c2capp.Defaults()
	cfg.Form = form
	x := &c2cSide{c2cGroup: c2cGroup{pair: matrix.Pair{From: 0, To: 1}, test: cfg.Test, width: 8, layout: cfg.Layout, length: 1}, form: form, cfg: cfg, lines: 3}
	x.once = func(_ context.Context, cfg c2capp.Config) (c2capp.Result, error) {
		r := trialOf(cfg, ns[0])
		if len(ns) > 1 {
			ns = ns[1:]
		}
		return r, nil
	}
	return x
}

func TestTrialsAreFitted(t *testing.T) {
	for _, c := range []struct {
		name              string
		side              *c2cSide
		transfers, warmup int
	}{
		{"fits", sideOf(c2capp.Polled, 100), 20000, 80000},
		{"slow", sideOf(c2capp.EDT, 1000), 8000, 8000},
		{"even", sideOf(c2capp.EDT, 3331), 2400, 2400},
		{"very slow", sideOf(c2capp.Polled, 20_000), 400, 400},
		{"never less", sideOf(c2capp.Polled, 4e6), 20, 20},
		{"disturbed at first", sideOf(c2capp.Polled, 50_000, 100), 20000, 80000},
		{"disturbed at last", sideOf(c2capp.Polled, 100, 100, 50_000), 20000, 80000},
		{"pauses count", sideOf(c2capp.Parked, 10_000), 200, 200},
	} {
		c.side.cfg.Warmup = 0
		if err := c.side.calibrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f := c.side.fitted; f.Transfers != c.transfers || f.Warmup != c.warmup {
			t.Errorf("%s: %d transfers after %d, want %d after %d", c.name, f.Transfers, f.Warmup, c.transfers, c.warmup)
		}
	}
	given := sideOf(c2capp.Polled, 4e6)
	given.cfg.Warmup = 1000
	if err := given.calibrate(t.Context()); err != nil || given.fitted.Warmup != 1000 {
		t.Errorf("a warm-up that was asked for: %d transfers, %v, want 1000", given.fitted.Warmup, err)
	}
	short := sideOf(c2capp.Polled, 4e6)
	short.cfg.Transfers, short.cfg.Warmup = 6, 1
	if err := short.calibrate(t.Context()); err != nil || short.fitted.Transfers != 6 || short.fitted.Warmup != 2 {
		t.Errorf("%d transfers after %d, want the 6 that were asked for after 2: %v", short.fitted.Transfers, short.fitted.Warmup, err)
	}
	exact := sideOf(c2capp.Polled, 1e6)
	exact.exact, exact.cfg.Transfers = true, 3_000_000
	if err := exact.calibrate(t.Context()); err != nil || exact.fitted.Transfers != 3_000_000 {
		t.Errorf("%d transfers, want the 3000000 that were asked for: %v", exact.fitted.Transfers, err)
	}
}

func TestCalibrationEnds(t *testing.T) {
	x := sideOf(c2capp.Polled, 100)
	x.once = func(context.Context, c2capp.Config) (c2capp.Result, error) {
		return c2capp.Result{}, c2capp.ErrNoMeeting
	}
	if err := x.calibrate(t.Context()); !errors.Is(err, c2capp.ErrNoMeeting) {
		t.Errorf("error %v, want that of the trial", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(harness.ErrInterrupted)
	if err := sideOf(c2capp.Polled, 100).calibrate(ctx); !errors.Is(err, harness.ErrInterrupted) {
		t.Errorf("error %v, want the interrupt", err)
	}
}

// testRun returns a run over the machine twoCores, with no results yet.
func testRun(f *c2cFlags, pairs ...matrix.Pair) *c2cRun {
	s := flagsTo(new(strings.Builder))
	s.format = "text"
	r := &c2cRun{commonFlags: s, flags: f, machine: twoCores(), find: map[c2cKey]*c2cRow{}, told: func(bench.Progress) {}}
	r.bed, r.out = bedAndOutput(s, twoCores(), 1)
	r.resultFile = r.out.Results
	for _, pair := range pairs {
		r.pairs = append(r.pairs, c2cPair{Pair: pair})
	}
	return r
}

func TestTrialsTakeLinesInTurn(t *testing.T) {
	f := &c2cFlags{trials: 8, tests: "single", forms: "polled", widths: "8"}
	r := testRun(f, matrix.Pair{From: 0, To: 1})
	x := sideOf(c2capp.Polled, 100)
	var lines []int
	x.once = func(_ context.Context, cfg c2capp.Config) (c2capp.Result, error) {
		lines = append(lines, cfg.Line)
		return trialOf(cfg, float64(100+10*cfg.Line)), nil
	}
	if err := r.measureGroup(t.Context(), []*c2cSide{x}, r.told); err != nil {
		t.Fatal(err)
	}
	if kept := lines[3:]; !slices.Equal(kept, []int{0, 1, 2, 0, 1, 2, 0, 1}) {
		t.Errorf("trials used lines %v, want three in turn", kept)
	}
	row := r.rows[0]
	least, greatest, used := row.lineRange()
	if least != 100 || greatest != 120 || used != 3 || row.kept != 8 || row.placement() != "0,1" {
		t.Errorf("lines from %v to %v, %d of them, %d trials on %s; want 100 to 120, 3, 8 on 0,1", least, greatest, used, row.kept, row.placement())
	}
	label := map[string]any{}
	for _, l := range row.labels() {
		label[l.Key] = l.Value
	}
	want := map[string]any{
		"test": "single", "form": "polled", "width": 8, "layout": "same", "length": 1, "cpu-a": 0, "cpu-b": 1,
		"class": row.class.String(), "transfers": 20000, "placement": "0,1",
		"warmup-transfers": 1000, "line-count": 3, "line-low": 100.0, "line-high": 120.0, "doubted": 0,
	}
	if diff := cmp.Diff(want, label); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// TestWrongValuesGiveNoRate holds that a trial that found wrong elements ends the
// run without results.
func TestWrongValuesGiveNoRate(t *testing.T) {
	r := testRun(&c2cFlags{trials: 3}, matrix.Pair{From: 0, To: 1})
	x := sideOf(c2capp.Polled, 100)
	runs := 0
	once := x.once
	x.once = func(ctx context.Context, cfg c2capp.Config) (c2capp.Result, error) {
		if runs++; runs == 5 {
			return c2capp.Result{}, cfg.WrongElements(2)
		}
		return once(ctx, cfg)
	}
	err := r.measureGroup(t.Context(), []*c2cSide{x}, r.told)
	want := "c2c/single/polled/width=8/layout=same/cpus=0,1: c2c: wrong result: test single, form polled: elements that were not sent: got 2, expected 0"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestDoubtsAreToldOnce(t *testing.T) {
	f := &c2cFlags{trials: 4, title: true, header: true, stats: true, tests: "single", forms: "polled", widths: "8"}
	r := testRun(f, matrix.Pair{From: 0, To: 1})
	var sides []*c2cSide
	for _, form := range []c2capp.Form{c2capp.Polled, c2capp.Goroutines} {
		x := sideOf(form, 100)
		once := x.once
		x.once = func(ctx context.Context, cfg c2capp.Config) (c2capp.Result, error) {
			result, err := once(ctx, cfg)
			if cfg.Line != 1 {
				result.Ends[1].CPU = [2]int{0, 0}
			}
			return result, err
		}
		sides = append(sides, x)
	}
	if err := r.measureGroup(t.Context(), sides, r.told); err != nil {
		t.Fatal(err)
	}
	if row := r.rows[0]; row.doubted != 3 || row.placement() != "0,0 0,1" {
		t.Errorf("%d trials doubted on %s, want 3 on 0,0 and 0,1", row.doubted, row.placement())
	}
	if err := r.write(false, nil); err != nil {
		t.Fatal(err)
	}
	text := r.stdio.out.(*strings.Builder).String()
	if n := strings.Count(text, "both ends ran on processor 0"); n != 1 {
		t.Errorf("the doubt is told %d times in\n%s", n, text)
	}
}

// put adds a row whose trials took ns for each transfer.
func (r *c2cRun) put(g c2cGroup, form c2capp.Form, ns ...float64) {
	cfg := c2capp.Defaults()
	cfg.Test, cfg.Form, cfg.Width, cfg.Layout, cfg.Length = g.test, form, g.width, g.layout, g.length
	x := &c2cSide{c2cGroup: g, form: form, cfg: cfg, fitted: cfg, lines: 20}
	series := bench.Series{Side: x.name()}
	for _, v := range ns {
		trial := trialOf(cfg, v)
		x.see(trial, nil)
		series.Runs = append(series.Runs, 1)
		for i, figure := range c2cFigures(trial) {
			if i == len(series.Metrics) {
				series.Metrics = append(series.Metrics, bench.Metric{Unit: figure.Unit})
			}
			series.Metrics[i].Samples = append(series.Metrics[i].Samples, figure.Value)
		}
	}
	r.add(x, series)
}

func group(test c2capp.Test, layout c2capp.Layout, length, from, to int) c2cGroup {
	return c2cGroup{pair: matrix.Pair{From: from, To: to}, test: test, width: 8, layout: layout, length: length}
}

func TestTaskTax(t *testing.T) {
	r := testRun(&c2cFlags{}, matrix.Pair{From: 0, To: 1})
	single, array := group(c2capp.Single, c2capp.Same, 1, 0, 1), group(c2capp.Array, c2capp.Same, 64, 0, 1)
	same, separate := group(c2capp.Dual, c2capp.Same, 1, 0, 1), group(c2capp.Dual, c2capp.Separate, 1, 0, 1)
	r.put(single, c2capp.Polled, 50)
	r.put(single, c2capp.EDT, 400)
	r.put(single, c2capp.Local, 80)
	r.put(single, formC, 45)
	one := fmt.Sprint(taxRows(r))
	if want := "[single edt 400-50 of single, one line, local 80]"; one != want {
		t.Errorf("without two lines: %s, want %s", one, want)
	}
	r.put(same, c2capp.Polled, 51)
	r.put(separate, c2capp.Polled, 110)
	r.put(separate, c2capp.Chain, 330)
	r.put(array, c2capp.Polled, 200)
	r.put(array, c2capp.EDT, 900)
	r.put(group(c2capp.DualArray, c2capp.Separate, 64, 0, 1), c2capp.Polled, 300)
	want := []string{
		"single edt 400-50 of single, one line, local 80",
		"single edt 400-110 of dual, two lines, local 80",
		"dual edt-chain 330-51 of dual, one line, local 0",
		"dual edt-chain 330-110 of dual, two lines, local 0",
		"array edt 900-200 of array, local 0",
		"array edt 900-300 of dual-array, local 0",
	}
	if diff := cmp.Diff(want, taxRows(r)); diff != "" {
		t.Errorf("taxes (-want +got):\n%s", diff)
	}
	table := r.taxSection(r.taxes()).Table
	if got := strings.Join(table.Rows[3], "|"); got != "dual|edt-chain|8|1|0:1|dual, two lines|330.0|110.0|220.0|x3.000|-" {
		t.Errorf("row of the tax table: %s", got)
	}
}

func taxRows(r *c2cRun) []string {
	var rows []string
	for _, tax := range r.taxes() {
		rows = append(rows, fmt.Sprintf("%s %s %v-%v of %s, local %v", tax.row.test, tax.row.form, tax.task, tax.polled, tax.beside, tax.local))
	}
	return rows
}

// TestTaxOfClasses holds that many pairs are summed up by how far they are apart.
func TestTaxOfClasses(t *testing.T) {
	var pairs []matrix.Pair
	r := testRun(&c2cFlags{})
	for i, to := range []int{1, 3, 2} {
		pair := group(c2capp.Single, c2capp.Same, 1, 0, to)
		pairs = append(pairs, pair.pair)
		r.put(pair, c2capp.Polled, 50)
		r.put(pair, c2capp.EDT, float64(100*(i+1)))
	}
	r.put(group(c2capp.Single, c2capp.Same, 1, 0, 3), c2capp.Local, 80)
	merged := taxesByClass(r.taxes())
	if len(merged) != 2 || merged[0].row.class != topo.SMT || merged[0].task != 300 || merged[1].task != 150 || merged[1].polled != 50 || merged[0].local != 0 || merged[1].local != 80 {
		t.Errorf("taxes of %v by class: %+v, want 300 of siblings, then 150; local 80 where one pair has it", pairs, merged)
	}
}

func TestNoTaxOnOneProcessor(t *testing.T) {
	r := testRun(&c2cFlags{})
	g := group(c2capp.Single, c2capp.Same, 1, 2, 2)
	r.put(g, c2capp.Polled, 50_000)
	r.put(g, c2capp.EDT, 60_000)
	if taxes := r.taxes(); len(taxes) != 0 {
		t.Errorf("%d taxes of transfers that did not leave a processor", len(taxes))
	}
}

func TestMatrices(t *testing.T) {
	f := &c2cFlags{forms: "goroutines,polled", pairs: allPairs}
	r := testRun(f, matrix.Pair{From: 0, To: 1}, matrix.Pair{From: 1, To: 0}, matrix.Pair{From: 3, To: 3})
	r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Polled, 40, 50, 90)
	r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Goroutines, 7)
	r.put(group(c2capp.Single, c2capp.Same, 1, 3, 3), c2capp.Polled, 5000)
	r.put(group(c2capp.Flow, c2capp.Separate, 16, 0, 1), c2capp.Polled, 60)
	r.put(group(c2capp.Flow, c2capp.Separate, 16, 1, 0), c2capp.Polled, 70)
	all, err := r.matrices(true)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d matrices, want one a test: %v", len(all), err)
	}
	single, flow := all[0], all[1]
	if single.Title() != "single, polled, 8 bytes: median time one way, partial" || flow.Title() != "flow, polled, 16 x 8 bytes: median time one way, partial" {
		t.Errorf("titles %q and %q", single.Title(), flow.Title())
	}
	if !single.Symmetric() || flow.Symmetric() || single.Len() != 4 || single.Missing() != 5 || flow.Missing() != 10 {
		t.Errorf("symmetric %v, %v; missing %d of 6, %d of 12", single.Symmetric(), flow.Symmetric(), single.Missing(), flow.Missing())
	}
	for _, row := range []struct {
		m        *matrix.Matrix
		from, to int
		want     float64
	}{{single, 0, 2, 50}, {single, 2, 0, 50}, {flow, 0, 2, 60}, {flow, 2, 0, 70}} {
		if v, _ := row.m.Value(row.from, row.to); v != row.want {
			t.Errorf("%s: pair %v has %v, want %v", row.m.Title(), row.m.Pair(row.from, row.to), v, row.want)
		}
	}
	f.pairs = "0:1,1:0"
	r.put(group(c2capp.Single, c2capp.Same, 1, 1, 0), c2capp.Polled, 55)
	all, err = r.matrices(false)
	if err != nil || all[0].Symmetric() || all[0].Len() != 2 {
		t.Errorf("a pair asked for both ways is shown both ways: %v", err)
	}
}

// TestSwitches holds what each print switch takes out of the text.
func TestSwitches(t *testing.T) {
	const title, head, trial = "single, 8-byte elements", "p50", "\npolled      2     1 "
	for _, c := range []struct {
		flags    c2cFlags
		has, not []string
	}{
		{c2cFlags{title: true, header: true, stats: true}, []string{title, head, "c2c: verified", "machine"}, []string{trial}},
		{c2cFlags{header: true, stats: true}, []string{head}, []string{title, "verified", "machine"}},
		{c2cFlags{title: true, stats: true}, []string{title}, []string{head}},
		{c2cFlags{title: true, header: true, perTrial: true}, []string{title + ": trials", "ns/oneway-b", trial}, []string{head, "tax"}},
		{c2cFlags{perTrial: true}, []string{"\npolled  2  1 "}, []string{title, "ns/oneway"}},
	} {
		f := c.flags
		f.tests, f.forms, f.widths = "single", "polled", "8"
		r := testRun(&f, matrix.Pair{From: 0, To: 1})
		r.put(group(c2capp.Single, c2capp.Same, 1, 0, 1), c2capp.Polled, 50, 51, 52, 53, 54, 55)
		if err := r.write(false, nil); err != nil {
			t.Fatal(err)
		}
		text := r.stdio.out.(*strings.Builder).String()
		for _, part := range c.has {
			if !strings.Contains(text, part) {
				t.Errorf("%+v: no %q in\n%s", c.flags, part, text)
			}
		}
		for _, part := range c.not {
			if strings.Contains(text, part) {
				t.Errorf("%+v: %q in\n%s", c.flags, part, text)
			}
		}
	}
}

// TestC2CDocument runs every test in every form and holds the document against the
// definitions of its metrics.
func TestC2CDocument(t *testing.T) {
	defer goleak.VerifyNone(t)
	mask := twoCPUs(t)
	code, out, errs := call(t.Context(), noEnv, "c2c", "--cpus", fmt.Sprintf("%d,%d", mask[1], mask[0]), "--test", "all", "--width", "1",
		"--lengths", "33", "--forms", "polled,goroutines,edt,edt-chain,edt-local,edt-parked", "--baseline", "goroutines",
		"--stim-len", "300", "--warmup", "10", "--trials", "2", "--format", "json")
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	d := decode(t, out)
	if d.App != "c2c" || !d.Verified || d.Partial {
		t.Errorf("app, verified, partial = %s, %v, %v", d.App, d.Verified, d.Partial)
	}
	// Of single 6 forms, dual 6 and 2 on one line, the arrays and flow 6, blocked 2
	// and ring 4.
	if want := 6 + 8 + 3*6 + 2 + 4; len(d.Results) != want {
		t.Errorf("%d results, want %d", len(d.Results), want)
	}
	for _, r := range d.Results {
		test := c2capp.Test(strings.Split(r.Name, "/")[1])
		one, b := r.Metrics[timeUnit(test)], r.Metrics[timeUnit(test)+"-b"]
		if one.N != 2 || one.Min <= 0 || b.Min <= 0 {
			t.Errorf("%s: %+v by A, %+v by B", r.Name, one, b)
		}
		round, ok := r.Metrics["ns/roundtrip"]
		if ok != test.Replies() || ok && math.Abs(round.Samples[0]/one.Samples[0]-2) > 1e-9 {
			t.Errorf("%s: round trip %v, one way %v", r.Name, round.Samples, one.Samples)
		}
		if rate := r.Metrics["transfers/s"].Samples[0] * one.Samples[0]; math.Abs(rate-1e9) > 1 {
			t.Errorf("%s: transfers/s times ns is %v, want 1e9", r.Name, rate)
		}
		for _, unit := range []string{"preemptions", "collections"} {
			if _, ok := r.Metrics[unit]; !ok {
				t.Errorf("%s has no %s", r.Name, unit)
			}
		}
		if n := r.Metrics["collections"].Samples[0]; n != 0 {
			t.Errorf("%s: %v collections in a trial", r.Name, n)
		}
	}
	if !slices.Equal(d.Machine.Placement, []int{mask[1], mask[0]}) {
		t.Errorf("placement %v, want end A on %d", d.Machine.Placement, mask[1])
	}
	if d.Counters["event.created"] == 0 {
		t.Errorf("counters are not those of a chain: %v", d.Counters)
	}
}

func TestC2CInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	twoCPUs(t)
	svg := filepath.Join(t.TempDir(), "x.svg")
	code, out, errs := callInterrupted(t, thirdSample, "c2c", "--trials", "1000000", "--forms", "polled,edt", "--baseline", "none", "--stim-len", "200", "--warmup", "100", "--svg", svg, "--format", "json")
	if code != exitInterrupted || errs != "ocrbench: interrupted\n" {
		t.Errorf("exit code %d, stderr %q; want 130, interrupted", code, errs)
	}
	if d := decode(t, out); !d.Partial || len(d.Results) == 0 {
		t.Errorf("partial %v with %d results, want those so far, marked", d.Partial, len(d.Results))
	}
	if drawn := read(t, svg); !strings.Contains(drawn, "partial") {
		t.Error("the drawing is not marked partial")
	}
	matrix := filepath.Join(t.TempDir(), "x.csv")
	code, out, errs = callInterrupted(t, thirdSample, "c2c", "--trials", "1000000", "--test", "single", "--forms", "polled", "--baseline", "none", "--stim-len", "200", "--warmup", "100", "--matrix", matrix)
	if code != exitInterrupted || errs != "ocrbench: interrupted\n" {
		t.Errorf("exit code %d, stderr %q; want 130, interrupted", code, errs)
	}
	if !strings.Contains(out, "c2c: verified, partial: not all samples were taken\n") || !strings.Contains(out, "\npolled ") {
		t.Errorf("stdout:\n%s", out)
	}
	if written := read(t, matrix); !strings.Contains(written, "partial") {
		t.Error("the matrix is not marked partial")
	}
}
