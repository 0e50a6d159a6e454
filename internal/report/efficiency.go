package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ocr/internal/bench"
)

// Efficiency is the label that [Document.AddEfficiency] adds.
const Efficiency = "efficiency"

// widestEfficiency is how many times its lower end the upper end of an efficiency's interval may be.
const widestEfficiency = 2

// AddEfficiency labels the results of a run on several processors with their efficiency:
//
//	efficiency = speed-up / scaling
//	speed-up   = the baseline's time / the result's time, of each round of samples; the median
//	scaling    = what bare loops got done on all processors together / what one loop got done
//
// The baseline uses one processor, as the one loop does. Both quotients compare one processor with
// all of them while other processes take the same part, so the load is in neither; the processors'
// threads of one core or a hypervisor's are in both.
//
// An efficiency is between the lowest speed-up of its interval by the larger scaling, of before and
// after, and the highest by the smaller. If these are too far apart the efficiency says nothing: then
// a warning has the two, and the result no label. Neither has a result of one sample.
func (d *Document) AddEfficiency() {
	before, after := d.Conditions.Scaling()
	if before == 0 || after == 0 {
		return
	}
	names := shortNames(d.Results)
	var vague []string
	for i := range d.Results {
		r := &d.Results[i]
		unit, speedup := d.speedup(r)
		if unit == "" {
			continue
		}
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
		d.Warn("no efficiency is shown of " + strings.Join(vague,
			", ") + ": too uncertain, by the samples and by what the processors gave before and after")
	}
}

// speedup returns how many times as fast as the baseline a result is, round by round, and the unit
// by which that is known: the first pace that both have. There is none of the baseline itself.
func (d *Document) speedup(r *Result) (unit string, s bench.Summary) {
	base := slices.IndexFunc(d.Results, func(other Result) bool { return other.Name == d.Baseline })
	if base < 0 || r.Name == d.Baseline {
		return "", s
	}
	for _, m := range r.Metrics {
		one := d.Results[base].Metrics.Samples(m.Unit)
		if !isPace(m.Unit) || len(one) == 0 {
			continue
		}
		rounds := make([]float64, min(len(one), len(m.Samples)))
		for k := range rounds {
			rounds[k] = m.Samples[k] / one[k]
			if isTime(m.Unit) {
				rounds[k] = 1 / rounds[k]
			}
		}
		if s := bench.Summarize(rounds); s.Lo > 0 && !math.IsInf(s.Hi, 1) {
			return m.Unit, s
		}
	}
	return "", s
}

// isPace reports whether unit is a time or a rate.
func isPace(unit string) bool { return isTime(unit) || isRate(unit) }

// isRate reports whether unit is something a second.
func isRate(unit string) bool { return strings.HasSuffix(unit, "/s") }
