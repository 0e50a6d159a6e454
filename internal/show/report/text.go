package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ocr/internal/measure/bench"
)

// Text is what an app shows to people in place of one line a metric. The other formats do without it.
type Text struct {
	// NoTitle leaves out the facts of the run, its warnings, and the titles of sections; the caller writes the warnings
	// elsewhere. A run that was interrupted, or was not verified, says so all the same.
	NoTitle  bool `json:"no_title,omitempty"`
	NoHeader bool `json:"no_header,omitempty"` // leaves out the heads of tables
	// Whole leaves out all but the sections, and writes statistics as remarks: lines that begin with "# ".
	Whole    bool      `json:"whole,omitempty"`
	Sections []Section `json:"sections"`
}

// Section is a table, or text as it stands, under a title.
type Section struct {
	Title string `json:"title,omitempty"` // one line; may be empty
	Table Table  `json:"table,omitzero"`
	Body  string `json:"body,omitempty"` // after the table, in whole lines; may be empty
}

func (t *Text) write(b *bytes.Buffer, width int) {
	for i, s := range t.Sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		if s.Title != "" && !t.NoTitle {
			b.WriteString(s.Title + "\n")
		}
		s.Table.write(b, !t.NoHeader, width)
		b.WriteString(s.Body)
	}
}

// Stats is what was found out of one run beside its results: the members stats and stats_text of the JSON document, and
// sections at the end of the text. The other formats do without it.
type Stats struct {
	Value    any // a [json.RawMessage] of a document that was parsed
	Sections []Section
}

// WriteText writes the sections alone, in lines of at most width characters; 0 is no limit.
func (s *Stats) WriteText(w io.Writer, width int) error {
	var b bytes.Buffer
	s.write(&b, width)
	_, err := w.Write(b.Bytes())
	return err
}

func (s *Stats) write(b *bytes.Buffer, width int) {
	if s != nil {
		(&Text{Sections: s.Sections}).write(b, width)
	}
}

