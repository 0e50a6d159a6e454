package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	c2capp "ocr/apps/c2c"
	pgasapp "ocr/apps/pgas"
	"ocr/apps/shmem"
	"ocr/internal/bench"
	"ocr/internal/harness"
	"ocr/internal/machine"
	"ocr/internal/matrix"
	"ocr/internal/matrix/matrixtest"
	"ocr/internal/report"
	"ocr/internal/topo"
	"ocr/runtime"
)

func TestPGASUsageErrors(t *testing.T) {
	const list = "must be a comma-separated list of "
	for _, c := range []struct{ args, want string }{
		{"nosuch", "unknown test nosuch: must be one of putget, putput, "},
		{"putget a\x1bb", `unknown test "a\x1bb": must be one of putget, `},
		{"--workers 2", "unknown flag --workers: see ocrbench pgas --help"},
		{"--pes 0", "--pes 0: must be a whole number in 1.."},
		{"--pes -2", "--pes -2: must be a whole number in 1.."},
		{"--pes 3", "--pes 3: PEs work in pairs: must be even numbers"},
		{"putget --pes 1", "--pes 1: PEs work in pairs: must be even numbers"},
		{"putget --pes 4 --partner-offset 3", "--partner-offset 3: must be 0..2"},
		{"putget --pes 6 --partner-offset 2", "--partner-offset 2: the number of PEs (6) must be a multiple of twice the offset: must be 0, 1, 3"},
		{"putget --partner-offset -1", "--partner-offset -1: must be a whole number in 0.."},
		{"putbw --sizes 512MiB", "--sizes 512MiB: the test needs a segment of "},
		{"putbw --segment 1MiB", "--segment 1MiB: the test needs a segment of "},
		{"putbw --segment 0", "--segment 0: must be a size in 1..16GiB"},
		{"--sizes 0", "--sizes 0: " + errSizes.Error()},
		{"--sizes -17179869183GiB", "--sizes -17179869183GiB: " + errSizes.Error()},
		{"--svg=", `--svg "": must be a file`},
		{"stridedput --strides 1048576", "--strides 1048576: the test needs a segment of "},
		{"--compat --sizes 2", "--sizes 2: --compat prints elements of 4 bytes: must be multiples of it"},
		{"putbw --compat --sizes 4,6", "--sizes 4,6: --compat prints elements of 4 bytes: must be multiples of it"},
		{"--sizes -4", "--sizes -4: " + errSizes.Error()},
		{"--sizes 4:2", "--sizes 4:2: " + errSizes.Error()},
		{"--sizes 4:4GiB", "--sizes 4:4GiB: " + errSizes.Error()},
		{"--sizes 9223372036854775807KiB", "--sizes 9223372036854775807KiB: " + errSizes.Error()},
		{"--sizes=", `--sizes "": ` + errSizes.Error()},
		{"stridedput --sizes 6", "--sizes 6: elements have 4 bytes: must be multiples of 4"},
		{"putput --sizes 12", "--sizes 12: the flag is the message's last word: must be 4 and multiples of 8"},
		{"reduce --type int64 --sizes 4", "--sizes 4: elements are int64: must be multiples of 8"},
		{"stridedput --strides 0", "--strides 0: " + errStrides.Error()},
		{"stridedput --strides -2", "--strides -2: " + errStrides.Error()},
		{"stridedput --strides 1.5", "--strides 1.5: " + errStrides.Error()},
		{"stridedput --strides 1:2097152", "--strides 1:2097152: " + errStrides.Error()},
		{"stridedput --sizes 4MiB --strides 1024", "--sizes 4MiB: the test needs a segment of "},
		{"stridedput --strided source", "--strided source: " + list + "target, origin, both"},
		{"stridedput --element 2", "--element 2: must be one of 4, 8"},
		{"putbw --window 3", "--window 3: " + list + "1, 2, 4, 8, "},
		{"putbw --completion none", "--completion none: " + list + "remote, local"},
		{"putbw --mode cold", "--mode cold: " + list + "hot, stream"},
		{"--forms mpi", "--forms mpi: " + list + "direct, edt"},
		{"--sync all", "--sync all: " + list + "barrier, p2p, flag"},
		{"sync --sync flag", "--sync flag: must be, for test sync, a list of barrier, p2p"},
		{"putput --forms edt --sync flag", "--sync flag: an EDT does not poll: "},
		{"--type int8", "--type int8: " + list + "int32, int64, float32, float64"},
		{"--iters -1", "--iters -1: must be a whole number in 0.."},
		{"--max-time 0s", "--max-time 0s: must be a duration in 1ms..1h0m0s"},
		{"--baseline c", "--baseline c: " + list + "copy, copyfresh, line, c2c, none"},
		{"--baseline none,copy", "--baseline none,copy: none cannot be had together with another"},
		{"--compat --format csv", "--compat: must be with --format text, it is csv"},
		{"--svg -", "--svg -: must be a file: results go to standard output"},
		{"--svg /nonexistent/x", "--svg /nonexistent/x: must be a file in a directory that can be written: "},
		{"--cpus 8190", "--cpus 8190: the process may not use 8190: must be within "},
	} {
		t.Run(c.args, func(t *testing.T) {
			wantUsage(t, noEnv, append([]string{"pgas"}, strings.Split(c.args, " ")...), c.want)
		})
	}
	wantUsage(t, envOf("OCRBENCH_PES=odd"), []string{"pgas"}, "OCRBENCH_PES odd: must be a whole number in 1..")
}

