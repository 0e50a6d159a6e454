package taskbench

import (
	"cmp"
	"fmt"
	"math/bits"

	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
	"ocr/datablock"
)

// Bounds of parameters; memory bounds them further.
const (
	maxSteps  = 1 << 40
	maxWidth  = 1 << 24
	maxGraphs = 1 << 20
	maxIter   = 1 << 48
	maxBytes  = 1 << 40
	maxPeriod = 1 << 20
)

const appName = "taskbench"

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run: a parameter out of range, or
// more bytes than memory (0: no limit but that of a data block).
func (c *Config) Validate(memory uint64) error {
	graphs := trial.Range("and", len(c.Graphs), 1, maxGraphs)
	if graphs != nil {
		graphs.About = "number of graphs"
	}
	e := cmp.Or(graphs, trial.OneOf("place", c.Place, Placements()...))
	for k := 0; k < len(c.Graphs) && e == nil; k++ {
		g := &c.Graphs[k]
		e = c.inGraph(k, cmp.Or(g.validate(), trial.Refuse(c.Recorded && g.Type.GrowsOrShrinks(), "type", g.Type,
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

// validate checks a graph's parameters. A check may rely on those before it.
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

// validateShape checks the width, the radix and the period.
func (g *Graph) validateShape() *trial.ConfigError {
	width, radix, why := trial.Range("width", g.Width, 1, maxWidth), 0, ""
	switch {
	case g.Type == FFT:
		width = trial.Because("type fft needs two columns", trial.Range("width", g.Width, 2, maxWidth))
	case g.Type == Stencil1DPeriodic:
		width = trial.Because("type stencil_1d_periodic needs three columns", trial.Range("width", g.Width, 3, maxWidth))
	case g.Type == Spread && g.Radix == 0:
		radix, why = 1, "type spread needs a dependence"
	case g.Radix > g.Width:
		why = fmt.Sprintf("more than the width, %d", g.Width)
	}
	if width == nil && g.Type.UsesRadix() {
		width = trial.Because(why, trial.Range("radix", g.Radix, radix, g.Width))
	}
	if g.Type.Period() > 0 {
		return cmp.Or(width, trial.Range("period", g.Period, 1, maxPeriod))
	}
	return cmp.Or(width, trial.Because(fmt.Sprintf("type %v has no period", g.Type),
		trial.Refuse(g.Period != 0, "period", g.Period, "0")))
}

func (g *Graph) validateScratch() *trial.ConfigError {
	least := 0
	var samples *trial.ConfigError
	if g.Kernel.Kind == kernel.MemoryBound {
		least = 16
		samples = trial.Because("no more than the bytes of scratch", trial.Range("sample", g.Kernel.Samples, 1, g.Scratch))
	}
	scratch := trial.Range("scratch", g.Scratch, least, maxBytes)
	if least > 0 {
		scratch = trial.Because("kernel memory_bound", scratch)
	}
	return cmp.Or(scratch, samples, trial.Refuse(g.Scratch%wordBytes != 0, "scratch", g.Scratch, "multiples of 8"))
}

// validateMemory compares the graphs' memory with the limit, and with the largest block.
func (c *Config) validateMemory(limit uint64) *trial.ConfigError {
	if limit == 0 || limit > datablock.MaxSize {
		limit = datablock.MaxSize
	}
	sum := 0.0
	for k := range c.Graphs {
		g, radix := &c.Graphs[k], 0
		if sum += g.memory(c.Recorded); sum <= float64(limit) {
			continue
		}
		if g.Type.UsesRadix() {
			radix = g.Radix
		}
		e := trial.TooLarge(
			fmt.Sprintf("the graphs need %s and the limit is %s", trial.Bytes(sum), trial.Bytes(float64(limit))),
			trial.Parameter{Flag: "width", Value: g.Width, Usual: 4},
			trial.Parameter{Flag: "output", Value: g.Output, Usual: 16},
			trial.Parameter{Flag: "scratch", Value: g.Scratch, Usual: 16},
			trial.Parameter{Flag: "and", About: "number of graphs", Value: len(c.Graphs), Usual: 1},
			trial.Parameter{Flag: "period", Value: g.Period, Usual: 3},
			trial.Parameter{Flag: "radix", Value: radix, Usual: 3})
		if e.Flag != "and" { // --and is about all graphs
			e = c.inGraph(k, e)
		}
		return e
	}
	return nil
}

// memory returns an upper bound of the bytes of a graph.
func (g *Graph) memory(recorded bool) float64 {
	const (
		perTask  = 512 // an EDT's record, and its slots beyond the inline ones
		perSlot  = 48
		perLink  = 160 // in the plan, at both ends, and its GUIDs in the block
		perNode  = 256 // of a recorded graph
		perEdge  = 130 // a slot, and an edge there and back, also while the graph is recorded
		perGraph = 1 << 16
	)
	width, degree := float64(g.Width), 3.0
	switch {
	case g.Type == AllToAll:
		degree = width
	case g.Type.UsesRadix():
		degree = 1 + 2*float64(g.Radix) // to itself, and for each input there and back
	}
	ring, edges := float64(int(1)<<bits.Len(uint(g.sets()))), float64(g.sets())*degree
	buffer := float64(g.Output) + 256 // with its GUID, aligned
	column := float64(g.Scratch) + 128 + ring*buffer + 32*edges
	blocks := 5 * (column/4 + 1) // sizes are rounded up by a quarter at most
	tasks := ring * (perTask + perSlot*degree)
	if recorded {
		tasks = 2 * float64(g.recordedSteps()) * (perNode + perEdge*degree)
	}
	return perGraph + width*(blocks+edges*perLink+tasks)
}
