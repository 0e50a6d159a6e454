package harness

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/cpulist"
	"ocr/internal/machine"
	"ocr/internal/sizes"
	"ocr/internal/topo"
	"ocr/runtime"
)

// Pool is the workers that graphs run on, and their processors.
type Pool struct {
	Workers  int
	CPUs     []int // allowed ones; ascending unless Bind is runtime.BindListed
	Bind     runtime.Binding
	Warnings []string // what a reader of the figures has to know

	topology *topo.Topology
}

// NewPool returns a pool on a machine. No processors stands for all that are allowed, 0
// workers for one on each. The error is a [*trial.ConfigError].
func NewPool(m *machine.Machine, workers int, cpus []int, bind runtime.Binding) (*Pool, error) {
	p := &Pool{Workers: workers, CPUs: cpus, Bind: bind, topology: m.Topology}
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
	p.Workers = cmp.Or(workers, min(len(p.CPUs), runtime.MaxWorkers))
	if p.Shared() {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%d workers share %d processors: times include waiting for one", p.Workers, len(p.CPUs)))
	}
	return p, nil
}

// Shared reports whether workers share processors.
func (p *Pool) Shared() bool { return p.Workers > len(p.CPUs) }

// Cores is how many processors the workers have together.
func (p *Pool) Cores() int { return min(p.Workers, len(p.CPUs)) }

// Used returns the processors that workers are on, as far as that is decided.
func (p *Pool) Used() []int {
	if p.Bind == runtime.BindNone || p.Shared() {
		return p.CPUs[:p.Cores()]
	}
	return p.Pins()
}

// CPUList returns the processors as a Linux list, in their order if that counts.
func (p *Pool) CPUList() string {
	if p.Bind == runtime.BindListed {
		return sizes.Join(p.CPUs)
	}
	return cpulist.Format(p.CPUs)
}

// Pins returns the processor of each worker, -1 for one that is not pinned. Workers
// beyond the processors start again at the first.
func (p *Pool) Pins() []int {
	order := p.CPUs
	switch p.Bind {
	case runtime.BindCompact:
		order = p.topology.Order(topo.Compact, p.CPUs)
	case runtime.BindScatter:
		order = p.topology.Order(topo.Scatter, p.CPUs)
	}
	pins := make([]int, p.Workers)
	for worker := range pins {
		pins[worker] = -1
		if p.Bind != runtime.BindNone {
			pins[worker] = order[worker%len(order)]
		}
	}
	return pins
}

// GraphRun is what the runtime tells of one run of a graph.
type GraphRun struct {
	Placement []int // processor of each worker, as read back
	Counters  runtime.Counters
	Warnings  []string
}

// Run runs a graph on the pool, or, if o has a schedule, one EDT at a time on pretended
// workers. What it returns of the run is filled in as far as the run came. It does not
// wait for running EDTs once o.Abandon is closed.
func (p *Pool) Run(ctx context.Context, main edt.Func, o RunOptions, argv ...string) (GraphRun, error) {
	if o.Schedule != nil {
		return p.runScheduled(ctx, main, o, argv)
	}
	var told runtime.Report
	opts := slices.Concat(o.runtime(), []runtime.Option{
		runtime.Workers(p.Workers), runtime.CPUs(p.CPUs), runtime.Bind(p.Bind),
		runtime.Argv(argv...), runtime.Into(&told),
	})
	ended := make(chan error, 1)
	go func() { ended <- runtime.Run(ctx, main, opts...) }()
	select {
	case err := <-ended:
		return o.ended(&told, err)
	case <-o.Abandon:
		o.Observe.abandon()
		return GraphRun{}, fmt.Errorf("%w while EDTs were running", ErrInterrupted)
	}
}

// runScheduled runs a graph by a schedule.
func (p *Pool) runScheduled(ctx context.Context, main edt.Func, o RunOptions, argv []string) (GraphRun, error) {
	observers := o.Observe.observers()
	var observe []func(*edt.Worker) edt.Observer
	for _, one := range observers {
		observe = append(observe, one.Observe)
	}
	h := o.Schedule.Host(edt.Config{Workers: p.Workers, Observe: edt.ObserveAll(observe...)})
	defer h.Graph.Close()
	err := h.RunContext(ctx, main, argv...)
	for _, one := range observers {
		one.End(runtime.Report{}, err)
	}
	o.Observe.ended(err)
	return GraphRun{
		Counters: runtime.Counters{Counters: h.Graph.Counters()},
		Warnings: []string{"schedule " + o.Schedule.String() + ": EDTs ran one at a time, on pretended workers: times mean nothing"},
	}, err
}
