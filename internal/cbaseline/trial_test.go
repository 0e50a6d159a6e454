package cbaseline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// check runs a trial and checks what must hold of every answer.
func check(t *testing.T, p *Process, r Request, a, b int) Answer {
	t.Helper()
	got, err := p.Trial(context.Background(), r)
	if err != nil {
		t.Fatalf("Trial(%+v) = %v", r, err)
	}
	if got.A.Elapsed <= 0 || got.B.Elapsed <= 0 {
		t.Errorf("Trial(%+v): times %v and %v, want both above 0", r, got.A.Elapsed, got.B.Elapsed)
	}
	if want := [2]int{a, a}; got.A.CPUs != want {
		t.Errorf("Trial(%+v): A ran on CPUs %v, want %v", r, got.A.CPUs, want)
	}
	if want := [2]int{b, b}; got.B.CPUs != want {
		t.Errorf("Trial(%+v): B ran on CPUs %v, want %v", r, got.B.CPUs, want)
	}
	if got.Wrong != 0 {
		t.Errorf("Trial(%+v): %d wrong elements", r, got.Wrong)
	}
	return got
}

// TestEveryTest: every kernel finishes and verifies, at every width, in both layouts, at
// lengths on either side of a line.
func TestEveryTest(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := start(t, cpus[0], cpus[1])
	trial := func(r Request) { check(t, p, r, cpus[0], cpus[1]) }
	for _, test := range tests {
		lengths := []int{1, 2, 3, 16, 33, 512, 4096}
		if test == Single || test == Dual {
			lengths = []int{0}
		}
		for _, width := range []int{1, 2, 4, 8} {
			for _, layout := range []Layout{Same, Separate} {
				for i, length := range lengths {
					trial(Request{Test: test, Width: width, Layout: layout, Length: length, Line: i * 9, Warmup: 300, Transfers: 700})
				}
			}
		}
		for warmup := range 4 { // odd and even numbers of transfers end on either side
			for transfers := 1; transfers <= 4; transfers++ {
				trial(Request{Test: test, Width: 2, Layout: Separate, Length: 5, Warmup: warmup, Transfers: transfers})
			}
		}
		for _, wrap := range []struct{ width, transfers int }{{1, 255}, {1, 256}, {1, 257}, {1, 5000}, {2, 66000}} { // narrow counters
			trial(Request{Test: test, Width: wrap.width, Layout: Separate, Length: 3, Transfers: wrap.transfers})
		}
	}
	for _, capacity := range []int{1, 2, 7, 8, 255, 256, 257, 4096} { // around the wrap of a byte, and never filled
		for _, warmup := range []int{0, 5, 300} {
			trial(Request{Test: Ring, Width: 1, Length: 4, Warmup: warmup, Transfers: 2000, Capacity: capacity})
		}
	}
	for _, r := range []Request{ // the largest, on the first line and the last
		{Test: Dual, Width: 8, Layout: Same},
		{Test: Dual, Width: 8, Layout: Separate},
		{Test: DualArray, Width: 8, Length: MaxLength},
		{Test: Ring, Width: 8, Length: MaxLength, Capacity: MaxRingBytes / 8 / MaxLength},
	} {
		for _, r.Line = range []int{0, Lines - 1} {
			r.Transfers = 4
			trial(r)
		}
	}
}

// TestOneProcessor: both threads on one processor take turns by the scheduler's
// time slices: slowly, but they finish, and the preemptions tell.
func TestOneProcessor(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := start(t, cpu, cpu)
	for _, test := range tests {
		t.Run(string(test), func(t *testing.T) {
			got := check(t, p, Request{
				Test: test, Width: 4, Layout: Separate, Length: 4, Transfers: 4, Capacity: 1,
			}, cpu, cpu)
			if got.A.Preemptions+got.B.Preemptions == 0 {
				t.Error("no preemptions counted")
			}
		})
	}
}

// TestTimeLimit: a trial that takes too long fails, on one processor, where a wait is long,
// and on two, where none is; and the next runs. That may take too long as well: on one
// processor it needs some turns of the system's scheduler.
func TestTimeLimit(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	for _, b := range cpus {
		p := start(t, cpus[0], b, Limit(shortLimit))
		for _, test := range tests {
			long := Request{Test: test, Width: 1, Layout: Same, Length: 64, Transfers: MaxTransfers, Capacity: 2}
			if _, err := p.Trial(context.Background(), long); !errors.Is(err, ErrTimeout) {
				t.Errorf("Trial(%+v) = %v, want %v", long, err, ErrTimeout)
			}
			short := Request{Test: test, Width: 1, Layout: Same, Length: 8, Transfers: 2}
			got, err := p.Trial(context.Background(), short)
			for errors.Is(err, ErrTimeout) {
				got, err = p.Trial(context.Background(), short)
			}
			if err != nil || got.Wrong != 0 {
				t.Errorf("Trial(%+v) after that = %+v, %v", short, got, err)
			}
		}
	}
}

// TestEveryPollLoads: where a compiler takes the load out of a polling loop, a side
// sees a transfer only after it has looked at the clock. In a build that looks
// every four billion polls this test would then take hours.
func TestEveryPollLoads(t *testing.T) {
	needCompiler(t)
	cpus := allowedCPUs(t, 2)
	compiler, _ := Available()
	binary := filepath.Join(t.TempDir(), "c2c")
	ctx := context.Background()
	if err := compile(ctx, compiler, "testdata", binary, "-DPOLLS=4000000000u"); err != nil {
		t.Fatal(err)
	}
	p, err := launch(ctx, binary, fmt.Sprint(cpus[0]), fmt.Sprint(cpus[1]), "86400")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.grace = time.Hour
	if err := p.awaitReady(); err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		for _, width := range []int{1, 2, 4, 8} {
			check(t, p, Request{Test: test, Width: width, Layout: Same, Length: 8, Transfers: 1000}, cpus[0], cpus[1])
		}
	}
}
