package runtime

import (
	"fmt"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/topo"
	"ocr/internal/rank/mpi"
)

// divide sets the number of workers if it is not set, and assigns each rank its part of the processors and the memory.
func (s *settings) divide() {
	n, all := s.numRanks, s.cpus
	if n > 1 && mpi.Ranks() > 1 {
		_, n, _ = mpi.Local() // of the ranks on this machine only
	}
	fewest := len(all)
	if s.numRanks > 1 {
		fewest = s.divideProcessors(all)
	}
	if s.workers == unset {
		if len(all) == 0 {
			fewest = s.numCPUs() / n
		}
		s.workers = min(max(1, fewest), mostWorkers)
	}
	if n == 1 {
		return
	}
	tooFew := len(all) < n || s.binding == BindNone && n*s.workers > len(all)
	if _, _, bound := mpi.Local(); !bound && len(all) > 0 && tooFew {
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

// divideProcessors assigns processors to ranks and returns the number of the smallest part.
func (s *settings) divideProcessors(all []int) (fewest int) {
	n := s.numRanks
	if mpi.Ranks() > 1 {
		s.parts = make([][]int, n) // each rank takes its own
		s.cpus = s.launchedPart(all)
		return len(s.cpus)
	}
	t, err := machine()
	if err != nil {
		t = nil
	}
	for k := range n {
		s.parts = append(s.parts, s.part(t, all, k, n))
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

// launchedPart is the part of the processors of a rank that mpirun has started: all that it may use if mpirun has bound
// it, else its share among the ranks of this machine.
func (s *settings) launchedPart(all []int) []int {
	k, n, bound := mpi.Local()
	if bound {
		return all
	}
	t, err := machine()
	if err != nil {
		t = nil
	}
	return s.part(t, all, k, n)
}

// part is the part of rank k of n. Listed processors are divided in their order.
func (s *settings) part(t *topo.Topology, all []int, k, n int) []int {
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
