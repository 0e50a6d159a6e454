package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ocr/internal/core/topo"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/machine"
)

// Schema is the name of the JSON layout of a document.
const Schema = "ocrbench/1"

// ErrBadFigure is the error of a document with a figure that must not be written.
var ErrBadFigure = errors.New("report: bad figure")

// Document is the outcome of one run of one app. The JSON names are those of [Schema].
type Document struct {
	App        string              `json:"app"`
	Argv       []string            `json:"argv"`
	Config     Config              `json:"config"`
	Machine    machine.Facts       `json:"machine"`
	Build      machine.Build       `json:"build"`
	Conditions *machine.Conditions `json:"conditions,omitempty"`
	Date       string              `json:"date,omitempty"`    // of the run, as 2026-11-28
	Verified   bool                `json:"verified"`          // every result was checked and is right
	Checked    string              `json:"checked,omitempty"` // the check's outcome, as "checksum 7, expected 7"; or ""
	Partial    bool                `json:"partial"`           // the run was interrupted or failed: samples are missing
	Warnings   []string            `json:"warnings"`          // reasons to trust the results less
	Asides     []string            `json:"asides,omitempty"`  // other notes for readers
	Meaning    string              `json:"meaning,omitempty"` // the results in a sentence; "" for the usual one
	Results    []Result            `json:"results"`
	// the runtime's counters, from one run of the first result that uses the runtime
	Counters map[string]uint64 `json:"counters"`
	Ranks    []Rank            `json:"ranks,omitempty"`    // of that run, if it was over several ranks
	Baseline string            `json:"baseline,omitempty"` // name of the result to which ratios refer; may be empty
	Text     *Text             `json:"text,omitempty"`     // replaces the usual table of the text format; may be nil
	// statistics of one observed run, and their text
	Stats     any       `json:"stats,omitempty"`
	StatsText []Section `json:"stats_text,omitempty"`

	Path     string         `json:"-"` // of the file that it was read from
	Topology *topo.Topology `json:"-"` // places of the machine's processors; nil for a saved document
	CPUs     []int          `json:"-"` // processors that maps show in addition to those with results

	Width   int  `json:"-"` // greatest length of a line of the text, in characters; 0 for [Width], below 0 no limit
	Verbose bool `json:"-"` // the text has all facts, units and columns
}

// Warnings of a document. The reason follows the text Busy.
const (
	Busy       = "the machine was busy"
	FewSamples = "fewer than 6 samples: the interval of the median is the range, its level is below 95 %"
)

// width is the greatest length of a line of the text.
func (d *Document) width() int { return cmp.Or(d.Width, Width) }

// Begin sets the machine, with the CPU of each worker, the build and the date. It adds the notes as warnings, a warning
// if the machine was busy, and the topology's own remarks as asides.
func (d *Document) Begin(m *machine.Machine, placement []int, notes ...string) {
	d.Machine, d.Topology = m.Facts(placement), m.Topology
	d.Build, d.Date = machine.ReadBuild(), time.Now().Format(time.DateOnly)
	for _, note := range notes {
		d.Warn(note)
	}
	d.Asides = append(d.Asides, m.Topology.Warnings...)
	if why := d.Conditions.Busy(); why != "" {
		d.Warn(Busy + ": " + why)
	}
}

// Result is the samples of one form. Its name follows the Go benchmark convention: app/form/key=value/...
type Result struct {
	Name string
	// Labels are facts about this result for programs that sort and filter: members of the object labels in JSON, columns
	// in CSV. No key is also a key of the configuration. May be nil.
	Labels  Config
	Metrics bench.Metrics
	Runs    []int // runs that each sample is the mean of; may be nil
}

// Parts splits the name: app/word/word/key=value/...
func (r Result) Parts() (words []string, keys Config) {
	for _, part := range strings.Split(r.Name, "/")[1:] {
		if key, value, is := strings.Cut(part, "="); is {
			keys = keys.With(key, value)
		} else {
			words = append(words, part)
		}
	}
	return words, keys
}

// Add appends the series of one form under a full result name. It leaves out a series without samples, and warns of a
// series with too few samples for a 95 % interval, or with runs too short for the clock.
func (d *Document) Add(name string, series bench.Series) { d.AddLabelled(name, nil, series) }

// AddLabelled is Add with labels.
func (d *Document) AddLabelled(name string, labels Config, series bench.Series) {
	if len(series.Runs) == 0 {
		return
	}
	d.Results = append(d.Results, Result{Name: name, Labels: labels, Metrics: series.Metrics, Runs: series.Runs})
	if bench.Summarize(series.Metrics[0].Samples).BelowConfidence {
		d.Warn(FewSamples)
	}
	if series.Coarse {
		d.Warn(name + ": the timed part of a run is under 100 steps of the clock, whose own cost shows in the figures")
	}
}

// Warn adds a warning, unless it is there already.
func (d *Document) Warn(text string) {
	if !slices.Contains(d.Warnings, text) {
		d.Warnings = append(d.Warnings, text)
	}
}

// Notes returns the asides, then the warnings.
func (d *Document) Notes() []string { return slices.Concat(d.Asides, d.Warnings) }

// Metrics returns the samples of the result with a name; nil if there is no such result.
func (d *Document) Metrics(name string) bench.Metrics {
	if i := slices.IndexFunc(d.Results, func(r Result) bool { return r.Name == name }); i >= 0 {
		return d.Results[i].Metrics
	}
	return nil
}

// Metric describes the samples of a unit of the result with a name: the zero Summary if there are none.
func (d *Document) Metric(name, unit string) bench.Summary { return d.Metrics(name).Summary(unit) }

// Empty returns the error of a document without results.
func (d *Document) Empty() error {
	switch {
	case len(d.Results) > 0:
		return nil
	case d.Partial:
		return errors.New("has no results: the run was interrupted")
	}
	return errors.New("has no results")
}

// verified reports whether there are results and all are right.
func (d *Document) verified() bool { return d.Verified && len(d.Results) > 0 }

// Formats lists what [Document.Write] can write.
func Formats() []string { return []string{"text", "go", "json", "csv"} }

// Write renders the document in one of [Formats].
func (d *Document) Write(w io.Writer, format string) error {
	if err := d.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrBadFigure, err)
	}
	switch format {
	case "text":
		return d.writeText(w)
	case "go":
		return d.writeGo(w)
	case "json":
		return d.writeJSON(w)
	case "csv":
		return d.writeCSV(w)
	}
	return fmt.Errorf("report: format %q: must be one of %s", format, strings.Join(Formats(), ", "))
}

// Program is the name of the program that measured.
func (d *Document) Program() string {
	if len(d.Argv) == 0 {
		return machine.Unknown
	}
	return Plain(filepath.Base(d.Argv[0]))
}
