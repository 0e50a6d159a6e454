package taskbench

import (
	"fmt"
	"math/bits"
	"slices"

	"ocr/apps/taskbench/kernel"
)

// Pattern is how the tasks of a step depend on those of the step before: Task Bench's dependence type. W is the width,
// and r the radix, of the graph.
type Pattern uint8

// The comments list the columns of step t-1 from which column i takes its inputs in step t.
const (
	Trivial           Pattern = iota // none
	NoComm                           // i
	Stencil1D                        // i-1 to i+1
	Stencil1DPeriodic                // i-1 to i+1 modulo W, which is at least 3
	Dom                              // i-1 and i: a wavefront; steps have min(W, t+1, steps-t) columns
	Tree                             // i/2: a broadcast; steps have min(W, 2^t) columns
	FFT                              // i-2^d, i and i+2^d: d goes through the bits of a column number; W is at least 2
	AllToAll                         // all
	Nearest                          // i-r/2 to i+(r-1)/2; none if r is 0
	Spread                           // r columns, W/r apart; all but the first move by one a step, for a period
	RandomNearest                    // i, and others of Nearest with a probability, drawn in each step of a period
	numPatterns
)

// patterns has Task Bench's names, and the columns from which column i takes its inputs, also columns that do not
// exist. The steps use the graph's sets of dependences in turn.
var patterns = [numPatterns]struct {
	name    string
	sources func(g *Graph, set, i int) []int
}{
	Trivial:   {"trivial", func(*Graph, int, int) []int { return nil }},
	NoComm:    {"no_comm", func(_ *Graph, _, i int) []int { return []int{i} }},
	Stencil1D: {"stencil_1d", func(_ *Graph, _, i int) []int { return []int{i - 1, i, i + 1} }},
	Stencil1DPeriodic: {"stencil_1d_periodic", func(g *Graph, _, i int) []int {
		return []int{(i + g.Width - 1) % g.Width, i, (i + 1) % g.Width}
	}},
	Dom:           {"dom", func(_ *Graph, _, i int) []int { return []int{i - 1, i} }},
	Tree:          {"tree", func(_ *Graph, _, i int) []int { return []int{i / 2} }},
	FFT:           {"fft", func(_ *Graph, set, i int) []int { return []int{i - 1<<set, i, i + 1<<set} }},
	AllToAll:      {"all_to_all", func(g *Graph, _, _ int) []int { return between(0, g.Width-1) }},
	Nearest:       {"nearest", func(g *Graph, _, i int) []int { return g.nearest(i) }},
	Spread:        {"spread", (*Graph).spread},
	RandomNearest: {"random_nearest", (*Graph).randomNearest},
}

func between(first, last int) (columns []int) {
	for i := first; i <= last; i++ {
		columns = append(columns, i)
	}
	return columns
}

func (g *Graph) nearest(i int) []int {
	if g.Radix == 0 {
		return nil
	}
	return between(max(i-g.Radix/2, 0), min(i+(g.Radix-1)/2, g.Width-1))
}

func (g *Graph) spread(set, i int) (columns []int) {
	for k := range g.Radix {
		columns = append(columns, (i+k*g.Width/g.Radix+min(k, 1)*set)%g.Width)
	}
	return columns
}

func (g *Graph) randomNearest(set, i int) []int {
	return slices.DeleteFunc(g.nearest(i), func(j int) bool {
		drawn := kernel.Uniform(int64(g.number), int64(g.Radix), int64(set), int64(j), int64(i))
		return j != i && drawn >= g.Fraction
	})
}

// Patterns returns all patterns, in Task Bench's order.
func Patterns() (all []Pattern) {
	for p := range numPatterns {
		all = append(all, p)
	}
	return all
}

// String returns Task Bench's name of the pattern.
func (p Pattern) String() string {
	if p < numPatterns {
		return patterns[p].name
	}
	return fmt.Sprintf("Pattern(%d)", uint8(p))
}

// UsesRadix reports whether the pattern uses the radix.
func (p Pattern) UsesRadix() bool { return p == Nearest || p == Spread || p == RandomNearest }

// Period returns Task Bench's default period of the pattern, 0 if it has none: then the period of a graph must be 0.
func (p Pattern) Period() int {
	if p == Spread || p == RandomNearest {
		return 3
	}
	return 0
}

// GrowsOrShrinks reports whether there are steps with fewer columns than others.
func (p Pattern) GrowsOrShrinks() bool { return p == Dom || p == Tree }

// life returns the steps in which a column has a task.
func (g *Graph) life(i int) steps {
	switch g.Type {
	case Tree:
		return steps{bits.Len(uint(i)), g.Steps - 1}
	case Dom:
		// From step Steps-Width+1 on the lower columns end, one a step, and the upper ones begin as the width allows.
		late := i + g.Steps - g.Width
		if i <= g.Steps-g.Width {
			return steps{i, late}
		}
		return steps{max(g.Steps-g.Width+1, (late+1)/2, 0), late}
	}
	return steps{0, g.Steps - 1}
}

// sets returns the number of sets of dependences that the steps use in turn.
func (g *Graph) sets() int {
	if g.Type == FFT {
		return bits.Len(uint(g.Width - 1))
	}
	return max(1, g.Period)
}

// sources returns the columns of the inputs of column i by one set. A column that occurs twice is an input twice.
func (g *Graph) sources(set, i int) []int {
	return slices.DeleteFunc(patterns[g.Type].sources(g, set, i), func(j int) bool { return j < 0 || j >= g.Width })
}

// Inputs returns the columns of each column's inputs: step t uses the list with number t modulo the number of lists. It
// returns no list if steps have different columns, as in dom and tree.
func (g *Graph) Inputs() (lists [][][]int) {
	if g.Type.GrowsOrShrinks() {
		return nil
	}
	p := &plan{Graph: *g, period: g.sets()}
	for t := range p.period {
		list := make([][]int, g.Width)
		for i := range list {
			list[i] = g.sources(p.setOf(t), i)
		}
		lists = append(lists, list)
	}
	return lists
}
