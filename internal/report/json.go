package report

import (
	"bytes"
	"encoding/json"
	"io"

	"ocr/internal/bench"
	"ocr/internal/machine"
)

// object is a JSON object whose members keep their order.
type object []Setting

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.Key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// layout is the JSON document ocrbench/1.
type layout struct {
	Schema     string              `json:"schema"`
	App        string              `json:"app"`
	Argv       []string            `json:"argv"`
	Config     object              `json:"config"`
	Machine    machine.Facts       `json:"machine"`
	Build      machine.Build       `json:"build"`
	Conditions *machine.Conditions `json:"conditions,omitempty"`
	Verified   bool                `json:"verified"`
	Checked    string              `json:"checked,omitempty"`
	Partial    bool                `json:"partial"`
	Warnings   []string            `json:"warnings"`
	Results    []resultLayout      `json:"results"`
	Counters   map[string]uint64   `json:"counters"`
	Stats      any                 `json:"stats,omitempty"`
}

type resultLayout struct {
	Name    string `json:"name"`
	Labels  object `json:"labels,omitempty"`
	Metrics object `json:"metrics"`
}

type metricLayout struct {
	Median  float64    `json:"median"`
	CI95    [2]float64 `json:"ci95"`
	Min     float64    `json:"min"`
	Mean    float64    `json:"mean"`
	N       int        `json:"n"`
	Samples []float64  `json:"samples"`
}

func (d *Document) writeJSON(w io.Writer) error {
	out := layout{
		Schema: Schema, App: d.App, Argv: list(d.Argv), Config: object(d.Config),
		Machine: d.Machine, Build: d.Build, Conditions: d.Conditions,
		Verified: d.verified(), Checked: d.Checked, Partial: d.Partial, Warnings: list(d.Warnings),
		Results: []resultLayout{}, Counters: d.Counters,
	}
	out.Machine.Caches = list(d.Machine.Caches)
	out.Machine.NUMA = list(d.Machine.NUMA)
	out.Machine.Placement = list(d.Machine.Placement)
	if d.Stats != nil {
		out.Stats = d.Stats.Value
	}
	if out.Counters == nil {
		out.Counters = map[string]uint64{}
	}
	for _, r := range d.Results {
		metrics := object{}
		for _, m := range r.Metrics {
			s := bench.Summarize(m.Samples)
			metrics = append(metrics, Setting{m.Unit, metricLayout{
				Median: s.Median, CI95: [2]float64{s.Lo, s.Hi}, Min: s.Min, Mean: s.Mean, N: s.N, Samples: m.Samples,
			}})
		}
		out.Results = append(out.Results, resultLayout{r.Name, object(r.Labels), metrics})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// list keeps an empty list a list, never null.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
