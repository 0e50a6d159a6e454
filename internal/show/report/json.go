package report

import (
	"encoding/json"
	"errors"
	"io"

	"ocr/internal/measure/bench"
)

// MarshalJSON writes an object whose members keep their order.
func (c Config) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, s := range c {
		if i > 0 {
			b = append(b, ',')
		}
		key, err1 := json.Marshal(s.Key)
		value, err2 := json.Marshal(s.Value)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// resultLayout is a result in JSON, written and read.
type resultLayout struct {
	Name    string        `json:"name"`
	Labels  Config        `json:"labels,omitempty"`
	Metrics metricsLayout `json:"metrics"`
	Runs    []int         `json:"runs,omitempty"`
}

// metricsLayout is an object with a member for each unit, in their order.
type metricsLayout bench.Metrics

// metricLayout is a unit in JSON, of which only the samples are read.
type metricLayout struct {
	Median  float64    `json:"median"`
	CI95    [2]float64 `json:"ci95"`
	Min     float64    `json:"min"`
	Mean    float64    `json:"mean"`
	N       int        `json:"n"`
	Samples []float64  `json:"samples"`
}

// MarshalJSON writes a result.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(resultLayout{r.Name, r.Labels, metricsLayout(r.Metrics), r.Runs})
}

// MarshalJSON adds a summary to the samples of each unit.
func (l metricsLayout) MarshalJSON() ([]byte, error) {
	units := Config{}
	for _, m := range l {
		s := bench.Summarize(m.Samples)
		units = units.With(m.Unit, metricLayout{s.Median, [2]float64{s.Lo, s.Hi}, s.Min, s.Mean, s.N, m.Samples})
	}
	return json.Marshal(units)
}

func (d *Document) writeJSON(w io.Writer) error {
	out := *d
	out.Verified = d.verified()
	out.Argv, out.Warnings, out.Results = list(d.Argv), list(d.Warnings), list(d.Results)
	m := &out.Machine
	m.Caches, m.NUMA, m.Placement = list(m.Caches), list(m.NUMA), list(m.Placement)
	if out.Counters == nil {
		out.Counters = map[string]uint64{}
	}
	var stats any
	var sections []Section
	if d.Stats != nil {
		stats, sections = d.Stats.Value, d.Stats.Sections
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Schema string `json:"schema"`
		*Document
		Stats     any       `json:"stats,omitempty"`
		StatsText []Section `json:"stats_text,omitempty"`
	}{Schema, &out, stats, sections})
}

// list copies a list, so that an empty one is not null in JSON.
func list[T any](l []T) []T { return append([]T{}, l...) }
