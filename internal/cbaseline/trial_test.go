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

func lengthsOf(test Test) []int {
	if test == Single || test == Dual {
		return []int{0}
	}
	return []int{1, 2, 3, 16, 33, 512, 4096}
}

// TestEveryTest: every kernel finishes and verifies, past the wrap of one byte.
func TestEveryTest(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := start(t, cpus[0], cpus[1])
	for _, test := range tests {
		for _, width := range []int{1, 2, 4, 8} {
			for _, layout := range []Layout{Same, Separate} {
				t.Run(fmt.Sprintf("%s/%d/%s", test, width, layout), func(t *testing.T) {
					for i, length := range lengthsOf(test) {
						check(t, p, Request{
							Test: test, Width: width, Layout: layout, Length: length,
							Line: i * 9, Warmup: 300, Transfers: 700,
						}, cpus[0], cpus[1])
					}
				})
			}
		}
	}
}

// TestCounts: odd and even numbers of transfers end on either side, with and
// without a warm-up.
func TestCounts(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := start(t, cpus[0], cpus[1])
	for _, test := range tests {
		t.Run(string(test), func(t *testing.T) {
			for warmup := range 4 {
				for transfers := 1; transfers <= 4; transfers++ {
					check(t, p, Request{
						Test: test, Width: 2, Layout: Separate, Length: 5, Warmup: warmup, Transfers: transfers,
					}, cpus[0], cpus[1])
				}
			}
		})
	}
}

// TestNarrowCountersWrap: counters go on past the last value of their width.
func TestNarrowCountersWrap(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := start(t, cpus[0], cpus[1])
	for _, test := range tests {
		for _, wrap := range []struct{ width, transfers int }{{1, 255}, {1, 256}, {1, 257}, {1, 5000}, {2, 66000}} {
			t.Run(fmt.Sprintf("%s/%d/%d", test, wrap.width, wrap.transfers), func(t *testing.T) {
				check(t, p, Request{
					Test: test, Width: wrap.width, Layout: Separate, Length: 3, Transfers: wrap.transfers,
				}, cpus[0], cpus[1])
			})
		}
	}
}

// TestRingCapacities: blocks are verified at capacities around the wrap of a byte
// and at one that the ring never fills.
func TestRingCapacities(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := start(t, cpus[0], cpus[1])
	for _, capacity := range []int{1, 2, 7, 8, 255, 256, 257, 4096} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			for _, warmup := range []int{0, 5, 300} {
				check(t, p, Request{
					Test: Ring, Width: 1, Length: 4, Warmup: warmup, Transfers: 2000, Capacity: capacity,
				}, cpus[0], cpus[1])
			}
		})
	}
}

// TestEveryPlace: the first and last lines, and the largest arrays and rings.
func TestEveryPlace(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := start(t, cpus[0], cpus[1])
	for _, r := range []Request{
		{Test: Dual, Width: 8, Layout: Same},
		{Test: Dual, Width: 8, Layout: Separate},
		{Test: DualArray, Width: 8, Length: MaxLength},
		{Test: Ring, Width: 8, Length: MaxLength, Capacity: MaxRingBytes / 8 / MaxLength},
	} {
		for _, r.Line = range []int{0, Lines - 1} {
			r.Transfers = 4
			check(t, p, r, cpus[0], cpus[1])
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

// TestTimeLimit: a trial that takes too long fails, and the next runs. That may take too
// long as well: on one processor it needs some turns of the system's scheduler.
func TestTimeLimit(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := start(t, cpu, cpu, Limit(shortLimit))
	for _, test := range tests {
		t.Run(string(test), func(t *testing.T) {
			long := Request{Test: test, Width: 1, Layout: Same, Length: 8, Transfers: MaxTransfers, Capacity: 2}
			if _, err := p.Trial(context.Background(), long); !errors.Is(err, ErrTimeout) {
				t.Errorf("Trial(%+v) = %v, want %v", long, err, ErrTimeout)
			}
			short := Request{Test: test, Width: 1, Layout: Same, Length: 8, Transfers: 2}
			for {
				got, err := p.Trial(context.Background(), short)
				if errors.Is(err, ErrTimeout) {
					continue
				}
				if err != nil || got.Wrong != 0 {
					t.Errorf("Trial(%+v) after that = %+v, %v", short, got, err)
				}
				break
			}
		})
	}
}

// TestTimeLimitWhileGettingOn: the limit also ends a trial in which no wait is long.
func TestTimeLimitWhileGettingOn(t *testing.T) {
	cpus := allowedCPUs(t, 2)
	p := start(t, cpus[0], cpus[1], Limit(shortLimit))
	for _, test := range tests {
		long := Request{Test: test, Width: 8, Layout: Same, Length: 64, Transfers: MaxTransfers}
		if _, err := p.Trial(context.Background(), long); !errors.Is(err, ErrTimeout) {
			t.Errorf("Trial(%+v) = %v, want %v", long, err, ErrTimeout)
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
