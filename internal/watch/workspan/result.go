package workspan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"ocr/observe/stats"
)

// Result returns the figures, after all workers have ended.
func (m *Meter) Result() stats.Result {
	r := stats.Result{Workers: []stats.Worker{}, Templates: []stats.Template{}}
	period, span, bodies := m.period(), uint64(0), map[string]*tally{}
	ns := func(steps int64) int64 { return int64(math.Round(float64(steps) * period)) }
	for _, w := range m.workers {
		part := stats.Worker{Steals: w.steals, Parks: w.parks, Split: stats.Split{
			Body: ns(w.body), Spinning: ns(w.idle - w.parked), Parked: ns(w.parked),
			Runtime: ns(w.last - w.first - w.body - w.idle),
		}}
		for name, t := range w.tallies {
			part.EDTs += t.count
			if bodies[name] == nil {
				bodies[name] = new(tally)
			}
			bodies[name].add(*t)
		}
		r.Workers = append(r.Workers, part)
		r.EDTs, r.Steals, r.Parks = r.EDTs+part.EDTs, r.Steals+part.Steals, r.Parks+part.Parks
		r.Total.Body += part.Body
		r.Total.Runtime += part.Runtime
		r.Total.Spinning += part.Spinning
		r.Total.Parked += part.Parked
		span = max(span, w.span)
	}
	r.Work, r.WithRuntime, r.Span = r.Total.Body, r.Total.Body+r.Total.Runtime, ns(int64(span))
	if r.Span > 0 {
		r.Parallelism = float64(r.Work) / float64(r.Span)
	}
	for name, t := range bodies {
		if t.count > 0 { // else its only body did not return
			r.Templates = append(r.Templates, stats.Template{
				Name: name, Count: t.count, Total: ns(t.total), Mean: float64(t.total) * period / float64(t.count),
				Min: ns(t.least), Max: ns(t.most),
			})
		}
	}
	slices.SortFunc(r.Templates, func(a, b stats.Template) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), strings.Compare(a.Name, b.Name))
	})
	return r
}
