package taskbench

import (
	"fmt"
	"slices"
	"sort"

	"ocr/apps/size"
	"ocr/apps/taskbench/kernel"
)

// validateMemory compares what the graphs need with the limit, and what each has in
// blocks with what a block may be.
func (c *Config) validateMemory(limit uint64) error {
	k, reason := c.tooLarge(limit)
	if reason == "" {
		return nil
	}
	for _, knob := range c.knobs(k) {
		if knob.value > knob.low && c.fits(&knob, knob.low, limit) {
			return knob.blame(k, reason, fmt.Sprintf("%d..%d", knob.low, c.largest(&knob, limit)))
		}
	}
	return c.blameSeveral(k, reason, limit)
}

// blameSeveral blames what no parameter alone brings down: the width where all together
// do, else the number of graphs.
func (c *Config) blameSeveral(k int, reason string, limit uint64) error {
	least := *c
	least.Graphs = slices.Clone(c.Graphs)
	for _, knob := range c.knobs(k) {
		knob.set(&least, knob.low)
	}
	if _, still := least.tooLarge(limit); still != "" && k > 0 {
		return &ConfigError{Graph: -1, Flag: "and", Value: fmt.Sprint(len(c.Graphs)), Reason: "number of graphs: " + reason, Allowed: fmt.Sprintf("1..%d", k)}
	}
	return &ConfigError{Graph: k, Flag: "width", Value: fmt.Sprint(c.Graphs[k].Width), Reason: reason, Allowed: "less, with less of -window, -period, -radix, -output or -scratch too"}
}

// tooLarge returns the first graph with which the memory does not suffice, and why; no
// reason where it does.
func (c *Config) tooLarge(limit uint64) (graph int, reason string) {
	sum := uint64(0)
	for k := range c.Graphs {
		g := &c.Graphs[k]
		need, column := g.memory(c.Window)
		if sum = size.Add(sum, need); limit != 0 && sum > limit {
			return k, fmt.Sprintf("the graphs need %s and the limit is %s", size.Text(sum), size.Text(limit))
		}
		if blocks := size.Mul(column, uint64(g.Width)); blocks > maxTile {
			return k, fmt.Sprintf("a graph's blocks need %s, and may be %s", size.Text(blocks), size.Text(maxTile))
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

func (k *knob) blame(graph int, reason, allowed string) error {
	if k.flag == "window" {
		graph = -1
	}
	return &ConfigError{Graph: graph, Flag: k.flag, Value: fmt.Sprint(k.value), Reason: reason, Allowed: allowed}
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
	edges := size.Mul(sets, degree)
	buffer := size.Add(uint64(g.Output), 256) // with its names, aligned
	column = size.Add(size.Add(uint64(g.Scratch), 128), size.Mul(ring, size.Add(buffer, size.Mul(16, edges))))
	tasks := size.Mul(2*ring, size.Add(perTask, size.Mul(perSlot, edges)))
	each := size.Add(size.Add(size.Mul(5, column/4+1), size.Mul(edges, perEdge)), tasks) // block sizes are rounded up by a quarter at most
	return size.Add(perGraph, size.Mul(width, each)), column
}
