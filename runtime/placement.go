package runtime

import (
	"fmt"
	"math"
	goruntime "runtime"
	"sync"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/sys"
	"ocr/internal/core/topo"
)

// machine is read once: the topology does not change while a program runs.
var machine = sync.OnceValues(topo.Local)

// cpuQuota is read once in a process.
var cpuQuota = sync.OnceValue(sys.CPUQuota)

// A placement is where the workers of a run are pinned.
type placement struct {
	cpus     []int // worker k goes to cpus[k % len(cpus)]; empty: not pinned
	allowed  []int
	places   int // the number of workers with a processor of their own
	topology *topo.Topology
	warnings []string
	warned   bool
}

// plan chooses the processor of each worker.
func (s *settings) plan(maskErr error) placement {
	p := placement{allowed: s.cpus, places: min(s.workers, s.numCPUs())}
	if t, err := machine(); err == nil {
		p.topology = t
	} else {
		p.warnings = append(p.warnings, fmt.Sprintf("the machine's topology could not be read: %v", err))
	}
	switch {
	case maskErr != nil:
		p.warnings = append(p.warnings, fmt.Sprintf("workers are not pinned: %v", maskErr))
		p.warned = true
	case s.binding == BindNone:
	case p.topology == nil || s.binding == BindListed:
		p.cpus = s.cpus
	default:
		p.cpus = p.topology.Order(s.cpus)
	}
	if why := sys.Throttled(min(s.workers, s.numCPUs()), s.quota); why != "" {
		p.warnings = append(p.warnings, why)
	}
	if s.crowded != "" {
		p.warnings = append(p.warnings, s.crowded)
	}
	if s.workers > len(s.cpus) && len(s.cpus) > 0 {
		p.warnings = append(p.warnings,
			fmt.Sprintf("%d workers share %d processor(s), %s", s.workers, len(s.cpus), cpulist.Format(s.cpus)))
	}
	return p
}

// pin confines the calling thread to the processor of worker id, or to all processors of the run if workers are not
// pinned. It returns the processor that the thread then runs on.
func (p *placement) pin(id int) (cpu int, err error) {
	switch {
	case len(p.cpus) > 0:
		err = sys.SetAffinity([]int{p.cpus[id%len(p.cpus)]})
	case len(p.allowed) > 0:
		err = sys.SetAffinity(p.allowed)
	}
	return sys.CurrentCPU(), err
}

// divide sets the number of workers if no option has. If there are several ranks, rank k of the n on this machine gets
// its part of the memory and, unless mpirun has bound it to processors, of the processors.
func (s *settings) divide(k, n int, bound bool) {
	if s.numRanks == 1 {
		k, n = 0, 1
	}
	s.sharing = n
	if s.memory > 0 {
		s.memory = max(1, s.memory/uint64(s.numRanks))
	}
	all := s.cpus
	s.cpus, _ = s.part(all, k, n, bound)
	if s.workers == unset {
		share := mostWorkers
		for j := range n { // parts differ, but ranks have the same number of workers
			_, least := s.part(all, j, n, bound)
			share = min(share, least)
		}
		if s.quota > 0 { // of the control group; the ranks of a machine share it
			share = min(share, int(math.Ceil(s.quota/float64(n))))
		}
		s.workers = max(1, share)
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
}

// part returns the processors of rank k of n: all if mpirun has bound the rank to them, or if workers are not pinned;
// one, perhaps shared, if there are fewer processors than ranks. share is the number of workers for which the rank has
// processors. With BindListed the list is divided in its order.
func (s *settings) part(all []int, k, n int, bound bool) (cpus []int, share int) {
	switch {
	case len(all) == 0: // unknown
		return all, goruntime.NumCPU() / n
	case n == 1 || bound:
		cpus = all
	case s.binding == BindNone:
		return all, len(all) / n
	case len(all) < n:
		cpus = all[k%len(all):][:1]
	default:
		cpus = all[k*len(all)/n : (k+1)*len(all)/n]
		if t, _ := machine(); t != nil && s.binding != BindListed {
			cpus = t.Part(all, k, n)
		}
	}
	return cpus, len(cpus)
}
