package taskbench

import (
	"math/bits"

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

	number int // in Config.Graphs, from 0; it seeds random_nearest
}

// DefaultGraph returns what Task Bench does if no flag says otherwise.
func DefaultGraph() Graph {
	return Graph{
		Steps: 4, Width: 4, Type: Trivial, Radix: 3, Fraction: 0.25,
		Kernel: kernel.Kernel{Kind: kernel.Empty, Samples: 16}, Output: 16,
	}
}

// An Interval is columns First to Last, both included.
type Interval struct{ First, Last int }

// At returns the columns of step t: width of them, from offset on.
func (g *Graph) At(t int) (offset, width int) {
	switch g.Type {
	case Dom:
		return max(0, t+g.Width-g.Steps), min(g.Width, t+1, g.Steps-t)
	case Tree:
		if t < bits.Len(uint(g.Width)) {
			return 0, min(g.Width, 1<<t)
		}
	}
	return 0, g.Width
}

// Has reports whether there is a task (t,i).
func (g *Graph) Has(t, i int) bool {
	if t < 0 || t >= g.Steps {
		return false
	}
	offset, width := g.At(t)
	return i >= offset && i < offset+width
}

// Dependencies returns the columns of step t-1 whose outputs (t,i) takes, in no
// particular order. A column that is named twice is an input twice.
func (g *Graph) Dependencies(t, i int) []Interval {
	if !g.Has(t, i) || t == 0 {
		return nil
	}
	return g.clip(t-1, g.sources(g.set(t), i))
}

// Dependents returns the columns of step t+1 that take the output of (t,i). It is
// the mirror of [Graph.Dependencies], with formulas of its own.
func (g *Graph) Dependents(t, i int) []Interval {
	if !g.Has(t, i) || t+1 >= g.Steps {
		return nil
	}
	return g.clip(t+1, g.targets(g.set(t+1), i))
}

// clip cuts intervals to the columns of a step.
func (g *Graph) clip(t int, list []Interval) []Interval {
	offset, width := g.At(t)
	kept := list[:0]
	for _, v := range list {
		v.First, v.Last = max(v.First, offset), min(v.Last, offset+width-1)
		if v.First <= v.Last {
			kept = append(kept, v)
		}
	}
	return kept
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

// set returns which of the sets the inputs of step t follow.
func (g *Graph) set(t int) int {
	switch g.Type {
	case FFT:
		sets := g.sets()
		return (t + sets - 1) % sets
	case Spread, RandomNearest:
		return t % g.Period
	}
	return 0
}

// sources returns where the inputs of column i come from by one set, not yet
// clipped to the columns there are.
func (g *Graph) sources(set, i int) []Interval {
	switch g.Type {
	case NoComm:
		return []Interval{{i, i}}
	case Stencil1D:
		return []Interval{{i - 1, i + 1}}
	case Stencil1DPeriodic:
		return g.neighbours(i)
	case Dom:
		return []Interval{{i - 1, i}}
	case Tree:
		return []Interval{{i / 2, i / 2}}
	case FFT:
		return butterfly(set, i)
	case AllToAll:
		return []Interval{{0, g.Width - 1}}
	case Nearest:
		return []Interval{{i - g.Radix/2, i + (g.Radix-1)/2}}[:min(1, g.Radix)]
	case Spread:
		return g.spread(set, i, 1)
	case RandomNearest:
		return g.drawn(i-g.Radix/2, i+(g.Radix-1)/2, i, func(j int) bool { return g.keeps(set, j, i) })
	}
	return nil
}

// targets is the mirror of sources: where the output of column i goes.
func (g *Graph) targets(set, i int) []Interval {
	switch g.Type {
	case Dom:
		return []Interval{{i, i + 1}}
	case Tree:
		return []Interval{{2 * i, 2*i + 1}}
	case Nearest:
		return []Interval{{i - (g.Radix-1)/2, i + g.Radix/2}}[:min(1, g.Radix)]
	case Spread:
		return g.spread(set, i, -1)
	case RandomNearest:
		return g.drawn(i-(g.Radix-1)/2, i+g.Radix/2, i, func(j int) bool { return g.keeps(set, i, j) })
	}
	return g.sources(set, i)
}

func (g *Graph) neighbours(i int) []Interval {
	list := []Interval{{i - 1, i + 1}}
	if i == 0 {
		list = append(list, Interval{g.Width - 1, g.Width - 1})
	}
	if i == g.Width-1 {
		list = append(list, Interval{0, 0})
	}
	return list
}

func butterfly(set, i int) []Interval {
	far := 1 << set
	return []Interval{{i - far, i - far}, {i, i}, {i + far, i + far}}
}

// spread steps away from i, forwards for inputs and backwards for outputs.
func (g *Graph) spread(set, i, sign int) []Interval {
	var list []Interval
	for k := range g.Radix {
		far := k * g.Width / g.Radix
		if k > 0 {
			far += set
		}
		j := (i + sign*far) % g.Width
		if j < 0 {
			j += g.Width
		}
		list = append(list, Interval{j, j})
	}
	return list
}

// drawn returns self and those columns of a range that are kept.
func (g *Graph) drawn(first, last, self int, kept func(j int) bool) []Interval {
	var list []Interval
	if g.Radix == 0 {
		return nil
	}
	for j := max(first, 0); j <= min(last, g.Width-1); j++ {
		if j == self || kept(j) {
			list = append(list, Interval{j, j})
		}
	}
	return list
}

// keeps reports whether random_nearest keeps the edge between two columns.
func (g *Graph) keeps(set, from, to int) bool {
	return kernel.Uniform(int64(g.number), int64(g.Radix), int64(set), int64(from), int64(to)) < g.Fraction
}