func TestBytesReadAndWrite(t *testing.T) {
	for text, want := range map[string]int{"8": 8, "100B": 100, "4KiB": 4096, "3MiB": 3 << 20, "1GiB": 1 << 30, "1536": 1536} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("parseBytes(%q) = %d, %v, want %d", text, got, err, want)
		}
		if back, err := parseBytes(formatBytes(want)); err != nil || back != want {
			t.Errorf("%d is written as %s, which reads as %d, %v", want, formatBytes(want), back, err)
		}
	}
	for _, text := range []string{"", "KiB", "4kb", "1e3", "4 KiB", "0x10", "99999999999GiB", "-17179869183GiB", "-1"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("parseBytes(%q) = %d, want an error", text, got)
		}
	}
	if got, ok := parseSizes("4KiB,4:32,8"); !ok || !slices.Equal(got, []int{4, 8, 16, 32, 4096}) {
		t.Errorf("parseSizes = %v, %v", got, ok)
	}
}

// pgasRunOf returns a run of some tests by flags, without a machine.
func pgasRunOf(t *testing.T, pes int, change func(f *pgasFlags), names ...string) *pgasRun {
	t.Helper()
	s := flagsTo(new(bytes.Buffer))
	f := new(pgasFlags)
	f.command(s.session)
	f.l2, f.segment = 1<<20, 64<<20
	if change != nil {
		change(f)
	}
	tests, err := testsNamed(names)
	if err != nil {
		t.Fatal(err)
	}
	cpus := make([]int, pes)
	for i := range cpus {
		cpus[i] = i
	}
	r := &pgasRun{
		machine:     &machine.Machine{Topology: matrixtest.Machine{Packages: 1, Nodes: 1, L3s: 1, Cores: pes, Threads: 1}.Topology(), Allowed: cpus},
		commonFlags: s, flags: f, tests: tests, find: map[pgasKey]*pgasRow{},
	}
	r.bed, r.out = bedAndOutput(s, r.machine, pes)
	r.workers = r.bed.Pool
	for size, level := range map[uint64]int{32 << 10: 1, 1 << 20: 2, 32 << 20: 3} {
		r.caches = append(r.caches, topo.Cache{Level: level, Type: "Data", Size: size, CPUs: []int{0, 1}[:1+level/3]})
	}
	r.partnerCPU = 1
	slices.SortFunc(r.caches, func(a, b topo.Cache) int { return a.Level - b.Level })
	return r
}

// rowsOf names the rows that a test has.
func rowsOf(t *testing.T, r *pgasRun) []string {
	t.Helper()
	var names []string
	for _, test := range r.tests {
		keys, without, err := r.keysOf(test, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			names = append(names, strings.TrimPrefix(r.resultName(k), "pgas/"))
		}
		if len(keys) == 0 {
			names = append(names, without.Error())
		}
	}
	return names
}

