package runtime

import (
	"fmt"
	"math"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/topo"
)

// divide sets the number of workers if it is not set. Rank k of the n on this machine gets its part of the processors,
// unless it is bound to some, and of the memory.
func (s *settings) divide(k, n int, bound bool) {
	if s.numRanks == 1 {
		k, n = 0, 1
	}
	all, share := s.cpus, 0
	if s.cpus, share = s.part(all, k, n, bound); len(all) == 0 {
		share = s.numCPUs() / n
	}
	if s.workers == unset {
		s.workers = min(max(1, s.paidFor(share, n)), mostWorkers)
	}
	if n == 1 {
		return
	}
	tooFew := len(all) < n || s.binding == BindNone && n*s.workers > len(all)
	if !bound && len(all) > 0 && tooFew {
		s.crowded = fmt.Sprintf("%d ranks of %d worker(s) share %d processor(s), %s",
			n, s.workers, len(all), cpulist.Format(all))
		if s.spin < 0 {
			s.spin = DefaultSpinShared
		}
	}
	if s.memory == 0 {
		s.memory = totalMemory()
	}
	if s.memory > 0 { // it is known
		s.memory = max(1, s.memory/uint64(n))
	}
}

// paidFor is for how many of a rank's processors there is time: by a quota, ranks on a machine divide it.
func (s *settings) paidFor(processors, ranks int) int {
	if s.quota == 0 {
		return processors
	}
	return min(processors, int(math.Ceil(s.quota/float64(ranks))))
}

// part is the part of the processors of rank k of n: all that it may use if it is bound to them. share is for how many
// workers it has processors. Listed processors are divided in their order.
func (s *settings) part(all []int, k, n int, bound bool) (cpus []int, share int) {
	switch {
	case n == 1 || bound || len(all) == 0:
		cpus = all
	case s.binding == BindNone:
		return all, len(all) / n
	case len(all) < n:
		cpus = all[k%len(all):][:1]
	default:
		cpus = s.partOf(all, k, n)
	}
	return cpus, len(cpus)
}

func (s *settings) partOf(all []int, k, n int) []int {
	var t *topo.Topology
	if s.binding != BindListed {
		t, _ = machine() // nil on an error
	}
	if t == nil {
		return all[k*len(all)/n : (k+1)*len(all)/n]
	}
	return t.Part(all, k, n)
}
