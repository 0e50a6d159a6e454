package taskbench

import (
	"cmp"
	"fmt"
	"strings"

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

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run: a
// parameter out of range, or more memory than so many bytes, 0 for no limit.
func (c *Config) Validate(memory uint64) error {
	if err := trial.First(appName,
		graphCount(trial.Range("and", len(c.Graphs), 1, maxGraphs)),
		trial.Range("window", c.Window, 2, maxWindow),
		trial.OneOf("place", c.Place, placements...),
	); err != nil {
		return err
	}
	for k := range c.Graphs {
		if err := trial.First(appName, c.inGraph(k, c.Graphs[k].validate())); err != nil {
			return err
		}
	}
	return trial.First(appName, c.validateMemory(memory))
}

const appName = "taskbench"

// graphCount says of an error about --and what the number counts.
func graphCount(e *trial.ConfigError) *trial.ConfigError {
	if e != nil {
		e.About = "number of graphs"
	}
	return e
}

// inGraph says of an error which graph it is about.
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
	if g.Type >= numPatterns {
		return trial.Refuse(true, "type", g.Type, strings.Join(patternNames, ", "))
	}
	for _, r := range g.ranges() {
		if e := trial.Refuse(r.value < r.low || r.value > r.high, r.flag, r.value, r.allowed()); e != nil {
			e.Reason = r.reason
			return e
		}
	}
	return g.validateRest()
}

// A valueRange is what a parameter may be.
type valueRange struct {
	flag             string
	value, low, high int64
	reason           string
}

func (r *valueRange) allowed() string {
	if r.low == r.high {
		return fmt.Sprint(r.low)
	}
	return fmt.Sprintf("%d..%d", r.low, r.high)
}

func (g *Graph) ranges() []valueRange {
	list := []valueRange{
		{"steps", int64(g.Steps), 1, maxSteps, ""},
		g.widthRange(),
	}
	if g.Type.UsesRadix() {
		list = append(list, g.radixRange())
	}
	period := valueRange{"period", int64(g.Period), 0, 0, fmt.Sprintf("type %v has no period", g.Type)}
	if g.Type.UsesPeriod() {
		period = valueRange{"period", int64(g.Period), 1, maxPeriod, ""}
	}
	list = append(list, period,
		valueRange{"iter", g.Kernel.Iterations, 0, maxIter, ""},
		valueRange{"output", int64(g.Output), pairBytes, maxBytes, ""},
		valueRange{"scratch", int64(g.Scratch), 0, maxBytes, ""})
	if g.Kernel.Kind == kernel.MemoryBound {
		list = append(list,
			valueRange{"scratch", int64(g.Scratch), 16, maxBytes, "kernel memory_bound"},
			valueRange{"sample", int64(g.Kernel.Samples), 1, int64(g.Scratch), "no more than the bytes of scratch"})
	}
	return list
}

func (g *Graph) radixRange() valueRange {
	r := valueRange{"radix", int64(g.Radix), 0, int64(g.Width), ""}
	if g.Type == Spread {
		r.low = 1
	}
	switch {
	case g.Radix > g.Width:
		r.reason = fmt.Sprintf("more than the width, %d", g.Width)
	case g.Radix == 0:
		r.reason = fmt.Sprintf("type %v needs a dependence", g.Type)
	}
	return r
}

func (g *Graph) widthRange() valueRange {
	r := valueRange{"width", int64(g.Width), 1, maxWidth, ""}
	switch g.Type {
	case FFT:
		r.low, r.reason = 2, "type fft needs two columns"
	case Stencil1DPeriodic:
		r.low, r.reason = 3, "type stencil_1d_periodic needs three columns"
	}
	return r
}

// validateRest checks what is not a range of whole numbers.
func (g *Graph) validateRest() *trial.ConfigError {
	return cmp.Or(
		trial.Refuse(g.Scratch%wordBytes != 0, "scratch", g.Scratch, "multiples of 8"),
		trial.Refuse(!(g.Fraction >= 0 && g.Fraction <= 1), "fraction", g.Fraction, "0..1"),
		trial.Refuse(!(g.Kernel.Imbalance >= 0 && g.Kernel.Imbalance <= 2), "imbalance", g.Kernel.Imbalance, "0..2"),
		trial.Refuse(int(g.Kernel.Kind) >= len(kernel.Kinds()), "kernel", g.Kernel.Kind, strings.Join(kernel.Kinds(), ", ")),
	)
}
