package kernel

import "golang.org/x/sys/cpu"

// assembly reports whether the processor and the operating system have AVX2 and FMA.
var assembly = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// The assembly computes the same bits as the portable function. It cannot be preempted. If to == nil, it keeps its
// operands in a stack frame of its own: Go would clear a frame first, a third of the time of a run without iterations.

//go:noescape
func productAVX2(from, to *squares, n int64) float64

func product(from, to *squares, n int64) float64 {
	if assembly {
		return productAVX2(from, to, n)
	}
	return productPortable(from, to, n)
}
