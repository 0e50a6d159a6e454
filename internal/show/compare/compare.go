package compare

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"

	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// Options say what to compare and what counts as a difference.
type Options struct {
	// Alpha is the level of significance, [MinAlpha] to [MaxAlpha]: the probability that any row is called a difference
	// although there is none.
	Alpha float64
	// FailOver is the change for the worse, in percent of the old median, above which a significant difference is a
	// regression. If FailOver is negative, no difference is a regression.
	FailOver float64
	// Filter must match the name of a result; nil matches every name.
	Filter *regexp.Regexp
}

// The range of [Options.Alpha].
const (
	MinAlpha = 1e-9
	MaxAlpha = 0.5
)

// Verdicts of a [Row].
const (
	Same    = "~" // no significant difference
	Faster  = "faster"
	Slower  = "slower"
	OfPeer  = "peer"  // not judged: plain Go, C or another library
	Count   = "count" // not judged: no value of the unit is better than another
	Unknown = "?"     // undecided: the files are not comparable, or a median is too uncertain
)

// Row compares one unit of one result.
type Row struct {
	Name, Unit string
	Old, New   bench.Summary
	// Change is (new-old)/|old| of the medians, or the median of the paired changes; infinite if only old is 0.
	Change     float64
	P          float64 // of the test, two-sided; 1 if all samples are equal
	Holm       float64 // P corrected for all judged rows; 1 for a row that is not judged
	TooFew     bool    // no significant difference; with so few samples hardly any difference could be significant
	TooWide    bool    // the samples decide nothing: they vary by more than [Options.FailOver], or split is set
	Verdict    string
	Regression bool // significantly worse, by more than [Options.FailOver]
	paired     bool
	split      bool // most pairs of samples moved in one direction, the medians in the opposite one or not at all
	judged     bool // the row is not of a peer, not a count, and its samples are not all equal
}

// Comparison is the result of comparing two files.
type Comparison struct {
	Old, New         *File
	Options          Options
	NotComparable    string        // why no row is judged; empty if rows are judged
	Differences      []string      // facts that differ, see [report.Differences]
	Rows             []Row         // in the order of Old
	OnlyOld, OnlyNew []*report.Row // rows that only one of the files has, if they match the filter
}

// Compare compares two files.
func Compare(before, after *File, o Options) *Comparison {
	c := &Comparison{
		Old: before, New: after, Options: o, Differences: report.Differences(before.Document, after.Document),
	}
	if why := before.Conditions.Unlike(after.Conditions); why != "" {
		c.NotComparable = why + ": measure again, or alternate two binaries with --run"
	}
	for _, f := range []*File{before, after} {
		if f.Config.Text("check") == "true" {
			c.NotComparable = f.Path + " has times of check mode: measure without --check"
		}
	}
	paired := before.runs > 0 && before.runs == after.runs
	for _, r := range report.RowsOf(before.Document, after.Document) {
		switch {
		case o.Filter != nil && !o.Filter.MatchString(r.Name):
		case r.Samples[1] == nil:
			c.OnlyOld = append(c.OnlyOld, r)
		case r.Samples[0] == nil:
			c.OnlyNew = append(c.OnlyNew, r)
		case !r.Restates:
			c.Rows = append(c.Rows, compared(r, paired && len(r.Samples[0]) == before.runs && len(r.Samples[1]) == after.runs))
		}
	}
	c.judge()
	return c
}

// compared compares the samples of two documents; paired means that their runs took turns. It sets the verdict only of
// a row that is not judged.
func compared(both *report.Row, paired bool) Row {
	before, after := both.Samples[0], both.Samples[1]
	r := Row{Name: both.Name, Unit: both.Unit, Old: bench.Summarize(before), New: bench.Summarize(after), Holm: 1,
		paired: paired}
	if paired {
		r.Change, r.P = pairedChange(before, after), signTest(before, after)
	} else {
		r.Change, r.P = change(r.Old.Median, r.New.Median), uTest(before, after)
		r.split = r.Change*float64(rise(before, after)) < 0
	}
	switch {
	case isPeer(r.Name):
		r.Verdict = OfPeer
	case report.BetterOf(r.Unit) == report.Neither:
		r.Verdict = Count
	case r.Old.Min == r.Old.Max && r.New.Min == r.Old.Min && r.New.Max == r.Old.Min:
		r.Verdict = Same
	}
	r.judged = r.Verdict == ""
	return r
}