// TestPGASRows holds which settings a test is run with, and what its results are
// called.
func TestPGASRows(t *testing.T) {
	directOnly := func(f *pgasFlags) { f.forms = "direct" }
	for _, c := range []struct {
		test   string
		change func(f *pgasFlags)
		want   []string
	}{
		{"putget", nil, []string{"putget/direct/bytes=8/pes=2", "putget/edt/bytes=8/pes=2"}},
		{"sync", nil, []string{"sync/direct/pes=2", "sync/edt/pes=2", "sync/direct/pes=2/sync=p2p", "sync/edt/pes=2/sync=p2p"}},
		{"putput", func(f *pgasFlags) { f.sizes = "4" }, []string{
			"putput/direct/bytes=4/pes=2", "putput/edt/bytes=4/pes=2",
			"putput/direct/bytes=4/pes=2/sync=p2p", "putput/edt/bytes=4/pes=2/sync=p2p", "putput/direct/bytes=4/pes=2/sync=flag",
		}},
		{"putbw", func(f *pgasFlags) { f.sizes, f.forms = "8", "edt" }, []string{
			"putbw/edt/bytes=8/pes=2", "putbw/edt/bytes=8/pes=2/window=64",
			"putbw/edt/bytes=8/pes=2/mode=stream",
		}},
		{"putbw", func(f *pgasFlags) { f.sizes, f.windows, f.modes = "8", "1", "hot" }, []string{
			"putbw/direct/bytes=8/pes=2", "putbw/edt/bytes=8/pes=2", "putbw/direct/bytes=8/pes=2/completion=local",
		}},
		{"putbw", func(f *pgasFlags) {
			f.sizes, f.windows, f.modes, f.forms, f.completions = "8", "1", "hot", "edt", "local"
		}, []string{
			"putbw/edt/bytes=8/pes=2/completion=local",
		}},
		{"putbw", func(f *pgasFlags) { f.sizes, f.forms, f.full, f.modes = "8", "direct", true, "stream" }, []string{
			"putbw/direct/bytes=8/pes=2/mode=stream", "putbw/direct/bytes=8/pes=2/completion=local/mode=stream",
			"putbw/direct/bytes=8/pes=2/window=64/mode=stream", "putbw/direct/bytes=8/pes=2/window=64/completion=local/mode=stream",
		}},
		{"getbw", func(f *pgasFlags) { f.sizes, f.forms = "8", "direct" }, []string{"getbw/direct/bytes=8/pes=2", "getbw/direct/bytes=8/pes=2/mode=stream"}},
		{"stridedput", directOnly, []string{
			"stridedput/direct/bytes=131072/pes=2", "stridedput/direct/bytes=131072/pes=2/stride=8",
			"stridedput/direct/bytes=131072/pes=2/stride=8/strided=origin", "stridedput/direct/bytes=131072/pes=2/stride=8/strided=both",
		}},
		{"stridedget", func(f *pgasFlags) {
			f.forms, f.strides, f.sides, f.element, f.partnerOffset = "direct", "2:4", "both", "8", 1
		}, []string{
			"stridedget/direct/bytes=131072/pes=2/stride=2/strided=both/partner-offset=1/element=8",
			"stridedget/direct/bytes=131072/pes=2/stride=4/strided=both/partner-offset=1/element=8",
		}},
		{"randomget", func(f *pgasFlags) { f.forms, f.sizes, f.self = "edt", "64", true }, []string{"randomget/edt/bytes=64/pes=2/self=true"}},
		{"reduce", func(f *pgasFlags) { f.forms, f.types = "direct", "float64,int32" }, []string{
			"reduce/direct/bytes=8/pes=2", "reduce/direct/bytes=8/pes=2/type=float64",
			"reduce/direct/bytes=65536/pes=2", "reduce/direct/bytes=65536/pes=2/type=float64",
			"reduce/direct/bytes=4194304/pes=2", "reduce/direct/bytes=4194304/pes=2/type=float64",
		}},
		{"copy", func(f *pgasFlags) { f.sizes, f.forms = "8", "edt" }, []string{"copy/direct/bytes=8/pes=2", "copy/direct/bytes=8/pes=2/mode=stream"}},
		{"sync", func(f *pgasFlags) { f.syncs = "flag" }, []string{"--sync flag: must be, for test sync, a list of barrier, p2p"}},
	} {
		t.Run(c.test, func(t *testing.T) {
			if diff := cmp.Diff(c.want, rowsOf(t, pgasRunOf(t, 2, c.change, c.test))); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPGASFullIsTheSuite holds that --full has the original's sizes and strides.
func TestPGASFullIsTheSuite(t *testing.T) {
	r := pgasRunOf(t, 2, func(f *pgasFlags) { f.full, f.forms = true, "direct" })
	counts := map[string]int{}
	for _, name := range rowsOf(t, r) {
		test, _, _ := strings.Cut(name, "/")
		counts[test]++
	}
	for test, want := range map[string]int{
		"putget": 2, "putput": 6, "sync": 2, "putbw": 21 * 8, "getbw": 21 * 2, "stridedput": 1 + 5*3, "randomput": 21, "reduce": 21,
	} {
		if counts[test] != want {
			t.Errorf("%s has %d rows, want %d", test, counts[test], want)
		}
	}
}

// TestPGASGroups holds that what is set against each other takes turns: a size with its
// baselines, and what has no size with the words of 8 bytes.
func TestPGASGroups(t *testing.T) {
	groupsOf := func(change func(*pgasFlags), names ...string) []string {
		r := pgasRunOf(t, 2, change, names...)
		if err := r.layOut(len(names) == 0); err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, g := range r.groups {
			var tests []string
			for _, k := range g.keys {
				tests = append(tests, k.test)
			}
			told = append(told, fmt.Sprintf("%s: %s", formatBytes(g.bytes), strings.Join(slices.Compact(tests), " ")))
		}
		return told
	}
	sized := func(sizes string) func(*pgasFlags) { return func(f *pgasFlags) { f.sizes = sizes } }
	for _, c := range []struct {
		got, want []string
	}{
		{groupsOf(sized("4,8"), "putget", "sync"), []string{"4: putget line", "8: putget sync line c2c"}},
		{groupsOf(sized("4,16"), "putget"), []string{"4: putget line c2c", "16: putget line"}},
		{groupsOf(sized("4KiB"), "putbw", "randomput", "reduce"), []string{"4KiB: putbw randomput copy copyfresh", "4KiB: reduce line"}},
		{groupsOf(nil, "reduce"), []string{"8: reduce line", "64KiB: reduce line", "4MiB: reduce line"}},
		{groupsOf(sized("8"), "putget", "reduce"), []string{"8: putget line c2c", "8: reduce line"}},
		{groupsOf(sized("8"), "sync", "reduce"), []string{"8: sync line c2c", "8: reduce line"}},
		{groupsOf(nil, "stridedput"), []string{"128KiB: stridedput", "128KiB: stridedput"}},
		{groupsOf(func(f *pgasFlags) { f.baseline = "copy,line" }, "sync"), []string{"8: sync line"}},
		{groupsOf(func(f *pgasFlags) { f.baseline = noBaseline }, "putget"), []string{"8: putget"}},
		{groupsOf(nil, "copy"), []string{"8: copy", "4KiB: copy", "64KiB: copy", "4MiB: copy"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("groups (-want +got):\n%s", diff)
		}
	}
}

// TestPGASLeavesOutWhatDoesNotFit: the whole suite has rows that grow with the PEs.
func TestPGASLeavesOutWhatDoesNotFit(t *testing.T) {
	r := pgasRunOf(t, 128, func(f *pgasFlags) { f.forms = "direct" })
	if err := r.layOut(true); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.notes, func(n string) bool {
		return strings.HasPrefix(n, "left out: randomput direct 8: --segment 64MiB: the test needs a segment of ")
	}) {
		t.Errorf("notes %q, want one about randomput", r.notes)
	}
}

func TestPGASFits(t *testing.T) {
	r := pgasRunOf(t, 2, nil)
	for _, c := range []struct {
		test  string
		bytes int
		set   func(*pgasVariant)
		want  string
	}{
		{"putbw", 8, nil, "L1"},
		{"putbw", 15 << 10, nil, "L1"},
		{"putbw", 16 << 10, nil, "L2"}, // and room to slide
		{"putbw", 32 << 10, nil, "L2"},
		{"putbw", 500 << 10, nil, "L2"},
		{"putbw", 1 << 20, nil, "L3"},
		{"putbw", 32 << 20, nil, "memory"},
		{"putbw", 8, func(v *pgasVariant) { v.stream = true }, "L3"},
		{"stridedput", 128 << 10, nil, "L2"},
		{"stridedput", 128 << 10, func(v *pgasVariant) { v.stride = 8 }, "L3"},
		{"putget", 8 << 10, nil, "L1"},
		{"putget", 15 << 10, nil, "L2"}, // three buffers
		{"putget", 350 << 10, nil, "L3"},
		{"stridedput", 32 << 10, func(v *pgasVariant) { v.stride = 32 }, "L2"}, // elements take a line each
		{"stridedput", 32 << 10, func(v *pgasVariant) { v.stride = 1024 }, "L2"},
		{"copyfresh", 64 << 10, nil, "other core's L2"},
		{"copyfresh", 4 << 20, nil, "L3"},
		{"sync", 0, nil, ""},
	} {
		v := plainVariant(c.test, c.bytes)
		if c.set != nil {
			c.set(&v)
		}
		if got := r.fits(pgasKey{v, pgasapp.Direct}); got != c.want {
			t.Errorf("%s of %d bytes fits %q, want %q", c.test, c.bytes, got, c.want)
		}
	}
	r.caches = nil
	if got := r.fits(pgasKey{plainVariant("putbw", 8), pgasapp.Direct}); got != "?" {
		t.Errorf("without caches it fits %q, want ?", got)
	}
}

// timing is a PE that was timed from start to end, ns, in even slices.
func timing(pe, iterations int, start, end time.Duration) pgasapp.Timing {
	half := pgasapp.Mark{Iterations: iterations / 2, At: (start + end) / 2}
	return pgasapp.Timing{PE: pe, Start: start, End: end, Marks: []pgasapp.Mark{half, {Iterations: iterations, At: end}}}
}

func TestPGASFigures(t *testing.T) {
	cfg := pgasapp.Defaults("putbibw")
	cfg.Bytes = 1 << 20
	r := pgasapp.Result{Config: cfg, Iterations: 1000, Origins: []pgasapp.Timing{
		timing(0, 1000, 0, time.Second), timing(1, 1000, time.Second, 3*time.Second),
	}}
	test, _ := pgasapp.Lookup("putbibw")
	want := []bench.Value{
		{Unit: "ns/op", Value: 1.5e6}, {Unit: "MB/s", Value: 750}, {Unit: "GB/s", Value: 0.786432},
		{Unit: "min-MB/s", Value: 500}, {Unit: "max-MB/s", Value: 1000}, {Unit: "sum-MB/s", Value: 1500},
		{Unit: "aggregate-MB/s", Value: 2000.0 / 3}, {Unit: "aggregate-GB/s", Value: 2000.0 / 3 * (1 << 20) / 1e9},
		{Unit: "msg/s", Value: 750},
	}
	if diff := cmp.Diff(want, pgasFigures(test, r), nearly); diff != "" {
		t.Errorf("bandwidth (-want +got):\n%s", diff)
	}
	test, _ = pgasapp.Lookup("putget")
	want = []bench.Value{{Unit: "ns/op", Value: 1.5e6}, {Unit: "ns/half", Value: 0.75e6}, {Unit: "MB/s", Value: 750}, {Unit: "msg/s", Value: 750}}
	if diff := cmp.Diff(want, pgasFigures(test, r), nearly); diff != "" {
		t.Errorf("round trip (-want +got):\n%s", diff)
	}
	test, _ = pgasapp.Lookup("reduce")
	want = []bench.Value{{Unit: "ns/op", Value: 1.5e6}, {Unit: "MB/s", Value: 750}, {Unit: "msg/s", Value: 750}}
	if diff := cmp.Diff(want, pgasFigures(test, r), nearly); diff != "" {
		t.Errorf("reduction (-want +got):\n%s", diff)
	}
	test, _ = pgasapp.Lookup("sync")
	want = []bench.Value{{Unit: "ns/op", Value: 1.5e6}, {Unit: "msg/s", Value: 750}}
	if diff := cmp.Diff(want, pgasFigures(test, r), nearly); diff != "" {
		t.Errorf("synchronisation (-want +got):\n%s", diff)
	}
}

var nearly = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(a) })

// withRow adds a row of two samples of one iteration time, ns, and one rate, MB/s.
func withRow(r *pgasRun, k pgasKey, ns, rate float64) {
	row := &pgasRow{pgasKey: k, iterations: 500, origins: 1, fits: r.fits(k)}
	row.pgasKept = pgasKept{kept: 2, repetitions: 1000, slices: []float64{ns, ns, ns}, sliced: []float64{5, 5, 5}}
	row.series.Metrics = []bench.Metric{{Unit: "ns/op", Samples: []float64{ns, ns}}}
	if rate > 0 {
		row.series.Metrics = append(row.series.Metrics, bench.Metric{Unit: "MB/s", Samples: []float64{rate, rate}})
	}
	row.series.Side, row.series.Runs = r.resultName(k), []int{1, 1}
	r.rows = append(r.rows, row)
	r.find[k] = row
}

// TestPGASCompat holds the original's columns, byte by byte.
func TestPGASCompat(t *testing.T) {
	r := pgasRunOf(t, 4, nil)
	withRow(r, pgasKey{plainVariant("putget", 4), pgasapp.Direct}, 1234.5, 0)
	withRow(r, pgasKey{plainVariant("sync", 0), pgasapp.EDT}, 200, 0)
	withRow(r, pgasKey{plainVariant("putbw", 4), pgasapp.Direct}, 10, 381.46972)
	windowed := plainVariant("putbw", 4)
	windowed.window, windowed.completion = 64, pgasapp.Local
	withRow(r, pgasKey{windowed, pgasapp.EDT}, 10, 50.25)
	withRow(r, pgasKey{plainVariant("putbw", 4<<20), pgasapp.Direct}, 10, 26000)
	withRow(r, pgasKey{plainVariant("stridedput", 128<<10), pgasapp.Direct}, 10, 20000)
	strided := plainVariant("stridedput", 128<<10)
	strided.stride = 8
	withRow(r, pgasKey{strided, pgasapp.Direct}, 10, 9042.0625)
	fromOrigin := strided
	fromOrigin.strided = pgasapp.AtOrigin
	withRow(r, pgasKey{fromOrigin, pgasapp.Direct}, 10, 9100)
	r.flags.sides = "target,origin"
	sum := plainVariant("reduce", 64<<10)
	sum.element = shmem.Float64
	withRow(r, pgasKey{sum, pgasapp.Direct}, 4321, 0)
	want := `
Put-Get Latency (2 pairs)
          1.23450000 us

SYNC Latency (2 pairs) [barrier, edt]
          0.20000000 us

1-way Put Bandwidth (2 pairs)
             blksize                 nrep  bandwidth (MB/s)
                   1                 1000           381.470
             1048576                 1000         26000.000

1-way Put Bandwidth (2 pairs) [edt, window=64, completion=local]
             blksize                 nrep  bandwidth (MB/s)
                   1                 1000            50.250

1-way Strided Put Bandwidth (2 pairs) [strided at target]
               count               stride                 nrep  bandwidth (MB/s)
               32768                    1                 1000         20000.000
               32768                    8                 1000          9042.062

1-way Strided Put Bandwidth (2 pairs) [strided at origin]
               count               stride                 nrep  bandwidth (MB/s)
               32768                    8                 1000          9100.000

Reduction, src != dst (4 PEs) [type=float64]
             blksize                 nrep      latency (us)
                8192                 1000             4.321
`
	var got bytes.Buffer
	r.compat(&got)
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

func TestPGASChecks(t *testing.T) {
	r := pgasRunOf(t, 2, nil)
	p2p := plainVariant("putput", 8)
	p2p.sync = pgasapp.Pairwise
	streamed := plainVariant("copy", 4096)
	streamed.stream = true
	withRow(r, pgasKey{plainVariant("putbw", 4096), pgasapp.Direct}, 50, 1)
	withRow(r, pgasKey{plainVariant("copy", 4096), pgasapp.Direct}, 40, 1)
	withRow(r, pgasKey{streamed, pgasapp.Direct}, 72, 50000)
	withRow(r, pgasKey{plainVariant("putget", 8), pgasapp.Direct}, 30, 0)
	withRow(r, pgasKey{plainVariant("line", 0), pgasapp.Direct}, 120, 0)
	withRow(r, pgasKey{p2p, pgasapp.Direct}, 150, 0)
	withRow(r, pgasKey{p2p, pgasapp.EDT}, 600, 0)
	withRow(r, pgasKey{plainVariant(baseC2C, 0), formPolled}, 100, 0)
	withRow(r, pgasKey{plainVariant("sync", 0), pgasapp.Direct}, 80, 0)
	withRow(r, pgasKey{plainVariant("reduce", 64<<10), pgasapp.Direct}, 5000, 0)
	withRow(r, pgasKey{plainVariant("stridedput", 128<<10), pgasapp.Direct}, 7812.5, 1)
	var got []string
	for _, c := range r.checks() {
		got = append(got, fmt.Sprintf("%s: %s / %s %s = %s, %v: %s", c.what, c.measured, c.against, c.limited, report.Short(c.ratio), c.aim, c.verdict()))
	}
	want := []string{
		"putbw direct 4KiB: 78125 MB/s / copy, same buffers 97656 MB/s = 0.8000, at least 0.9: missed",
		"putget direct 8 (hot: target idle): 30.00 ns / store and load of a line 120.0 ns = 0.2500, at most 3: met",
		"putput direct 8 sync=p2p: 150.0 ns / two one-way hand-offs of c2c 100.0 ns = 1.500, at most 1.3: missed",
		"sync direct: 80.00 ns / a round trip of c2c 100.0 ns = 0.8000, at most 1.5: met",
		"putput edt 8 sync=p2p: 600.0 ns / form direct 150.0 ns = 4.000, at most 5: met",
		"reduce direct 64KiB: 5000 ns / fixed 20000 ns = 0.2500, at most 1: met",
		"stridedput direct 128KiB stride=1: 16000 MB/s / fixed 8192 MB/s = 1.953, at least 1: met",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
	table := checkTable(r.checks())
	if head := table.Head[len(table.Head)-1]; head != "verdict" || table.Rows[2][len(table.Head)-1] != "missed" {
		t.Errorf("table %+v", table)
	}
	if slow := (pgasCheck{ratio: 0.89, aim: atLeast(0.9)}).verdict(); slow != "missed" {
		t.Errorf("0.89 of at least 0.9 is %s", slow)
	}
	r.workers.CPUs = r.workers.CPUs[:1]
	if checks := r.checks(); len(checks) > 0 {
		t.Errorf("%d checks of PEs that share a processor", len(checks))
	}
}

func TestPGASTaxAndCopy(t *testing.T) {
	r := pgasRunOf(t, 2, nil)
	v := plainVariant("putbw", 4096)
	withRow(r, pgasKey{v, pgasapp.Direct}, 40, 1)
	withRow(r, pgasKey{v, pgasapp.EDT}, 160, 1)
	withRow(r, pgasKey{plainVariant("copy", 4096), pgasapp.Direct}, 36, 1)
	table := tableOf(r.bandwidthColumns(), r.ordered(bandwidthClass))
	cell := func(row int, head string) string { return table.Rows[row][slices.Index(table.Head, head)] }
	if got := cell(0, "of copy") + " " + cell(1, "of copy") + " " + cell(2, "of copy"); got != "0.9000 0.2250 -" {
		t.Errorf("of copy: %s", got)
	}
	if got := cell(0, "vs direct") + " " + cell(1, "vs direct"); got != "- x4.000" {
		t.Errorf("vs direct: %s", got)
	}
	if slices.Contains(table.Head, "stride") || slices.Contains(table.Head, "sum") {
		t.Errorf("columns without a figure are shown: %v", table.Head)
	}
}

// TestPGASBudget holds that the samples of a row stay within --max-time together.
func TestPGASBudget(t *testing.T) {
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
		r := &pgasRun{commonFlags: flagsTo(nil)}
		r.sampling.Samples, r.sampling.Warmup, r.sampling.SampleTime = c.samples, c.warmup, c.sampleTime
		r.flags = &pgasFlags{iters: c.iters, maxTime: c.maxTime}
		if got := r.budget().first(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// sampled returns a side whose runs last as told, one after the other, and what it asked
// the app for.
func sampled(b pgasBudget, iters int, lasting ...time.Duration) (*pgasSide, *[]string) {
	var asked []string
	x := &pgasSide{
		pgasKey: pgasKey{plainVariant("putbw", 8), pgasapp.Direct},
		budget:  b, cfg: pgasapp.Config{Iterations: iters, MaxTime: b.first()},
	}
	x.once = func(_ context.Context, cfg pgasapp.Config) (pgasapp.Result, error) {
		n := 640 + len(asked)
		elapsed := lasting[len(asked)]
		asked = append(asked, fmt.Sprint(cfg.Iterations, " ", cfg.MaxTime))
		return pgasapp.Result{Iterations: n, Origins: []pgasapp.Timing{timing(0, n, 0, elapsed)}}, nil
	}
	return x, &asked
}

// TestPGASHasOneNumberOfIterations holds that the first sample finds N, that the others
// have it, and that each gets its share of the time that is left.
func TestPGASHasOneNumberOfIterations(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name    string
		budget  pgasBudget
		iters   int
		lasting []time.Duration
		samples int
		want    []string
		spent   bool
	}{
		{"room", pgasBudget{100 * ms, 10 * ms, 3}, 0, []time.Duration{10 * ms, 10 * ms, 10 * ms}, 3,
			[]string{"0 20ms", "640 45ms", "640 80ms"}, false},
		{"a long one takes from the others", pgasBudget{100 * ms, 10 * ms, 3}, 0, []time.Duration{10 * ms, 84 * ms, 10 * ms}, 3,
			[]string{"0 20ms", "640 45ms", "640 6ms"}, true},
		{"nothing is left", pgasBudget{20 * ms, 10 * ms, 3}, 0, []time.Duration{30 * ms, 10 * ms}, 2,
			[]string{"0 6.666666ms", "640 1ms"}, true},
		{"calibration was disturbed", pgasBudget{100 * ms, 10 * ms, 3}, 0, []time.Duration{2 * ms, 4 * ms, 8 * ms, 1 * ms}, 2,
			[]string{"0 20ms", "0 20ms", "0 20ms", "642 43ms"}, false},
		{"as often as twice", pgasBudget{100 * ms, 10 * ms, 3}, 0, []time.Duration{2 * ms, 2 * ms, 2 * ms, 1 * ms}, 2,
			[]string{"0 20ms", "0 20ms", "0 20ms", "642 47ms"}, false},
		{"--max-time leaves no room", pgasBudget{30 * ms, 10 * ms, 3}, 0, []time.Duration{2 * ms, 2 * ms}, 2,
			[]string{"0 10ms", "640 14ms"}, false},
		{"given", pgasBudget{30 * ms, 0, 3}, 100, []time.Duration{1 * ms}, 1, []string{"100 10ms"}, false},
		{"given and cut for nothing", pgasBudget{30 * ms, 0, 3}, 1000, []time.Duration{1 * ms, 9 * ms}, 1, []string{"1000 10ms", "1000 10ms"}, false},
	} {
		x, asked := sampled(c.budget, c.iters, c.lasting...)
		side := x.side()
		for range c.samples {
			elapsed, err := side.Once(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			side.Figures(elapsed, 1)
		}
		if diff := cmp.Diff(c.want, *asked); diff != "" || x.spentUp(false) != c.spent {
			t.Errorf("%s: spent up %v, asked for (-want +got):\n%s", c.name, x.spentUp(false), diff)
		}
	}
}

// TestPGASStopsAtMaxTime holds that a row takes no more samples once its time is spent, that
// it has one in any case, and that rows beside it go on.
func TestPGASStopsAtMaxTime(t *testing.T) {
	const ms = time.Millisecond
	r := pgasRunOf(t, 2, func(f *pgasFlags) { f.maxTime = 40 * ms })
	r.sampling.Warmup, r.sampling.Samples, r.sampling.SampleTime = 1, 4, 3*ms
	row := func(test string, lasting ...time.Duration) *pgasSide {
		x, _ := sampled(r.budget(), 0, lasting...)
		x.test = test
		return x
	}
	sides := []*pgasSide{
		row("putbw", 3*ms, 3*ms, 3*ms, 3*ms, 3*ms),
		row("getbw", 3*ms, 30*ms, 10*ms),
		row("put", 50*ms, 3*ms),
		row("get", 3*ms, 1*ms, 1*ms, 1*ms, 1*ms),
	}
	var told []bench.Progress
	if err := r.takeTurns(t.Context(), sides, func(p bench.Progress) { told = append(told, p) }); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{4, 2, 1, 4} {
		if x := sides[i]; x.kept != want || len(x.series.Runs) != want || len(x.series.Metrics[0].Samples) != want {
			t.Errorf("%s has %d samples, series %+v, want %d", x.test, x.kept, x.series, want)
		}
		r.add(sides[i])
	}
	if last := told[len(told)-1]; told[0].Total != 1 || !told[0].Warmup || last.Done != 3 || last.Total != 4 || last.Warmup {
		t.Errorf("progress %+v to %+v", told[0], last)
	}
	if row := r.rows[1]; row.iterations != (641+642)/2 || row.repetitions != 641+642 || !row.cut || r.rows[0].cut {
		t.Errorf("row %+v", row)
	}
	r.noteTimes()
	want := []string{
		"fewer samples than asked for (n), since they reached --max-time 40ms: getbw direct 8, put direct 8",
		"samples last less than half of --sample-time 3ms: get direct 8",
	}
	if diff := cmp.Diff(want, r.notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// TestPGASNamesFewRows holds that a note stays short.
func TestPGASNamesFewRows(t *testing.T) {
	r := pgasRunOf(t, 2, nil)
	for n := 8; n <= 256; n *= 2 {
		withRow(r, pgasKey{plainVariant("putbw", n), pgasapp.Direct}, 10, 10)
	}
	r.noteRows("slow", func(*pgasRow) bool { return true })
	r.noteRows("quick", func(*pgasRow) bool { return false })
	if want := []string{"slow: putbw direct 8, putbw direct 16, putbw direct 32, putbw direct 64 and 2 more"}; !slices.Equal(r.notes, want) {
		t.Errorf("notes %q, want %q", r.notes, want)
	}
}

// TestPGASRates holds that one origin has one rate, and several their spread.
func TestPGASRates(t *testing.T) {
	r := pgasRunOf(t, 2, nil)
	withRow(r, pgasKey{plainVariant("putbw", 1<<20), pgasapp.Direct}, 2e6, 400)
	one := r.rows[0]
	one.slices = []float64{1e6, 2e6, 4e6}
	for _, unit := range []string{"min-MB/s", "max-MB/s", "sum-MB/s", "aggregate-MB/s"} {
		one.series.Metrics = append(one.series.Metrics, bench.Metric{Unit: unit, Samples: []float64{400}})
	}
	table := tableOf(rateColumns(), r.rows)
	want := report.Table{
		Head: []string{"MB/s", "slice median", "slice p99", "slice of", "ns a message"},
		Rows: [][]string{{"400.0", "500.0", "252.5", "5.000", "2000000"}},
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Errorf("one origin (-want +got):\n%s", diff)
	}
	one.origins = 2
	if table := tableOf(rateColumns(), r.rows); !slices.Contains(table.Head, "least origin") || !slices.Contains(table.Head, "sum") {
		t.Errorf("two origins: columns %v", table.Head)
	}
}

// TestPGASLineBesideReductions holds that a reduction is set against the line of its group.
func TestPGASLineBesideReductions(t *testing.T) {
	r := pgasRunOf(t, 2, nil)
	withRow(r, pgasKey{plainVariant("putget", 8), pgasapp.Direct}, 300, 0)
	withRow(r, pgasKey{plainVariant(baseLine, 0), pgasapp.Direct}, 100, 0)
	withRow(r, pgasKey{plainVariant("reduce", 64), pgasapp.Direct}, 1000, 0)
	beside := plainVariant(baseLine, 0)
	beside.beside = besideOf(reductionClass, 64)
	withRow(r, pgasKey{beside, pgasapp.Direct}, 200, 0)
	for i, want := range []string{"x3.000", "", "x5.000", ""} {
		if got := r.lineColumn().cell(r.rows[i]); got != want {
			t.Errorf("%s: %q, want %q", r.rows[i].spelled(), got, want)
		}
	}
	if name := r.rows[3].series.Side; name != "pgas/line/direct/pes=2/beside=reduction-64" {
		t.Errorf("the line beside a reduction is called %s", name)
	}
}

// TestPGASCountersAreOfTheFirstResult holds whose counters are told.
func TestPGASCountersAreOfTheFirstResult(t *testing.T) {
	r := pgasRunOf(t, 2, nil)
	withRow(r, pgasKey{plainVariant(baseC2C, 0), formPolled}, 10, 0)
	withRow(r, pgasKey{plainVariant("put", 8), pgasapp.EDT}, 10, 0)
	withRow(r, pgasKey{plainVariant("get", 8), pgasapp.EDT}, 10, 0)
	r.rows[1].graph = &harness.GraphRun{Counters: runtime.Counters{Steals: 1}}
	r.rows[2].graph = &harness.GraphRun{Counters: runtime.Counters{Steals: 2}}
	d := r.document(false)
	if d.Counters["steals"] != 1 || !slices.Contains(d.Warnings, "counters are of a run of pgas/put/edt/bytes=8/pes=2") {
		t.Errorf("counters %v, notes %q", d.Counters, d.Warnings)
	}
}

// TestPGASJSON runs a latency and a bandwidth test in both forms.
func TestPGASJSON(t *testing.T) {
	defer goleak.VerifyNone(t)
	twoCPUs(t)
	code, out, errs := call(t.Context(), noEnv, "pgas", "putget", "putbw", "--pes", "2", "--sizes", "8,4KiB", "--samples", "2", "--warmup", "0", "--sample-time", "1ms", "--max-time", "1h", "--format", "json")
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	d := decode(t, out)
	units := map[string][]string{
		"pgas/putget/edt/bytes=8/pes=2":                       {"ns/op", "ns/half", "MB/s", "msg/s"},
		"pgas/putbw/direct/bytes=4096/pes=2/mode=stream":      {"ns/op", "MB/s", "GB/s", "aggregate-MB/s", "msg/s"},
		"pgas/copy/direct/bytes=4096/pes=2":                   {"MB/s"},
		"pgas/copyfresh/direct/bytes=8/pes=2":                 {"MB/s"},
		"pgas/line/direct/pes=2":                              {"ns/op", "ns/half"},
		"pgas/putbw/edt/bytes=8/pes=2/window=64":              {"MB/s"},
		"pgas/putbw/direct/bytes=4096/pes=2/completion=local": {"MB/s"},
	}
	seen := map[string]bool{}
	for _, result := range d.Results {
		if seen[result.Name] {
			t.Errorf("%s comes twice", result.Name)
		}
		seen[result.Name] = true
		for _, unit := range units[result.Name] {
			m := result.Metrics[unit]
			if m.N != 2 || m.Min <= 0 {
				t.Errorf("%s: %s = %+v", result.Name, unit, m)
			}
		}
	}
	for name := range units {
		if !seen[name] {
			t.Errorf("no result %s", name)
		}
	}
	if !d.Verified || d.Config["pes"] != 2.0 || d.Config["tests"] != "putget,putbw" {
		t.Errorf("verified %v, config %v", d.Verified, d.Config)
	}
}

// TestPGASSharedProcessors: eight PEs on a processor finish and verify.
func TestPGASSharedProcessors(t *testing.T) {
	args := []string{"pgas", "putput", "putbibw", "reduce", "--pes", "8", "--cpus", firstCPU(t), "--sizes", "8", "--samples", "1", "--warmup", "0", "--max-time", "1ms"}
	code, out, errs := call(t.Context(), noEnv, args...)
	if code != exitOK || errs != "ocrbench: warning: 8 workers share 1 processors: times include waiting for one\n" {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
	if !strings.HasPrefix(out, "pgas: verified\n") || strings.Contains(out, "checks against") || strings.Contains(out, "polled") {
		t.Errorf("stdout:\n%s", out)
	}
}

// TestPGASOddPEs: reductions have no pairs.
func TestPGASOddPEs(t *testing.T) {
	code, out, errs := call(t.Context(), noEnv, "pgas", "reduce", "randomput", "--pes", "3", "--sizes", "64", "--samples", "1", "--max-time", "1ms", "--format", "json")
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if d := decode(t, out); !d.Verified || d.Results[0].Name != "pgas/randomput/direct/bytes=64/pes=3" {
		t.Errorf("results %+v", d.Results)
	}
}

func TestPGASDefaultPEsAreEven(t *testing.T) {
	code, out, errs := call(t.Context(), noEnv, "pgas", "reduce", "--cpus", firstCPU(t), "--sizes", "8", "--samples", "1", "--max-time", "1ms", "--format", "json")
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if d := decode(t, out); d.Config["pes"] != 2.0 {
		t.Errorf("%v PEs on one processor, want 2", d.Config["pes"])
	}
}

// inThirdRound runs the command until each side has had two samples.
func inThirdRound(t *testing.T, args ...string) (code int, stdout, stderr string) {
	return callInterrupted(t, thirdSample, args...)
}

func TestPGASInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, c := range []struct {
		args      string
		interrupt func(t *testing.T, args ...string) (code int, stdout, stderr string)
		rows      string
	}{
		{"putput --sizes 8 --samples 1000000 --warmup 0 --max-time 1h --sample-time 100us", inThirdRound, "pgas/putput/"},
		{"putbw --sizes 8 --forms direct --baseline none --samples 1 --warmup 0 --iters 1099511627776 --max-time 1h", callInterruptedInside, ""},
		{"reduce --sizes 8 --forms edt --samples 1 --warmup 0 --iters 1099511627776 --max-time 1h", callInterruptedInside, ""},
	} {
		code, out, errs := c.interrupt(t, append(strings.Fields("pgas --pes 2 --quiet --format json"), strings.Fields(c.args)...)...)
		if code != exitInterrupted || errs != "ocrbench: interrupted\n" {
			t.Errorf("%s: exit code %d, stderr %q", c.args, code, errs)
			continue
		}
		d := decode(t, out)
		if !d.Partial || (len(d.Results) > 0) != (c.rows != "") {
			t.Errorf("%s: partial %v, %d results", c.args, d.Partial, len(d.Results))
		}
		for _, result := range d.Results {
			if !strings.HasPrefix(result.Name, "pgas/") || result.Metrics["ns/op"].N < 1 {
				t.Errorf("result %+v", result)
			}
		}
	}
}

// TestPGASKeepsWhatWasMeasured holds that only rows with a sample are results.
func TestPGASKeepsWhatWasMeasured(t *testing.T) {
	r := pgasRunOf(t, 2, nil, "putget")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(harness.ErrInterrupted)
	g := &pgasGroup{keys: []pgasKey{{plainVariant("putget", 8), pgasapp.Direct}}}
	if err := r.measureGroup(ctx, g, func(bench.Progress) {}); !errors.Is(err, harness.ErrInterrupted) || len(r.rows) > 0 {
		t.Errorf("error %v, %d rows; want interrupted and none", err, len(r.rows))
	}
}

func TestPGASNoVerify(t *testing.T) {
	code, out, errs := call(t.Context(), noEnv, "pgas", "putget", "--pes", "2", "--sizes", "8", "--samples", "1", "--warmup", "0", "--baseline", "none", "--max-time", "1ms", "--no-verify", "--sabotage", "--format", "json")
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	if d := decode(t, out); d.Verified || d.Config["verify"] != false {
		t.Errorf("verified %v, configuration %v", d.Verified, d.Config)
	}
}

// TestHandOffsAreRoundTrips holds that the core-to-core baseline tells two transfers as an
// iteration.
func TestHandOffsAreRoundTrips(t *testing.T) {
	mask := twoCPUs(t)
	r := pgasRunOf(t, 2, nil, "putput")
	once := r.handOffs(matrix.Pair{From: mask[0], To: mask[1]})
	result, err := once(t.Context(), pgasapp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Iterations < 10 || 2*result.Iterations > c2capp.Defaults().Transfers || len(result.Slices()) != 1 || result.Slices()[0] != result.NsPerIteration() {
		t.Errorf("%+v", result)
	}
	bounded, err := once(t.Context(), pgasapp.Config{MaxTime: time.Nanosecond})
	if err != nil || bounded.Iterations != leastTransfers/2 {
		t.Errorf("in no time %d round trips, error %v, want %d", bounded.Iterations, err, leastTransfers/2)
	}
}

func TestPGASCompletion(t *testing.T) {
	code, out, _ := call(t.Context(), noEnv, "__complete", "pgas", "putget", "")
	lines := strings.Split(out, "\n")
	if code != exitOK || slices.Contains(lines, "putget") || !slices.Contains(lines, "putput") || !slices.Contains(lines, "reduceinplace") {
		t.Errorf("exit code %d, completions %s", code, out)
	}
	if _, out, _ := call(t.Context(), noEnv, "__complete", "pgas", "--sabo"); strings.Contains(out, "sabotage") {
		t.Error("completion offers the hook of the tests")
	}
	if _, out, _ := call(t.Context(), noEnv, "help", "pgas"); strings.Contains(out, "sabotage") || !strings.Contains(out, "[OCRBENCH_PES]") {
		t.Error("help tells of the hook of the tests, or not of OCRBENCH_PES")
	}
}
