package kernel

import "math"

// chunk is how many iterations of a compute kernel run in one call of its loop,
// about 40 microseconds. The assembly cannot be preempted, and the collector stops
// the world only between two calls.
const chunk = 1 << 14

// squares are the operands of compute_bound.
type squares [64]float64

// start are what the operands start at, 64 different values between -0.73 and
// -0.23; doc.go says why these.
var start = func() (s squares) {
	for i := range s {
		s[i] = -0.2345 - float64(i)/128
	}
	return s
}()

// sums are the accumulators of compute_bound2. They start at zero.
type sums [32]float64

var zero sums

// The factors of compute_bound2, the original's.
const (
	factorA = 1.2345
	factorB = 1.010101
)

// Implementation says how the compute kernels run on this processor:
// "avx2+fma assembly" or "portable".
func Implementation() string {
	if assembly {
		return "avx2+fma assembly"
	}
	return "portable"
}

// compute is compute_bound; it returns the product of the operands.
//
//go:noinline
func compute(iterations int64) float64 {
	if iterations <= chunk {
		return product(&start, iterations)
	}
	x := start
	for ; iterations > chunk; iterations -= chunk {
		square(&x, chunk)
	}
	return product(&x, iterations)
}

// compute2 is compute_bound2; it returns the sum of the accumulators.
//
//go:noinline
func compute2(iterations int64) float64 {
	if iterations <= chunk {
		return sum(&zero, iterations)
	}
	c := zero
	for ; iterations > chunk; iterations -= chunk {
		accumulate(&c, chunk)
	}
	return sum(&c, iterations)
}

// squarePortable does n iterations of v*v + v, fused, on each of x's values.
func squarePortable(x *squares, n int64) {
	for range n {
		for i := range x {
			x[i] = math.FMA(x[i], x[i], x[i])
		}
	}
}

// productPortable returns the product of from's values after n iterations; from
// stays as it is.
func productPortable(from *squares, n int64) float64 {
	x := *from
	squarePortable(&x, n)
	p := 1.0
	for i := range x {
		p *= x[i]
	}
	return p
}

// accumulatePortable adds the product of the factors, fused, n times to each of c's
// values.
func accumulatePortable(c *sums, n int64) {
	for range n {
		for i := range c {
			c[i] = math.FMA(factorA, factorB, c[i])
		}
	}
}

// sumPortable returns the sum of from's values after n iterations; from stays as it
// is.
func sumPortable(from *sums, n int64) float64 {
	c := *from
	accumulatePortable(&c, n)
	s := 0.0
	for i := range c {
		s += c[i]
	}
	return s
}