// writeText writes for people: what ran and on what, then tables.
func (d *Document) writeText(w io.Writer) error {
	text := d.Text
	if text == nil {
		text = &Text{Sections: []Section{{Table: d.usualTable()}}}
	}
	var b bytes.Buffer
	if text.Whole {
		text.write(&b, d.Width())
		var remarks bytes.Buffer
		d.textRanks(&remarks)
		d.Stats.write(&remarks, d.Width())
		for line := range strings.Lines(remarks.String()) {
			b.WriteString("# " + line)
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	if !text.NoTitle || d.Partial || !d.verified() {
		d.textState(&b)
	}
	if !text.NoTitle {
		d.textFacts(&b)
	}
	if len(d.Results) == 0 {
		b.WriteString("no sample was completed\n")
	} else {
		text.write(&b, d.Width())
	}
	if !text.NoTitle {
		d.textCounters(&b)
		d.textRanks(&b)
	}
	if d.Stats != nil {
		b.WriteByte('\n')
		d.Stats.write(&b, d.Width())
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (d *Document) textState(b *bytes.Buffer) {
	state := "not verified"
	if d.verified() {
		state = "verified"
	}
	if d.Partial {
		state += ", partial: not all samples were taken"
	}
	fmt.Fprintf(b, "%s: %s\n", d.App, state)
	if d.Checked != "" {
		b.WriteString(d.Checked + "\n")
	}
	b.WriteByte('\n')
}

func (d *Document) textFacts(b *bytes.Buffer) {
	line := func(label, format string, args ...any) { Labelled(b, d.Width(), label, fmt.Sprintf(format, args...)) }
	var settings []string
	for _, s := range d.Config {
		if text := s.text(); text != "" {
			settings = append(settings, s.Key+"="+text)
		}
	}
	line("config", "%s", strings.Join(settings, " "))
	m, build := d.Machine, d.Build
	line("machine", "%s, %s, %s, %s a core", m.CPU, Count(m.Sockets, "socket"), Count(m.Cores, "core"),
		Count(m.SMT, "thread"))
	for _, cache := range m.Caches {
		line("cache", "%s", cache)
	}
	for _, node := range m.NUMA {
		line("numa", "%s", node)
	}
	line("cpus", "mask %s, workers on %s (read back)", m.Mask, placement(m.Placement))
	line("system", "%s, governor %s, clock resolution %d ns", m.Kernel, m.Governor, m.ClockResolutionNS)
	dirty := map[bool]string{true: " (dirty)"}[build.Dirty]
	line("build", "%s %s, commit %s%s, %s, GOMAXPROCS=%d, GOGC=%d",
		d.Program(), build.Version, build.Commit, dirty, build.Go, build.GOMAXPROCS, build.GOGC)
	if d.Conditions != nil {
		line("load", "%v", d.Conditions)
	}
	for _, warning := range d.Warnings {
		line("note", "%s", warning)
	}
	b.WriteByte('\n')
}

// Labelled writes text after a label, which stands in the first line only; a line has at most width characters, 0 is no
// limit.
func Labelled(b *bytes.Buffer, width int, label, text string) {
	const labelWidth = 8
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && (width == 0 ||
			labelWidth+2+utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) <= width) {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	for _, line := range lines {
		fmt.Fprintf(b, "%-*s  %s\n", labelWidth, label, line)
		label = ""
	}
}

// textRow is a line of the usual table.
type textRow struct {
	name, unit string
	bench.Summary
	ratio      string // to the baseline
	efficiency string // against what the processors gave
}

// usualTable has a row for each unit of each result.
func (d *Document) usualTable() Table {
	names := shortNames(d.Results)
	baseline := ""
	var rows []textRow
	for i, r := range d.Results {
		if r.Name == d.Baseline {
			baseline = names[i]
		}
		for _, m := range r.Metrics {
			s := bench.Summarize(m.Samples)
			row := textRow{names[i], m.Unit, s, d.ratio(r.Name, m.Unit, s), ""}
			if e, err := strconv.ParseFloat(r.Labels.Text(Efficiency), 64); err == nil && row.ratio != "-" && IsPace(m.Unit) {
				row.efficiency = Short(e)
			}
			rows = append(rows, row)
		}
	}
	columns := []Column[textRow]{
		Words("result", func(r textRow) string { return r.name }),
		Words("unit", func(r textRow) string { return r.unit }),
		Cells("median", func(r textRow) string { return Short(r.Median) }),
		Cells("95 % interval", func(r textRow) string { return Short(r.Lo) + " .. " + Short(r.Hi) }),
		Cells("min", func(r textRow) string { return Short(r.Min) }),
		Cells("n", func(r textRow) string { return strconv.Itoa(r.N) }),
	}
	if baseline != "" {
		columns = append(columns, Cells("vs "+baseline, func(r textRow) string { return r.ratio }))
	}
	return Tabulate(rows, append(columns, Cells("efficiency", func(r textRow) string { return r.efficiency })))
}

// ratio is the quotient of a median and the baseline's.
func (d *Document) ratio(name, unit string, s bench.Summary) string {
	base := d.Metric(d.Baseline, unit)
	switch {
	case base.Median == 0:
		return "-"
	case name == d.Baseline:
		return "1"
	}
	return "x" + Short(s.Median/base.Median)
}

func (d *Document) textCounters(b *bytes.Buffer) {
	if len(d.Counters) == 0 {
		return
	}
	b.WriteByte('\n')
	Labelled(b, d.Width(), "counters", "of one run:"+d.CounterWords())
}

// CounterWords lists the counters, a blank before each.
func (d *Document) CounterWords() (list string) {
	for _, key := range slices.Sorted(maps.Keys(d.Counters)) {
		list += fmt.Sprintf(" %s=%d", key, d.Counters[key])
	}
	return list
}

// shortNames drops from every name the app and the settings that all results share, which the head of the text has.
func shortNames(results []Result) []string {
	shared := map[string]int{}
	for _, r := range results {
		for _, part := range strings.Split(r.Name, "/") {
			shared[part]++
		}
	}
	names := make([]string, len(results))
	for i, r := range results {
		_, rest, _ := strings.Cut(r.Name, "/")
		kept := slices.DeleteFunc(strings.Split(rest, "/"), func(part string) bool {
			return strings.Contains(part, "=") && shared[part] == len(results)
		})
		names[i] = cmp.Or(strings.Join(kept, "/"), r.Name)
	}
	return names
}

// Count writes a number of things that a noun names.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
