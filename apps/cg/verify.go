package cg

import (
	"fmt"
	"math"

	"ocr/apps/trial"
)

// The problem is HPCG's: the points of a grid are coupled with their 26 neighbours, by -1, and with themselves by 26. The
// right-hand side is such that the solution is 1 everywhere.

// rightHandSide returns, for each point, 26 less the number of its neighbours.
func (c Config) rightHandSide() []float64 {
	b := make([]float64, c.Size*plane(c.Size))
	c.each(func(z, y, x, at int) {
		b[at] = float64(27 - c.along(z)*c.along(y)*c.along(x))
	})
	return b
}

// each calls f with every point, and where it lies in a vector.
func (c Config) each(f func(z, y, x, at int)) {
	for z := range c.Size {
		for y := range c.Size {
			for x := range c.Size {
				f(z, y, x, z*plane(c.Size)+(y+1)*(c.Size+2)+x+1)
			}
		}
	}
}

// along returns how many of a point and its two neighbours along an edge there are.
func (c Config) along(at int) int { return min(at+1, c.Size-1) - max(at-1, 0) + 1 }

// multiply returns A*v as the matrix is written, without the kernel.
func (c Config) multiply(v []float64) []float64 {
	product := make([]float64, len(v))
	c.each(func(z, y, x, at int) {
		sum := 27 * v[at]
		for dz := max(z-1, 0); dz <= min(z+1, c.Size-1); dz++ {
			for dy := -1; dy <= 1; dy++ {
				row := dz*plane(c.Size) + (y+1+dy)*(c.Size+2) + x + 1
				sum -= v[row-1] + v[row] + v[row+1] // zeros outside
			}
		}
		product[at] = sum
	})
	return product
}

// Verify computes the residual b - A*x, which must be what the method says. That must be small enough if the method
// has ended early. And the error, in the norm of A, must be as small as conjugate gradients make it in so many
// iterations: 2*q^k of the first one, q = (sqrt(c)-1) / (sqrt(c)+1), with the condition number c of the matrix.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	c, k := a.cfg, a.scalars
	if k.Iterations < 0 || k.Iterations > c.Iterations || k.Iterations < c.Iterations && !(k.RR <= k.bound()) {
		return trial.Wrong(appName, fmt.Sprintf("iterations, with the residual at %.3g of the first", math.Sqrt(k.RR/k.First)), k.Iterations, c.Iterations)
	}
	product := c.multiply(a.x)
	wrong := make([]float64, len(a.x))
	square, first := 0.0, 0.0
	c.each(func(_, _, _, at int) {
		r := a.b[at] - product[at]
		square, first = square+r*r, first+a.b[at]*a.b[at]
		wrong[at] = 1 - a.x[at]
	})
	const rounding = 1e-10 // of the first residual, or error
	if got, want := math.Sqrt(k.RR), math.Sqrt(square); !(math.Abs(got-want) <= rounding*math.Sqrt(first)) {
		return trial.Wrong(appName, fmt.Sprintf("the residual after %d iterations", k.Iterations), got, want)
	}
	reached, bound := math.Sqrt(c.energy(wrong)/c.energyOfOnes()), 2*math.Pow(c.rate(), float64(k.Iterations))
	if !(reached <= bound+rounding) {
		return trial.Wrong(appName, fmt.Sprintf("the error after %d iterations, of the first", k.Iterations), reached, fmt.Sprintf("at most %g", bound))
	}
	return nil
}

// energy returns v*A*v.
func (c Config) energy(v []float64) (sum float64) {
	for at, w := range c.multiply(v) {
		sum += v[at] * w
	}
	return sum
}

// energyOfOnes is the energy of the first error, which is 1 everywhere.
func (c Config) energyOfOnes() (sum float64) {
	for _, v := range c.rightHandSide() {
		sum += v
	}
	return sum
}

// rate returns q. The eigenvalues of A are 27 less a product of three eigenvalues of the sum along an edge of a
// point and its neighbours, which are 1 + 2*cos(j*pi/(n+1)).
func (c Config) rate() float64 {
	large := 1 + 2*math.Cos(math.Pi/float64(c.Size+1))
	small := 1 + 2*math.Cos(float64(c.Size)*math.Pi/float64(c.Size+1))
	condition := (27 - min(large*large*small, small*small*small)) / (27 - large*large*large)
	return (math.Sqrt(condition) - 1) / (math.Sqrt(condition) + 1)
}
