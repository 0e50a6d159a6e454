package testbed

import (
	"fmt"
	"math"
	goruntime "runtime"
	"runtime/debug"
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/core/cpulist"
	"ocr/internal/core/sizes"
	"ocr/internal/core/topo"
	"ocr/internal/measure/machine"
	"ocr/internal/rank"
	"ocr/runtime"
)

// Pool is the workers of graphs, and their processors. The processes of several ranks live from the first run to
// [Pool.Close].
type Pool struct {
	Ranks    int   // this process included
	Workers  int   // of each rank
	CPUs     []int // allowed ones, of all ranks, in the order of --cpus
	Bind     runtime.Binding
	Warnings []string // notes that a reader of the figures needs

	topology *topo.Topology
	endRanks func() // nil before the first run, and with one rank
}

// NewPool returns a pool of ranks on a machine. No cpus means all allowed processors; 0 workers means one for each
// processor of a rank, as far as the quota allows. The error is a [*trial.ConfigError].
func NewPool(m *machine.Machine, ranks, workers int, cpus []int, bind runtime.Binding) (*Pool, error) {
	p := &Pool{Ranks: ranks, Workers: workers, CPUs: cpus, Bind: bind, topology: m.Topology}
	if len(cpus) == 0 {
		p.CPUs = m.Allowed
	}
	for _, cpu := range cpus {
		if !slices.Contains(m.Allowed, cpu) {
			return nil, &trial.ConfigError{
				Flag: "cpus", Value: cpulist.Format(cpus), Reason: fmt.Sprintf("the process may not use %d", cpu),
				Allowed: "within " + cpulist.Format(m.Allowed),
			}
		}
	}
	if workers == 0 {
		p.Workers = max(1, min(p.fewest(), runtime.MaxWorkers))
		if m.Quota > 0 {
			p.Workers = min(p.Workers, int(math.Ceil(m.Quota/float64(ranks))))
		}
	}
	if p.Threads() >= edt.MaxWorkers {
		return nil, &trial.ConfigError{
			Flag: "workers", Value: fmt.Sprint(p.Workers), Reason: fmt.Sprintf("%d ranks have %d of them", ranks, p.Threads()),
			Allowed: fmt.Sprintf("at most %d", (edt.MaxWorkers-1)/ranks),
		}
	}
	if p.Shared() {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%v share %d processors: times include waiting for one", p, len(p.CPUs)))
	}
	return p, nil
}

// NewPair returns a pool of two workers, the first on processor a and the second on b, which may be the same.
func NewPair(a, b int) *Pool {
	return &Pool{Ranks: 1, Workers: 2, CPUs: slices.Compact([]int{a, b}), Bind: runtime.BindListed}
}

// Pools returns pools with these numbers of workers on the processors of the testbed's pool, and the largest of them.
// It warns the user of what a reader of the figures must know, and notes it in the document.
func (b *Bed) Pools(workers []int) (all []*Pool, most *Pool, err error) {
	for _, n := range workers {
		p, err := NewPool(b.Machine, 1, n, b.Pool.CPUs, b.Pool.Bind)
		if err != nil {
			return nil, nil, err
		}
		b.Warn(p.Warnings...)
		b.Note(p.Warnings...)
		if all = append(all, p); most == nil || p.Workers > most.Workers {
			most = p
		}
	}
	return all, most, nil
}

// Threads returns the number of workers of all ranks. Other forms of the same work use as many threads.
func (p *Pool) Threads() int { return p.Ranks * p.Workers }

// Cores returns the number of processors of all workers.
func (p *Pool) Cores() int { return min(p.Threads(), len(p.CPUs)) }

func (p *Pool) part(rank int) []int {
	if p.Ranks == 1 {
		return p.CPUs
	}
	return p.topology.Part(p.CPUs, rank, p.Ranks)
}

// fewest returns the least number of processors of a rank.
func (p *Pool) fewest() int {
	if p.Ranks > len(p.CPUs) {
		return 0
	}
	fewest := len(p.CPUs)
	for rank := range p.Ranks {
		fewest = min(fewest, len(p.part(rank)))
	}
	return fewest
}

// Shared reports whether workers share processors.
func (p *Pool) Shared() bool {
	return p.Threads() > len(p.CPUs) || p.Bind != runtime.BindNone && p.Workers > p.fewest()
}

// String returns the number of workers as text.
func (p *Pool) String() string {
	if p.Ranks > 1 {
		return fmt.Sprintf("%d workers of %d ranks", p.Threads(), p.Ranks)
	}
	return fmt.Sprintf("%d workers", p.Threads())
}

// InNames returns the part of results' names with the number of workers.
func (p *Pool) InNames() string {
	if p.Ranks > 1 {
		return fmt.Sprintf("workers=%d/ranks=%d", p.Workers, p.Ranks)
	}
	return fmt.Sprintf("workers=%d", p.Workers)
}

// Used returns the processors of the workers, as far as they are known.
func (p *Pool) Used() []int {
	if p.Bind == runtime.BindNone || p.Shared() {
		return p.CPUs[:p.Cores()]
	}
	return p.Pins()
}

// CorePins returns the processors of the workers, each once, or as many times -1 if the workers are not pinned.
func (p *Pool) CorePins() []int {
	if p.Bind == runtime.BindNone {
		return slices.Repeat([]int{-1}, p.Cores())
	}
	return p.Used()
}

// CPUList returns the processors as a Linux list, in their order if it matters.
func (p *Pool) CPUList() string {
	if p.Bind == runtime.BindListed {
		return sizes.Join(p.CPUs)
	}
	return cpulist.Format(p.CPUs)
}

// Pins returns the processor of each worker, rank after rank, -1 for a worker that is not pinned. If there are more
// workers than processors, the next worker is on the first processor again.
func (p *Pool) Pins() []int {
	pins := make([]int, 0, p.Threads())
	for rank := range p.Ranks {
		order := p.part(rank)
		switch p.Bind {
		case runtime.BindCompact:
			order = p.topology.Order(order)
		case runtime.BindNone:
			order = []int{-1}
		}
		for worker := range p.Workers {
			pins = append(pins, order[worker%len(order)])
		}
	}
	return pins
}

func (p *Pool) options() []runtime.Option {
	return []runtime.Option{runtime.Workers(p.Workers), runtime.CPUs(p.CPUs), runtime.Bind(p.Bind), runtime.Ranks(p.Ranks)}
}

// start starts the processes of the other ranks, which live until [Pool.Close].
func (p *Pool) start() (err error) {
	if p.Ranks > 1 && p.endRanks == nil {
		p.endRanks, err = rank.Keep(p.Ranks)
	}
	return err
}

// Close ends the processes of the other ranks.
func (p *Pool) Close() {
	if p != nil && p.endRanks != nil {
		p.endRanks()
		p.endRanks = nil
	}
}

// Uncollected runs f without garbage collections, unless f itself calls for one.
func Uncollected(f func()) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	f()
}

// SpareProcessor gives Go's scheduler one more processor than two polling threads use, as the runtime does, so that
// every form has this processor. undo takes it back.
func SpareProcessor() (undo func()) {
	before := goruntime.GOMAXPROCS(max(3, goruntime.GOMAXPROCS(0)))
	return func() { goruntime.GOMAXPROCS(before) }
}
