package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	c2capp "ocr/apps/c2c"
	"ocr/internal/cbaseline"
	"ocr/internal/harness"
	"ocr/internal/matrix"
)

// failing makes those trials of x fail that fails chooses by their number, from 1.
func failing(x *c2cSide, err error, fails func(trial int) bool) *c2cSide {
	once, trial := x.once, 0
	x.once = func(ctx context.Context, cfg c2capp.Config) (c2capp.Result, error) {
		if trial++; fails(trial) {
			return c2capp.Result{}, err
		}
		return once(ctx, cfg)
	}
	return x
}

func flagsOf(trials int) *c2cFlags {
	return &c2cFlags{
		trials: trials, title: true, header: true, stats: true,
		tests: "single", forms: "polled,goroutines", widths: "8",
	}
}

// TestSpoiltTrialsAreTakenAgain holds that a run survives trials that fail by chance.
func TestSpoiltTrialsAreTakenAgain(t *testing.T) {
	for _, spoilt := range []error{
		c2capp.ErrNoMeeting, c2capp.ErrNothing, fmt.Errorf("cbaseline: %w: 10 s", cbaseline.ErrTimeout),
	} {
		r := testRun(flagsOf(4), matrix.Pair{From: 0, To: 1})
		// 1 to 3 calibrate, with 2 taken again; 6, 7 and 8 are one that was kept.
		x := failing(sideOf(c2capp.Polled, 100), spoilt, func(n int) bool { return n == 2 || n >= 6 && n <= 8 })
		err := r.measureGroup(t.Context(), []*c2cSide{x, sideOf(c2capp.Goroutines, 90)}, r.told)
		if err != nil || len(r.rows) != 2 {
			t.Fatalf("%v: %d rows, %v, want both", spoilt, len(r.rows), err)
		}
		if row := r.rows[0]; row.kept != 4 || row.doubted != 1 || !strings.Contains(row.doubts[0], spoilt.Error()) {
			t.Errorf("%v: %d trials, %d doubted for %q; want 4, 1 for that", spoilt, row.kept, row.doubted, row.doubts)
		}
		if err := r.finish(t.Context(), nil); err != nil {
			t.Errorf("%v: the run ended with %v", spoilt, err)
		}
	}
}

// TestFailingFormIsDropped holds that what cannot be measured is left out, told, and
// makes the run fail, and that the rest is there.
func TestFailingFormIsDropped(t *testing.T) {
	other := errors.New("no more threads")
	for _, c := range []struct {
		name  string
		err   error
		fails func(n int) bool
	}{
		{"at once", c2capp.ErrNoMeeting, func(int) bool { return true }},
		{"after some trials", c2capp.ErrNothing, func(n int) bool { return n > 5 }},
		{"not to be repeated", other, func(n int) bool { return n == 5 }},
	} {
		r := testRun(flagsOf(4), matrix.Pair{From: 0, To: 1})
		x := failing(sideOf(c2capp.Polled, 100), c.err, c.fails)
		if err := r.measureGroup(t.Context(), []*c2cSide{x, sideOf(c2capp.Goroutines, 90)}, r.told); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if len(r.rows) != 1 || r.rows[0].form != c2capp.Goroutines || r.rows[0].kept != 4 {
			t.Errorf("%s: rows %v, want goroutines with 4 trials", c.name, r.rows)
		}
		err := r.finish(t.Context(), nil)
		want := "c2c: 1 dropped: c2c/single/polled/width=8/layout=same/cpus=0,1: " + c.err.Error()
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", c.name, err, want)
		}
		text := r.stdio.out.(*strings.Builder).String()
		for _, part := range []string{"partial", "dropped: c2c/single/polled/", "\ngoroutines "} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", c.name, part, text)
			}
		}
	}
}

