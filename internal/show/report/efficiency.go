package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ocr/internal/measure/bench"
)

// Efficiency is the label that [Document.AddEfficiency] adds.
const Efficiency = "efficiency"

// widestEfficiency is the greatest ratio of the ends of an efficiency's interval.
const widestEfficiency = 2

// AddEfficiency labels the results of a run on several processors with their efficiency:
//
//	efficiency = speed-up / scaling
//	speed-up   = the baseline's time / the result's time, of each round of samples; the median
//	scaling    = the work of bare loops on all processors together / the work of one loop
//
// The baseline uses one processor, as the one loop does. Both quotients compare one processor with all of them while
// other processes take the same part, so the load cancels out; effects of threads of one core, or of a hypervisor,
// are in both.
//
// The least efficiency is the lowest speed-up of its interval by the larger scaling, of before and after; the greatest
// is the highest by the smaller. If these are too far apart, a warning has the two, and the result gets no label. A
// result of one sample gets none either.
func (d *Document) AddEfficiency() {
	before, after := d.Conditions.Scaling()
	if before == 0 || after == 0 {
		return
	}
	names := shortNames(d.Results)
	var vague []string
	for i := range d.Results {
		r := &d.Results[i]
		speedup := d.speedup(r)
		least, most := speedup.Lo/max(before, after), speedup.Hi/min(before, after)
		switch {
		case speedup.N < 2:
		case most > widestEfficiency*least:
			vague = append(vague, fmt.Sprintf("%s (%s to %s)", names[i], Short(least), Short(most)))
		default:
			r.Labels = append(slices.Clip(r.Labels), Setting{Efficiency, speedup.Median / ((before + after) / 2)})
		}
	}
	if len(vague) > 0 {
		d.Asides = append(d.Asides, "no efficiency is shown of "+strings.Join(vague, ", ")+
			": too uncertain, by the samples and by what the processors gave before and after")
	}
}

// speedup returns the speed of a result by the baseline's, round by round, in the first unit of a pace that both have.
// Of the baseline itself the summary is zero.
func (d *Document) speedup(r *Result) bench.Summary {
	if r.Name == d.Baseline {
		return bench.Summary{}
	}
	for _, m := range r.Metrics {
		one := d.result(d.Baseline).Metrics.Samples(m.Unit)
		if !IsPace(m.Unit) {
			continue
		}
		rounds := make([]float64, min(len(one), len(m.Samples)))
		for k := range rounds {
			rounds[k] = m.Samples[k] / one[k]
			if BetterOf(m.Unit) == Lower {
				rounds[k] = 1 / rounds[k]
			}
		}
		if s := bench.Summarize(rounds); s.Lo > 0 && !math.IsInf(s.Hi, 1) {
			return s
		}
	}
	return bench.Summary{}
}
