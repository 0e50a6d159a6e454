package kernel

// assembly tells whether the processor and the operating system have AVX2 and FMA.
var assembly = hasAVX2FMA()

func hasAVX2FMA() bool

// The assembly does what the portable functions do, to the bit. It cannot be
// preempted. productAVX2 and sumAVX2 keep their copy of the operands in a stack
// frame of their own: Go would clear one first, which is a third of what a run
// without iterations takes.

//go:noescape
func squareAVX2(x *squares, n int64)

//go:noescape
func productAVX2(from *squares, n int64) float64

//go:noescape
func accumulateAVX2(c *sums, a, b float64, n int64)

//go:noescape
func sumAVX2(from *sums, a, b float64, n int64) float64

func square(x *squares, n int64) {
	if assembly {
		squareAVX2(x, n)
	} else {
		squarePortable(x, n)
	}
}

func product(from *squares, n int64) float64 {
	if assembly {
		return productAVX2(from, n)
	}
	return productPortable(from, n)
}

func accumulate(c *sums, n int64) {
	if assembly {
		accumulateAVX2(c, factorA, factorB, n)
	} else {
		accumulatePortable(c, n)
	}
}

func sum(from *sums, n int64) float64 {
	if assembly {
		return sumAVX2(from, factorA, factorB, n)
	}
	return sumPortable(from, n)
}
