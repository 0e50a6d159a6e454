package cbaseline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ocr/apps/c2c"
	"ocr/internal/core/sys"
	"ocr/internal/measure/cbuild"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noLimit is for tests that pass however slow the machine is.
const noLimit = time.Hour

// build compiles the program with additional flags, and returns its path. It skips the test where there is no compiler.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	if _, err := source.Compiler(); goruntime.GOOS != "linux" || err != nil {
		t.Skipf("no C baseline here: %v", err)
	}
	other := source
	other.Flags = slices.Concat(source.Flags, []string{"-Wall", "-Wextra", "-Werror"}, flags)
	file, err := other.Build(t.Context())
	testrun.OK(t, err)
	t.Cleanup(func() { _ = file.Close() })
	return cbuild.Path(file)
}

// pair returns two processors that this process may use.
func pair(t *testing.T) (a, b int) {
	t.Helper()
	cpus, err := sys.GetAffinity()
	testrun.OK(t, err)
	if len(cpus) < 2 {
		t.Skipf("needs two processors, this process may use %v", cpus)
	}
	return cpus[0], cpus[1]
}

// check runs a trial and checks what must hold of every answer.
func check(t *testing.T, path string, cfg c2c.Config) {
	t.Helper()
	a, b := pair(t)
	got, err := carryOut(t.Context(), path, a, b, noLimit, cfg)
	testrun.OK(t, err, "%+v", cfg)
	for end, cpu := range []int{a, b} {
		if e := got.Ends[end]; e.Elapsed <= 0 || e.CPU != [2]int{cpu, cpu} {
			t.Errorf("%+v: end %d took %v, on CPUs %v, want %d", cfg, end, e.Elapsed, e.CPU, cpu)
		}
	}
}

// TestSidesAgree: both sides measure about the same time. A thread that is preempted after its last transfer takes
// longer, so one of a few trials must agree.
func TestSidesAgree(t *testing.T) {
	p := build(t)
	a, b := pair(t)
	cfg := c2c.Config{Test: c2c.Single, Width: 8, Length: 1, Warmup: 300, Transfers: 2000}
	var r c2c.Result
	agree := func() bool { return r.OneWay(0) < 1.4*r.OneWay(1) && r.OneWay(1) < 1.4*r.OneWay(0) }
	for try := 0; try == 0 || try < 100 && !agree(); try++ {
		var err error
		r, err = carryOut(t.Context(), p, a, b, noLimit, cfg)
		testrun.OK(t, err)
	}
	if !agree() {
		t.Errorf("a transfer takes %v ns by A's clock, %v by B's", r.OneWay(0), r.OneWay(1))
	}
}

const maxLength = 1 << 16 // of the program

// TestEveryTest: every kernel finishes and verifies, at every width, at
// lengths on either side of a line. Each trial is a process: short tests run each test once, as they watch Go.
func TestEveryTest(t *testing.T) {
	p := build(t)
	if testing.Short() {
		for _, test := range c2c.Tests() {
			check(t, p, c2c.Config{Test: test, Width: 8, Length: 1, Warmup: 3, Transfers: 70})
		}
		return
	}
	for _, test := range c2c.Tests() {
		lengths, few := testrun.Sized(nil, []int{1, 3, 33, 512}, []int{1, 2, 3, 16, 33, 512, 4096}), 5
		if !test.HasLength() {
			lengths, few = []int{1}, 1
		}
		cfg := c2c.Config{Test: test, Length: few}
		for _, cfg.Width = range []int{1, 2, 4, 8} {
			for i, length := range lengths {
				// the counters of width 1 wrap
				cfg.Length, cfg.Line, cfg.Warmup, cfg.Transfers = length, i*9, 300, 700
				if length > 33 {
					cfg.Warmup, cfg.Transfers = 30, 70
				}
				check(t, p, cfg)
			}
		}
		cfg.Width, cfg.Length, cfg.Line = 2, few, 0
		for cfg.Warmup = range 4 { // odd and even numbers of transfers end on either side
			for cfg.Transfers = 1; cfg.Transfers <= 4; cfg.Transfers++ {
				check(t, p, cfg)
			}
		}
		cfg.Warmup, cfg.Length = 0, min(few, 3)
		for _, narrow := range [][2]int{{1, 255}, {1, 256}, {1, 257}, {1, 5000}, {2, 66000}} { // counters that wrap
			cfg.Width, cfg.Transfers = narrow[0], narrow[1]
			check(t, p, cfg)
		}
	}
	for _, largest := range []c2c.Config{
		{Test: c2c.Dual, Width: 8, Length: 1},
		{Test: c2c.Array, Width: 8, Length: maxLength},
	} {
		for _, largest.Line = range []int{0, c2c.Lines - 1} {
			largest.Transfers = 4
			check(t, p, largest)
		}
	}
}

// TestEveryPollLoads: if a compiler moves the load out of a polling loop, a side sees a transfer only after it has read
// the clock. This build reads the clock every four billion polls, so the test would take hours.
func TestEveryPollLoads(t *testing.T) {
	testrun.NeedsTools(t)
	p := build(t, "-DPOLLS=4000000000u")
	for _, test := range c2c.Tests() {
		for _, width := range c2c.Widths() {
			check(t, p, c2c.Config{Test: test, Width: width, Length: 8, Transfers: 1000})
		}
	}
}

