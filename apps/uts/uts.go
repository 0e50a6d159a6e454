// Package uts counts the nodes of an unbalanced tree: the Unbalanced Tree Search benchmark (Olivier and others, LCPC
// 2006). A node's SHA-1 hash determines the number and the hashes of its children. So any worker can search a subtree.
// Its size is not known in advance.
//
// The default is the benchmark's tree T1: geometric, of fixed shape, 4 130 071 nodes. Each node is an EDT; with a
// cut-off, a node at that depth is an EDT that walks its whole subtree.
package uts

import (
	"context"
	"fmt"
	"math"

	"ocr/apps/trial"
	"ocr/edt"
)

const appName = "uts"

// Config describes a tree and how it is cut into EDTs. Call its other methods only if Validate has accepted it.
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

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run.
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

// expected returns the mean number of nodes of trees of this Config: the sum of the levels.
func (c Config) expected() float64 {
	nodes, level := 0.0, 1.0
	for range c.Depth + 1 {
		nodes, level = nodes+level, level*c.Branching
	}
	return nodes
}

// dealt returns the depth down to which nodes are dealt out to the workers, as the sizes of their subtrees are unknown.
// On one rank a worker that has searched its own nodes steals from others. A worker cannot steal from another rank: so
// over ranks each worker gets many subtrees, whose sizes add up to nearly the same.
func (c Config) dealt(ctx *edt.Ctx) (depth uint64) {
	const byOne, subtrees = 3, 4096 // depth on one rank; mean number of subtrees for each worker over ranks
	if ctx.Ranks() == 1 {
		return byOne
	}
	least := float64(subtrees * ctx.Places())
	for nodes := 1.0; nodes < least && depth < uint64(c.Depth); depth++ {
		nodes *= c.Branching
	}
	return depth
}

// tree returns the part of a Config that a body needs.
func (c Config) tree() Tree {
	t := Tree{Scale: 1 / math.Log(1-1/(1+c.Branching)), Depth: uint64(c.Depth), Cutoff: uint64(c.Cutoff)}
	if c.Cutoff == 0 {
		t.Cutoff = t.Depth
	}
	return t
}

// An App searches one tree. It is a [trial.App].
type App struct {
	trial.Clock
	cfg      Config
	found    Counts
	expected Counts // zero: VerifyUntil has to count the tree
}

var _ trial.LongVerifier = (*App)(nil)

// New returns an App for a Config that [Config.Validate] has accepted.
func New(cfg Config) *App {
	whole := cfg
	whole.Cutoff = 0
	return &App{cfg: cfg, expected: known[whole]}
}

// Work returns the number of nodes of the tree.
func (a *App) Work() (amount float64, unit string) { return float64(a.found.Nodes), "nodes" }

// known are the benchmark's own counts for its geometric trees of fixed shape.
var known = map[Config]Counts{
	{Branching: 4, Depth: 10, Seed: 19}: {Nodes: 4130071, Leaves: 3305118, Deepest: 10},       // T1
	{Branching: 4, Depth: 13, Seed: 29}: {Nodes: 102181082, Leaves: 81746377, Deepest: 13},    // T1L
	{Branching: 4, Depth: 15, Seed: 29}: {Nodes: 1635119272, Leaves: 1308100063, Deepest: 15}, // T1XL
}

// Verify compares the counts of the latest run with the tree's known counts, or with those of a serial walk.
func (a *App) Verify() error { return a.VerifyUntil(context.Background()) }

// VerifyUntil is Verify until ctx is done. The walk happens once, unless ctx ends it.
func (a *App) VerifyUntil(ctx context.Context) error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if a.expected == (Counts{}) {
		var all Counts
		tree := a.cfg.tree()
		tree.walk(ctx, root(a.cfg.Seed), &all)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a.expected = all
	}
	if a.found != a.expected {
		return trial.Wrong(appName, "counts of the whole tree", a.found, a.expected)
	}
	return nil
}

// String names what was counted.
func (c Counts) String() string {
	return fmt.Sprintf("%d nodes, %d leaves, depth %d", c.Nodes, c.Leaves, c.Deepest)
}
