package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ocr/internal/measure/bench"
)

// Text is what an app shows to people in place of the usual table. JSON keeps it for later; formats go and csv do not.
type Text struct {
	Sections []Section `json:"sections"`
}

// Section is a table, or text as it stands, under a title.
type Section struct {
	Title string `json:"title,omitempty"` // one line; may be empty
	Table Table  `json:"table,omitzero"`
	Body  string `json:"body,omitempty"` // after the table, in whole lines; may be empty
}

// Sections returns sections as text, in lines of at most width characters; below 1 is no limit.
func Sections(sections []Section, width int) string {
	var b bytes.Buffer
	for i, s := range sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		if s.Title != "" {
			b.WriteString(s.Title + "\n")
		}
		s.Table.Write(&b, width)
		b.WriteString(s.Body)
	}
	return b.String()
}

// writeText writes for people: tables, their meaning, then what ran and on which machine, and statistics.
func (d *Document) writeText(w io.Writer) error {
	var b bytes.Buffer
	good := d.verified() && !d.Partial
	if !good {
		d.textState(&b)
		b.WriteByte('\n')
	}
	if len(d.Results) == 0 {
		b.WriteString("no sample was completed\n")
	} else {
		b.WriteString(Sections(d.sections(), d.width()))
	}
	b.WriteByte('\n')
	if meaning := cmp.Or(d.Meaning, d.usualMeaning()); meaning != "" && d.Config.Text("check") != "true" {
		b.WriteString(strings.Join(fold(meaning, d.width(), 0), "\n") + "\n\n")
	}
	if good {
		d.textState(&b)
	}
	if d.Verbose {
		d.textFacts(&b)
	} else {
		d.textBrief(&b)
	}
	if len(d.StatsText) > 0 {
		b.WriteString("\n" + Sections(d.StatsText, d.width()))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// sections returns the tables of the text. Only a verbose text has their details.
func (d *Document) sections() []Section {
	if d.Text == nil {
		return []Section{{Table: d.usualTable()}}
	}
	sections := slices.Clone(d.Text.Sections)
	for i := range sections {
		if !d.Verbose {
			sections[i].Table = sections[i].Table.brief()
		}
	}
	return sections
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
}

// textBrief writes the most important facts on which figures depend, and reasons to trust them less.
func (d *Document) textBrief(b *bytes.Buffer) {
	words, shared := []string(nil), d.shared()
	for _, r := range d.Results[:min(len(d.Results), 1)] {
		for _, part := range strings.Split(r.Name, "/") {
			if shared(part) {
				words = append(words, part)
			}
		}
	}
	if len(d.Machine.Placement) > 0 {
		words = append(words, "on CPUs "+placement(d.Machine.Placement))
	}
	words = append(words, fmt.Sprintf("of %s, %s", d.Machine.CPU, Count(d.Machine.Cores, "core")))
	Labelled(b, d.width(), "run", strings.Join(words, " ")+"; -v says more")
	Labelled(b, d.width(), "ranks", d.FactWords("ranks"))
	d.textNotes(b, d.Warnings)
}

func (d *Document) textNotes(b *bytes.Buffer, notes []string) {
	for _, note := range notes {
		Labelled(b, d.width(), "note", note)
	}
}

// textFacts writes all facts on which figures depend.
func (d *Document) textFacts(b *bytes.Buffer) {
	for _, kind := range kinds {
		Labelled(b, d.width(), kind, d.FactWords(kind))
	}
	if d.Conditions != nil {
		Labelled(b, d.width(), "load", d.Conditions.String())
	}
	d.textNotes(b, d.Notes())
}

// Labelled writes text after a label, which only the first line has. A line has at most width characters; a width below
// 1 is no limit.
func Labelled(b *bytes.Buffer, width int, label, text string) {
	const labelWidth = 8
	for _, line := range fold(text, width, labelWidth+2) {
		fmt.Fprintf(b, "%-*s  %s\n", labelWidth, label, line)
		label = ""
	}
}

// fold cuts text into lines that fit behind an indent; a width below 1 is no limit.
func fold(text string, width, indent int) (lines []string) {
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && (width <= 0 || indent+utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) <= width) {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// textRow is a line of the usual table.
type textRow struct {
	name, unit string
	bench.Summary
	ratio string // to the baseline
}

// usualTable has a row for each result, in the unit that all have, or else in the result's first unit; a verbose text
// has a row for each unit.
func (d *Document) usualTable() Table {
	names := d.ShortNames()
	baseline, common := "", d.commonUnit()
	var rows []textRow
	for i, r := range d.Results {
		if r.Name == d.Baseline {
			baseline = names[i]
		}
		for k, m := range r.Metrics {
			row := textRow{names[i], m.Unit, bench.Summarize(m.Samples), d.ratio(m)}
			if d.Verbose || m.Unit == common || common == "" && k == 0 {
				rows = append(rows, row)
			}
		}
	}
	head := cmp.Or(common, "median")
	columns := []Column[textRow]{Words("result", func(r textRow) string { return r.name })}
	if d.Verbose || common == "" {
		head = "median"
		columns = append(columns, Words("unit", func(r textRow) string { return r.unit }))
	}
	columns = append(columns,
		Cells(head, func(r textRow) string { return Short(r.Median) }),
		Cells("95 % interval", func(r textRow) string { return Short(r.Lo) + " .. " + Short(r.Hi) }),
		Cells("min", func(r textRow) string { return Short(r.Min) }),
		Cells("n", func(r textRow) string { return strconv.Itoa(r.N) }),
	)
	if baseline != "" && len(d.Results) > 1 {
		columns = append(columns, Cells("times "+baseline, func(r textRow) string { return r.ratio }))
	}
	return Tabulate(rows, columns)
}

// commonUnit returns the first unit of time or rate that all results have, "" if there is none.
func (d *Document) commonUnit() string {
	for _, r := range d.Results[:min(len(d.Results), 1)] {
		for _, m := range r.Metrics {
			lacks := func(r Result) bool { return r.Metrics.Samples(m.Unit) == nil }
			if BetterOf(m.Unit) != Neither && !slices.ContainsFunc(d.Results, lacks) {
				return m.Unit
			}
		}
	}
	return ""
}

// usualMeaning says how long the first of several results takes compared with the others.
func (d *Document) usualMeaning() string {
	if d.Text != nil || len(d.Results) < 2 {
		return ""
	}
	unit, names := d.commonUnit(), d.ShortNames()
	first := d.Results[0].Metrics.Samples(unit)
	var beside []string
	for k, r := range d.Results[1:] {
		one, other := first, r.Metrics.Samples(unit)
		if BetterOf(unit) == Higher {
			one, other = other, one
		}
		if s := bench.Ratios(one, other); s.N > 0 && !s.BelowConfidence {
			beside = append(beside, TimesAsLong(s)+" "+names[k+1])
		}
	}
	if len(beside) == 0 {
		return ""
	}
	return fmt.Sprintf("%s takes %s.", names[0], strings.Join(beside, ", "))
}

// TimesAsLong says how long an operation takes by the ratios of its time to another's: "3.2 times as long as", or, if
// it may be shorter or longer, "0.5 to 1.4 times as long as".
func TimesAsLong(s bench.Summary) string {
	digits := func(v float64) string {
		if math.Abs(v-1) < 0.1 {
			return strconv.FormatFloat(v, 'f', 3, 64)
		}
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	switch {
	case s.Lo > 1 || s.Hi < 1:
		return digits(s.Median) + " times as long as"
	case s.Lo > 0.9 && s.Hi < 1.1:
		return "about as long as"
	}
	return digits(s.Lo) + " to " + digits(s.Hi) + " times as long as"
}

// ratio writes the ratio of m's samples to the baseline's.
func (d *Document) ratio(m bench.Metric) string {
	base := d.Metrics(d.Baseline).Samples(m.Unit)
	if len(base) == 0 || slices.Contains(base, 0) {
		return ""
	}
	return Short(bench.Ratio(m.Samples, base))
}

// shared returns a function that reports whether part is a setting that all results have in their names.
func (d *Document) shared() func(part string) bool {
	having := make(map[string]int)
	for _, r := range d.Results {
		for _, part := range slices.Compact(slices.Sorted(strings.SplitSeq(r.Name, "/"))) {
			having[part]++
		}
	}
	return func(part string) bool { return strings.Contains(part, "=") && having[part] == len(d.Results) }
}

// ShortNames returns the names of the results without the app and the settings that all results share.
func (d *Document) ShortNames() []string {
	names, shared := make([]string, len(d.Results)), d.shared()
	for i, r := range d.Results {
		_, rest, _ := strings.Cut(r.Name, "/")
		names[i] = cmp.Or(strings.Join(slices.DeleteFunc(strings.Split(rest, "/"), shared), "/"), r.Name)
	}
	return names
}

// Count writes a number and a noun, in the plural if need be.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
