// Package stats has the figures of [ocr/observe.Stats].
package stats

// A Result has counts of a run, and times in nanoseconds. The names in JSON are those of ocrbench's results.
type Result struct {
	EDTs   uint64 `json:"edts"`
	Steals uint64 `json:"steals"`
	Parks  uint64 `json:"parks"`
	// Work is T1, the time in bodies. WithRuntime is Work and the time of the runtime between bodies.
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

// A Split is how time was spent.
type Split struct {
	Body     int64 `json:"body-ns"`
	Runtime  int64 `json:"runtime-ns"`
	Spinning int64 `json:"spinning-ns"` // looking for work
	Parked   int64 `json:"parked-ns"`   // asleep
}

// Sum returns the whole time: from the beginning of a worker's first EDT or search to the end of its last.
func (s Split) Sum() int64 { return s.Body + s.Runtime + s.Spinning + s.Parked }

// A Worker is one worker's share of the result.
type Worker struct {
	EDTs   uint64 `json:"edts"`
	Steals uint64 `json:"steals"`
	Parks  uint64 `json:"parks"`
	Split
}

// A Template has the times of the bodies of a template's EDTs, or of several templates of one name.
type Template struct {
	Name  string  `json:"name"`
	Count uint64  `json:"count"`
	Total int64   `json:"total-ns"`
	Mean  float64 `json:"mean-ns"`
	Min   int64   `json:"min-ns"`
	Max   int64   `json:"max-ns"`
}
