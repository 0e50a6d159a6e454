package page

import (
	"slices"
	"testing"

	"ocr/internal/show/svg"
)

// Short writes a figure as the page does, for tests of the page in a browser.
var Short = short

// TestHistogram: every sample is in a bin.
func TestHistogram(t *testing.T) {
	for _, samples := range [][]float64{{1}, {1, 2, 3}, {1, 1e6}, {0, 0}, slices.Repeat([]float64{2, 3}, 5000)} {
		sum := 0
		for _, n := range histogram(samples, svg.NewScale(slices.Min(samples), slices.Max(samples), 8, 300)) {
			sum += n
		}
		if sum != len(samples) {
			t.Errorf("the bins of %d samples hold %d", len(samples), sum)
		}
	}
}
