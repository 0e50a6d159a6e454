package taskbench

import (
	"math/bits"
	"slices"

	"ocr/apps/taskbench/kernel"
)

// A Graph is one parameterised graph: Steps rows of tasks, at most Width in each.
// Task (t,i) is that of step t in column i, both from 0.
type Graph struct {
	Steps, Width int
	Type         Pattern
	Radix        int     // of patterns that use it
	Period       int     // of patterns that have one, else 0
	Fraction     float64 // of edges that random_nearest keeps
	Kernel       kernel.Kernel
	Output       int // bytes of a task's output, at least 16
	Scratch      int // bytes of a column's scratch memory

	number   int // in Config.Graphs, from 0; it seeds random_nearest
	recorded bool
}

// DefaultGraph returns what Task Bench does if no flag says otherwise.
func DefaultGraph() Graph {
	return Graph{
		Steps: 4, Width: 4, Type: Trivial, Radix: 3, Fraction: 0.25,
		Kernel: kernel.Kernel{Kind: kernel.Empty, Samples: 16}, Output: 16,
	}
}

// life returns the steps in which a column has a task.
func (g *Graph) life(i int) steps {
	switch g.Type {
	case Tree:
		return steps{bits.Len(uint(i)), g.Steps - 1}
	case Dom:
		// From step Steps-Width+1 on the lower columns end, one a step, and the upper ones come as the width allows.
		late := i + g.Steps - g.Width
		if i <= g.Steps-g.Width {
			return steps{i, late}
		}
		return steps{max(g.Steps-g.Width+1, (late+1)/2, 0), late}
	}
	return steps{0, g.Steps - 1}
}

// sets returns how many sets of dependences the steps go through in turn.
func (g *Graph) sets() int {
	switch g.Type {
	case FFT:
		return bits.Len(uint(g.Width - 1))
	case Spread, RandomNearest:
		return g.Period
	}
	return 1
}

// sources returns where the inputs of column i come from by one set, also columns that
// there are not. A column that is named twice is an input twice.
func (g *Graph) sources(set, i int) []int {
	switch g.Type {
	case NoComm:
		return []int{i}
	case Stencil1D:
		return []int{i - 1, i, i + 1}
	case Stencil1DPeriodic:
		return []int{(i + g.Width - 1) % g.Width, i, (i + 1) % g.Width}
	case Dom:
		return []int{i - 1, i}
	case Tree:
		return []int{i / 2}
	case FFT:
		return []int{i - 1<<set, i, i + 1<<set}
	case AllToAll:
		return between(0, g.Width-1)
	case Nearest:
		return g.nearest(i)
	case Spread:
		return g.spread(set, i)
	case RandomNearest:
		return slices.DeleteFunc(g.nearest(i), func(j int) bool {
			drawn := kernel.Uniform(int64(g.number), int64(g.Radix), int64(set), int64(j), int64(i))
			return j != i && drawn >= g.Fraction
		})
	}
	return nil
}

// Inputs returns which columns the inputs of each column come from, by the steps t with the same t modulo the number of
// lists. There are none if columns come and go, as in dom and tree.
func (g *Graph) Inputs() (lists [][][]int) {
	if g.Type.growsOrShrinks() {
		return nil
	}
	p := &plan{Graph: *g, period: g.sets()}
	for t := range p.period {
		list := make([][]int, g.Width)
		for i := range list {
			list[i] = slices.DeleteFunc(p.sources(p.setOf(t), i), func(j int) bool { return j < 0 || j >= g.Width })
		}
		lists = append(lists, list)
	}
	return lists
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
		far := k * g.Width / g.Radix
		if k > 0 {
			far += set
		}
		columns = append(columns, (i+far)%g.Width)
	}
	return columns
}
