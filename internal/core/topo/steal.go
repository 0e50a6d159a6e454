package topo

import (
	"cmp"
	"slices"
)

// StealOrder returns the workers from which worker self steals, nearest first. Worker i is on CPU placement[i], -1 if
// unknown. Equally near workers follow in the order self+1, self+2, ..., so that thieves do not all go to the same
// victim. t may be nil: then all workers are equally near.
func (t *Topology) StealOrder(placement []int, self int) []int {
	order := make([]int, 0, len(placement))
	for turn := 1; turn < len(placement); turn++ {
		order = append(order, (self+turn)%len(placement))
	}
	if t != nil {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(t.Distance(placement[self], placement[a]), t.Distance(placement[self], placement[b]))
		})
	}
	return order
}
