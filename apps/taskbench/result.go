package taskbench

import "time"

// A Result is what one run of the EDT form measured.
type Result struct {
	Config Config

	// Elapsed is the time from the creation of the first EDT to the end of the
	// last task: it covers the creation of every task's EDT.
	Elapsed time.Duration
	// Build is the time before, in which the columns' blocks and the channel
	// events between them were made.
	Build time.Duration
	// InFlight is how many outputs a column had room for: no column was ever
	// more steps ahead of one that takes its outputs.
	InFlight int
}
