package taskbench

import "slices"

// Placement says which worker runs the tasks of a column.
type Placement string

const (
	// PlaceBound gives each worker an equal run of neighbouring columns, which
	// no other worker touches.
	PlaceBound Placement = "bound"
	// PlaceStealable does the same, but idle workers may steal.
	PlaceStealable Placement = "stealable"
	// PlaceNone leaves the choice to the scheduler.
	PlaceNone Placement = "none"
)

var placements = []Placement{PlaceBound, PlaceStealable, PlaceNone}

// DefaultWindow is the window of [Defaults].
const DefaultWindow = 16

// Config is what one run does. [Config.Validate] must accept it before anything
// else is called on it.
type Config struct {
	// Graphs run at the same time and have nothing to do with each other.
	Graphs []Graph
	// Verify makes every task check all its inputs.
	Verify bool
	// Window bounds how many outputs a column may have that are not read yet,
	// if the pattern itself does not bound it lower; see the package
	// comment. It is rounded up to a power of two.
	Window int
	Place  Placement
}

// Defaults returns Task Bench's default graph with verification.
func Defaults() Config {
	return Config{Graphs: []Graph{DefaultGraph()}, Verify: true, Window: DefaultWindow, Place: PlaceBound}
}

// numbered returns a copy whose graphs know their numbers.
func (c Config) numbered() Config {
	c.Graphs = slices.Clone(c.Graphs)
	for k := range c.Graphs {
		c.Graphs[k].number = k
	}
	return c
}
