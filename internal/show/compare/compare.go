package compare

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"

	"golang.org/x/perf/benchmath"

	"ocr/internal/measure/bench"
	"ocr/internal/show/report"
)

// Options say what is compared and what counts as a difference.
type Options struct {
	// Alpha is the level of significance, [MinAlpha] to [MaxAlpha]: the chance that any
	// row is called a difference though there is none.
	Alpha float64
	// FailOver is the change for the worse above which a significant difference
	// is a regression, in percent of the old median; negative: none is.
	FailOver float64
	// Filter is what the name of a result must match; nil: every name does.
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
	Finer   = "better" // of units that are not a pace: memory, efficiency
	Worse   = "worse"
	OfPeer  = "peer"  // not judged: plain Go or C
	Count   = "count" // not judged: no value of the unit is better
	Unknown = "?"     // not judged: the files are not comparable, or the medians not known well enough
)

// Row compares one unit of one result.
type Row struct {
	Name, Unit string
	Better     report.Better
	Old, New   bench.Summary
	// Change is (new-old)/|old| of the medians; infinite if old is 0 and new is not.
	Change     float64
	P          float64 // of the Mann-Whitney U test, two-sided; 1 if all samples are equal
	Holm       float64 // P corrected for all rows that are judged; 1 of one that is not
	TooFew     bool    // no difference of so few samples is significant
	TooWide    bool    // none is, and an interval reaches further than [Options.FailOver] from its median
	Verdict    string
	Regression bool // significantly worse, by more than [Options.FailOver]
	peer       bool
	paired     bool
	constant   bool // all samples are the same: there is nothing to find
}

// judged reports whether a difference of the row means anything.
func (r *Row) judged() bool { return r.Better != report.Neither && !r.peer && !r.constant }

// Difference is a fact that is not the same in the two files.
type Difference struct {
	Kind, Key string
	Old       string // empty if the file has no such fact
	New       string
}

// Comparison is what two files have to say about each other.
type Comparison struct {
	Old, New      *File
	Options       Options
	NotComparable string // why nothing is judged; empty if it is
	Differences   []Difference
	Rows          []Row    // in the order of Old
	Restated      int      // rows left out because another says the same thing
	OnlyOld       []Series // those that pass the filter
	OnlyNew       []Series
}

// Compare compares two files.
func Compare(before, after *File, o Options) *Comparison {
	c := &Comparison{
		Old: before, New: after, Options: o,
		NotComparable: unlike(before.Conditions, after.Conditions), Differences: differences(before.Facts, after.Facts),
	}
	type key struct{ name, unit string }
	later := map[key]*Series{}
	passes := func(s Series) bool { return o.Filter == nil || o.Filter.MatchString(s.Name) }
	for i, s := range after.Series {
		if passes(s) {
			later[key{s.Name, s.Unit}] = &after.Series[i]
		}
	}
	for _, s := range before.Series {
		k := key{s.Name, s.Unit}
		switch match := later[k]; {
		case !passes(s):
		case match == nil:
			c.OnlyOld = append(c.OnlyOld, s)
		case s.Restates && match.Restates:
			c.Restated++
		default:
			c.Rows = append(c.Rows, o.row(&s, match))
		}
		delete(later, k)
	}
	for _, s := range after.Series {
		if later[key{s.Name, s.Unit}] != nil {
			c.OnlyNew = append(c.OnlyNew, s)
		}
	}
	c.judge()
	return c
}

func differences(before, after []report.Fact) []Difference {
	var found []Difference
	find := func(facts []report.Fact, f report.Fact) string {
		i := slices.IndexFunc(facts, func(g report.Fact) bool { return g.Kind == f.Kind && g.Key == f.Key })
		if i < 0 {
			return ""
		}
		return facts[i].Value
	}
	for _, f := range before {
		if other := find(after, f); other != f.Value {
			found = append(found, Difference{f.Kind, f.Key, f.Value, other})
		}
	}
	for _, f := range after {
		if find(before, f) == "" {
			found = append(found, Difference{f.Kind, f.Key, "", f.Value})
		}
	}
	return found
}

func (o *Options) row(before, after *Series) Row {
	r := Row{
		Name: before.Name, Unit: before.Unit, Better: before.Better, peer: before.Peer, Holm: 1,
		Old: bench.Summarize(before.Samples), New: bench.Summarize(after.Samples),
	}
	r.constant = r.Old.Min == r.Old.Max && r.New.Min == r.Old.Min && r.New.Max == r.Old.Min
	if r.paired = before.Paired && after.Paired && r.Old.N == r.New.N; r.paired {
		r.Change, r.P = pairedChange(before.Samples, after.Samples), signTest(before.Samples, after.Samples)
		return r
	}
	r.Change = change(r.Old.Median, r.New.Median)
	limits := &benchmath.Thresholds{CompareAlpha: o.Alpha}
	r.P = benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(before.Samples), limits), benchmath.NewSample(slices.Clone(after.Samples), limits)).P
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

