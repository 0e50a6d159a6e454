package taskbench

import (
	"slices"

	"ocr/apps/taskbench/kernel"
)

// A Graph is one parameterised graph: Steps rows of tasks, at most Width in each.
// Task (t,i) is that of step t in column i, both from 0.
type Graph struct {
	Steps, Width int
	Type         Pattern
	Radix        int     // for patterns that use it
	Period       int     // for patterns that have one, else 0
	Fraction     float64 // of edges that random_nearest keeps
	Kernel       kernel.Kernel
	Output       int // bytes of a task's output, at least 16
	Scratch      int // bytes of a column's scratch memory

	number   int // in Config.Graphs, from 0; it seeds random_nearest
	recorded bool
}

// DefaultGraph returns the graph that Task Bench runs without flags.
func DefaultGraph() Graph {
	return Graph{
		Steps: 4, Width: 4, Type: Trivial, Radix: 3, Fraction: 0.25,
		Kernel: kernel.Kernel{Kind: kernel.Empty, Samples: 16}, Output: 16,
	}
}

// Placement says which worker runs the tasks of a column.
type Placement string

const (
	PlaceBound     Placement = "bound"     // each worker has neighbouring columns, equally many, and runs no others
	PlaceStealable Placement = "stealable" // as PlaceBound, but idle workers may steal
	PlaceNone      Placement = "none"      // the scheduler chooses
)

// Placements returns all placements.
func Placements() []Placement { return []Placement{PlaceBound, PlaceStealable, PlaceNone} }

// Config describes one run. Call its other methods only if [Config.Validate] has accepted it.
type Config struct {
	// Graphs run at the same time, independently.
	Graphs []Graph
	// Verify makes a wrong value in an input end the run.
	Verify bool
	Place  Placement
	// Recorded makes the steps of a graph a recorded graph, which runs many times. The pattern must not be dom or tree,
	// whose steps have different columns.
	Recorded bool
}

// Defaults returns Task Bench's default graph with verification.
func Defaults() Config {
	return Config{Graphs: []Graph{DefaultGraph()}, Verify: true, Place: PlaceBound}
}

// numbered returns a copy whose graphs know their numbers and their form.
func (c Config) numbered() Config {
	c.Graphs = slices.Clone(c.Graphs)
	for k := range c.Graphs {
		c.Graphs[k].number, c.Graphs[k].recorded = k, c.Recorded
	}
	return c
}
