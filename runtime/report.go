package runtime

import (
	"fmt"
	"time"

	"ocr/edt"
	link "ocr/internal/rank"
	"ocr/runtime/finding"
)

// A Report holds the facts of a run; see [Into].
type Report struct {
	// Workers is the number of workers of each rank.
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
	// Elapsed is the time from the creation of the main EDT until all workers of this rank have left the run; the start
	// of the workers does not count.
	Elapsed time.Duration
	// Ranks are the reports of all ranks, by number; nil if there is one rank. An entry has Workers, Placement, Pinned,
	// Warnings and Counters of that rank alone.
	Ranks []Report
}

// Counters are the counts of the graph and of the workers.
type Counters struct {
	edt.Counters
	WorkerCounters
}

// WorkerCounters are the counts of workers.
type WorkerCounters struct {
	// Steals counts EDTs that a worker has stolen. Parks counts how often workers parked. Received counts EDTs that
	// another worker has sent because of their affinity.
	Steals, Parks, Received uint64
}

func (c *WorkerCounters) add(n WorkerCounters) {
	c.Steals += n.Steals
	c.Parks += n.Parks
	c.Received += n.Received
}

// Map returns the counts by name, as reports print them.
func (c Counters) Map() map[string]uint64 {
	m := c.Counters.Map()
	m["steals"], m["parks"], m["received"] = c.Steals, c.Parks, c.Received
	return m
}

// own is the report of this rank, without the counts of the rank's graph.
func (r *run) own() Report {
	own := r.report
	own.Pinned = r.binding != BindNone && !r.place.warned
	for _, w := range r.pool.workers {
		own.Counters.add(w.n)
	}
	return own
}

// joinReports adds the reports of all ranks to that of the run, on rank 0.
func (r *run) joinReports() {
	all := &r.report
	for k, told := range r.ranks.RankReports() {
		var part Report
		link.Decode(told.Host, &part)
		part.Counters.Counters = told.Counters
		all.Ranks = append(all.Ranks, part)
		if k == 0 {
			continue // the report has the counts of rank 0 already
		}
		all.Pinned = all.Pinned && part.Pinned
		all.Counters.add(part.Counters.WorkerCounters)
		for _, w := range part.Warnings {
			all.Warnings = append(all.Warnings, fmt.Sprintf("rank %d: %s", k, w))
		}
	}
}
