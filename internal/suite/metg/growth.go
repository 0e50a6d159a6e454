package metg

import "ocr/internal/bench"

// leastGrowth is the ratio of costs above which they are said to grow: less may be
// caches that more tasks fill.
const leastGrowth = 1.25

// A growth is how the cost of a task changes with more tasks.
type growth struct {
	ratio       bench.Summary // of the cost with more tasks to that with fewer
	superlinear bool          // the whole interval of the ratio is above leastGrowth
}

// compare sets the cost of a task in runs of more tasks against that in runs of fewer,
// pair by pair: the costs of one index were measured beside each other.
func compare(fewer, more []float64) growth {
	var ratios []float64
	for i := range min(len(fewer), len(more)) {
		ratios = append(ratios, more[i]/fewer[i])
	}
	s := bench.Summarize(ratios)
	return growth{s, s.N > 0 && s.Lo > leastGrowth}
}
