package testbed

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/internal/cpulist"
	"ocr/internal/machine"
	"ocr/internal/report"
	"ocr/internal/sizes"
	"ocr/internal/topo"
	"ocr/runtime"
)

// Pool is the workers that graphs run on, and their processors. Several ranks are processes that stay
// from the first run to [Pool.Close].
type Pool struct {
	Ranks    int   // with this process
	Workers  int   // of each rank
	CPUs     []int // allowed ones, of all ranks; ascending unless Bind is runtime.BindListed
	Bind     runtime.Binding
	Warnings []string // what a reader of the figures has to know

	topology *topo.Topology
	job      *runtime.Job // nil before the first run, and with one rank
	engine   string       // of the latest run
	abandons bool         // a run was abandoned: its processes end with this one
}

// NewPool returns a pool of one rank on a machine. No processors stands for all that are allowed, 0
// workers for one on each. The error is a [*trial.ConfigError].
func NewPool(m *machine.Machine, workers int, cpus []int, bind runtime.Binding) (*Pool, error) {
	return NewPoolOver(m, 1, workers, cpus, bind)
}

// NewPoolOver returns a pool of several ranks. 0 workers stands for as many as each rank has processors.
func NewPoolOver(m *machine.Machine, ranks, workers int, cpus []int, bind runtime.Binding) (*Pool, error) {
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
	p.Workers = cmp.Or(workers, max(1, min(p.fewest(), runtime.MaxWorkers)))
	if p.Threads() > edt.MaxWorkers {
		return nil, &trial.ConfigError{
			Flag: "workers", Value: fmt.Sprint(p.Workers), Reason: fmt.Sprintf("%d ranks have %d of them", ranks, p.Threads()),
			Allowed: fmt.Sprintf("at most %d", edt.MaxWorkers/ranks),
		}
	}
	if p.Shared() {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%v share %d processors: times include waiting for one", p, len(p.CPUs)))
	}
	return p, nil
}

// Threads is how many workers all ranks have: what other forms of the same work use.
func (p *Pool) Threads() int { return p.Ranks * p.Workers }

// part returns the processors of a rank.
func (p *Pool) part(rank int) []int {
	if p.Ranks == 1 {
		return p.CPUs
	}
	return p.topology.Part(p.CPUs, rank, p.Ranks)
}

// fewest returns how many processors the rank has that has the fewest.
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

// String says how many workers there are.
func (p *Pool) String() string {
	text := fmt.Sprintf("%d workers", p.Threads())
	if p.Ranks > 1 {
		text += fmt.Sprintf(" of %d ranks", p.Ranks)
	}
	return text
}

// Places is how many places EDTs are spread over, see [edt.Ctx.Places].
func (p *Pool) Places() int {
	if p.Ranks > 1 {
		return p.Threads()
	}
	return p.Cores()
}

// Cores is how many processors the workers have together.
func (p *Pool) Cores() int { return min(p.Threads(), len(p.CPUs)) }

// InNames is the part of results' names that says how many workers there are.
func (p *Pool) InNames() string {
	name := fmt.Sprintf("workers=%d", p.Workers)
	if p.Ranks > 1 {
		name += fmt.Sprintf("/ranks=%d", p.Ranks)
	}
	return name
}

// Beside is what a reader has to know of forms that are no task graph, beside one that is.
func (p *Pool) Beside() []string {
	if p.Ranks == 1 {
		return nil
	}
	return []string{fmt.Sprintf("forms without EDTs run in one process, on at most %d threads: as many as all ranks have workers", p.Threads())}
}

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

// Pins returns the processor of each worker, rank after rank, -1 for one that is not pinned. Workers
// beyond the processors start again at the first.
func (p *Pool) Pins() []int {
	pins := make([]int, 0, p.Threads())
	for rank := range p.Ranks {
		order := p.part(rank)
		switch p.Bind {
		case runtime.BindCompact:
			order = p.topology.Order(topo.Compact, order)
		case runtime.BindScatter:
			order = p.topology.Order(topo.Scatter, order)
		case runtime.BindNone:
			order = []int{-1}
		}
		for worker := range p.Workers {
			pins = append(pins, order[worker%len(order)])
		}
	}
	return pins
}

// GraphRun is what the runtime tells of one run of a graph.
type GraphRun struct {
	Placement []int // processor of each worker, rank after rank, as read back
	Counters  runtime.Counters
	Ranks     []report.Rank // nil if there is one
	Warnings  []string
}

// Run runs a graph on the pool, or, if o has a schedule, one EDT at a time on pretended
// workers. What it returns of the run is filled in as far as the run came. It does not
// wait for running EDTs once o.Abandon is closed.
func (p *Pool) Run(ctx context.Context, main edt.Func, o RunOptions, argv ...string) (GraphRun, error) {
	if o.Schedule != nil {
		return p.runScheduled(ctx, main, o, argv)
	}
	processes, err := p.processes()
	if err != nil {
		return GraphRun{}, err
	}
	var told runtime.Report
	opts := slices.Concat(o.runtime(), []runtime.Option{
		runtime.Workers(p.Workers), runtime.CPUs(p.CPUs), runtime.Bind(p.Bind), processes,
		runtime.Argv(argv...), runtime.Into(&told),
	})
	ended := make(chan error, 1)
	go func() { ended <- runtime.Run(ctx, main, opts...) }()
	select {
	case err := <-ended:
		p.engine = told.Engine
		return o.ended(&told, err)
	case <-o.Abandon:
		p.abandons = true
		o.Observe.abandon()
		return GraphRun{}, fmt.Errorf("%w while EDTs were running", ErrInterrupted)
	}
}

// processes returns the option of a run that has it use the processes of all ranks.
func (p *Pool) processes() (runtime.Option, error) {
	if p.Ranks == 1 {
		return runtime.Options(), nil
	}
	err := p.start()
	if err != nil {
		return nil, err
	}
	return p.job.Option(), nil
}

// start starts the processes of the other ranks, if there are none.
func (p *Pool) start() (err error) {
	if p.job == nil {
		p.job, err = runtime.StartJob(p.Ranks)
	}
	return err
}

// Direct reports whether EDTs of all ranks can have a data block at the same time, see [runtime.Job.Direct].
func (p *Pool) Direct() (bool, error) {
	if p.Ranks == 1 {
		return true, nil
	}
	err := p.start()
	return err == nil && p.job.Direct(), err
}

// OneSided reports whether a graph can have a window over MPI in the place of that, see [runtime.Job.OneSided]. It is called after Direct.
func (p *Pool) OneSided() bool { return p.job != nil && p.job.OneSided() }

// Close ends the processes of the other ranks. If a run was abandoned it does nothing: they end with this process,
// which waits for no EDT.
func (p *Pool) Close() error {
	if p == nil || p.job == nil || p.abandons {
		return nil
	}
	job := p.job
	p.job = nil
	return job.Close()
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
