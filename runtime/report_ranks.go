package runtime

import (
	"encoding/json"
	"fmt"
)

// A partReport is the report that the host of a rank sends to rank 0 at the end of a run, with that of its graph.
type partReport struct {
	Placement []int
	Pinned    bool
	Warnings  []string
	Counters  Counters // of the workers
}

// own is the report of this rank.
func (r *run) own() *partReport {
	pinned := r.binding != BindNone && !r.place.warned
	p := &partReport{Placement: r.placement, Pinned: pinned, Warnings: r.report.Warnings}
	for _, w := range r.pool.workers {
		p.Counters.Steals += w.n.steals
		p.Counters.Parks += w.n.parks
		p.Counters.Received += w.n.received
	}
	return p
}

// tellPart encodes the report of this rank for rank 0.
func (r *run) tellPart() []byte { return plainData(r.own()) }

// joinReports puts the reports of all ranks into that of the run, on rank 0.
func (r *run) joinReports() {
	all := &r.report
	for k, told := range r.ranks.RankReports() {
		var part partReport
		if err := json.Unmarshal(told.Host, &part); err != nil {
			panic(err) // both are of one program
		}
		part.Counters.Counters = told.Counters
		all.Ranks = append(all.Ranks, RankReport{part.Placement, part.Counters})
		if k == 0 {
			continue // own is in the report already
		}
		all.Pinned = all.Pinned && part.Pinned
		all.Counters.Steals += part.Counters.Steals
		all.Counters.Parks += part.Counters.Parks
		all.Counters.Received += part.Counters.Received
		for _, w := range part.Warnings {
			all.Warnings = append(all.Warnings, fmt.Sprintf("rank %d: %s", k, w))
		}
	}
}
