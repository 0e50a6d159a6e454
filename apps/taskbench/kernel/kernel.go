package kernel

import (
	"math"
	"math/bits"
)

// Kernel is one configuration of the kernels. The fields that a kind does not use are ignored.
type Kernel struct {
	Kind Kind
	// Iterations is how often the kind's loop runs, 0 or more; for [LoadImbalance] on average.
	Iterations int64
	// Samples is the number of parts of the scratch memory of [MemoryBound], 1 or more.
	Samples int
	// Imbalance is the spread of the iterations of [LoadImbalance], 0 to 2: a task has Iterations times a factor from
	// 1-Imbalance/2 to 1+Imbalance/2.
	Imbalance float64
}

// Run runs the kernel once, as the task of a point and timestep of a graph. It allocates nothing, and only
// [MemoryBound] uses scratch. The garbage collector can preempt long runs.
func (k *Kernel) Run(graph, timestep, point int64, scratch []byte) {
	switch k.Kind {
	case Empty:
	case BusyWait:
		_ = busyWait(k.Iterations)
	case MemoryBound:
		copySamples(scratch, k.Samples, k.Iterations, timestep)
	case ComputeBound:
		Compute(k.Iterations)
	case LoadImbalance:
		Compute(k.imbalanced(graph, timestep, point))
	}
}

// Flops returns the floating-point operations of one run of the kernel by Task Bench's formulas. A fused multiply-add
// counts twice. Iterations up to 2^54 do not overflow it.
func (k *Kernel) Flops(graph, timestep, point int64) int64 {
	switch k.Kind {
	case ComputeBound:
		return computeFlops(k.Iterations)
	case LoadImbalance:
		return computeFlops(k.imbalanced(graph, timestep, point))
	}
	return 0
}

func computeFlops(iterations int64) int64 { return 2*64*iterations + 64 }

// Bytes returns the memory that one run of the kernel reads and writes by Task Bench's formula: the bytes of a sample
// for each iteration, but at most the largest int64.
func (k *Kernel) Bytes(scratch int) int64 {
	if k.Kind != MemoryBound || k.Samples < 1 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(scratch), uint64(k.Iterations))
	if hi >= uint64(k.Samples) {
		return math.MaxInt64
	}
	total, _ := bits.Div64(hi, lo, uint64(k.Samples))
	return int64(min(total, math.MaxInt64))
}

// imbalanced returns the iterations of one task of [LoadImbalance].
func (k *Kernel) imbalanced(graph, timestep, point int64) int64 {
	factor := 1 + (Uniform(graph, timestep, point)-0.5)*k.Imbalance
	return int64(math.Round(factor * float64(k.Iterations)))
}
