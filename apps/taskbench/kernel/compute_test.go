package kernel

import (
	"context"
	"math"
	"os"
	"os/exec"
	goruntime "runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
)

const uninterrupted = "OCR_TEST_KERNEL_AND_COLLECTOR"

func TestMain(m *testing.M) {
	if kind := os.Getenv(uninterrupted); kind != "" {
		collectDuring(kind)
		return
	}
	os.Exit(m.Run())
}

// counts are numbers of iterations on both sides of a chunk's end.
var counts = []int64{0, 1, 2, 3, 17, 1000, chunk - 1, chunk, chunk + 1, 2 * chunk, 3*chunk + 7}

// TestChunks: the end of a chunk does not change the result.
func TestChunks(t *testing.T) {
	for _, n := range counts {
		if got, want := Compute(n), productPortable(&start, nil, n); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("compute_bound, %d iterations: %v, want %v", n, got, want)
		}
	}
	if start[0] != -0.2345 {
		t.Error("a run has changed what runs start with")
	}
}

// TestOperandsStayNormal: from start, no operand becomes zero, subnormal or infinite, and all differ.
func TestOperandsStayNormal(t *testing.T) {
	seen := map[float64]bool{}
	for _, v := range start {
		seen[v] = true
	}
	testrun.Equal(t, len(start), len(seen), "different operands")
	x := start
	for n := 1; n <= 1<<18; n *= 2 {
		product(&x, &x, int64(n))
		for i, v := range x {
			if !(v > -1 && v < -0x1p-40) {
				t.Fatalf("operand %d is %v after %d iterations, want one between -1 and -2^-40", i, v, 2*n-1)
			}
		}
	}
}

// TestCollectorIsNotHeldUp: the collector can stop the world while a kernel runs that takes hours. The kernel runs in
// another process, which would hang if the collector could not.
func TestCollectorIsNotHeldUp(t *testing.T) {
	self, err := os.Executable()
	testrun.OK(t, err)
	for _, kind := range []string{"busy_wait", "compute_bound", "load_imbalance"} {
		ctx, cancel := t.Context(), func() {}
		if limit, ok := t.Deadline(); ok { // a process that hangs does not outlive the tests
			ctx, cancel = context.WithDeadline(ctx, limit.Add(-5*time.Second))
		}
		defer cancel()
		cmd := exec.CommandContext(ctx, self)
		cmd.Env = append(cmd.Environ(), uninterrupted+"="+kind)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "collected\n" {
			t.Errorf("%s: %v, output %q, want that the world was stopped 10 times", kind, err, out)
		}
	}
}

// collectDuring stops the world ten times while a kernel runs, and then prints a line.
func collectDuring(kind string) {
	goruntime.GOMAXPROCS(2)
	k := Kernel{Iterations: 1 << 46}
	k.Kind = Kinds()[slices.IndexFunc(Kinds(), func(k Kind) bool { return k.String() == kind })]
	var running atomic.Bool
	go func() {
		running.Store(true)
		k.Run(0, 0, 0, nil)
		os.Exit(3) // the kernel has ended, after hours
	}()
	for !running.Load() {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond)
	for range 10 {
		goruntime.GC()
	}
	_, _ = os.Stdout.WriteString("collected\n")
}
