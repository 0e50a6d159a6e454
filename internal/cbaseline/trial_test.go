package cbaseline

import (
	"cmp"
	"context"
	"errors"
	"testing"
	"time"

	"ocr/apps/c2c"
	"ocr/internal/testrun"
)

// trialOf is [Trial] of another program, with another limit.
func trialOf(ctx context.Context, path string, a, b int, limit time.Duration, cfg c2c.Config) (c2c.Result, error) {
	lines, err := run(ctx, path, a, b, limit, request(cfg))
	if err != nil {
		return c2c.Result{}, err
	}
	return result(cfg, lines[0])
}

// programOf returns the path of the program.
func programOf(t testing.TB) string {
	t.Helper()
	needCompiler(t)
	path, err := executable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// check runs a trial and checks what must hold of every answer.
func check(t *testing.T, path string, r c2c.Config, a, b int) c2c.Result {
	t.Helper()
	if r.Test == c2c.Flow || r.Test == c2c.Blocked {
		r.Warmup, r.Transfers = 2*r.Warmup, 2*r.Transfers // the program counts A's alone
	}
	r.Blocks = cmp.Or(r.Blocks, 8)
	got, err := trialOf(t.Context(), path, a, b, noLimit, r)
	if err != nil {
		t.Fatalf("Trial(%+v) = %v", r, err)
	}
	if got.Ends[0].Elapsed <= 0 || got.Ends[1].Elapsed <= 0 {
		t.Errorf("Trial(%+v): times %v and %v, want both above 0", r, got.Ends[0].Elapsed, got.Ends[1].Elapsed)
	}
	if want := [2]int{a, a}; got.Ends[0].CPU != want {
		t.Errorf("Trial(%+v): A ran on CPUs %v, want %v", r, got.Ends[0].CPU, want)
	}
	if want := [2]int{b, b}; got.Ends[1].CPU != want {
		t.Errorf("Trial(%+v): B ran on CPUs %v, want %v", r, got.Ends[1].CPU, want)
	}
	return got
}

const maxLength = 1 << 16 // of the program

// TestEveryTest: every kernel finishes and verifies, at every width, in both layouts, at
// lengths on either side of a line. Each trial is a process: short tests have each test once, as what they watch is Go.
func TestEveryTest(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := programOf(t)
	trial := func(r c2c.Config) { check(t, p, r, cpus[0], cpus[1]) }
	if testing.Short() {
		for _, test := range c2c.Tests() {
			trial(c2c.Config{Test: test, Width: 8, Layout: c2c.Separate, Length: 1, Warmup: 3, Transfers: 70})
		}
		return
	}
	for _, test := range c2c.Tests() {
		lengths := testrun.Sized(nil, []int{1, 3, 33, 512}, []int{1, 2, 3, 16, 33, 512, 4096})
		few := 5
		if !test.HasLength() {
			lengths, few = []int{1}, 1
		}
		for _, width := range []int{1, 2, 4, 8} {
			for _, layout := range []c2c.Layout{c2c.Same, c2c.Separate} {
				for i, length := range lengths {
					warmup, transfers := 300, 700 // the counters of width 1 wrap
					if length > 33 {
						warmup, transfers = 30, 70
					}
					trial(c2c.Config{Test: test, Width: width, Layout: layout, Length: length, Line: i * 9, Warmup: warmup, Transfers: transfers})
				}
			}
		}
		for warmup := range 4 { // odd and even numbers of transfers end on either side
			for transfers := 1; transfers <= 4; transfers++ {
				trial(c2c.Config{Test: test, Width: 2, Layout: c2c.Separate, Length: few, Warmup: warmup, Transfers: transfers})
			}
		}
		for _, wrap := range []struct{ width, transfers int }{{1, 255}, {1, 256}, {1, 257}, {1, 5000}, {2, 66000}} { // narrow counters
			trial(c2c.Config{Test: test, Width: wrap.width, Layout: c2c.Separate, Length: min(few, 3), Transfers: wrap.transfers})
		}
	}
	for _, capacity := range []int{1, 2, 7, 8, 255, 256, 257, 4096} { // around the wrap of a byte, and never filled
		for _, warmup := range []int{0, 5, 300} {
			trial(c2c.Config{Test: c2c.Ring, Width: 1, Length: 4, Warmup: warmup, Transfers: 2000, Blocks: capacity})
		}
	}
	for _, r := range []c2c.Config{ // the largest, on the first line and the last
		{Test: c2c.Dual, Width: 8, Layout: c2c.Same, Length: 1},
		{Test: c2c.Dual, Width: 8, Layout: c2c.Separate, Length: 1},
		{Test: c2c.DualArray, Width: 8, Length: maxLength},
		{Test: c2c.Ring, Width: 8, Length: maxLength, Blocks: 32},
	} {
		for _, r.Line = range []int{0, c2c.Lines - 1} {
			r.Transfers = 4
			trial(r)
		}
	}
}

// TestOneProcessor: both threads on one processor take turns by the scheduler's
// time slices: slowly, but they finish, and the preemptions tell.
func TestOneProcessor(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := programOf(t)
	for _, test := range c2c.Tests() {
		t.Run(string(test), func(t *testing.T) {
			got := check(t, p, c2c.Config{
				Test: test, Width: 4, Layout: c2c.Separate, Length: 4, Transfers: 4, Blocks: 1,
			}, cpu, cpu)
			if got.Ends[0].Preemptions+got.Ends[1].Preemptions == 0 {
				t.Error("no preemptions counted")
			}
		})
	}
}

// TestTimeLimit: a trial that takes too long fails, on one processor, where a wait is long,
// and on two, where none is; and a short one does not. That may take too long as well: on one
// processor it needs some turns of the system's scheduler.
func TestTimeLimit(t *testing.T) {
	cpus, p := allowedCPUs(t, 2), programOf(t)
	for _, b := range cpus {
		for _, test := range c2c.Tests() {
			long := c2c.Config{Test: test, Width: 1, Layout: c2c.Same, Length: 64, Transfers: c2c.MaxTransfers, Blocks: 2}
			if _, err := trialOf(t.Context(), p, cpus[0], b, shortLimit, long); !errors.Is(err, c2c.ErrNothing) {
				t.Errorf("Trial(%+v) = %v, want %v", long, err, c2c.ErrNothing)
			}
			short := c2c.Config{Test: test, Width: 1, Layout: c2c.Same, Length: 8, Transfers: 2, Blocks: 8}
			got, err := trialOf(t.Context(), p, cpus[0], b, shortLimit, short)
			for errors.Is(err, c2c.ErrNothing) {
				got, err = trialOf(t.Context(), p, cpus[0], b, shortLimit, short)
			}
			if err != nil {
				t.Errorf("Trial(%+v) after that = %+v, %v", short, got, err)
			}
		}
	}
}

// TestEveryPollLoads: where a compiler takes the load out of a polling loop, a side
// sees a transfer only after it has looked at the clock. In a build that looks
// every four billion polls this test would then take hours.
func TestEveryPollLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("what the compiler of C makes of the loops: not in short tests, which watch Go")
	}
	cpus := allowedCPUs(t, 2)
	binary := build(t, "-DPOLLS=4000000000u")
	for _, test := range c2c.Tests() {
		for _, width := range []int{1, 2, 4, 8} {
			check(t, binary, c2c.Config{Test: test, Width: width, Layout: c2c.Same, Length: 8, Transfers: 1000}, cpus[0], cpus[1])
		}
	}
}
