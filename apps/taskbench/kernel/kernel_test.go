package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"ocr/internal/proof/testrun"
)

func TestKindNames(t *testing.T) {
	want := []string{"empty", "busy_wait", "memory_bound", "compute_bound", "load_imbalance"}
	testrun.Equal(t, fmt.Sprint(want), fmt.Sprint(Kinds()), "Kinds()")
	for i, kind := range Kinds() {
		if int(kind) != i || kindOf(t, want[i]) != kind {
			t.Errorf("kind %d is %d, %s", i, kind, kind)
		}
	}
	testrun.Equal(t, "Kind(99)", Kind(99).String(), "Kind(99).String()")
}

func kindOf(t testing.TB, name string) Kind {
	t.Helper()
	i := slices.IndexFunc(Kinds(), func(k Kind) bool { return k.String() == name })
	if i < 0 {
		t.Fatalf("there is no kernel %s", name)
	}
	return Kinds()[i]
}

func TestFlops(t *testing.T) {
	for _, tt := range []struct {
		kernel Kernel
		want   int64
	}{
		{Kernel{Kind: Empty, Iterations: 10}, 0},
		{Kernel{Kind: BusyWait, Iterations: 10}, 0},
		{Kernel{Kind: MemoryBound, Iterations: 10, Samples: 16}, 0},
		{Kernel{Kind: ComputeBound}, 64},
		{Kernel{Kind: ComputeBound, Iterations: 1024}, 131136}, // 2000 tasks: 262272000, as in Task Bench's own output
		{Kernel{Kind: ComputeBound, Iterations: 1 << 54}, 1<<61 + 64},
		{Kernel{Kind: LoadImbalance, Iterations: 1024}, 131136},
		// 1024 * (0.5 + 0x7ae83b93a78124ac/2^64)
		{Kernel{Kind: LoadImbalance, Iterations: 1024, Imbalance: 1}, 128*1004 + 64},
	} {
		testrun.Equal(t, tt.want, tt.kernel.Flops(0, 1, 2), "%+v: operations", tt.kernel)
	}
}

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		kernel  Kernel
		scratch int
		want    int64
	}{
		{Kernel{Kind: ComputeBound, Iterations: 10, Samples: 16}, 4096, 0},
		{Kernel{Kind: MemoryBound, Iterations: 10, Samples: 16}, 4096, 2560},
		{Kernel{Kind: MemoryBound, Iterations: 0, Samples: 16}, 4096, 0},
		{Kernel{Kind: MemoryBound, Iterations: 3, Samples: 2}, 7, 10},
		{Kernel{Kind: MemoryBound, Iterations: 3}, 7, 0},
		{Kernel{Kind: MemoryBound, Iterations: 1 << 50, Samples: 16}, 1 << 16, 1 << 62},
		{Kernel{Kind: MemoryBound, Iterations: 1 << 52, Samples: 16}, 1 << 16, math.MaxInt64},
		{Kernel{Kind: MemoryBound, Iterations: 1 << 60, Samples: 1}, 1 << 30, math.MaxInt64},
	} {
		testrun.Equal(t, tt.want, tt.kernel.Bytes(tt.scratch), "%+v, scratch %d: bytes", tt.kernel, tt.scratch)
	}
}

// TestImbalance: tasks' iterations are spread evenly over Iterations times [1-Imbalance/2, 1+Imbalance/2], and are the
// same for the same task.
func TestImbalance(t *testing.T) {
	const tasks, iterations = 20000, 1000
	for _, imbalance := range []float64{0, 0.25, 1, 2} {
		k := Kernel{Kind: LoadImbalance, Iterations: iterations, Imbalance: imbalance}
		low, high := 1-imbalance/2, 1+imbalance/2
		var sum float64
		var quarters [4]int
		for i := range int64(tasks) {
			n := float64(k.imbalanced(1, i/100, i%100)) / iterations
			if again := k.imbalanced(1, i/100, i%100); float64(again)/iterations != n {
				t.Fatalf("task %d: %v iterations, then %d", i, n*iterations, again)
			}
			if n < low || n > high {
				t.Fatalf("imbalance %v: factor %v, want one in [%v, %v]", imbalance, n, low, high)
			}
			sum += n
			if imbalance > 0 {
				quarters[min(int((n-low)/imbalance*4), 3)]++
			}
		}
		if mean := sum / tasks; math.Abs(mean-1) > 0.01*imbalance {
			t.Errorf("imbalance %v: mean factor %v, want 1", imbalance, mean)
		}
		for q, n := range quarters {
			if imbalance > 0 && math.Abs(float64(n)-tasks/4) > 0.03*tasks {
				t.Errorf("imbalance %v: %d tasks in quarter %d, want about %d", imbalance, n, q, tasks/4)
			}
		}
	}
}

