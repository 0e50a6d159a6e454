package uts

import (
	"math"

	"ocr/apps/trial"
	"ocr/edt"
)

const appName = "uts"

// Config describes a tree and how it is cut into EDTs. Validate must accept a Config before anything else
// is called on it.
type Config struct {
	Branching float64 `flag:"branching" short:"b" usage:"children that a node above the greatest depth has on average"`
	Depth     int     `flag:"depth" short:"d" usage:"greatest depth: nodes there have no children"`
	Seed      int     `flag:"seed" short:"r" usage:"what the root's hash is made of"`
	Cutoff    int     `flag:"cutoff" usage:"depth from which on one EDT walks a whole subtree; 0: an EDT a node"`
}

// Defaults returns the tree T1, an EDT a node.
func Defaults() Config { return Config{Branching: 4, Depth: 10, Seed: 19} }

// Bounds of parameters.
const (
	maxBranching = 50 // a node has at most maxChildren children
	maxDepth     = 1000
	maxNodes     = 1e11 // expected: some hours
)

// Fit returns c with the depth, unless that is given, so small that a tree of this branching does not take minutes.
func (c Config) Fit(given func(flag string) bool) Config {
	const nodes = 1e8
	for !given("depth") && c.Depth > 1 && c.expected() > nodes {
		c.Depth--
	}
	return c
}

// Validate reports as a [*trial.ConfigError] the first thing about c that cannot run.
func (c Config) Validate() error {
	return trial.First(appName,
		trial.Refuse(!(c.Branching > 0 && c.Branching <= maxBranching), "branching", c.Branching, "above 0, at most 50"),
		trial.Range("depth", c.Depth, 0, maxDepth),
		trial.Range("seed", c.Seed, math.MinInt32, math.MaxInt32),
		trial.Range("cutoff", c.Cutoff, 0, maxDepth),
		trial.Refuse(c.expected() > maxNodes, "depth", c.Depth,
			"small enough for 1e11 nodes on average with this --branching"),
	)
}

// expected returns how many nodes such trees have on average: the sum of the levels.
func (c Config) expected() float64 {
	nodes, level := 0.0, 1.0
	for range c.Depth + 1 {
		nodes, level = nodes+level, level*c.Branching
	}
	return nodes
}

// dealt returns the depth down to which nodes are dealt out to the workers. The sizes of their subtrees are unknown. On
// one rank a worker that has searched its own steals. A worker does not steal from another rank: over ranks each worker
// gets many subtrees, so that the sums of their sizes are nearly the same.
func (c Config) dealt(ctx *edt.Ctx) (depth uint64) {
	if ctx.Ranks() == 1 {
		return dealtByOne
	}
	return c.depthOf(subtrees * ctx.Places())
}

const (
	dealtByOne = 3
	subtrees   = 4096 // of a worker
)

// depthOf returns the first depth at which such trees have that many nodes on average, their own depth if none has.
func (c Config) depthOf(nodes int) (depth uint64) {
	for level := 1.0; level < float64(nodes) && depth < uint64(c.Depth); depth++ {
		level *= c.Branching
	}
	return depth
}

// tree returns what a body needs of a Config.
func (c Config) tree() Tree {
	t := Tree{Scale: 1 / math.Log(1-1/(1+c.Branching)), Depth: uint64(c.Depth), Cutoff: uint64(c.Cutoff)}
	if c.Cutoff == 0 {
		t.Cutoff = t.Depth
	}
	return t
}
