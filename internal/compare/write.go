package compare

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"ocr/internal/bench"
)

// Formats lists what [Comparison.Write] can write.
func Formats() []string { return []string{"text", "json", "csv"} }

// Write renders the comparison in one of [Formats]. CSV has the figures only, not
// the notes and differences.
func (c *Comparison) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return c.writeText(w)
	case "json":
		return c.writeJSON(w)
	case "csv":
		return c.writeCSV(w)
	}
	return fmt.Errorf("compare: format %q: must be one of %s", format, strings.Join(Formats(), ", "))
}

// Schema names the JSON layout of a comparison.
const Schema = "ocrbench-compare/1"

type layout struct {
	Schema      string             `json:"schema"`
	Old         string             `json:"old"`
	New         string             `json:"new"`
	Alpha       float64            `json:"alpha"`
	FailOver    *float64           `json:"fail_over_percent"` // null: no limit was set
	Regressions int                `json:"regressions"`
	Notes       []string           `json:"notes"`
	Differences []differenceLayout `json:"differences"`
	Comparisons []rowLayout        `json:"comparisons"`
	OnlyOld     []onlyLayout       `json:"only_old"`
	OnlyNew     []onlyLayout       `json:"only_new"`
}

type differenceLayout struct {
	Kind string `json:"kind"`
	Key  string `json:"key"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

type summaryLayout struct {
	Median float64    `json:"median"`
	CI95   [2]float64 `json:"ci95"`
	N      int        `json:"n"`
}

type rowLayout struct {
	Name       string        `json:"name"`
	Unit       string        `json:"unit"`
	Better     string        `json:"better"`
	Old        summaryLayout `json:"old"`
	New        summaryLayout `json:"new"`
	Change     *float64      `json:"change_percent"` // null: from 0
	P          float64       `json:"p"`
	TooFew     bool          `json:"too_few_samples"`
	Verdict    string        `json:"verdict"`
	Regression bool          `json:"regression"`
}

type onlyLayout struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

func (c *Comparison) writeJSON(w io.Writer) error {
	out := layout{
		Schema: Schema, Old: c.Old.Path, New: c.New.Path, Alpha: c.Options.Alpha,
		Regressions: len(c.Regressions()), Notes: append([]string{}, c.Notes()...),
		Differences: []differenceLayout{}, Comparisons: []rowLayout{}, OnlyOld: only(c.OnlyOld), OnlyNew: only(c.OnlyNew),
	}
	if c.Options.FailOver >= 0 {
		out.FailOver = &c.Options.FailOver
	}
	for _, d := range c.Differences {
		out.Differences = append(out.Differences, differenceLayout(d))
	}
	for _, r := range c.Rows {
		out.Comparisons = append(out.Comparisons, rowLayout{
			Name: r.Name, Unit: r.Unit, Better: r.Better.String(), Old: summary(r.Old), New: summary(r.New),
			Change: percent(r.Change), P: r.P, TooFew: r.TooFew, Verdict: r.Verdict, Regression: r.Regression,
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func summary(s bench.Summary) summaryLayout {
	return summaryLayout{s.Median, [2]float64{s.Lo, s.Hi}, s.N}
}

// percent returns a fraction in percent, nil where it is not finite.
func percent(fraction float64) *float64 {
	v := 100 * fraction
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func only(series []Series) []onlyLayout {
	out := []onlyLayout{}
	for _, s := range series {
		out = append(out, onlyLayout{s.Name, s.Unit})
	}
	return out
}

// writeCSV writes a row a comparison, then a row a series that is in one file only.
func (c *Comparison) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{
		"name", "unit", "better", "old_median", "old_lo", "old_hi", "old_n", "new_median", "new_lo", "new_hi", "new_n",
		"change_percent", "p", "too_few_samples", "verdict", "regression",
	}}
	for _, r := range c.Rows {
		change := ""
		if p := percent(r.Change); p != nil {
			change = exact(*p)
		}
		row := append([]string{r.Name, r.Unit, r.Better.String()}, append(figures(r.Old), figures(r.New)...)...)
		rows = append(rows, append(row, change, exact(r.P), strconv.FormatBool(r.TooFew), r.Verdict, strconv.FormatBool(r.Regression)))
	}
	none := make([]string, 4)
	for _, s := range c.OnlyOld {
		row := append([]string{s.Name, s.Unit, s.Better.String()}, append(figures(bench.Summarize(s.Samples)), none...)...)
		rows = append(rows, append(row, "", "", "", "only in old", "false"))
	}
	for _, s := range c.OnlyNew {
		row := append([]string{s.Name, s.Unit, s.Better.String()}, append(none[:4:4], figures(bench.Summarize(s.Samples))...)...)
		rows = append(rows, append(row, "", "", "", "only in new", "false"))
	}
	return out.WriteAll(rows)
}

func figures(s bench.Summary) []string {
	return []string{exact(s.Median), exact(s.Lo), exact(s.Hi), strconv.Itoa(s.N)}
}

// exact writes v so that it reads back as the same number.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
