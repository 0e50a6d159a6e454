package runtime

import (
	"encoding/json"
	"fmt"
)

// own is the report of this rank's pool, without the counts of the rank's graph.
func (r *run) own() *RankReport {
	pinned := r.binding != BindNone && !r.place.warned
	p := &RankReport{Placement: r.placement, Pinned: pinned, Warnings: r.report.Warnings}
	for _, w := range r.pool.workers {
		p.Counters.add(w.n)
	}
	return p
}

// joinReports adds the reports of all ranks to that of the run, on rank 0.
func (r *run) joinReports() {
	all := &r.report
	for k, told := range r.ranks.RankReports() {
		var part RankReport
		if err := json.Unmarshal(told.Host, &part); err != nil {
			panic(err) // cannot be: both ranks run the same program
		}
		part.Counters.Counters = told.Counters
		all.Ranks = append(all.Ranks, part)
		if k == 0 {
			continue // the report has the counts of rank 0 already
		}
		all.Pinned = all.Pinned && part.Pinned
		all.Counters.add(hostCounts{part.Counters.Steals, part.Counters.Parks, part.Counters.Received})
		for _, w := range part.Warnings {
			all.Warnings = append(all.Warnings, fmt.Sprintf("rank %d: %s", k, w))
		}
	}
}
