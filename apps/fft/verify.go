package fft

import (
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
	"slices"

	"ocr/apps/trial"
)

// allChecked is up to how many points Verify compares every frequency with its definition: of more points, few
// frequencies.
const (
	allChecked = 1 << 10
	fewChecked = 4
)

// Verify compares frequencies of the latest run's spectrum with their definition, and the inverse of the whole
// spectrum with the input.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	n, checks := a.cfg.Points, a.cfg.Points
	if n > allChecked {
		checks = fewChecked
	}
	for i := range checks {
		k := i * 0x9e3779b1 % n // an odd number: with all i below n, every k comes
		if got, want := a.Spectrum(k), a.defined(k); !near(got, want, n, math.Sqrt(float64(n))) {
			return trial.Wrong(appName, fmt.Sprintf("frequency %d", k), got, want)
		}
	}
	back := slices.Clone(a.spectrum)
	inverse(back, a.roots)
	for k, want := range a.input {
		if !near(back[k], want, n, 1) {
			return trial.Wrong(appName, fmt.Sprintf("point %d after the inverse transform", k), back[k], want)
		}
	}
	return nil
}

// near reports whether two values of so large a size are the same, but for the rounding of a transform of n points.
func near(a, b complex128, n int, size float64) bool {
	const epsilon = 1.0 / (1 << 52)
	return cmplx.Abs(a-b) <= 32*epsilon*size*float64(1+bits.Len(uint(n)))
}

// defined returns frequency k of the input by its definition. It adds up in two steps: a sum of very many loses digits.
func (a *App) defined(k int) (sum complex128) {
	n, j := a.cfg.Points, 0
	for points := range slices.Chunk(a.input, allChecked) {
		var some complex128
		for _, x := range points {
			sin, cos := math.Sincos(-2 * math.Pi * float64(j*k%n) / float64(n))
			some += x * complex(cos, sin)
			j++
		}
		sum += some
	}
	return sum
}
