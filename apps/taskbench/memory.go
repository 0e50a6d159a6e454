package taskbench

import (
	"fmt"
	"slices"
	"sort"

	"ocr/apps/taskbench/kernel"
	"ocr/apps/trial"
)

// validateMemory compares what the graphs need with the limit, and what each has in
// blocks with what a block may be.
func (c *Config) validateMemory(limit uint64) *trial.ConfigError {
	k, reason := c.tooLarge(limit)
	if reason == "" {
		return nil
	}
	for _, knob := range c.knobs(k) {
		if knob.value > knob.low && c.fits(&knob, knob.low, limit) {
			e := &trial.ConfigError{
				Flag: knob.flag, Value: fmt.Sprint(knob.value), Reason: reason,
				Allowed: fmt.Sprintf("%d..%d", knob.low, c.largest(&knob, limit)),
			}
			if knob.flag == "window" { // of all graphs
				return e
			}
			return c.inGraph(k, e)
		}
	}
	return c.blameSeveral(k, reason, limit)
}

// blameSeveral blames what no parameter alone brings down: the width where all together
// do, else the number of graphs.
func (c *Config) blameSeveral(k int, reason string, limit uint64) *trial.ConfigError {
	least := *c
	least.Graphs = slices.Clone(c.Graphs)
	for _, knob := range c.knobs(k) {
		knob.set(&least, knob.low)
	}
	if _, still := least.tooLarge(limit); still != "" && k > 0 {
		return graphCount(&trial.ConfigError{Flag: "and", Value: fmt.Sprint(len(c.Graphs)), Reason: reason, Allowed: fmt.Sprintf("1..%d", k)})
	}
	return c.inGraph(k, &trial.ConfigError{
		Flag: "width", Value: fmt.Sprint(c.Graphs[k].Width), Reason: reason,
		Allowed: "less, with less of window, period, radix, output or scratch too",
	})
}

// tooLarge returns the first graph with which the memory does not suffice, and why; no
// reason where it does.
func (c *Config) tooLarge(limit uint64) (graph int, reason string) {
	sum := uint64(0)
	for k := range c.Graphs {
		g := &c.Graphs[k]
		need, column := g.memory(c.Window)
		if sum = trial.Add(sum, need); limit != 0 && sum > limit {
			return k, fmt.Sprintf("the graphs need %s and the limit is %s", trial.Bytes(sum), trial.Bytes(limit))
		}
		if blocks := trial.Mul(column, uint64(g.Width)); blocks > maxTile {
			return k, fmt.Sprintf("a graph's blocks need %s, and may be %s", trial.Bytes(blocks), trial.Bytes(maxTile))
		}
	}
	return 0, ""
}

// A knob is a parameter that memory grows with: low and multiples of step above it.
type knob struct {
	flag             string
	value, low, step int
	set              func(c *Config, value int)
}

// knobs returns the parameters that memory grows with, of one graph and of all.
func (c *Config) knobs(k int) []knob {
	g := &c.Graphs[k]
	list := []knob{{"window", c.Window, 2, 1, func(c *Config, n int) { c.Window = n }}}
	if g.Type.UsesPeriod() {
		list = append(list, knob{"period", g.Period, 1, 1, func(c *Config, n int) { c.Graphs[k].Period = n }})
	}
	width := int(g.widthRange().low)
	if g.Type.UsesRadix() {
		list = append(list, knob{"radix", g.Radix, int(g.radixRange().low), 1, func(c *Config, n int) { c.Graphs[k].Radix = n }})
		width = max(width, g.Radix)
	}
	scratch := 0
	if g.Kernel.Kind == kernel.MemoryBound {
		scratch = (max(16, g.Kernel.Samples) + wordBytes - 1) / wordBytes * wordBytes
	}
	return append(list,
		knob{"width", g.Width, width, 1, func(c *Config, n int) { c.Graphs[k].Width = n }},
		knob{"output", g.Output, pairBytes, 1, func(c *Config, n int) { c.Graphs[k].Output = n }},
		knob{"scratch", g.Scratch, scratch, wordBytes, func(c *Config, n int) { c.Graphs[k].Scratch = n }})
}

// fits reports whether the graphs have the memory with another value of a knob.
func (c *Config) fits(knob *knob, value int, limit uint64) bool {
	other := *c
	other.Graphs = slices.Clone(c.Graphs)
	knob.set(&other, value)
	_, reason := other.tooLarge(limit)
	return reason == ""
}

// largest returns the largest value of a knob that fits; its lowest does.
func (c *Config) largest(knob *knob, limit uint64) int {
	more := sort.Search((knob.value-knob.low)/knob.step, func(n int) bool {
		return !c.fits(knob, knob.low+(n+1)*knob.step, limit)
	})
	return knob.low + more*knob.step
}

// memory bounds from above what a graph needs, and a column's part of a block.
func (g *Graph) memory(window int) (total, column uint64) {
	const (
		perTask  = 512 // an EDT's record, with its slots beyond the inline ones apart
		perSlot  = 48
		perEdge  = 128 // in the plan, both ends
		perGraph = 1 << 16
	)
	sets, width := uint64(g.sets()), uint64(g.Width)
	ring := uint64(powerOfTwo(max(window, g.sets()+1)))
	degree := uint64(3)
	switch {
	case g.Type == AllToAll:
		degree = width
	case g.Type.UsesRadix():
		degree = uint64(g.Radix)
	}
	edges := trial.Mul(sets, degree)
	buffer := trial.Add(uint64(g.Output), 256) // with its names, aligned
	column = trial.Add(trial.Add(uint64(g.Scratch), 128), trial.Mul(ring, trial.Add(buffer, trial.Mul(16, edges))))
	tasks := trial.Mul(2*ring, trial.Add(perTask, trial.Mul(perSlot, edges)))
	each := trial.Add(trial.Add(trial.Mul(5, column/4+1), trial.Mul(edges, perEdge)), tasks) // block sizes are rounded up by a quarter at most
	return trial.Add(perGraph, trial.Mul(width, each)), column
}
