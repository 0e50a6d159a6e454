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

// maxSize is the greatest size of a file that is read, in bytes: some ten million samples.
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

// Parse reads the JSON form of a document. The result writes in each format the same as the original document. Numbers
// of the configuration and of labels are a [json.Number]. Parse checks the document as Write does. An error is one line
// that says what is wrong with the file.
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
		Stats     json.RawMessage `json:"stats"`
		StatsText []Section       `json:"stats_text"`
	}
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	if in.Stats != nil {
		in.Document.Stats = &Stats{Value: in.Stats, Sections: in.StatsText}
	}
	if c := in.Conditions; c != nil && c.Others == -1 && c.Steal == -1 { // older files of short measurements: unknown
		in.Conditions = nil
	}
	return &in.Document, in.Conditions.Check()
}

// A refusal is an error whose text is already one line for people.
type refusal string

func (r refusal) Error() string { return string(r) }

func refusef(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// UnmarshalJSON reads an object, or null. A value that is null is empty.
func (c *Config) UnmarshalJSON(data []byte) error {
	*c = nil
	return members(data, func(key string, value json.RawMessage) error {
		s := Setting{Key: key}
		err := cmp.Or(checkWord("setting", key), decode(value, &s.Value))
		switch s.Value.(type) {
		case nil:
			s.Value = ""
		case string, bool, json.Number:
		default:
			return refusef("%.60q: a setting must be a text, a number, true or false", key)
		}
		*c = append(*c, s)
		return err
	})
}

// UnmarshalJSON reads a result, without the summaries of its samples.
func (r *Result) UnmarshalJSON(data []byte) error {
	var in resultLayout
	err := decode(data, &in)
	*r = Result{in.Name, in.Labels, bench.Metrics(in.Metrics), in.Runs}
	if err = cmp.Or(err, checkWord("result name", r.Name), r.check()); err != nil {
		return refusef("%.60q: %v", r.Name, err)
	}
	return nil
}

// UnmarshalJSON reads the samples of each unit.
func (l *metricsLayout) UnmarshalJSON(data []byte) error {
	return members(data, func(unit string, value json.RawMessage) error {
		var in struct {
			Samples []*float64 `json:"samples"` // null is a nil pointer
		}
		err := cmp.Or(checkWord("unit", unit), decode(value, &in))
		if err == nil && slices.Contains(in.Samples, nil) {
			err = errors.New("a sample is null: must be a number")
		}
		if err != nil {
			return refusef("%.60q: %v", unit, err)
		}
		m := bench.Metric{Unit: unit}
		for _, v := range in.Samples {
			m.Samples = append(m.Samples, *v)
		}
		*l = append(*l, m)
		return nil
	})
}

// members calls each for the members of a JSON object in their order. Missing data, and null, have none.
func members(data []byte, each func(key string, value json.RawMessage) error) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	start, err := dec.Token()
	if err != nil || start == nil {
		return nil
	}
	if start != json.Delim('{') {
		return refusef("is not a result file: config and metrics must be objects")
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
		if err := each(key.(string), value); err != nil {
			return err
		}
	}
	return nil
}

// decode decodes data, which must be one JSON value.
func decode(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	err := dec.Decode(into)
	var (
		said     refusal
		syntax   *json.SyntaxError
		mismatch *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &said):
		return said
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && strings.HasPrefix(err.Error(), "unexpected end"):
		return refusef("is truncated: the JSON document does not end")
	case errors.As(err, &syntax):
		return refusef("is not JSON: byte %d: %s", syntax.Offset, printable(err.Error()))
	case errors.As(err, &mismatch):
		field := printable(cmp.Or(strings.TrimPrefix(mismatch.Field, "Document."), "an object"))
		return refusef("is not a result file: %s: a JSON %s is not what the schema has there", field, mismatch.Value)
	case err != nil:
		return refusef("is not a result file: %s", printable(err.Error()))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return refusef("has more than one JSON document")
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

// printable turns any text into one printable line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, oneLine(text))
}
