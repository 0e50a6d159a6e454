package metg

import (
	"ocr/internal/bench"
)

// leastGrowth is the ratio of costs above which they are said to grow: less may be
// caches that more tasks fill.
const leastGrowth = 1.25

// Growth is how the cost of a task changes if there are more tasks.
type Growth struct {
	Ratio bench.Summary // of the cost with more tasks to that with fewer
	// Superlinear: the whole interval of the ratio is above a quarter of growth.
	Superlinear bool
}

// Compare sets the cost of a task in runs of more tasks against that in runs of fewer,
// pair by pair: the costs of one index were measured beside each other.
func Compare(fewer, more []float64) Growth {
	var ratios []float64
	for i := range min(len(fewer), len(more)) {
		ratios = append(ratios, more[i]/fewer[i])
	}
	s := bench.Summarize(ratios)
	return Growth{Ratio: s, Superlinear: s.N > 0 && s.Lo > leastGrowth}
}