func TestImbalanceNeedsGraphTimestepAndPoint(t *testing.T) {
	k := Kernel{Kind: LoadImbalance, Iterations: 1 << 40, Imbalance: 2}
	seen := map[int64]bool{}
	for _, at := range [][3]int64{{0, 1, 2}, {1, 1, 2}, {0, 2, 2}, {0, 1, 3}, {2, 1, 0}} {
		seen[k.imbalanced(at[0], at[1], at[2])] = true
	}
	testrun.Equal(t, 5, len(seen), "different numbers of iterations")
}

// TestCopySamples: what is left of the bytes 0, 1, 2 ..., worked out by hand.
func TestCopySamples(t *testing.T) {
	const guard = 64
	for _, tt := range []struct {
		samples              int
		iterations, timestep int64
		want                 []byte
	}{
		{16, 5, 1, nil},
		{16, 16, 0, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{4, 0, 3, []byte{0, 1, 2, 3, 4, 5, 6, 7}},
		{4, 1, 0, []byte{0, 1, 0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
		{4, 1, 2, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 9, 12, 13, 14, 15}},
		{4, 2, 0, []byte{0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15}}, // one copy of two samples
		{4, 3, 1, []byte{0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 12, 13}}, // sample 3, then 0 and 1
		{4, 4, 7, []byte{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}},       // all
		{4, 9, 0, []byte{0, 1, 0, 1, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7}},       // all, all, sample 0
		{1, 1, 7, []byte{0, 1, 2, 0, 1, 2}},                                     // no timestep moves the only sample
		// 2^63-1 = 1 mod 3: bytes 2 and 3; the last is in none
		{3, 1, math.MaxInt64, []byte{0, 1, 2, 2, 4, 5, 6}},
		// 4*(2^63-1) = 1 mod 3: samples 1 and 2, then 0 and 1
		{3, 4, math.MaxInt64, []byte{0, 1, 0, 1, 2, 3}},
	} {
		size := len(tt.want)
		memory := make([]byte, size+2*guard)
		for i := range memory {
			memory[i] = byte(i - guard)
		}
		want := slices.Clone(memory)
		copy(want[guard:], tt.want)
		k := Kernel{Kind: MemoryBound, Iterations: tt.iterations, Samples: tt.samples}
		k.Run(0, tt.timestep, 0, memory[guard:guard+size])
		testrun.Same(t, want, memory,
			"%d samples, %d iterations, timestep %d: %v, want %v", tt.samples, tt.iterations, tt.timestep,
			memory[guard:guard+size], tt.want)
	}
}

// TestScratchIsMemoryBoundsOnly: the other kinds do not use the scratch memory.
func TestScratchIsMemoryBoundsOnly(t *testing.T) {
	for kind := range Kind(len(names)) {
		scratch := []byte{1, 2, 3, 4, 5, 6, 7, 8}
		k := Kernel{Kind: kind, Iterations: 10, Samples: 1}
		k.Run(0, 0, 0, scratch)
		if same := slices.Equal(scratch, []byte{1, 2, 3, 4, 5, 6, 7, 8}); same == (kind == MemoryBound) {
			t.Errorf("%s: scratch memory is %v afterwards", kind, scratch)
		}
		if kind != MemoryBound {
			k.Samples = 0
			k.Run(0, 0, 0, nil)
		}
	}
}

// TestBusyWait: the first values of the generator.
func TestBusyWait(t *testing.T) {
	for n, want := range []int64{113, 15707, 2183273, 303474947, 1380828340} {
		testrun.Equal(t, want, busyWait(int64(n)), "after %d iterations", n)
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	scratch := make([]byte, 4096)
	for kind := range Kind(len(names)) {
		k := Kernel{Kind: kind, Iterations: chunk + 100, Samples: 16, Imbalance: 1}
		point := int64(0)
		n := testing.AllocsPerRun(20, func() {
			k.Run(1, 2, point, scratch)
			_ = k.Flops(1, 2, point) + k.Bytes(len(scratch))
			point++
		})
		testrun.Equal(t, 0, n, "%s: allocations a run", kind)
	}
}
