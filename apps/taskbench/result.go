package taskbench

import "time"

// A Result is the result of one run of the EDT form.
type Result struct {
	Config Config

	// Elapsed is the time from the creation of the first EDT to the end of the last task.
	Elapsed time.Duration
	// Build is the time before, in which the columns' blocks and the channel events between them were made.
	Build time.Duration
	// InFlight is the number of output buffers of a column: the most steps that it is ahead of its consumers.
	InFlight int
}
