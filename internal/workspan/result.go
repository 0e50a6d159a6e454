package workspan

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A Result is what a run's workers did with their time, in nanoseconds. The names in
// JSON are those of ocrbench's results.
type Result struct {
	EDTs   uint64 `json:"edts"`
	Steals uint64 `json:"steals"`
	Parks  uint64 `json:"parks"`
	// LongestQueue is the greatest number of EDTs that were ready at a time, on all
	// workers together.
	LongestQueue int64 `json:"longest-queue"`
	// Work is T1, the time in bodies. WithRuntime is that and what the runtime took
	// between bodies.
	Work        int64 `json:"work-ns"`
	WithRuntime int64 `json:"work-with-runtime-ns"`
	// Span is Tinf, the longest path.
	Span int64 `json:"span-ns"`
	// Parallelism is Work/Span; 0 if nothing ran.
	Parallelism float64    `json:"average-parallelism"`
	Total       Split      `json:"total"`
	Workers     []Worker   `json:"workers"`
	Templates   []Template `json:"templates"`
}

// A Split is what time went into.
type Split struct {
	Body     int64 `json:"body-ns"`
	Runtime  int64 `json:"runtime-ns"`
	Spinning int64 `json:"spinning-ns"` // looking for work
	Parked   int64 `json:"parked-ns"`   // asleep
}

// Sum returns the time from a worker's first EDT or search to its last.
func (s Split) Sum() int64 { return s.Body + s.Runtime + s.Spinning + s.Parked }

// A Worker is one worker's part.
type Worker struct {
	EDTs   uint64 `json:"edts"`
	Steals uint64 `json:"steals"`
	Parks  uint64 `json:"parks"`
	Split
}

// A Template is the bodies of the EDTs of a template, or of several of one name.
type Template struct {
	Name  string  `json:"name"`
	Count uint64  `json:"count"`
	Total int64   `json:"total-ns"`
	Mean  float64 `json:"mean-ns"`
	Min   int64   `json:"min-ns"`
	Max   int64   `json:"max-ns"`
}

// Result returns what was measured, after all workers have ended.
func (m *Meter) Result() Result {
	period := m.period()
	ns := func(steps int64) int64 { return int64(math.Round(float64(steps) * period)) }
	r := Result{LongestQueue: m.most.Load(), Workers: []Worker{}, Templates: []Template{}}
	all := map[string]*tally{}
	span := uint64(0)
	for _, w := range m.workers {
		part := Worker{Steals: w.steals, Parks: w.parks, Split: Split{
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
	r.Work, r.WithRuntime, r.Span = r.Total.Body, r.Total.Body+r.Total.Runtime, ns(int64(span))
	if r.Span > 0 {
		r.Parallelism = float64(r.Work) / float64(r.Span)
	}
	for name, t := range all {
		r.Templates = append(r.Templates, Template{
			Name: name, Count: t.count, Total: ns(t.total), Mean: float64(t.total) * period / float64(t.count),
			Min: ns(t.least), Max: ns(t.most),
		})
	}
	slices.SortFunc(r.Templates, func(a, b Template) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), strings.Compare(a.Name, b.Name))
	})
	return r
}
