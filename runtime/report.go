package runtime

import (
	"time"

	"ocr/edt"
	"ocr/runtime/finding"
)

// A Report holds the facts of a run; see [Into].
type Report struct {
	// Workers is the number of workers, of each rank.
	Workers int
	// Placement is the processor that each worker, of rank 0, was found on after it had
	// been pinned, -1 if that is not known. With [BindNone] it is where the
	// worker began.
	Placement []int
	// Pinned says whether each worker, of all ranks, is confined to that one processor.
	Pinned bool
	// Warnings say what was not as asked for: workers that could not be
	// pinned, more workers than processors, ...
	Warnings []string
	// Counters count what EDTs and workers did, on all ranks.
	Counters Counters
	// Leaks are the objects never destroyed, with [LeakReport].
	Leaks []edt.Leak
	// Findings are what [Check] has found: faults, then notes.
	Findings []finding.Finding
	// Elapsed is the time from the start of the main EDT to the end of the
	// last worker's last EDT; starting the workers is not in it.
	Elapsed time.Duration
	// Ranks are the parts of all ranks, by number; nil if there is one.
	Ranks []RankReport
}

// A RankReport holds the facts of one rank's part in a run; see [Ranks].
type RankReport struct {
	Placement []int
	Counters  Counters
}

// Counters are the graph's counts and the workers'.
type Counters struct {
	edt.Counters
	// Steals counts EDTs that ran on another worker than the one that had
	// them, Parks how often a worker parked, Received the EDTs that
	// came from another worker because of their affinity.
	Steals, Parks, Received uint64
}

// Map returns the counts by name, as reports print them.
func (c Counters) Map() map[string]uint64 {
	m := c.Counters.Map()
	m["steals"], m["parks"], m["received"] = c.Steals, c.Parks, c.Received
	return m
}
