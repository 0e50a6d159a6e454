package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ocr/internal/machine"
	"ocr/internal/report"
)

// members are the members of a JSON object, in their order.
type members []member

type member struct {
	key   string
	value json.RawMessage
}

func (m *members) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	start, err := dec.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('{') {
		return errors.New("there must be an object where config and metrics are")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		*m = append(*m, member{key.(string), value})
	}
	return nil
}

// document is what of the layout ocrbench/1 is read.
type document struct {
	Schema   string        `json:"schema"`
	App      string        `json:"app"`
	Config   members       `json:"config"`
	Machine  machine.Facts `json:"machine"`
	Build    machine.Build `json:"build"`
	Verified bool          `json:"verified"`
	Partial  bool          `json:"partial"`
	Results  []struct {
		Name    string  `json:"name"`
		Metrics members `json:"metrics"`
	} `json:"results"`
}

type metric struct {
	Samples []float64 `json:"samples"`
}

func parseJSON(data []byte) (*File, error) {
	var head struct {
		Schema *string `json:"schema"`
	}
	if err := decode(data, &head); err != nil {
		return nil, err
	}
	if head.Schema == nil {
		return nil, errors.New("is JSON, but no result file: it has no schema")
	}
	if *head.Schema != report.Schema {
		return nil, fmt.Errorf("has the schema %.60q: must be %s", *head.Schema, report.Schema)
	}
	var d document
	if err := decode(data, &d); err != nil {
		return nil, err
	}
	f := &File{ocrbench: true}
	d.facts(f)
	if d.Partial {
		f.Notes = append(f.Notes, notePartial)
	}
	if !d.Verified {
		f.Notes = append(f.Notes, noteUnverified)
	}
	return f, d.series(f)
}

// decode decodes the one JSON value that data has to be.
func decode(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	err := dec.Decode(into)
	var (
		syntax   *json.SyntaxError
		mismatch *json.UnmarshalTypeError
	)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.HasPrefix(err.Error(), "unexpected end"):
		return errors.New("is truncated: the JSON document does not end")
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON: byte %d: %s", syntax.Offset, oneLine(err.Error()))
	case errors.As(err, &mismatch):
		return fmt.Errorf("is not a result file: %s: a JSON %s is not what the schema has there", where(mismatch.Field), mismatch.Value)
	case err != nil:
		return fmt.Errorf("is not a result file: %s", oneLine(err.Error()))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("has more than one JSON document")
	}
	return nil
}

func where(field string) string {
	if field == "" {
		return "an object"
	}
	return oneLine(field)
}

// facts tells f the facts, named as Go benchmark text names them, which knows lower
// case only.
func (d *document) facts(f *File) {
	m, b := d.Machine, d.Build
	add := func(kind, key string, value any) { f.tell(kind, key, fmt.Sprint(value)) }
	add("machine", "cpu", m.CPU)
	add("machine", "sockets", m.Sockets)
	add("machine", "cores", m.Cores)
	add("machine", "smt", m.SMT)
	add("machine", "caches", strings.Join(m.Caches, "; "))
	add("machine", "numa", strings.Join(m.NUMA, "; "))
	add("machine", "mask", m.Mask)
	add("machine", "kernel", m.Kernel)
	add("machine", "governor", m.Governor)
	add("build", "version", b.Version)
	add("build", "commit", b.Commit)
	add("build", "dirty", b.Dirty)
	add("build", "go", b.Go)
	add("build", "gomaxprocs", b.GOMAXPROCS)
	add("build", "gogc", b.GOGC)
	add("config", "app", d.App)
	for _, s := range d.Config {
		add("config", strings.ToLower(s.key), settingText(s.value))
	}
	add("config", "placement", placement(m.Placement))
}

// settingText writes a value of the configuration as Go benchmark text has it.
func settingText(value json.RawMessage) string {
	var v any
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	if dec.Decode(&v) != nil || v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// placement writes the CPU of each worker as Go benchmark text has it.
func placement(cpus []int) string {
	var told []string
	for _, cpu := range cpus {
		if cpu < 0 {
			told = append(told, "?")
		} else {
			told = append(told, strconv.Itoa(cpu))
		}
	}
	if len(told) == 0 {
		return "none"
	}
	return strings.Join(told, ",")
}

// series puts the samples of all results into f. A name that comes again is told
// apart by a number.
func (d *document) series(f *File) error {
	seen := map[string]int{}
	for _, r := range d.Results {
		if err := checkWord("result name", r.Name); err != nil {
			return err
		}
		name := r.Name
		if seen[r.Name]++; seen[r.Name] > 1 {
			name += "#" + strconv.Itoa(seen[r.Name])
		}
		for _, m := range r.Metrics {
			if err := checkWord("unit", m.key); err != nil {
				return err
			}
			var values metric
			if err := decode(m.value, &values); err != nil {
				return fmt.Errorf("%s, %s: %w", r.Name, m.key, err)
			}
			if len(values.Samples) == 0 {
				return fmt.Errorf("%s, %s: has no samples", r.Name, m.key)
			}
			f.Series = append(f.Series, Series{name, m.key, BetterOf(m.key), values.Samples})
		}
	}
	if len(f.Series) == 0 {
		return errors.New("has no results" + whyNone(d.Partial))
	}
	return nil
}

func whyNone(partial bool) string {
	if partial {
		return ": the run was interrupted"
	}
	return ""
}
