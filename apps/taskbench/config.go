package taskbench

import "slices"

// Placement says which worker runs the tasks of a column.
type Placement string

const (
	PlaceBound     Placement = "bound"     // each worker has an equal run of columns, which no other touches
	PlaceStealable Placement = "stealable" // the same, but idle workers may steal
	PlaceNone      Placement = "none"      // the scheduler chooses
)

var placements = []Placement{PlaceBound, PlaceStealable, PlaceNone}

// DefaultWindow is the window of [Defaults].
const DefaultWindow = 16

// Config describes one run. [Config.Validate] must accept it before anything else is called on it.
type Config struct {
	// Graphs run at the same time, independently.
	Graphs []Graph
	// Verify makes every task check all its inputs.
	Verify bool
	// Window bounds how many outputs of a column are not read yet, if the pattern does not bound it lower; see the
	// package comment. It is rounded up to a power of two.
	Window int
	Place  Placement
	// Recorded makes the steps of a graph a recorded graph, which runs again and again. The pattern must not be one of
	// which steps differ in columns, dom or tree.
	Recorded bool
}

// Defaults returns Task Bench's default graph with verification.
func Defaults() Config {
	return Config{Graphs: []Graph{DefaultGraph()}, Verify: true, Window: DefaultWindow, Place: PlaceBound}
}

// numbered returns a copy whose graphs know their numbers and their form.
func (c Config) numbered() Config {
	c.Graphs = slices.Clone(c.Graphs)
	for k := range c.Graphs {
		c.Graphs[k].number, c.Graphs[k].recorded = k, c.Recorded
	}
	return c
}
