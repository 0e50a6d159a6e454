package topo

import (
	"cmp"
	"slices"
)

// StealOrders has the order in which each worker looks at others for EDTs to steal. It is quick to make for a thousand
// workers: what depends on the processor is computed once for each processor.
type StealOrders struct {
	placement []int
	rings     map[int][]ring // by CPU, nearest first
}

// A ring is the workers that are equally near to a CPU, by number.
type ring struct {
	class    Class
	distance int
	workers  []int
}

// StealOrders returns the orders of workers, of which worker i is on CPU placement[i] (-1 if unknown). t may be nil:
// then all workers are equally near.
func (t *Topology) StealOrders(placement []int) *StealOrders {
	o := &StealOrders{placement: placement, rings: make(map[int][]ring)}
	on := make(map[int][]int) // the workers of each CPU
	for w, cpu := range placement {
		on[cpu] = append(on[cpu], w)
	}
	for cpu := range on {
		o.rings[cpu] = t.rings(cpu, on)
	}
	return o
}

func (t *Topology) rings(from int, on map[int][]int) []ring {
	var all []ring
	for cpu, workers := range on {
		r := ring{workers: slices.Clone(workers)}
		if t != nil {
			r.class, r.distance = t.Distance(from, cpu), t.nodeDistance(from, cpu)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, ring.compare)
	merged := all[:0]
	for _, r := range all {
		if last := len(merged) - 1; last >= 0 && merged[last].compare(r) == 0 {
			merged[last].workers = append(merged[last].workers, r.workers...)
			continue
		}
		merged = append(merged, r)
	}
	for _, r := range merged {
		slices.Sort(r.workers)
	}
	return merged
}

func (r ring) compare(s ring) int {
	return cmp.Or(cmp.Compare(r.class, s.class), cmp.Compare(r.distance, s.distance))
}

// Of calls yield with each worker but self, nearest first. Of equally near workers the next number after self comes
// first, so that thieves do not all go to the same victim. Several workers may call it at the same time.
func (o *StealOrders) Of(self int, yield func(worker int)) {
	for _, r := range o.rings[o.placement[self]] {
		at, found := slices.BinarySearch(r.workers, self)
		after := at
		if found {
			after++
		}
		for _, w := range r.workers[after:] {
			yield(w)
		}
		for _, w := range r.workers[:at] {
			yield(w)
		}
	}
}
