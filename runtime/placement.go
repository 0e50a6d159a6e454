package runtime

import (
	"fmt"
	"sync"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/sys"
	"ocr/internal/core/topo"
)

// machine is read once: the topology does not change while a program runs.
var machine = sync.OnceValues(topo.Local)

// cpuQuota is read once, as Go's own reading of it decides GOMAXPROCS.
var cpuQuota = sync.OnceValue(sys.CPUQuota)

// A placement is where the workers of a run are pinned.
type placement struct {
	cpus     []int // worker k goes to cpus[k % len(cpus)]; empty: not pinned
	allowed  []int
	places   int // workers with a processor of their own
	topology *topo.Topology
	warnings []string
	warned   bool
}

// plan chooses a processor for every worker.
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
	case s.binding == BindScatter:
		p.cpus = p.topology.Order(topo.Scatter, s.cpus)
	default:
		p.cpus = p.topology.Order(topo.Compact, s.cpus)
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

// pin confines the calling thread to the processor of a worker, and returns the
// processor that the thread was then found on.
func (p *placement) pin(id int) (cpu int, err error) {
	switch {
	case len(p.cpus) > 0:
		err = sys.SetAffinity([]int{p.cpus[id%len(p.cpus)]})
	case len(p.allowed) > 0:
		err = sys.SetAffinity(p.allowed)
	}
	return sys.CurrentCPU(), err
}
