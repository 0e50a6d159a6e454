package workspan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ocr/observe/stats"
)

// Result returns what was measured, after all workers have ended; on rank 0 over all ranks.
func (m *Meter) Result() stats.Result {
	r := m.resultHere()
	for k := range m.parts {
		r = join(r, &m.parts[k])
	}
	slices.SortFunc(r.Templates, func(a, b stats.Template) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), strings.Compare(a.Name, b.Name))
	})
	return r
}

// resultHere is the part of this rank.
func (m *Meter) resultHere() stats.Result {
	period := m.period()
	ns := func(steps int64) int64 { return int64(math.Round(float64(steps) * period)) }
	r := stats.Result{LongestQueue: m.most.Load(), Workers: []stats.Worker{}, Templates: []stats.Template{}}
	all := map[string]*tally{}
	span := uint64(0)
	for k, w := range m.workers {
		if m.parts != nil && k == len(m.workers)-1 {
			break // the courier has no time of its own
		}
		part := stats.Worker{Steals: w.steals, Parks: w.parks, Split: stats.Split{
			Body: ns(w.body), Spinning: ns(w.idle - w.parked), Parked: ns(w.parked),
			Runtime: ns(w.last - w.first - w.body - w.idle),
		}}
		for name, t := range w.tallies {
			if t.count == 0 {
				continue // its only body did not return
			}
			part.EDTs += t.count
			sum := all[name]
			if sum == nil {
				sum = new(tally)
				all[name] = sum
			}
			sum.join(*t)
		}
		r.Workers = append(r.Workers, part)
		r.EDTs += part.EDTs
		r.Steals += part.Steals
		r.Parks += part.Parks
		r.Total.Body += part.Body
		r.Total.Runtime += part.Runtime
		r.Total.Spinning += part.Spinning
		r.Total.Parked += part.Parked
		span = max(span, w.span)
	}
	r.Span = ns(int64(span))
	for name, t := range all {
		r.Templates = append(r.Templates, stats.Template{
			Name: name, Count: t.count, Total: ns(t.total), Mean: float64(t.total) * period / float64(t.count),
			Min: ns(t.least), Max: ns(t.most),
		})
	}
	finish(&r)
	return r
}

// finish computes what follows from the rest.
func finish(r *stats.Result) {
	r.Work, r.WithRuntime = r.Total.Body, r.Total.Body+r.Total.Runtime
	if r.Span > 0 {
		r.Parallelism = float64(r.Work) / float64(r.Span)
	}
}
