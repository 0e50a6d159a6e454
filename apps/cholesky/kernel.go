package cholesky

import (
	"math"

	"gonum.org/v1/gonum/blas"
	level3 "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack/gonum"
)

// The kernels work on tiles that are stored by rows. width is the number of columns of the tiles
// that belong to the factor.

// potrf factors a diagonal tile in place. A tile that is not positive definite becomes NaN, and so do the tiles that
// depend on it: Verify finds them.
func potrf(a []float64, width int) {
	if !(gonum.Implementation{}).Dpotrf(blas.Lower, width, a, width) {
		for k := range a {
			a[k] = math.NaN()
		}
	}
}

// trsm makes a tile below the diagonal a tile of the factor: b = b * l^-T.
func trsm(l, b []float64, width int) {
	level3.Implementation{}.Dtrsm(blas.Right, blas.Lower, blas.Trans, blas.NonUnit, len(b)/width, width, 1, l, width, b,
		width)
}

// syrk updates the lower half of a diagonal tile: c = c - a * a^T.
func syrk(a, c []float64, width int) {
	n := len(a) / width
	level3.Implementation{}.Dsyrk(blas.Lower, blas.NoTrans, n, width, -1, a, width, 1, c, n)
}

// gemm updates a tile below the diagonal: c = c - a * b^T.
//
// Dgemm starts goroutines of its own for a product of four or more blocks of 64 x 64: gemm gives it parts of two
// blocks.
func gemm(a, b, c []float64, width int) {
	const rows, columns = 64, 128
	m, n := len(a)/width, len(b)/width
	for i := 0; i < m; i += rows {
		for j := 0; j < n; j += columns {
			level3.Implementation{}.Dgemm(blas.NoTrans, blas.Trans, min(rows, m-i), min(columns, n-j), width,
				-1, a[i*width:], width, b[j*width:], width, 1, c[i*n+j:], n)
		}
	}
}
