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
	r := stats.Result{LongestQueue: m.most.Load(), Workers: []stats.Worker{}, Templates: []stats.Template{}}
	period := m.period()
	for _, w := range m.workers {
		r = join(r, w.result(period))
	}
	slices.SortFunc(r.Templates, func(a, b stats.Template) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), strings.Compare(a.Name, b.Name))
	})
	return r
}

// result returns the figures of one worker; a step of the clock takes period nanoseconds.
func (w *worker) result(period float64) *stats.Result {
	ns := func(steps int64) int64 { return int64(math.Round(float64(steps) * period)) }
	part := stats.Worker{Steals: w.steals, Parks: w.parks, Split: stats.Split{
		Body: ns(w.body), Spinning: ns(w.idle - w.parked), Parked: ns(w.parked),
		Runtime: ns(w.last - w.first - w.body - w.idle),
	}}
	r := &stats.Result{Steals: w.steals, Parks: w.parks, Span: ns(int64(w.span)), Total: part.Split}
	for name, t := range w.tallies {
		if t.count == 0 {
			continue // its only body did not return
		}
		part.EDTs += t.count
		r.Templates = append(r.Templates, stats.Template{
			Name: name, Count: t.count, Total: ns(t.total), Mean: float64(t.total) * period / float64(t.count),
			Min: ns(t.least), Max: ns(t.most),
		})
	}
	r.EDTs, r.Workers = part.EDTs, []stats.Worker{part}
	return r
}

// join merges the result of a worker into that of the run.
func join(r stats.Result, s *stats.Result) stats.Result {
	r.EDTs, r.Steals, r.Parks = r.EDTs+s.EDTs, r.Steals+s.Steals, r.Parks+s.Parks
	r.Span = max(r.Span, s.Span)
	r.Total.Body += s.Total.Body
	r.Total.Runtime += s.Total.Runtime
	r.Total.Spinning += s.Total.Spinning
	r.Total.Parked += s.Total.Parked
	r.Work, r.WithRuntime = r.Total.Body, r.Total.Body+r.Total.Runtime
	if r.Span > 0 {
		r.Parallelism = float64(r.Work) / float64(r.Span)
	}
	r.Workers = append(r.Workers, s.Workers...)
	for _, t := range s.Templates {
		k := slices.IndexFunc(r.Templates, func(u stats.Template) bool { return u.Name == t.Name })
		if k < 0 {
			r.Templates = append(r.Templates, t)
			continue
		}
		u := &r.Templates[k]
		u.Count, u.Total, u.Min, u.Max = u.Count+t.Count, u.Total+t.Total, min(u.Min, t.Min), max(u.Max, t.Max)
		u.Mean = float64(u.Total) / float64(u.Count)
	}
	return r
}
