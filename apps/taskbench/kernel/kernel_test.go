package kernel

import (
	"math"
	"slices"
	"testing"

	"ocr/internal/proof/testrun"
)

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
		{Kernel{Kind: LoadImbalance, Iterations: 1024, Imbalance: 2}, 128*983 + 64},
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
