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
	// Placement is, for each worker of rank 0, the processor that it ran on after it was pinned, -1 if that is not known;
	// with [BindNone] the processor that it began on.
	Placement []int
	// Pinned says whether each worker, on all ranks, is confined to one processor.
	Pinned bool
	// Warnings say what differs from what was asked for: workers that could not be pinned, more workers than processors,
	// and so on.
	Warnings []string
	// Counters are the sums over all workers of all ranks.
	Counters Counters
	// Leaks are the objects that were not destroyed, with [LeakReport].
	Leaks []edt.Leak
	// Findings are what [Check] has found: faults, then notes.
	Findings []finding.Finding
	// Elapsed is the time from the start of the main EDT to the end of the last EDT; the start of the workers does not
	// count.
	Elapsed time.Duration
	// Ranks are the reports of all ranks, by number; nil if there is one rank.
	Ranks []RankReport
}

// A RankReport holds the facts of one rank's part in a run; see [Ranks].
type RankReport struct {
	Placement []int
	Pinned    bool
	Warnings  []string
	Counters  Counters
}

// Counters are the counts of the graph and of the workers.
type Counters struct {
	edt.Counters
	// Steals counts EDTs that a worker has stolen. Parks counts how often workers parked. Received counts EDTs that
	// another worker has sent because of their affinity.
	Steals, Parks, Received uint64
}

func (c *Counters) add(n hostCounts) {
	c.Steals += n.steals
	c.Parks += n.parks
	c.Received += n.received
}

// Map returns the counts by name, as reports print them.
func (c Counters) Map() map[string]uint64 {
	m := c.Counters.Map()
	m["steals"], m["parks"], m["received"] = c.Steals, c.Parks, c.Received
	return m
}
