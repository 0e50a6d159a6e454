package compare

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"ocr/internal/bench"
)

// Options say what counts as a difference.
type Options struct {
	// Alpha is the level of significance, [MinAlpha] to [MaxAlpha].
	Alpha float64
	// FailOver is the change for the worse above which a significant difference
	// is a regression, in percent of the old median; negative: none is.
	FailOver float64
}

// The range of [Options.Alpha].
const (
	MinAlpha = 1e-9
	MaxAlpha = 0.5
)

// Verdicts of a [Row], besides "~": no significant difference.
const (
	Same    = "~"
	Faster  = "faster"
	Slower  = "slower"
	Finer   = "better" // of units that are not a pace: memory, efficiency
	Worse   = "worse"
	Differs = "differs" // of units that are neither better nor worse
)

// Row compares one unit of one result.
type Row struct {
	Name, Unit string
	Better     Better
	Old, New   bench.Summary
	// Change is (new-old)/|old| of the medians; infinite where old is 0 and new
	// is not.
	Change     float64
	P          float64 // of the Mann-Whitney U test, two-sided; 1 where all samples are equal
	TooFew     bool    // no difference of so few samples is significant
	Verdict    string
	Regression bool // significantly worse, by more than [Options.FailOver]
}

// Comparison is what two files have to say about each other.
type Comparison struct {
	Old, New    *File
	Options     Options
	Differences []Difference
	Rows        []Row // in the order of Old
	OnlyOld     []Series
	OnlyNew     []Series
}

// Compare compares two files.
func Compare(before, after *File, o Options) *Comparison {
	c := &Comparison{Old: before, New: after, Options: o, Differences: differences(before, after)}
	type key struct{ name, unit string }
	later := map[key]*Series{}
	for i, s := range after.Series {
		later[key{s.Name, s.Unit}] = &after.Series[i]
	}
	for _, s := range before.Series {
		k := key{s.Name, s.Unit}
		if match := later[k]; match != nil {
			c.Rows = append(c.Rows, o.row(&s, match))
			delete(later, k)
		} else {
			c.OnlyOld = append(c.OnlyOld, s)
		}
	}
	for _, s := range after.Series {
		if later[key{s.Name, s.Unit}] != nil {
			c.OnlyNew = append(c.OnlyNew, s)
		}
	}
	return c
}

func (o *Options) row(before, after *Series) Row {
	r := Row{
		Name: before.Name, Unit: before.Unit, Better: before.Better,
		Old: bench.Summarize(before.Samples), New: bench.Summarize(after.Samples),
	}
	if r.Better == Neither {
		r.Better = after.Better
	}
	r.Change = change(r.Old.Median, r.New.Median)
	limits := &benchmath.Thresholds{CompareAlpha: o.Alpha}
	test := benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(before.Samples), limits), benchmath.NewSample(slices.Clone(after.Samples), limits))
	r.P = test.P
	r.TooFew = leastP(r.Old.N, r.New.N) >= o.Alpha
	significant := r.P < o.Alpha && r.Change != 0
	r.Verdict = verdict(&r, significant)
	worse := r.Change
	if r.Better == Higher {
		worse = -worse
	}
	r.Regression = significant && r.Better != Neither && o.FailOver >= 0 && 100*worse > o.FailOver
	return r
}

func change(before, after float64) float64 {
	switch {
	case before == after:
		return 0
	case before == 0:
		return math.Inf(int(math.Copysign(1, after)))
	}
	return (after - before) / math.Abs(before)
}

func verdict(r *Row, significant bool) string {
	improved := (r.Change < 0) == (r.Better == Lower)
	switch {
	case !significant:
		return Same
	case r.Better == Neither:
		return Differs
	case isPace(r.Unit) && improved:
		return Faster
	case isPace(r.Unit):
		return Slower
	case improved:
		return Finer
	}
	return Worse
}

// leastP is the smallest p-value that samples of these sizes can have: that of two
// samples which do not overlap.
func leastP(n, m int) float64 {
	arrangements := 1.0 // n+m over n
	for i := 1; i <= n && arrangements < 1e300; i++ {
		arrangements *= float64(m+i) / float64(i)
	}
	return min(2/arrangements, 1)
}

// enough is the number of samples, of either file, with which a difference can be
// significant.
func enough(alpha float64) int {
	n := 2
	for n < 500 && leastP(n, n) >= alpha {
		n++
	}
	return n
}

// Regressions returns the rows that are regressions.
func (c *Comparison) Regressions() []Row {
	var found []Row
	for _, r := range c.Rows {
		if r.Regression {
			found = append(found, r)
		}
	}
	return found
}

// TooFew returns in how many rows no difference can be significant.
func (c *Comparison) TooFew() int {
	few := 0
	for _, r := range c.Rows {
		if r.TooFew {
			few++
		}
	}
	return few
}

// Notes returns what a reader of the figures has to know, a line each.
func (c *Comparison) Notes() []string {
	var notes []string
	for _, f := range []*File{c.Old, c.New} {
		for _, note := range f.Notes {
			notes = append(notes, f.Path+" "+note)
		}
	}
	few, below := c.TooFew(), 0
	for _, r := range c.Rows {
		if r.Old.BelowConfidence || r.New.BelowConfidence {
			below++
		}
	}
	if few > 0 {
		notes = append(notes, fmt.Sprintf("too few samples in %d of %d comparisons: no difference can be significant at %v, it takes %d in each file",
			few, len(c.Rows), c.Options.Alpha, enough(c.Options.Alpha)))
	}
	if below > 0 {
		notes = append(notes, fmt.Sprintf("fewer than 6 samples in %d of %d comparisons: the interval is the range, its level is below 95 %%", below, len(c.Rows)))
	}
	if chance := c.Options.Alpha * float64(len(c.Rows)); chance >= 1 {
		notes = append(notes, fmt.Sprintf("%d comparisons at %v: about %.0f would be significant by chance", len(c.Rows), c.Options.Alpha, chance))
	}
	return notes
}