// judge corrects the p-values by Holm's method and gives each row its verdict. The k-th
// smallest of n p-values counts n-k+1 times, and never less than one before it.
func (c *Comparison) judge() {
	judged := c.rows((*Row).judged)
	slices.SortStableFunc(judged, func(a, b *Row) int { return cmp.Compare(a.P, b.P) })
	least := 0.0
	for k, r := range judged {
		least = max(least, min(1, r.P*float64(len(judged)-k)))
		r.Holm = least
		r.TooFew = leastP(r.Old.N, r.New.N, r.paired) >= c.Options.Alpha/float64(len(judged))
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		r.Verdict = c.verdict(r)
		wide := 100*max(spread(r.Old), spread(r.New)) > c.Options.FailOver && c.Options.FailOver > 0
		if r.TooWide = wide && r.Verdict == Same && r.judged() && !r.paired; r.TooWide { // of pairs the spread cancels out
			r.Verdict = Unknown
		}
		worse := r.Verdict == Slower || r.Verdict == Worse
		r.Regression = worse && c.Options.FailOver >= 0 && 100*math.Abs(r.Change) > c.Options.FailOver
	}
}

// spread is how far the interval of a median reaches to either side at most, as a share of the median.
func spread(s bench.Summary) float64 {
	if s.Median == 0 {
		return 0
	}
	return max(s.Hi-s.Median, s.Median-s.Lo) / math.Abs(s.Median)
}

// rows returns some of the rows.
func (c *Comparison) rows(of func(*Row) bool) []*Row {
	var rows []*Row
	for i := range c.Rows {
		if of(&c.Rows[i]) {
			rows = append(rows, &c.Rows[i])
		}
	}
	return rows
}

func (c *Comparison) verdict(r *Row) string {
	improved := (r.Change < 0) == (r.Better == report.Lower)
	switch {
	case r.peer:
		return OfPeer
	case r.Better == report.Neither:
		return Count
	case r.constant:
		return Same
	case c.NotComparable != "":
		return Unknown
	case r.Holm >= c.Options.Alpha || r.Change == 0:
		return Same
	case report.IsPace(r.Unit) && improved:
		return Faster
	case report.IsPace(r.Unit):
		return Slower
	case improved:
		return Finer
	}
	return Worse
}

// leastP is the smallest p-value that samples of these sizes can have: if all pairs differ
// the same way, or if two samples that are not paired do not overlap.
func leastP(n, m int, paired bool) float64 {
	if paired {
		return math.Ldexp(2, -n)
	}
	arrangements := 1.0 // n+m over n
	for i := 1; i <= n && arrangements < 1e300; i++ {
		arrangements *= float64(m+i) / float64(i)
	}
	return min(2/arrangements, 1)
}

// enough is the number of samples, of either file, with which a difference can be significant.
func enough(alpha float64, paired bool) int {
	n := 2
	for n < 500 && leastP(n, n, paired) >= alpha {
		n++
	}
	return n
}

// TooWide returns the rows of which nothing can be said at [Options.FailOver].
func (c *Comparison) TooWide() []*Row { return c.rows(func(r *Row) bool { return r.TooWide }) }

// Regressions returns the rows that are regressions.
func (c *Comparison) Regressions() []*Row { return c.rows(func(r *Row) bool { return r.Regression }) }

// TooFew returns in how many rows that are judged no difference can be significant, and
// how many samples it takes in each file.
func (c *Comparison) TooFew() (rows, samples int) {
	judged, paired := c.rows((*Row).judged), false
	for _, r := range judged {
		if r.TooFew {
			rows++
		}
		paired = paired || r.paired
	}
	return rows, enough(c.Options.Alpha/float64(max(len(judged), 1)), paired)
}

// Notes returns what a reader of the figures has to know, a line each.
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
	if few, samples := c.TooFew(); few > 0 {
		notes = append(notes, fmt.Sprintf("too few samples in %d of %d comparisons: with so many, none can be "+
			"significant at %v below %d samples in each file",
			few, len(c.rows((*Row).judged)), c.Options.Alpha, samples))
	}
	if below := c.rows(func(r *Row) bool { return r.Old.BelowConfidence || r.New.BelowConfidence }); len(below) > 0 {
		notes = append(notes, fmt.Sprintf("fewer than 6 samples in %d of %d comparisons: the interval is the range, "+
			"its level is below 95 %%", len(below), len(c.Rows)))
	}
	if c.Restated > 0 {
		notes = append(notes, fmt.Sprintf("%d more rows say the same thing in another unit: left out", c.Restated))
	}
	return notes
}
