package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"ocr/internal/measure/bench"
)

// maxSize bounds what is read of a file, in bytes: some ten million samples.
const maxSize = 256 << 20

// Read reads a document from a file. An error is one line that says what is wrong with the file, without its name.
func Read(path string) (*Document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, bareError(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	switch {
	case errors.Is(err, syscall.EISDIR):
		return nil, errors.New("is a directory, not a result file")
	case err != nil:
		return nil, bareError(err)
	case len(data) > maxSize:
		return nil, fmt.Errorf("is larger than %d MiB, no result file", maxSize>>20)
	}
	return Parse(data)
}

// bareError drops the operation and path from an error of a file.
func bareError(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Err
	}
	return err
}

// Parse reads the JSON form of a document. The result writes in each format what the original document wrote. Numbers
// of the configuration and of labels are a [json.Number]. What is read is checked as what is written is. An error is
// one line that says what is wrong with the file.
func Parse(data []byte) (*Document, error) {
	var head struct {
		Schema *string `json:"schema"`
	}
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0:
		return nil, errors.New("is empty")
	case data[0] != '{':
		return nil, errors.New("is not a result file: must be JSON of ocrbench (--format json)")
	}
	if err := decode(data, &head); err != nil {
		return nil, err
	}
	if head.Schema == nil {
		return nil, errors.New("is JSON, but no result file: it has no schema")
	}
	if *head.Schema != Schema {
		return nil, fmt.Errorf("has the schema %.60q: must be %s", *head.Schema, Schema)
	}
	var in struct {
		Document
		Results   []resultLayout  `json:"results"`
		Stats     json.RawMessage `json:"stats"`
		StatsText []Section       `json:"stats_text"`
	}
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	d := &in.Document
	if err := cmp.Or(d.Config.decode(), d.Conditions.Check()); err != nil {
		return nil, err
	}
	if in.Stats != nil {
		d.Stats = &Stats{Value: in.Stats, Sections: in.StatsText}
	}
	for _, r := range in.Results {
		metrics, err := samples(r.Metrics)
		if err := cmp.Or(err, checkWord("result name", r.Name), r.Labels.decode()); err != nil {
			return nil, fmt.Errorf("%.60q: %w", r.Name, err)
		}
		result := Result{Name: r.Name, Labels: r.Labels, Metrics: metrics, Runs: r.Runs}
		if err := result.check(); err != nil {
			return nil, fmt.Errorf("%.60q: %w", r.Name, err)
		}
		d.Results = append(d.Results, result)
	}
	return d, nil
}

// decode decodes the values of settings that were read; null is empty.
func (c Config) decode() error {
	for i := range c {
		raw := c[i].Value.(json.RawMessage)
		if c[i].Value = nil; string(raw) == "null" {
			c[i].Value = ""
		} else if err := cmp.Or(checkWord("setting", c[i].Key), decode(raw, &c[i].Value)); err != nil {
			return err
		}
		switch c[i].Value.(type) {
		case string, bool, json.Number:
		default:
			return fmt.Errorf("%.60q: a setting must be a text, a number, true or false", c[i].Key)
		}
	}
	return nil
}

// samples reads the metrics of a result.
func samples(units Config) (bench.Metrics, error) {
	var metrics bench.Metrics
	for _, unit := range units {
		var values struct {
			Samples []*float64 `json:"samples"` // a null is a pointer to none
		}
		err := cmp.Or(checkWord("unit", unit.Key), decode(unit.Value.(json.RawMessage), &values))
		switch {
		case err != nil:
		case len(values.Samples) == 0:
			err = errors.New("has no samples")
		case slices.Contains(values.Samples, nil):
			err = errors.New("a sample is null: must be a number")
		}
		if err != nil {
			return nil, fmt.Errorf("%.60q: %w", unit.Key, err)
		}
		metric := bench.Metric{Unit: unit.Key}
		for _, v := range values.Samples {
			metric.Samples = append(metric.Samples, *v)
		}
		metrics = append(metrics, metric)
	}
	return metrics, nil
}

// decode decodes the one JSON value that data has to be.
func decode(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	err := dec.Decode(into)
	var (
		syntax   *json.SyntaxError
		mismatch *json.UnmarshalTypeError
	)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.HasPrefix(err.Error(), "unexpected end"):
		return errors.New("is truncated: the JSON document does not end")
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON: byte %d: %s", syntax.Offset, printable(err.Error()))
	case errors.As(err, &mismatch):
		field := printable(cmp.Or(mismatch.Field, "an object"))
		return fmt.Errorf("is not a result file: %s: a JSON %s is not what the schema has there", field, mismatch.Value)
	case err != nil:
		return fmt.Errorf("is not a result file: %s", printable(err.Error()))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("has more than one JSON document")
	}
	return nil
}

// checkWord refuses a name or unit that would spoil a line.
func checkWord(what, word string) error {
	if word == "" {
		return fmt.Errorf("a %s is empty", what)
	}
	for _, r := range word {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) || unicode.IsSpace(r) {
			return fmt.Errorf("the %s has characters that do not print", what)
		}
	}
	return nil
}

// printable makes one printable line of any text.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, oneLine(text))
}
