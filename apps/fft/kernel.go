package fft

import (
	"math"
	"math/bits"
)

// twiddles returns the roots of unity for transforms of up to n points: those of a transform of m points, exp(-2πik/m)
// for k < m/2, begin at m/2.
func twiddles(n int) []complex128 {
	w := make([]complex128, max(n, 2))
	for half := 1; half < n; half *= 2 {
		for k := range half {
			sin, cos := math.Sincos(-math.Pi * float64(k) / float64(half))
			w[half+k] = complex(cos, sin)
		}
	}
	return w
}

// butterflies replaces a and b, the same part of both halves of what is transformed, by what the transforms of
// the halves begin with: sums, and differences times the roots w.
//
// It is not inlined: all forms run this copy of the loop, wherever it lies in memory.
//
//go:noinline
func butterflies(a, b, w []complex128) {
	b, w = b[:len(a)], w[:len(a)]
	for k, x := range a {
		y := b[k]
		a[k], b[k] = x+y, (x-y)*w[k]
	}
}

// transform transforms points in place.
func transform(x, w []complex128) {
	half := len(x) / 2
	switch half {
	case 0:
	case 1:
		x[0], x[1] = x[0]+x[1], x[0]-x[1]
	case 2:
		a, b, c, d := x[0], x[1], x[2], x[3]
		even, odd, turned := a+c, b+d, complex(imag(b)-imag(d), real(d)-real(b)) // (b-d) times -i
		x[0], x[1], x[2], x[3] = even+odd, even-odd, a-c+turned, a-c-turned
	default:
		butterflies(x[:half], x[half:], w[half:])
		transform(x[:half], w)
		transform(x[half:], w)
	}
}

// inverse takes transform back.
func inverse(x, w []complex128) {
	scale := complex(1/float64(len(x)), 0)
	undo(x, w)
	for k := range x {
		x[k] *= scale
	}
}

func undo(x, w []complex128) {
	half := len(x) / 2
	if half == 0 {
		return
	}
	a, b := x[:half], x[half:]
	undo(a, w)
	undo(b, w)
	for k, root := range w[half : 2*half] {
		y := b[k] * complex(real(root), -imag(root))
		a[k], b[k] = a[k]+y, a[k]-y
	}
}

// reversed returns where frequency k of n is in the spectrum: at the number with k's bits from the other end.
func reversed(k, n int) int {
	return int(bits.Reverse64(uint64(k)) >> 1 >> (63 - (bits.Len(uint(n)) - 1)))
}
