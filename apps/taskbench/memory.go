package taskbench

import (
	"fmt"

	"ocr/apps/trial"
)

// validateMemory compares the graphs' memory with the limit, and a graph's blocks with the largest block.
func (c *Config) validateMemory(limit uint64) *trial.ConfigError {
	k, reason := c.tooLarge(limit)
	if reason == "" {
		return nil
	}
	g := &c.Graphs[k]
	list := []trial.Parameter{
		{Flag: "width", Value: g.Width, Usual: 4},
		{Flag: "output", Value: g.Output, Usual: 16},
		{Flag: "scratch", Value: g.Scratch, Usual: 16},
		{Flag: "window", Value: c.Window, Usual: DefaultWindow},
		{Flag: "and", About: "number of graphs", Value: len(c.Graphs), Usual: 1},
	}
	if g.Type.UsesPeriod() {
		list = append(list, trial.Parameter{Flag: "period", Value: g.Period, Usual: DefaultPeriod})
	}
	if g.Type.UsesRadix() {
		list = append(list, trial.Parameter{Flag: "radix", Value: g.Radix, Usual: 3})
	}
	e := trial.TooLarge(reason, list...)
	if e.Flag == "window" || e.Flag == "and" { // of all graphs
		return e
	}
	return c.inGraph(k, e)
}

// tooLarge returns the first graph with which the memory does not suffice, and why; no reason if it does.
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
	blocks := trial.Mul(5, column/4+1) // sizes are rounded up by a quarter at most
	each := trial.Add(trial.Add(blocks, trial.Mul(edges, perEdge)), tasks)
	return trial.Add(perGraph, trial.Mul(width, each)), column
}
