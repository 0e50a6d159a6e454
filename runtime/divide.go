package runtime

import (
	"fmt"

	"ocr/internal/cpulist"
	"ocr/internal/topo"
)

// divide sets the number of workers if it is not set, and gives each rank its part of the processors and of the memory.
func (s *settings) divide() {
	n, all := s.numRanks, s.cpus
	fewest := len(all)
	if n > 1 {
		fewest = s.divideProcessors(all)
	}
	if s.workers == unset {
		s.workers = max(1, fewest)
	}
	if n == 1 {
		return
	}
	if len(all) > 0 && (len(all) < n || s.binding == BindNone && n*s.workers > len(all)) {
		s.crowded = fmt.Sprintf("%d ranks of %d worker(s) share %d processor(s), %s", n, s.workers, len(all), cpulist.Format(all))
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

// divideProcessors makes the parts of the ranks and returns how many processors the smallest has.
func (s *settings) divideProcessors(all []int) (fewest int) {
	n := s.numRanks
	t, err := machine()
	if err != nil {
		t = nil
	}
	for k := range n {
		s.parts = append(s.parts, s.part(t, all, k))
		if k == 0 || len(s.parts[k]) < fewest {
			fewest = len(s.parts[k])
		}
	}
	s.cpus = s.parts[0]
	if s.binding == BindNone {
		return len(all) / n
	}
	return fewest
}

// part is the k-th rank's. Listed processors are divided in their order.
func (s *settings) part(t *topo.Topology, all []int, k int) []int {
	n := s.numRanks
	switch {
	case s.binding == BindNone || len(all) == 0:
		return all
	case len(all) < n:
		return all[k%len(all):][:1]
	case t == nil || s.binding == BindListed:
		return all[k*len(all)/n : (k+1)*len(all)/n]
	}
	return t.Part(all, k, n)
}
