package taskbench

import (
	"cmp"
	"fmt"
	"math/bits"

	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
)

// Bounds of parameters; memory bounds them further.
const (
	maxSteps  = 1 << 40
	maxWidth  = 1 << 24
	maxGraphs = 1 << 20
	maxIter   = 1 << 48
	maxBytes  = 1 << 40
	maxPeriod = 1 << 20
	maxTile   = 1 << 35 // bytes: offsets in a tile's block are 32-bit numbers of words
)

const appName = "taskbench"

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run: a parameter out of range, or
// more bytes than memory (0: no limit).
func (c *Config) Validate(memory uint64) error {
	graphs := trial.Range("and", len(c.Graphs), 1, maxGraphs)
	if graphs != nil {
		graphs.About = "number of graphs"
	}
	e := cmp.Or(graphs, trial.OneOf("place", c.Place, Placements()...))
	for k := 0; k < len(c.Graphs) && e == nil; k++ {
		g := &c.Graphs[k]
		e = c.inGraph(k, cmp.Or(g.validate(), trial.Refuse(c.Recorded && g.Type.growsOrShrinks(), "type", g.Type,
			"a pattern whose steps repeat, for the recorded form: any but dom and tree")))
	}
	return trial.First(appName, cmp.Or(e, c.validateMemory(memory)))
}

// inGraph sets the number of the graph in an error.
func (c *Config) inGraph(k int, e *trial.ConfigError) *trial.ConfigError {
	if e != nil {
		e.Graph = k + 1
		if len(c.Graphs) > 1 {
			e.About = fmt.Sprintf("graph %d", e.Graph)
		}
	}
	return e
}

// validate checks a graph's parameters, each in view of those before it.
func (g *Graph) validate() *trial.ConfigError {
	return cmp.Or(
		trial.Refuse(g.Type >= numPatterns, "type", g.Type, trial.Names(Patterns())),
		trial.Range("steps", g.Steps, 1, maxSteps),
		g.validateShape(),
		trial.Range("iter", int(g.Kernel.Iterations), 0, maxIter),
		trial.Range("output", g.Output, pairBytes, maxBytes),
		g.validateScratch(),
		trial.Refuse(!(g.Fraction >= 0 && g.Fraction <= 1), "fraction", g.Fraction, "0..1"),
		trial.Refuse(!(g.Kernel.Imbalance >= 0 && g.Kernel.Imbalance <= 2), "imbalance", g.Kernel.Imbalance, "0..2"),
		trial.Refuse(int(g.Kernel.Kind) >= len(kernel.Kinds()), "kernel", g.Kernel.Kind, trial.Names(kernel.Kinds())),
	)
}

// because sets the reason of an error.
func because(reason string, e *trial.ConfigError) *trial.ConfigError {
	if e != nil {
		e.Reason = reason
	}
	return e
}

// validateShape checks the width, the radix and the period.
func (g *Graph) validateShape() *trial.ConfigError {
	width, radix, why := trial.Range("width", g.Width, 1, maxWidth), 0, ""
	switch {
	case g.Type == FFT:
		width = because("type fft needs two columns", trial.Range("width", g.Width, 2, maxWidth))
	case g.Type == Stencil1DPeriodic:
		width = because("type stencil_1d_periodic needs three columns", trial.Range("width", g.Width, 3, maxWidth))
	case g.Type == Spread && g.Radix == 0:
		radix, why = 1, "type spread needs a dependence"
	case g.Radix > g.Width:
		why = fmt.Sprintf("more than the width, %d", g.Width)
	}
	if width == nil && g.Type.UsesRadix() {
		width = because(why, trial.Range("radix", g.Radix, radix, g.Width))
	}
	if g.Type.Period() > 0 {
		return cmp.Or(width, trial.Range("period", g.Period, 1, maxPeriod))
	}
	return cmp.Or(width, because(fmt.Sprintf("type %v has no period", g.Type),
		trial.Refuse(g.Period != 0, "period", g.Period, "0")))
}

func (g *Graph) validateScratch() *trial.ConfigError {
	least := 0
	var samples *trial.ConfigError
	if g.Kernel.Kind == kernel.MemoryBound {
		least = 16
		samples = because("no more than the bytes of scratch", trial.Range("sample", g.Kernel.Samples, 1, g.Scratch))
	}
	scratch := trial.Range("scratch", g.Scratch, least, maxBytes)
	if least > 0 {
		scratch = because("kernel memory_bound", scratch)
	}
	return cmp.Or(scratch, samples, trial.Refuse(g.Scratch%wordBytes != 0, "scratch", g.Scratch, "multiples of 8"))
}

// validateMemory compares the graphs' memory with the limit, 0 for none, and a graph's blocks with the largest block.
func (c *Config) validateMemory(limit uint64) *trial.ConfigError {
	sum := uint64(0)
	for k := range c.Graphs {
		g := &c.Graphs[k]
		need, column := g.memory()
		reason := ""
		if sum = trial.Add(sum, need); limit != 0 && sum > limit {
			reason = fmt.Sprintf("the graphs need %s and the limit is %s", trial.Bytes(sum), trial.Bytes(limit))
		} else if blocks := trial.Mul(column, uint64(g.Width)); blocks > maxTile {
			reason = fmt.Sprintf("a graph's blocks need %s, and may be %s", trial.Bytes(blocks), trial.Bytes(maxTile))
		}
		if reason == "" {
			continue
		}
		list := []trial.Parameter{
			{Flag: "width", Value: g.Width, Usual: 4},
			{Flag: "output", Value: g.Output, Usual: 16},
			{Flag: "scratch", Value: g.Scratch, Usual: 16},
			{Flag: "and", About: "number of graphs", Value: len(c.Graphs), Usual: 1},
		}
		if period := g.Type.Period(); period > 0 {
			list = append(list, trial.Parameter{Flag: "period", Value: g.Period, Usual: period})
		}
		if g.Type.UsesRadix() {
			list = append(list, trial.Parameter{Flag: "radix", Value: g.Radix, Usual: 3})
		}
		e := trial.TooLarge(reason, list...)
		if e.Flag != "and" { // which is of all graphs
			e = c.inGraph(k, e)
		}
		return e
	}
	return nil
}

// memory returns upper bounds of the bytes of a graph, and of a column's part of a block.
func (g *Graph) memory() (total, column uint64) {
	const (
		perTask  = 512 // an EDT's record, and its slots beyond the inline ones
		perSlot  = 48
		perEdge  = 160 // in the plan, at both ends, and its GUIDs in the block
		perGraph = 1 << 16
	)
	sets, width, degree := uint64(g.sets()), uint64(g.Width), uint64(3)
	switch {
	case g.Type == AllToAll:
		degree = width
	case g.Type.UsesRadix():
		degree = 2 * uint64(g.Radix) // with the links back
	}
	ring, edges := uint64(1)<<bits.Len64(sets), trial.Mul(sets, degree)
	buffer := trial.Add(uint64(g.Output), 256) // with its names, aligned
	column = trial.Add(trial.Add(uint64(g.Scratch), 128), trial.Add(trial.Mul(ring, buffer), trial.Mul(32, edges)))
	tasks := trial.Mul(ring, trial.Add(perTask, trial.Mul(perSlot, degree)))
	blocks := trial.Mul(5, column/4+1) // sizes are rounded up by a quarter at most
	each := trial.Add(trial.Add(blocks, trial.Mul(edges, perEdge)), tasks)
	return trial.Add(perGraph, trial.Mul(width, each)), column
}
