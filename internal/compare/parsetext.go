package compare

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

const (
	notePartial    = "is partial: the run was interrupted"
	noteUnverified = "is not verified: results were not checked, or not right"
	noteFailed     = "is of tests that failed: it has a line FAIL"
)

// kinds of the facts that the text names, besides those of the configuration.
var kinds = map[string]string{
	"goos": "machine", "goarch": "machine", "cpu": "machine", "sockets": "machine", "cores": "machine", "smt": "machine",
	"caches": "machine", "numa": "machine", "mask": "machine", "kernel": "machine", "governor": "machine",
	"go": "build", "gomaxprocs": "build", "gogc": "build", "version": "build", "commit": "build", "dirty": "build",
}

// textFile is Go benchmark text while it is read.
type textFile struct {
	file  File
	lines []textLine
	state map[string]string // of ocrbench's own comments
}

// textLine is one benchmark line with the configuration that it stands under.
type textLine struct {
	name   string // with the package in front
	config []Fact
	values []benchfmt.Value
}

func parseText(data []byte) (*File, error) {
	t := textFile{state: map[string]string{}}
	t.comments(data)
	if err := t.scan(data); err != nil {
		return nil, err
	}
	if len(t.lines) == 0 {
		if t.file.ocrbench {
			return nil, errors.New("has no results" + whyNone(t.state["partial"] == "true"))
		}
		return nil, errors.New("is not a result file: neither JSON of ocrbench nor Go benchmark text")
	}
	if last := data[bytes.LastIndexByte(data, '\n')+1:]; bytes.HasPrefix(last, []byte("Benchmark")) {
		return nil, errors.New("is truncated: its last line does not end")
	}
	t.facts()
	return &t.file, nil
}

// comments reads what ocrbench tells in comments, and whether tests failed.
func (t *textFile) comments(data []byte) {
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		if text == "FAIL" || strings.HasPrefix(text, "FAIL\t") {
			t.note(noteFailed)
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(text, "# "), ": ")
		if !ok || !strings.HasPrefix(text, "# ") {
			continue
		}
		switch key {
		case "schema":
			t.file.ocrbench = true
		case "version", "commit", "dirty", "placement", "samples", "trials", "warmup", "sample-time", "env":
			t.fact(key, value)
		}
		t.state[key] = value
	}
	if t.state["partial"] == "true" {
		t.note(notePartial)
	}
	if t.state["verified"] == "false" {
		t.note(noteUnverified)
	}
}

func (t *textFile) note(text string) {
	if !slices.Contains(t.file.Notes, text) {
		t.file.Notes = append(t.file.Notes, text)
	}
}

func (t *textFile) fact(key, value string) {
	kind := kinds[key]
	if kind == "" {
		kind = "config"
	}
	t.file.tell(kind, key, value)
}

// scan reads the benchmark lines.
func (t *textFile) scan(data []byte) error {
	r := benchfmt.NewReader(bytes.NewReader(data), "line")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return fmt.Errorf("is truncated or no result file: line %d: %s", rec.Line, oneLine(rec.Msg))
		case *benchfmt.Result:
			_, at := rec.Pos()
			line, err := readLine(rec)
			if err != nil {
				return fmt.Errorf("line %d: %w", at, err)
			}
			t.lines = append(t.lines, line)
		}
	}
	if err := r.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("is not a result file: a line is longer than %d KiB", bufio.MaxScanTokenSize>>10)
	} else if err != nil {
		return fmt.Errorf("is not a result file: %s", oneLine(err.Error()))
	}
	t.group(r.Units())
	return nil
}

// readLine copies a line out of the reader, with the units that were written.
func readLine(rec *benchfmt.Result) (textLine, error) {
	line := textLine{name: string(rec.Name)}
	for _, c := range rec.Config {
		switch value := oneLine(string(c.Value)); {
		case c.Key == "pkg":
			line.name = value + "." + line.name
		case value != "":
			line.config = append(line.config, Fact{Key: c.Key, Value: value})
		}
	}
	if err := checkWord("result name", line.name); err != nil {
		return line, err
	}
	for _, v := range rec.Values {
		if v.OrigUnit != "" {
			v = benchfmt.Value{Value: v.OrigValue, Unit: v.OrigUnit}
		}
		if err := checkWord("unit", v.Unit); err != nil {
			return line, err
		}
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return line, fmt.Errorf("%v is not a figure", v.Value)
		}
		line.values = append(line.values, v)
	}
	return line, nil
}

// group makes series of the lines. Lines of one name under two configurations are
// two results.
func (t *textFile) group(units benchfmt.UnitMetadataMap) {
	t.qualify()
	at := map[[2]string]int{}
	for _, line := range t.lines {
		for _, v := range line.values {
			key := [2]string{line.name, v.Unit}
			i, ok := at[key]
			if !ok {
				i = len(t.file.Series)
				at[key] = i
				t.file.Series = append(t.file.Series, Series{Name: line.name, Unit: v.Unit, Better: told(units, v.Unit)})
			}
			t.file.Series[i].Samples = append(t.file.Series[i].Samples, v.Value)
		}
	}
}

// told is what the file says of a unit, else what its name says.
func told(units benchfmt.UnitMetadataMap, unit string) Better {
	if u := units.Get(unit, "better"); u != nil {
		switch u.Value {
		case "higher":
			return Higher
		case "lower":
			return Lower
		}
	}
	return BetterOf(unit)
}

// qualify appends to names that stand under several configurations what tells
// these apart.
func (t *textFile) qualify() {
	values := map[[2]string][]string{} // of a name and key
	for _, line := range t.lines {
		for _, c := range line.config {
			key := [2]string{line.name, c.Key}
			if !slices.Contains(values[key], c.Value) {
				values[key] = append(values[key], c.Value)
			}
		}
	}
	for i, line := range t.lines {
		var parts []string
		for _, c := range line.config {
			if len(values[[2]string{line.name, c.Key}]) > 1 {
				parts = append(parts, c.Key+"="+c.Value)
			}
		}
		if len(parts) > 0 {
			t.lines[i].name += " [" + strings.Join(parts, " ") + "]"
		}
	}
}

// facts collects the configuration of all lines. One that is not the same for all
// has all its values.
func (t *textFile) facts() {
	values := map[string][]string{}
	var order []string
	for _, line := range t.lines {
		for _, c := range line.config {
			if len(values[c.Key]) == 0 {
				order = append(order, c.Key)
			}
			if !slices.Contains(values[c.Key], c.Value) {
				values[c.Key] = append(values[c.Key], c.Value)
			}
		}
	}
	for _, key := range order {
		t.fact(key, strings.Join(values[key], " and "))
	}
}