// judge corrects the p-values by Holm's method and sets the verdicts. The k-th smallest of n p-values is multiplied by
// n-k+1. A corrected value is never less than that of a smaller p-value.
func (c *Comparison) judge() {
	judged := c.Judged()
	slices.SortStableFunc(judged, func(a, b *Row) int { return cmp.Compare(a.P, b.P) })
	least := 0.0
	for k, r := range judged {
		least = max(least, min(1, r.P*float64(len(judged)-k)))
		r.Holm = least
		r.TooFew = leastP(r.Old.N, r.New.N, r.paired) >= c.Options.Alpha/float64(len(judged)) && r.Holm >= c.Options.Alpha
		r.Verdict = c.verdict(r)
		r.split = r.split || r.Verdict == Unknown
		wide := r.split
		if r.Verdict == Same { // in pairs the spread cancels out
			wide = !r.paired && c.Options.FailOver > 0 && 100*max(spread(r.Old), spread(r.New)) > c.Options.FailOver
		}
		if r.TooWide = wide && c.NotComparable == ""; r.TooWide {
			r.Verdict = Unknown
		}
		r.Regression = r.Verdict == Slower && c.Options.FailOver >= 0 && 100*math.Abs(r.Change) > c.Options.FailOver
	}
}

// verdict returns the verdict of a row that is judged, by its corrected p-value.
func (c *Comparison) verdict(r *Row) string {
	improved := (r.Change < 0) == (report.BetterOf(r.Unit) == report.Lower)
	switch {
	case c.NotComparable != "" || r.Holm < c.Options.Alpha && r.Change == 0:
		return Unknown
	case r.Holm >= c.Options.Alpha:
		return Same
	case improved:
		return Faster
	}
	return Slower
}

// spread returns how far the interval of a median reaches, on the side where it reaches further, as a fraction of the
// median. For one sample it is infinite.
func spread(s bench.Summary) float64 {
	switch {
	case s.N < 2:
		return math.Inf(1)
	case s.Median == 0:
		return 0
	}
	return max(s.Hi-s.Median, s.Median-s.Lo) / math.Abs(s.Median)
}

// rows returns the rows that meet a condition.
func (c *Comparison) rows(of func(*Row) bool) []*Row {
	var rows []*Row
	for i := range c.Rows {
		if of(&c.Rows[i]) {
			rows = append(rows, &c.Rows[i])
		}
	}
	return rows
}

// Judged returns the rows that are judged.
func (c *Comparison) Judged() []*Row { return c.rows(func(r *Row) bool { return r.judged }) }

// TooWide returns the rows whose samples decide nothing.
func (c *Comparison) TooWide() []*Row { return c.rows(func(r *Row) bool { return r.TooWide }) }

// Regressions returns the rows that are regressions.
func (c *Comparison) Regressions() []*Row { return c.rows(func(r *Row) bool { return r.Regression }) }

// TooFew returns the judged rows that have too few samples for most differences to be significant.
func (c *Comparison) TooFew() []*Row { return c.rows(func(r *Row) bool { return r.TooFew }) }

// Notes returns notes that a reader of the figures needs, a line each.
func (c *Comparison) Notes() []string {
	var notes []string
	if c.NotComparable != "" {
		notes = append(notes, "not comparable: "+c.NotComparable)
	}
	for _, f := range []*File{c.Old, c.New} {
		for _, note := range f.Notes {
			if note = f.Path + " " + note; !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	if c.NotComparable == "" && c.Old.runs == 0 && len(c.Judged()) > 0 {
		notes = append(notes, "p says that these two runs differ, not that their programs do: that takes --run")
	}
	if few, judged := c.TooFew(), c.Judged(); len(few) > 0 {
		notes = append(notes, fmt.Sprintf("too few samples in %d of %d comparisons: with so many, few can be "+
			"significant at %v below %d samples in each file",
			len(few), len(judged), c.Options.Alpha, enough(c.Options.Alpha/float64(len(judged)), few[0].paired)))
	}
	return notes
}
