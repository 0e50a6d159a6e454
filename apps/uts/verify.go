package uts

import (
	"fmt"

	"ocr/apps/trial"
)

// known are the benchmark's own counts of its geometric trees of fixed shape.
var known = map[Config]Counts{
	{Branching: 4, Depth: 10, Seed: 19}: {Nodes: 4130071, Leaves: 3305118, Deepest: 10},       // T1
	{Branching: 4, Depth: 13, Seed: 29}: {Nodes: 102181082, Leaves: 81746377, Deepest: 13},    // T1L
	{Branching: 4, Depth: 15, Seed: 29}: {Nodes: 1635119272, Leaves: 1308100063, Deepest: 15}, // T1XL
}

// count returns what is in the tree: known, or counted level by level.
func (c Config) count() (all Counts) {
	c.Cutoff = 0
	if all, ok := known[c]; ok {
		return all
	}
	tree := c.tree()
	n := root(c.Seed)
	tree.walk(n, &all)
	return all
}

// Verify compares what the latest run found with the tree's known counts, or with those of a serial walk.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if want := a.expected(); a.found != want {
		return trial.Wrong(appName, "counts of the whole tree", a.found, want)
	}
	return nil
}

// String names what was counted.
func (c Counts) String() string {
	return fmt.Sprintf("%d nodes, %d leaves, depth %d", c.Nodes, c.Leaves, c.Deepest)
}
