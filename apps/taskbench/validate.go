package taskbench

import (
	"fmt"
	"slices"
	"strings"

	"ocr/apps/taskbench/kernel"
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

// ConfigError is a Config that Validate refuses.
type ConfigError struct {
	Graph   int    // the graph's number, from 0; -1 where it is not about one
	Flag    string // Task Bench's name of the parameter, without the hyphen
	Value   string // the value it has
	Allowed string // the values it may have, the others being as they are
	Reason  string // why, where it is not the plain range; may be empty
}

// Error returns one line that names flag, value and allowed range.
func (e *ConfigError) Error() string {
	var b strings.Builder
	b.WriteString("taskbench: ")
	if e.Graph > 0 {
		fmt.Fprintf(&b, "graph %d: ", e.Graph+1)
	}
	fmt.Fprintf(&b, "-%s %s", e.Flag, e.Value)
	if e.Reason != "" {
		fmt.Fprintf(&b, ": %s", e.Reason)
	}
	fmt.Fprintf(&b, ": allowed %s", e.Allowed)
	return b.String()
}

// Validate reports as a *ConfigError the first thing about c that cannot run: a
// parameter out of range, or more memory than so many bytes, 0 for no limit.
func (c *Config) Validate(memory uint64) error {
	if n := len(c.Graphs); n < 1 || n > maxGraphs {
		return &ConfigError{Graph: -1, Flag: "and", Value: fmt.Sprint(n), Reason: "number of graphs", Allowed: fmt.Sprintf("1..%d", maxGraphs)}
	}
	if c.Window < 2 || c.Window > maxWindow {
		return &ConfigError{Graph: -1, Flag: "window", Value: fmt.Sprint(c.Window), Allowed: fmt.Sprintf("2..%d", maxWindow)}
	}
	if !slices.Contains(placements, c.Place) {
		return &ConfigError{Graph: -1, Flag: "place", Value: fmt.Sprintf("%q", c.Place), Allowed: "bound, stealable, none"}
	}
	for k := range c.Graphs {
		if e := c.Graphs[k].validate(); e != nil {
			e.Graph = k
			return e
		}
	}
	return c.validateMemory(memory)
}

// validate checks a graph's parameters, each against those before it.
func (g *Graph) validate() *ConfigError {
	if g.Type >= numPatterns {
		return &ConfigError{Flag: "type", Value: g.Type.String(), Allowed: strings.Join(patternNames, ", ")}
	}
	for _, r := range g.ranges() {
		if r.value < r.low || r.value > r.high {
			return &ConfigError{Flag: r.flag, Value: fmt.Sprint(r.value), Reason: r.reason, Allowed: r.allowed()}
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
func (g *Graph) validateRest() *ConfigError {
	if g.Scratch%wordBytes != 0 {
		return &ConfigError{Flag: "scratch", Value: fmt.Sprint(g.Scratch), Allowed: "multiples of 8"}
	}
	if !(g.Fraction >= 0 && g.Fraction <= 1) {
		return &ConfigError{Flag: "fraction", Value: fmt.Sprint(g.Fraction), Allowed: "0..1"}
	}
	if !(g.Kernel.Imbalance >= 0 && g.Kernel.Imbalance <= 2) {
		return &ConfigError{Flag: "imbalance", Value: fmt.Sprint(g.Kernel.Imbalance), Allowed: "0..2"}
	}
	if int(g.Kernel.Kind) >= len(kernel.Kinds()) {
		return &ConfigError{Flag: "kernel", Value: g.Kernel.Kind.String(), Allowed: strings.Join(kernel.Kinds(), ", ")}
	}
	return nil
}
