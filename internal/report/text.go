package report

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ocr/internal/bench"
)

// writeText writes for people: what ran and on what, then tables.
func (d *Document) writeText(w io.Writer) error {
	text := d.Text
	if text == nil {
		text = &Text{Sections: []Section{{Table: d.usualTable()}}}
	}
	var b bytes.Buffer
	if text.Whole {
		text.write(&b, d.Width())
		d.textRemarks(&b)
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

// textRemarks writes what each rank had, and the statistics, as remarks.
func (d *Document) textRemarks(b *bytes.Buffer) {
	var remarks bytes.Buffer
	d.textRanks(&remarks)
	if d.Stats != nil {
		d.Stats.write(&remarks, d.Width())
	}
	for line := range strings.Lines(remarks.String()) {
		b.WriteString("# " + line)
	}
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
	var settings []string
	for _, s := range d.Config {
		if text := s.text(); text != "" {
			settings = append(settings, s.Key+"="+text)
		}
	}
	Labelled(b, d.Width(), "config", strings.Join(settings, " "))
	m, build := d.Machine, d.Build
	Labelled(b, d.Width(), "machine", fmt.Sprintf("%s, %s, %s, %s a core", m.CPU, Count(m.Sockets, "socket"), Count(m.Cores, "core"), Count(m.SMT, "thread")))
	for _, cache := range m.Caches {
		Labelled(b, d.Width(), "cache", cache)
	}
	for _, node := range m.NUMA {
		Labelled(b, d.Width(), "numa", node)
	}
	Labelled(b, d.Width(), "cpus", fmt.Sprintf("mask %s, workers on %s (read back)", m.Mask, placement(m.Placement)))
	Labelled(b, d.Width(), "system", fmt.Sprintf("%s, governor %s, clock resolution %d ns", m.Kernel, m.Governor, m.ClockResolutionNS))
	commit := "commit " + build.Commit
	if build.Dirty {
		commit += " (dirty)"
	}
	Labelled(b, d.Width(), "build", fmt.Sprintf("%s %s, %s, %s, GOMAXPROCS=%d, GOGC=%d", d.Program(), build.Version, commit, build.Go, build.GOMAXPROCS, build.GOGC))
	if d.Conditions != nil {
		Labelled(b, d.Width(), "load", d.Conditions.String())
	}
	for _, warning := range d.Warnings {
		Labelled(b, d.Width(), "note", warning)
	}
	b.WriteByte('\n')
}

// Labelled writes text after a label, which stands in the first line only; a line has at
// most width characters, 0 is no limit.
func Labelled(b *bytes.Buffer, width int, label, text string) {
	for _, line := range wrap(strings.Fields(text), width-labelWidth-2) {
		fmt.Fprintf(b, "%-*s  %s\n", labelWidth, label, line)
		label = ""
	}
}

const labelWidth = 8

// wrap joins words by spaces into lines of at most width characters, or of one word; all into
// one if width is negative.
func wrap(words []string, width int) []string {
	var lines []string
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && (width < 0 || utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) <= width) {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// usualTable has a row for each unit of each result.
func (d *Document) usualTable() Table {
	names := shortNames(d.Results)
	baseline := ""
	for i, r := range d.Results {
		if r.Name == d.Baseline {
			baseline = names[i]
		}
	}
	columns := []Column[textRow]{
		{"result", true, func(r textRow) string { return r.name }},
		{"unit", true, func(r textRow) string { return r.unit }},
		{"median", false, func(r textRow) string { return Short(r.Median) }},
		{"95 % interval", false, func(r textRow) string { return Short(r.Lo) + " .. " + Short(r.Hi) }},
		{"min", false, func(r textRow) string { return Short(r.Min) }},
		{"n", false, func(r textRow) string { return strconv.Itoa(r.N) }},
	}
	if baseline != "" {
		columns = append(columns, Column[textRow]{"vs " + baseline, false, func(r textRow) string { return r.ratio }})
	}
	columns = append(columns, Column[textRow]{"efficiency", false, func(r textRow) string { return r.efficiency }})
	var rows []textRow
	for i, r := range d.Results {
		for _, m := range r.Metrics {
			s := bench.Summarize(m.Samples)
			row := textRow{names[i], m.Unit, s, d.ratio(r.Name, m.Unit, s), ""}
			if e, err := strconv.ParseFloat(r.Labels.Text(Efficiency), 64); err == nil && row.ratio != "-" && isPace(m.Unit) {
				row.efficiency = Short(e)
			}
			rows = append(rows, row)
		}
	}
	return Tabulate(rows, columns)
}

// textRow is a line of the usual table.
type textRow struct {
	name, unit string
	bench.Summary
	ratio      string // to the baseline
	efficiency string // against what the processors gave
}

// ratio tells how many times the baseline's median this one is.
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
	list := "of one run:"
	for _, key := range slices.Sorted(maps.Keys(d.Counters)) {
		list += " " + key + "=" + strconv.FormatUint(d.Counters[key], 10)
	}
	b.WriteByte('\n')
	Labelled(b, d.Width(), "counters", list)
}

// shortNames drops from every name the app and the settings that all results
// share: the head of the text tells them.
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
		var kept []string
		for _, part := range strings.Split(rest, "/") {
			if !strings.Contains(part, "=") || shared[part] < len(results) {
				kept = append(kept, part)
			}
		}
		names[i] = strings.Join(kept, "/")
		if names[i] == "" {
			names[i] = r.Name
		}
	}
	return names
}

// Count writes how many there are of what a noun names.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
