package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"ocr/internal/measure/bench"
)

func (d *Document) writeJSON(w io.Writer) error {
	out := *d
	out.Verified = d.verified()
	out.Argv, out.Warnings, out.Results = list(d.Argv), list(d.Warnings), list(d.Results)
	m := &out.Machine
	m.Caches, m.NUMA, m.Placement = list(m.Caches), list(m.NUMA), list(m.Placement)
	if out.Counters == nil {
		out.Counters = map[string]uint64{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Schema string `json:"schema"`
		*Document
	}{Schema, &out})
}

// list copies a list, so that an empty one is not null in JSON.
func list[T any](l []T) []T { return append([]T{}, l...) }

// MarshalJSON writes an object whose members keep their order.
func (c Config) MarshalJSON() ([]byte, error) {
	members := make([]string, len(c))
	for i, s := range c {
		object, err := json.Marshal(map[string]any{s.Key: s.Value})
		if err != nil {
			return nil, err
		}
		members[i] = string(object[1 : len(object)-1])
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// UnmarshalJSON reads an object, or null. A value that is null is empty.
func (c *Config) UnmarshalJSON(data []byte) error {
	*c = nil
	return members(data, func(key string, value any) error {
		switch value.(type) {
		case nil:
			value = ""
		case string, bool, json.Number:
		default:
			return errors.New("a setting must be a text, a number, true or false")
		}
		*c = append(*c, Setting{key, value})
		return nil
	})
}

// resultLayout is a result in JSON.
type resultLayout struct {
	Name    string        `json:"name"`
	Labels  Config        `json:"labels,omitempty"`
	Metrics metricsLayout `json:"metrics"`
	Runs    []int         `json:"runs,omitempty"`
}

// MarshalJSON writes a result.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(resultLayout{r.Name, r.Labels, metricsLayout(r.Metrics), r.Runs})
}

// UnmarshalJSON reads a result.
func (r *Result) UnmarshalJSON(data []byte) error {
	var in resultLayout
	if err := cmp.Or(json.Unmarshal(data, &in), checkWord(in.Name)); err != nil {
		return fmt.Errorf("%.60q: %w", in.Name, err)
	}
	*r = Result{in.Name, in.Labels, bench.Metrics(in.Metrics), in.Runs}
	return nil
}

// metricsLayout is an object with a member for each unit, in their order: the samples and a summary, which is not read.
type metricsLayout bench.Metrics

// MarshalJSON writes the samples and a summary of each unit.
func (l metricsLayout) MarshalJSON() ([]byte, error) {
	type metric struct {
		Median  float64    `json:"median"`
		CI95    [2]float64 `json:"ci95"`
		Min     float64    `json:"min"`
		Mean    float64    `json:"mean"`
		N       int        `json:"n"`
		Samples []float64  `json:"samples"`
	}
	units := Config{}
	for _, m := range l {
		s := bench.Summarize(m.Samples)
		units = units.With(m.Unit, metric{s.Median, [2]float64{s.Lo, s.Hi}, s.Min, s.Mean, s.N, m.Samples})
	}
	return json.Marshal(units)
}

// UnmarshalJSON reads the samples of each unit.
func (l *metricsLayout) UnmarshalJSON(data []byte) error {
	type metric struct {
		Samples []*float64 `json:"samples"` // null is a nil pointer
	}
	return members(data, func(unit string, in metric) error {
		m := bench.Metric{Unit: unit}
		for _, v := range in.Samples {
			if v == nil {
				return errors.New("a sample is null: must be a number")
			}
			m.Samples = append(m.Samples, *v)
		}
		*l = append(*l, m)
		return nil
	})
}

// members calls a function for every member of a JSON object, in their order; for null it makes no call.
func members[V any](data []byte, each func(name string, value V) error) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	start, err := dec.Token()
	switch {
	case start == nil:
		return err
	case start != json.Delim('{'):
		return errors.New("config, labels and metrics must be objects")
	}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		var value V
		name := token.(string)
		if err = cmp.Or(checkWord(name), dec.Decode(&value)); err == nil {
			err = each(name, value)
		}
		if err != nil {
			return fmt.Errorf("%.60q: %w", name, err)
		}
	}
	return nil
}
