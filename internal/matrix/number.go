package matrix

import (
	"math"
	"slices"
	"strconv"

	"ocr/internal/bench"
)

// maxDecimals is as fine as a number in a cell gets.
const maxDecimals = 2

// decimals returns how many digits after the point the cells of a matrix have: as
// many as show three significant digits of the median value and two of the least.
func decimals(values []float64) int {
	if len(values) == 0 {
		return 0
	}
	return max(decimalsOf(median(values), 3), decimalsOf(slices.Min(values), 2))
}

// decimalsOf returns the digits after the point with which v shows so many
// significant ones, within what a cell may have.
func decimalsOf(v float64, significant int) int {
	if v == 0 {
		return 0
	}
	magnitude := int(math.Floor(math.Log10(v)))
	return min(max(significant-1-magnitude, 0), maxDecimals)
}

// median returns the median of values in any order; there must be one at least.
func median(values []float64) float64 {
	return bench.Quantile(slices.Sorted(slices.Values(values)), 0.5)
}

// Format returns v as the cells of this matrix show it, all of them with the same
// number of digits after the point.
func (m *Matrix) Format(v float64) string { return strconv.FormatFloat(v, 'f', m.decimals, 64) }
