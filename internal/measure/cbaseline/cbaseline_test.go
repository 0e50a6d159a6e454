package cbaseline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/c2c"
	"ocr/internal/core/sys"
	"ocr/internal/measure/cbuild"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// noLimit is for tests that pass however slow the machine is.
const noLimit = time.Hour

// build compiles the program with additional flags. It skips the test where there is no compiler.
func build(t *testing.T, flags ...string) *Program {
	t.Helper()
	if _, err := exec.LookPath(source.Compiler); goruntime.GOOS != "linux" || err != nil {
		t.Skipf("no C baseline here: %v", err)
	}
	other := source
	other.Flags = slices.Concat(source.Flags, []string{"-Wall", "-Wextra", "-Werror"}, flags)
	file, err := other.Build(t.Context())
	testrun.OK(t, err)
	p := &Program{file, cbuild.Path(file)}
	t.Cleanup(p.Close)
	return p
}

// pair returns two processors that this process may use.
func pair(t *testing.T) [2]int {
	t.Helper()
	cpus, err := sys.GetAffinity()
	testrun.OK(t, err)
	if len(cpus) < 2 {
		t.Skipf("needs two processors, this process may use %v", cpus)
	}
	return [2]int{cpus[0], cpus[1]}
}

// check runs a trial and checks what must hold of every answer.
func check(t *testing.T, p *Program, cfg c2c.Config) {
	t.Helper()
	cpus := pair(t)
	cfg.Limit = noLimit
	got, err := p.Trial(t.Context(), cpus, cfg)
	testrun.OK(t, err, "%+v", cfg)
	for end, cpu := range cpus {
		if e := got.Ends[end]; e.Elapsed <= 0 || e.CPU != [2]int{cpu, cpu} {
			t.Errorf("%+v: end %d took %v, on CPUs %v, want %d", cfg, end, e.Elapsed, e.CPU, cpu)
		}
	}
}

// TestSidesAgree: both sides measure about the same time. A thread that is preempted after its last transfer takes
// longer, so one of a few trials must agree.
func TestSidesAgree(t *testing.T) {
	p := build(t)
	cfg := c2c.Config{Test: c2c.Single, Width: 8, Length: 1, Warmup: 300, Transfers: 2000, Limit: noLimit}
	var r c2c.Result
	agree := func() bool { return r.OneWay(0) < 1.4*r.OneWay(1) && r.OneWay(1) < 1.4*r.OneWay(0) }
	for try := 0; try == 0 || try < 100 && !agree(); try++ {
		var err error
		r, err = p.Trial(t.Context(), pair(t), cfg)
		testrun.OK(t, err)
	}
	if !agree() {
		t.Errorf("a transfer takes %v ns by A's clock, %v by B's", r.OneWay(0), r.OneWay(1))
	}
}

const maxLength = 1 << 16 // of the program

// TestEveryTest: every kernel finishes and verifies, at every width, at lengths on either side of a line. Each trial is
// a process, so short tests run each kernel once.
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
// the clock. This build reads the clock every four billion polls, so then the test would take hours.
func TestEveryPollLoads(t *testing.T) {
	testrun.NeedsTools(t)
	p := build(t, "-DPOLLS=4000000000u")
	for _, test := range c2c.Tests() {
		for _, width := range c2c.Widths() {
			check(t, p, c2c.Config{Test: test, Width: width, Length: 8, Transfers: 1000})
		}
	}
}

// TestPlaces checks which words share a line: with its words elsewhere, a trial would measure something else. a and b
// are the offsets, from the line, of the words that A and B write.
func TestPlaces(t *testing.T) {
	p := build(t)
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
			cfg := c2c.Config{Test: tt.test, Width: 4, Length: tt.length, Line: line, Transfers: 2, Limit: noLimit}
			answer, err := p.run(t.Context(), pair(t), "where", cfg)
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
	long := c2c.Config{Width: 1, Length: 64, Transfers: 1 << 30, Limit: 100 * time.Millisecond}
	for _, long.Test = range c2c.Tests() {
		_, err := p.Trial(t.Context(), pair(t), long)
		testrun.Is(t, err, c2c.ErrTooSlow, "%+v", long)
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	long.Limit = noLimit
	_, err := p.Trial(ctx, pair(t), long)
	testrun.Is(t, err, cause, "cancelled")
}

// TestProgramFails: the error has the message of the program, or of a substitute.
func TestProgramFails(t *testing.T) {
	cfg := c2c.Defaults()
	for want, cpu := range map[string]int{
		"cbaseline: cannot pin a thread to CPU 50000: Invalid argument": 50000,
		"cbaseline: CPU 1048576 (allowed: 0 to 1048575)":                1 << 20,
	} {
		for _, cpus := range [][2]int{{cpu, 0}, {0, cpu}} {
			_, err := build(t).Trial(t.Context(), cpus, cfg)
			testrun.Equal(t, want, fmt.Sprint(err), "error")
		}
	}
	for script, want := range map[string]string{
		"echo 'no such library' >&2; exit 127": "cbaseline: the C program: exit status 127: no such library",
		"kill -KILL $$":                        "cbaseline: the C program: signal: killed: no message",
		"echo ok 1 2 3 4 5 6 7":                `cbaseline: the C program answered "ok 1 2 3 4 5 6 7"`,
		"echo ok 1 2 3 4 5 six 7 8":            `cbaseline: the C program answered "ok 1 2 3 4 5 six 7 8"`,
		"echo ok 1 2 3 4 5 6 7 8 9":            `cbaseline: the C program answered "ok 1 2 3 4 5 6 7 8 9"`,
	} {
		path := filepath.Join(t.TempDir(), "c2c")
		testrun.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
		_, err := (&Program{path: path}).Trial(t.Context(), [2]int{}, cfg)
		testrun.Equal(t, want, fmt.Sprint(err), "error of %s", script)
	}
}

func TestResult(t *testing.T) {
	cfg := c2c.Config{Test: c2c.Array, Transfers: 20}
	want := c2c.Result{Config: cfg, Ends: [2]c2c.End{
		{Elapsed: 1200, CPU: [2]int{4, 5}, Preemptions: 8},
		{Elapsed: 1300, CPU: [2]int{6, 7}, Preemptions: 9},
	}}
	got, err := result(cfg, "ok 1200 1300 4 5 6 7 8 9")
	testrun.OK(t, err)
	testrun.Same(t, want, got, "result")
}
