package compare

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// Write writes the comparison for people: first notes, then the figures of each result, then the results that only one
// file has.
func (c *Comparison) Write(w io.Writer) error {
	var b bytes.Buffer
	report.Labelled(&b, report.Width, "old", c.Old.Path)
	report.Labelled(&b, report.Width, "new", c.New.Path)
	for _, d := range c.Differences {
		report.Labelled(&b, report.Width, "differs", d)
	}
	for _, note := range c.Notes() {
		report.Labelled(&b, report.Width, "note", note)
	}
	b.WriteByte('\n')
	c.textRows(&b)
	textOnly(&b, c.Old.Path, c.OnlyOld)
	textOnly(&b, c.New.Path, c.OnlyNew)
	b.WriteString(c.Totals() + "\n")
	_, err := w.Write(b.Bytes())
	return err
}

func (c *Comparison) textRows(b *bytes.Buffer) {
	if len(c.Rows) == 0 {
		return
	}
	table := report.Tabulate(c.Rows, []report.Column[Row]{
		{Head: "", Left: true, Cell: func(r Row) string { return "  " + r.Unit }},
		{Head: "old", Cell: func(r Row) string { return medianText(r.Old) }},
		{Head: "new", Cell: func(r Row) string { return medianText(r.New) }},
		{Head: "change", Cell: func(r Row) string { return r.ChangeText() }},
		{Head: "p (Holm)", Cell: Row.PText},
		{Head: "n", Cell: Row.countText},
		{Head: "", Left: true, Cell: Row.VerdictText},
	})
	table.Over = map[int]string{}
	for i, r := range c.Rows {
		if i == 0 || c.Rows[i-1].Name != r.Name {
			table.Over[i] = r.Name
		}
	}
	table.Write(b, report.Width)
	b.WriteByte('\n')
}

// medianText writes a median and, in percent, how far its interval reaches (spread): the interval of 95 %, or the range
// of fewer than 6 samples.
func medianText(s bench.Summary) string {
	if s.Median == 0 || s.N < 2 {
		return report.Short(s.Median)
	}
	return fmt.Sprintf("%s ± %.0f %%", report.Short(s.Median), 100*spread(s))
}

// ChangeText shows the change, in percent.
func (r Row) ChangeText() string {
	switch {
	case math.IsInf(r.Change, 0):
		return "from 0"
	case r.Change == 0:
		return "0 %"
	}
	return fmt.Sprintf("%+.1f %%", 100*r.Change)
}

// PText shows the corrected p-value of a judged row.
func (r Row) PText() string {
	switch {
	case !r.judged:
		return "-"
	case r.Holm < 0.0001:
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", r.Holm)
}

func (r Row) countText() string {
	if r.New.N != r.Old.N {
		return fmt.Sprintf("%d+%d", r.Old.N, r.New.N)
	}
	return fmt.Sprint(r.Old.N)
}

// VerdictText shows the verdict, with a remark if the row is over the limit, or if the verdict is uncertain.
func (r Row) VerdictText() string {
	switch {
	case r.Regression:
		return r.Verdict + ", over the limit"
	case r.TooFew:
		return r.Verdict + " (too few)"
	case r.split && r.TooWide:
		return r.Verdict + " (medians against ranks)"
	case r.TooWide:
		return r.Verdict + " (too wide)"
	}
	return r.Verdict
}

// textOnly lists the results, each with its units, that are in one file only.
func textOnly(b *bytes.Buffer, path string, rows []*report.Row) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "only in %s:\n", strings.Join(strings.Fields(path), " "))
	for _, units := range report.Grouped(rows, report.NameOfRow) {
		names := make([]string, len(units))
		for k, row := range units {
			names[k] = row.Unit
		}
		fmt.Fprintf(b, "  %s  %s\n", units[0].Name, strings.Join(names, ", "))
	}
	b.WriteByte('\n')
}

// Totals counts the verdicts, in one line.
func (c *Comparison) Totals() string {
	count := map[string]int{}
	for _, r := range c.Rows {
		count[r.Verdict]++
	}
	parts := []string{fmt.Sprintf("%d compared at level %v (Holm)", len(c.Rows), c.Options.Alpha)}
	for _, v := range []string{Faster, Slower, Same, Unknown, OfPeer, Count} {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	if c.Options.FailOver >= 0 {
		parts = append(parts, fmt.Sprintf("%d worse by more than %v %%", len(c.Regressions()), c.Options.FailOver))
	}
	return strings.Join(parts, ", ")
}
