package taskbench

import "fmt"

// Pattern is how the tasks of a step depend on those of the step before, Task
// Bench's dependence type. W is the width, r the radix of the graph.
type Pattern uint8

// A comment says which columns of the step before column i depends on.
const (
	Trivial           Pattern = iota // none
	NoComm                           // i
	Stencil1D                        // i-1 to i+1
	Stencil1DPeriodic                // i-1 to i+1 modulo W, which is at least 3
	Dom                              // i-1 and i: a wavefront; steps have min(W, t+1, steps-t) columns
	Tree                             // i/2: a broadcast; steps have min(W, 2^t) columns
	FFT                              // i-2^d, i and i+2^d: d goes through the bits of a column number; W is at least 2
	AllToAll                         // all
	Nearest                          // i-r/2 to i+(r-1)/2; none if r is 0
	Spread                           // r columns, W/r apart; all but the first move on by one a step, for a period
	RandomNearest                    // of Nearest i, and each other with a probability, drawn in each step of a period
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