func TestNothingLeft(t *testing.T) {
	for _, calibrated := range []int{0, 3} {
		r := testRun(flagsOf(1_000_000), matrix.Pair{From: 0, To: 1})
		x := failing(sideOf(c2capp.Polled, 100), c2capp.ErrNothing, func(n int) bool { return n > calibrated })
		if err := r.measureGroup(t.Context(), []*c2cSide{x}, r.told); err != nil {
			t.Fatal(err)
		}
		if err := r.finish(t.Context(), nil); err == nil || !strings.HasPrefix(err.Error(), "c2c: 1 dropped: ") {
			t.Errorf("error %v, want what was dropped", err)
		}
		if text := r.stdio.out.(*strings.Builder).String(); text != "" {
			t.Errorf("a run without results wrote %q", text)
		}
	}
	r := testRun(flagsOf(1), matrix.Pair{From: 0, To: 1})
	r.note("skipped: baseline c: no compiler")
	if err := r.finish(t.Context(), nil); err == nil || err.Error() != "c2c: nothing was measured: skipped: baseline c: no compiler" {
		t.Errorf("error %v, want that nothing was measured, and why", err)
	}
}

// TestDeadProgramTakesItsForm holds that the other forms go on where the C program
// has died, and that nothing asks for it any more.
func TestDeadProgramTakesItsForm(t *testing.T) {
	f := flagsOf(4)
	f.baseline = string(formC)
	r := testRun(f, matrix.Pair{From: 0, To: 1})
	r.c = new(cbaseline.Process)
	dead := &deadProgram{errors.New("cbaseline: the C program has ended: signal: killed")}
	calls := 0
	x := failing(sideOf(formC, 100), dead, func(n int) bool { calls = n; return n > 4 })
	if err := r.measureGroup(t.Context(), []*c2cSide{x, sideOf(c2capp.Polled, 90)}, r.told); err != nil {
		t.Fatal(err)
	}
	if calls != 5 {
		t.Errorf("%d trials, want 5: none after its death", calls)
	}
	err := r.finish(t.Context(), nil)
	want := "c2c: 1 dropped: form c from c2c/single/c/width=8/layout=same/cpus=0,1 on: cbaseline: the C program has ended: signal: killed"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	sides := r.sides(group(c2capp.Single, c2capp.Same, 1, 0, 1))
	if slices.ContainsFunc(sides, func(x *c2cSide) bool { return x.form == formC }) {
		t.Error("form c is measured after the death of its program")
	}
}

// TestKilledProgram holds that the death of the real program is seen as such.
func TestKilledProgram(t *testing.T) {
	mask := twoCPUs(t)
	ctx, kill := context.WithCancel(t.Context())
	p, err := cbaseline.Start(ctx, mask[0], mask[1])
	if err != nil {
		kill()
		t.Skip(err)
	}
	defer p.Close()
	kill()
	cfg := c2capp.Defaults()
	cfg.Form = formC
	_, err = inC(p)(t.Context(), cfg)
	if dead := new(deadProgram); !errors.As(err, &dead) {
		t.Errorf("error %v, want a dead program", err)
	}
}

func TestManyDropsAreCounted(t *testing.T) {
	r := testRun(flagsOf(1))
	for i := range 7 {
		r.dropped = append(r.dropped, fmt.Sprint("row ", i))
	}
	want := "c2c: 7 dropped: row 0; row 1; row 2; row 3; row 4; and 2 more"
	if err := r.dropError(); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestInterruptBeforeAnything holds that a file with results is not replaced by one
// without.
func TestInterruptBeforeAnything(t *testing.T) {
	twoCPUs(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(harness.ErrInterrupted)
	file := filepath.Join(t.TempDir(), "old.txt")
	if err := os.WriteFile(file, []byte("old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(ctx, noEnv, "c2c", "-o", file)
	if code != exitInterrupted || errs != "ocrbench: interrupted\n" || out != "" || read(t, file) != "old\n" {
		t.Errorf("exit code %d, stdout %q, stderr %q, file %q; want 130, nothing, interrupted, the old one", code, out, errs, read(t, file))
	}
}
