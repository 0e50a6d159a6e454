package topo

import (
	"cmp"
	"slices"
)

// StealOrder returns the workers from which worker self steals, nearest first. Worker i is on CPU placement[i], -1 if
// unknown. Of equally near workers the next number after self comes first, so that thieves do not all go to the same
// victim. t may be nil: then all workers are equally near.
func (t *Topology) StealOrder(placement []int, self int) []int {
	type victim struct {
		worker   int
		class    Class
		distance int
	}
	victims := make([]victim, 0, len(placement))
	for turn := 1; turn < len(placement); turn++ {
		v := victim{worker: (self + turn) % len(placement)}
		if t != nil {
			from, to := placement[self], placement[v.worker]
			v.class, v.distance = t.Distance(from, to), t.nodeDistance(from, to)
		}
		victims = append(victims, v)
	}
	slices.SortStableFunc(victims, func(a, b victim) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.distance, b.distance))
	})
	order := make([]int, len(victims))
	for k, v := range victims {
		order[k] = v.worker
	}
	return order
}
