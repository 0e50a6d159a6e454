package taskbench

import (
	"cmp"
	"fmt"

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
	maxWindow = 1 << 16
	maxTile   = 1 << 35 // bytes: places in a tile's block are 32-bit numbers of words
)

const appName = "taskbench"

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run: a parameter out of range, or more
// bytes than the memory limit, 0 for none.
func (c *Config) Validate(memory uint64) error {
	graphs := trial.Range("and", len(c.Graphs), 1, maxGraphs)
	if graphs != nil {
		graphs.About = "number of graphs"
	}
	e := cmp.Or(graphs, trial.Range("window", c.Window, 2, maxWindow), trial.OneOf("place", c.Place, placements...))
	for k := range c.Graphs {
		if e == nil {
			g := &c.Graphs[k]
			e = c.inGraph(k, cmp.Or(g.validate(), trial.Refuse(c.Recorded && g.Type.growsOrShrinks(), "type", g.Type,
				"a pattern whose steps repeat, for the recorded form: any but dom and tree")))
		}
	}
	if e == nil {
		e = c.validateMemory(memory)
	}
	return trial.First(appName, e)
}

// inGraph sets the graph of an error.
func (c *Config) inGraph(k int, e *trial.ConfigError) *trial.ConfigError {
	if e != nil {
		e.Graph = k + 1
		if len(c.Graphs) > 1 {
			e.About = fmt.Sprintf("graph %d", e.Graph)
		}
	}
	return e
}

// validate checks a graph's parameters, each against those before it.
func (g *Graph) validate() *trial.ConfigError {
	scratch := trial.Range("scratch", g.Scratch, 0, maxBytes)
	if g.Kernel.Kind == kernel.MemoryBound {
		scratch = cmp.Or(scratch, because("kernel memory_bound", trial.Range("scratch", g.Scratch, 16, maxBytes)),
			because("no more than the bytes of scratch", trial.Range("sample", g.Kernel.Samples, 1, g.Scratch)))
	}
	return cmp.Or(
		trial.Refuse(g.Type >= numPatterns, "type", g.Type, trial.Names(Patterns())),
		trial.Range("steps", g.Steps, 1, maxSteps),
		g.validateWidth(),
		g.validateRadix(),
		g.validatePeriod(),
		trial.Range("iter", int(g.Kernel.Iterations), 0, maxIter),
		trial.Range("output", g.Output, pairBytes, maxBytes),
		scratch,
		trial.Refuse(g.Scratch%wordBytes != 0, "scratch", g.Scratch, "multiples of 8"),
		trial.Refuse(!(g.Fraction >= 0 && g.Fraction <= 1), "fraction", g.Fraction, "0..1"),
		trial.Refuse(!(g.Kernel.Imbalance >= 0 && g.Kernel.Imbalance <= 2), "imbalance", g.Kernel.Imbalance, "0..2"),
		trial.Refuse(int(g.Kernel.Kind) >= len(kernel.Kinds()), "kernel", g.Kernel.Kind, trial.Names(kernel.Kinds())),
	)
}

// because gives an error its reason.
func because(reason string, e *trial.ConfigError) *trial.ConfigError {
	if e != nil {
		e.Reason = reason
	}
	return e
}

func (g *Graph) validateWidth() *trial.ConfigError {
	switch g.Type {
	case FFT:
		return because("type fft needs two columns", trial.Range("width", g.Width, 2, maxWidth))
	case Stencil1DPeriodic:
		return because("type stencil_1d_periodic needs three columns", trial.Range("width", g.Width, 3, maxWidth))
	}
	return trial.Range("width", g.Width, 1, maxWidth)
}

func (g *Graph) validateRadix() *trial.ConfigError {
	low, reason := 0, ""
	switch {
	case !g.Type.UsesRadix():
		return nil
	case g.Type == Spread:
		low = 1
	}
	switch {
	case g.Radix > g.Width:
		reason = fmt.Sprintf("more than the width, %d", g.Width)
	case g.Radix == 0:
		reason = fmt.Sprintf("type %v needs a dependence", g.Type)
	}
	return because(reason, trial.Range("radix", g.Radix, low, g.Width))
}

func (g *Graph) validatePeriod() *trial.ConfigError {
	if g.Type.UsesPeriod() {
		return trial.Range("period", g.Period, 1, maxPeriod)
	}
	return because(fmt.Sprintf("type %v has no period", g.Type), trial.Refuse(g.Period != 0, "period", g.Period, "0"))
}