// TestPlaces checks which words share a line: a trial whose words lie elsewhere is another test. Places are offsets
// from the line: of what A writes, and of what B writes.
func TestPlaces(t *testing.T) {
	p := build(t)
	a, b := pair(t)
	for _, tt := range []struct {
		test   c2c.Test
		length int
		a, b   int64
	}{
		{c2c.Single, 1, 0, 0},
		{c2c.Dual, 1, 0, 128},
		{c2c.Array, 512, 0, 0},
	} {
		for _, line := range []int{0, 1, c2c.Lines - 1} {
			cfg := c2c.Config{Test: tt.test, Width: 4, Length: tt.length, Line: line, Transfers: 2}
			answer, err := run(t.Context(), p, a, b, noLimit, "where", cfg)
			var atA, atB int64
			if _, bad := fmt.Sscanf(answer, "at %v %v", &atA, &atB); err != nil || bad != nil {
				t.Fatalf("%+v: answered %q, %v", cfg, answer, err)
			}
			at := atA - tt.a // the line: all lie in one page of memory
			if at%4096 != int64(line)*256%4096 || atB != at+tt.b {
				t.Errorf("%+v: at %#x and %#x", cfg, atA, atB)
			}
		}
	}
}

// TestTimeLimit: a trial that takes too long fails, and a cancelled one ends.
func TestTimeLimit(t *testing.T) {
	p := build(t)
	a, b := pair(t)
	for _, test := range c2c.Tests() {
		long := c2c.Config{Test: test, Width: 1, Length: 64, Transfers: 1 << 30}
		if _, err := carryOut(t.Context(), p, a, b, 100*time.Millisecond, long); !errors.Is(err, c2c.ErrTooSlow) {
			t.Errorf("%+v: %v, want %v", long, err, c2c.ErrTooSlow)
		}
	}
	cause := errors.New("enough")
	for _, after := range []time.Duration{0, 50 * time.Millisecond} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if after == 0 {
			cancel(cause)
		}
		time.AfterFunc(after, func() { cancel(cause) })
		long := c2c.Config{Test: c2c.Single, Width: 8, Length: 1, Transfers: 1 << 30}
		if _, err := carryOut(ctx, p, a, b, noLimit, long); !errors.Is(err, cause) {
			t.Errorf("%v, want %v", err, cause)
		}
	}
}

// TestProgramFails: the error has the message of the program, or of a substitute.
func TestProgramFails(t *testing.T) {
	cfg := c2c.Defaults()
	for _, tt := range []struct {
		a, length int
		want      string
	}{
		{50000, 1, "cbaseline: cannot pin a thread to CPU 50000: Invalid argument"},
		{1 << 20, 1, "cbaseline: CPU 1048576 (allowed: 0 to 1048575)"},
		{0, maxLength + 1, "cbaseline: length 65537 (allowed: 1 to 65536)"},
	} {
		cfg.Length = tt.length
		for _, cpus := range [][2]int{{tt.a, 0}, {0, tt.a}} {
			if _, err := carryOut(t.Context(), build(t), cpus[0], cpus[1], noLimit, cfg); err == nil ||
				err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		}
	}
	for script, want := range map[string]string{
		"echo 'no such library' >&2; exit 127": "cbaseline: the C program: exit status 127: no such library",
		"kill -KILL $$":                        "cbaseline: the C program: signal: killed: no message",
		"echo hello":                           `cbaseline: the C program answered "hello"`,
		"echo ok 1 2 3 4 5 6 7":                `cbaseline: the C program answered "ok 1 2 3 4 5 6 7"`,
		"echo ok 1 2 3 4 5 six 7 8":            `cbaseline: the C program answered "ok 1 2 3 4 5 six 7 8"`,
		"echo ok 1 2 3 4 5 6 7 8 9":            `cbaseline: the C program answered "ok 1 2 3 4 5 6 7 8 9"`,
	} {
		path := filepath.Join(t.TempDir(), "c2c")
		testrun.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
		if _, err := carryOut(t.Context(), path, 0, 0, noLimit, cfg); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
	}
}

func TestRequest(t *testing.T) {
	for want, cfg := range map[string]c2c.Config{
		"single 1 1 0 0 9": {Test: c2c.Single, Width: 1, Length: 1, Transfers: 9},
		"dual 8 1 63 5 6": {
			Test: c2c.Dual, Width: 8, Length: 1, Line: 63, Warmup: 5, Transfers: 6},
		"array 4 512 0 5 10": {Test: c2c.Array, Width: 4, Length: 512, Warmup: 5, Transfers: 10},
	} {
		testrun.Same(t, want, request(cfg), "request(%+v)", cfg)
	}
}

func TestResult(t *testing.T) {
	cfg := c2c.Config{Test: c2c.Array, Transfers: 20}
	want := c2c.Result{Config: cfg, Ends: [2]c2c.End{
		{Elapsed: 1200, CPU: [2]int{4, 5}, Preemptions: 8},
		{Elapsed: 1300, CPU: [2]int{6, 7}, Preemptions: 9},
	}}
	got, err := result(cfg, "ok 1200 1300 4 5 6 7 8 9")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("result: %v, difference (-want +got):\n%s", err, diff)
	}
}

// TestOneProcessor: two threads on one processor take turns by the scheduler, and their preemptions are counted.
func TestOneProcessor(t *testing.T) {
	p := build(t)
	cpu, _ := pair(t)
	for _, test := range c2c.Tests() {
		cfg := c2c.Config{Test: test, Width: 4, Length: 4, Transfers: 4}
		got, err := carryOut(t.Context(), p, cpu, cpu, noLimit, cfg)
		if err != nil || got.Ends[0].Preemptions+got.Ends[1].Preemptions == 0 {
			t.Errorf("%s: %+v, error %v, want preemptions", test, got.Ends, err)
		}
	}
}
