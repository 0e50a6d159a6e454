package report

import (
	"slices"
	"strings"

	"ocr/internal/bench"
)

// Efficiency is the label that [Document.AddEfficiency] adds.
const Efficiency = "efficiency"

// AddEfficiency labels the results of a run on several processors with their efficiency:
// how many times as fast as the baseline they are, divided by what the processors gave.
// The baseline uses one processor.
func (d *Document) AddEfficiency() {
	if d.Conditions == nil || d.Conditions.Processors < 2 {
		return
	}
	capacity := d.Conditions.Given() * float64(d.Conditions.Processors)
	for i := range d.Results {
		r := &d.Results[i]
		for _, m := range r.Metrics {
			base := d.Metric(d.Baseline, m.Unit).Median
			if !isPace(m.Unit) || base == 0 || r.Name == d.Baseline {
				continue
			}
			faster := bench.Summarize(m.Samples).Median / base
			if isTime(m.Unit) {
				faster = 1 / faster
			}
			r.Labels = append(slices.Clip(r.Labels), Setting{Efficiency, faster / capacity})
			break
		}
	}
}

// isPace reports whether unit is a time or a rate.
func isPace(unit string) bool { return isTime(unit) || isRate(unit) }

// isRate reports whether unit is something a second.
func isRate(unit string) bool { return strings.HasSuffix(unit, "/s") }
