package compare

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"ocr/internal/report"
)

// writeText writes for people: what to know first, then the figures under the
// result that they are of, then what is in one file only.
func (c *Comparison) writeText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "old      %s\nnew      %s\n", c.Old.Path, c.New.Path)
	for _, d := range c.Differences {
		fmt.Fprintf(&b, "differs  %s\n", d)
	}
	for _, note := range c.Notes() {
		fmt.Fprintf(&b, "note     %s\n", note)
	}
	b.WriteByte('\n')
	c.textRows(&b)
	textOnly(&b, c.Old.Path, c.OnlyOld)
	textOnly(&b, c.New.Path, c.OnlyNew)
	c.textTotals(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// String returns the difference as one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s %s: %s -> %s", d.Kind, d.Key, orNone(d.Old), orNone(d.New))
}

func orNone(value string) string {
	if value == "" {
		return "(none)"
	}
	return value
}

func (c *Comparison) textRows(b *bytes.Buffer) {
	lines := [][]string{{"", "old", "95 % interval", "new", "95 % interval", "change", "p", "n", ""}}
	for _, r := range c.Rows {
		lines = append(lines, r.cells())
	}
	if len(c.Rows) == 0 {
		return
	}
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	align(b, lines[0], widths)
	for i, r := range c.Rows {
		if i == 0 || c.Rows[i-1].Name != r.Name {
			b.WriteString(r.Name + "\n")
		}
		align(b, lines[i+1], widths)
	}
	b.WriteByte('\n')
}

// align writes a line of cells, the first and last flush left.
func align(b *bytes.Buffer, cells []string, widths []int) {
	var line strings.Builder
	for i, cell := range cells {
		blanks := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i == 0 || i == len(cells)-1 {
			line.WriteString("  " + cell + blanks)
		} else {
			line.WriteString("  " + blanks + cell)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

func (r *Row) cells() []string {
	n := fmt.Sprint(r.Old.N)
	if r.New.N != r.Old.N {
		n = fmt.Sprintf("%d+%d", r.Old.N, r.New.N)
	}
	verdict := r.Verdict
	switch {
	case r.Regression:
		verdict += ", over the limit"
	case r.TooFew:
		verdict += " (too few samples)"
	}
	return []string{
		r.Unit, report.Short(r.Old.Median), report.Short(r.Old.Lo) + " .. " + report.Short(r.Old.Hi),
		report.Short(r.New.Median), report.Short(r.New.Lo) + " .. " + report.Short(r.New.Hi),
		changeText(r.Change), pText(r.P), n, verdict,
	}
}

func changeText(change float64) string {
	switch {
	case math.IsInf(change, 0):
		return "from 0"
	case change == 0:
		return "0 %"
	}
	return fmt.Sprintf("%+.1f %%", 100*change)
}

func pText(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// textOnly lists the results that are in one file only, with their units.
func textOnly(b *bytes.Buffer, path string, series []Series) {
	if len(series) == 0 {
		return
	}
	fmt.Fprintf(b, "only in %s:\n", path)
	var names []string
	units := map[string][]string{}
	for _, s := range series {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
		units[s.Name] = append(units[s.Name], s.Unit)
	}
	for _, name := range names {
		fmt.Fprintf(b, "  %s  %s\n", name, strings.Join(units[name], ", "))
	}
	b.WriteByte('\n')
}

func (c *Comparison) textTotals(b *bytes.Buffer) {
	count := map[string]int{}
	for _, r := range c.Rows {
		count[r.Verdict]++
	}
	parts := []string{fmt.Sprintf("%d compared at level %v", len(c.Rows), c.Options.Alpha)}
	for _, v := range []string{Faster, Slower, Finer, Worse, Differs, Same} {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	if c.Options.FailOver >= 0 {
		parts = append(parts, fmt.Sprintf("%d worse by more than %v %%", len(c.Regressions()), c.Options.FailOver))
	}
	b.WriteString(strings.Join(parts, ", ") + "\n")
}
