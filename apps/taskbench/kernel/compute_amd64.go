package kernel

// assembly reports whether the processor and the operating system have AVX2 and FMA.
var assembly = hasAVX2FMA()

func hasAVX2FMA() bool

// The assembly does what the portable function does, to the bit. It cannot be
// preempted. If to is nil it has a copy of the operands in a stack frame of its own:
// Go would clear one first, which is a third of what a run without iterations takes.

//go:noescape
func productAVX2(from, to *squares, n int64) float64

func product(from, to *squares, n int64) float64 {
	if assembly {
		return productAVX2(from, to, n)
	}
	return productPortable(from, to, n)
}
