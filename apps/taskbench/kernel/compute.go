package kernel

import "math"

// chunk is how many iterations of compute_bound one call of its loop runs, about 40 microseconds. Go cannot
// preempt the assembly, so the garbage collector stops the world only between two calls.
const chunk = 1 << 14

// squares are the operands of compute_bound.
type squares [64]float64

// start has the first values of the operands, 64 different values between -0.73 and -0.23; doc.go says why these.
var start = func() (s squares) {
	for i := range s {
		s[i] = -0.2345 - float64(i)/128
	}
	return s
}()

// Implementation says how compute_bound runs on this processor: "avx2+fma assembly" or "portable".
func Implementation() string {
	if assembly {
		return "avx2+fma assembly"
	}
	return "portable"
}

// Compute is compute_bound; it returns the product of the operands.
//
//go:noinline
func Compute(iterations int64) float64 {
	if iterations <= chunk {
		return product(&start, nil, iterations)
	}
	x := start
	for ; iterations > chunk; iterations -= chunk {
		product(&x, &x, chunk)
	}
	return product(&x, nil, iterations)
}

// productPortable runs n iterations of v*v + v, fused, on each value of *from, and returns the product of the results.
// Unless to == nil, it also stores the results in *to.
func productPortable(from, to *squares, n int64) float64 {
	x, p := *from, 1.0
	for range n {
		for i := range x {
			x[i] = math.FMA(x[i], x[i], x[i])
		}
	}
	for i := range x {
		p *= x[i]
	}
	if to != nil {
		*to = x
	}
	return p
}
