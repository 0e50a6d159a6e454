package taskbench

import "fmt"

// Pattern is how the tasks of a step depend on those of the step before, Task
// Bench's dependence type. W is the width, r the radix of the graph.
type Pattern uint8

const (
	// Trivial has no dependences.
	Trivial Pattern = iota
	// NoComm: (t,i) depends on i of the step before.
	NoComm
	// Stencil1D: i-1 to i+1.
	Stencil1D
	// Stencil1DPeriodic: i-1 to i+1 modulo W, which is at least 3.
	Stencil1DPeriodic
	// Dom: i-1 and i, a wavefront. Steps have min(W, t+1, steps-t) columns.
	Dom
	// Tree: i/2, a broadcast. Steps have min(W, 2^t) columns.
	Tree
	// FFT: i-2^d, i and i+2^d, where d goes through the bits of a column
	// number, one a step. W is at least 2.
	FFT
	// AllToAll: all columns.
	AllToAll
	// Nearest: i-r/2 to i+(r-1)/2; none if r is 0.
	Nearest
	// Spread: r columns W/r apart, which all but the first move on by one a
	// step, for a period.
	Spread
	// RandomNearest: of [Nearest] the column itself, and each other with a
	// probability, drawn anew each step of a period.
	RandomNearest
	numPatterns
)

var patternNames = []string{
	"trivial", "no_comm", "stencil_1d", "stencil_1d_periodic", "dom", "tree", "fft",
	"all_to_all", "nearest", "spread", "random_nearest",
}

// DefaultPeriod is Task Bench's period of the patterns that have one.
const DefaultPeriod = 3

// Patterns returns all patterns, in Task Bench's order.
func Patterns() []Pattern {
	all := make([]Pattern, numPatterns)
	for k := range all {
		all[k] = Pattern(k)
	}
	return all
}

// String returns Task Bench's name of the pattern.
func (p Pattern) String() string {
	if p < numPatterns {
		return patternNames[p]
	}
	return fmt.Sprintf("Pattern(%d)", uint8(p))
}

// UsesRadix reports whether the radix has a meaning for the pattern.
func (p Pattern) UsesRadix() bool { return p == Nearest || p == Spread || p == RandomNearest }

// UsesPeriod reports whether the pattern has a period; for others it must be 0.
func (p Pattern) UsesPeriod() bool { return p == Spread || p == RandomNearest }

// Period returns Task Bench's default period of the pattern, 0 if it has none.
func (p Pattern) Period() int {
	if p.UsesPeriod() {
		return DefaultPeriod
	}
	return 0
}

// growsOrShrinks reports whether there are steps with fewer columns than others.
func (p Pattern) growsOrShrinks() bool { return p == Dom || p == Tree }
