package runtime

import (
	"context"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"sync"
	"time"

	"go.uber.org/zap"

	"ocr/edt"
	"ocr/internal/check"
	"ocr/internal/sys"
	"ocr/runtime/finding"
)

// Run runs a program: main, as an EDT with no parameters and one dependence, the
// argument block, and everything that follows from it. All workers, the first too, are
// goroutines of their own, locked to threads for the time of the run; the caller's
// goroutine and thread only wait. Workers use the processors of the caller's mask; a
// process that an EDT starts is confined to its worker's, see [Unpinned].
//
// Run returns nil after [edt.Ctx.Shutdown], and when nothing is left to run and no
// EDT is waiting. Otherwise it returns:
//
//   - [*OptionError]: an option cannot be used; nothing has run
//   - [*edt.Error]: an EDT misused the API
//   - [*edt.PanicError]: the body of an EDT panicked, or left by runtime.Goexit, as
//     testing's FailNow does
//   - [*edt.AbortError]: an EDT called abort with a code other than 0
//   - [*edt.StuckError]: nothing can run, but EDTs are waiting
//   - [*finding.Error]: [Check] has found faults; it wraps any of the above
//   - an error that wraps the context's cause and [edt.ECANCELED]: ctx was cancelled
//
// An error of an EDT that still runs after a shutdown, an abort or a cancellation counts:
// Run returns it. If more than one thing went wrong in the body that failed first, or
// there was an abort as well, the error wraps all of them.
//
// In every case all workers have ended when Run returns, after the EDTs that they
// were running, and the bytes of data blocks must not be used any more.
//
// For the time of the run GOMAXPROCS is one more than the number of workers, if it is not
// higher: spinning workers would otherwise hold up the program's other goroutines for
// tens of milliseconds. When the last run that is on ends, it is as the first has found
// it, and follows the limits of the process again if it did; if the program itself
// has changed it meanwhile it stays so. (A program that has set it to the very value
// that is Go's default is taken for one that left it to Go.)
func Run(ctx context.Context, main edt.Func, opts ...Option) error {
	if err := context.Cause(ctx); err != nil {
		return cancellation(err)
	}
	s := resolve(opts)
	allowed, maskErr := sys.GetAffinity()
	if err := s.check(allowed); err != nil {
		return err
	}
	r := newRun(s, maskErr)
	return r.run(ctx, main)
}

// cancellation is the error of a run whose context was cancelled.
func cancellation(cause error) error {
	return fmt.Errorf("runtime: the run was cancelled: %w [%w]", cause, edt.ECANCELED)
}

// A run is one call of Run.
type run struct {
	*settings
	pool    *pool
	graph   *edt.Graph
	place   placement
	report  Report
	checker *check.Checker // nil if the run is not checked

	joined sync.WaitGroup // workers 1 and up
}

// totalMemory is read once: it takes longer than a short run.
var totalMemory = sync.OnceValue(sys.TotalMemory)

func newRun(s *settings, maskErr error) *run {
	r := &run{settings: s, place: s.plan(maskErr)}
	memory := s.memory
	if memory == 0 {
		memory = totalMemory()
	}
	if s.checked {
		if s.watch.Report == nil && s.watch.every() > 0 {
			s.checks.Blocked = func(f finding.Finding) { fmt.Fprintf(stderr, "runtime: check mode: %v\n", f) }
		}
		r.checker = check.New(s.checks)
		s.sites, s.observers = true, append(s.observers, r.checker.Observe)
	}
	r.graph = edt.NewGraph(edt.Config{
		Workers: s.workers, Places: r.place.places, Memory: memory, Sites: s.sites,
		Observe: edt.ObserveAll(s.observers...), Bell: func() { r.pool.ring() },
	})
	r.pool = newPool(s, r.graph, len(r.place.cpus))
	r.report = Report{Workers: s.workers, Placement: make([]int, s.workers), Warnings: r.place.warnings}
	return r
}

func newPool(s *settings, g *edt.Graph, pinnedTo int) *pool {
	p := &pool{graph: g, stealGap: s.stealGap.Nanoseconds(), pauses: 1}
	p.spinTime, p.spinFull = s.spinTimes()
	if p.nextTasks = sys.HasProcessBarrier(); !p.nextTasks {
		p.noSpinner = -1
	}
	cpus := s.processors(pinnedTo)
	p.workers = make([]*worker, s.workers)
	for k := range p.workers {
		w := &worker{pool: p, id: k, self: uint32(edt.BindTo(k)), left: roundLen}
		w.core = g.NewWorker(w)
		if p.nextTasks && !forced {
			w.core.UseNext(edt.NextSlot{Task: &w.nextTask.task, Parked: &p.numParked, Spinning: &p.spinning, Share: w.shareNext})
		}
		w.deque.init(s.dequeCapacity)
		w.inbox.init(s.inboxCapacity)
		w.cpu = cpus[k%len(cpus)]
		w.cpu.awake.Add(1)
		p.workers[k] = w
	}
	return p
}

func (r *run) run(ctx context.Context, main edt.Func) error {
	over := make(chan struct{})
	go r.lead(ctx, main, over)
	<-over
	err := r.findings(r.outcome(ctx))
	r.fillReport(err)
	r.graph.Close()
	r.logEnd(err)
	return err
}

// logEnd logs how the run ended. The counters are listed only if somebody reads them.
func (r *run) logEnd(err error) {
	level, text := zap.InfoLevel, "run ended"
	if err != nil {
		level, text = zap.ErrorLevel, "run failed"
	}
	if entry := r.logger.Check(level, text); entry != nil {
		entry.Write(zap.Error(err), zap.Duration("elapsed", r.report.Elapsed), zap.Any("counters", r.report.Counters.Map()))
	}
}

// lead is the life of worker 0, which also starts the others and waits for them. It is
// not the caller's goroutine, which an EDT could end by runtime.Goexit: then nobody
// would be left to return the error. What follows the last EDT is deferred because of
// that. (Start and end cost no change of threads: the caller blocks, so its thread goes
// on with this goroutine, and the other way round at the end.)
func (r *run) lead(ctx context.Context, main edt.Func, over chan<- struct{}) {
	defer close(over)
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	defer holdProcs(r.workers + 1)()
	if before, err := sys.GetAffinity(); err == nil {
		defer func() { _ = sys.SetAffinity(before) }()
	}
	r.startWorkers()
	r.logger.Info("run started", zap.Int("workers", r.workers), zap.Ints("placement", r.report.Placement))
	for _, w := range r.report.Warnings {
		r.logger.Warn(w)
	}
	unwatch := context.AfterFunc(ctx, func() { r.pool.stop(cancelled) })
	defer unwatch()
	if r.checker != nil {
		// The checker makes faults panics, on this goroutine as well.
		debug.SetPanicOnFault(true)
		r.checker.Watch()
	}
	defer r.beSeen()()
	start := time.Now()
	defer func() {
		r.joined.Wait()
		r.report.Elapsed = time.Since(start)
	}()
	w0 := r.pool.workers[0]
	w0.guarded(func() {
		r.graph.Begin(main, r.argv)
		w0.run()
	})
}

// startWorkers pins this thread as worker 0 and starts the others; all are ready
// when it returns.
func (r *run) startWorkers() {
	var ready sync.WaitGroup
	go0 := make(chan struct{})
	var mu sync.Mutex
	pin := func(id int) {
		cpu, err := r.place.pin(id)
		mu.Lock()
		defer mu.Unlock()
		r.report.Placement[id] = cpu
		r.notePin(id, cpu, err)
	}
	for id := 1; id < r.workers; id++ {
		ready.Add(1)
		r.joined.Add(1)
		go func() {
			// The goroutine ends locked, and takes its pinned thread along.
			goruntime.LockOSThread()
			defer r.joined.Done()
			pin(id)
			ready.Done()
			<-go0
			w := r.pool.workers[id]
			w.guarded(w.run)
		}()
	}
	pin(0)
	ready.Wait()
	r.pool.stealOrders = r.place.topology.StealOrders(r.report.Placement)
	r.begin(r.pool)
	close(go0)
}

// notePin records where a worker ended up. The caller holds the lock.
func (r *run) notePin(id, cpu int, err error) {
	if err != nil && !r.place.warned {
		r.place.warned = true
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("worker %d could not be pinned: %v; it is on processor %d", id, err, cpu))
	}
}

// outcome says how the run ended.
func (r *run) outcome(ctx context.Context) error {
	if end := r.graph.Ended(); end != nil {
		return end.Err
	}
	if stopReason(r.pool.why.Load()) == cancelled {
		return cancellation(context.Cause(ctx))
	}
	if stuck := r.graph.Stuck(); stuck != nil {
		return stuck
	}
	return nil
}

// findings ends the checking of the run, if it was checked, and puts the faults found
// beside how it ended.
func (r *run) findings(end error) error {
	if r.checker == nil {
		return end
	}
	var leaks []edt.Leak
	if end == nil {
		leaks = r.graph.Leaks()
	}
	r.report.Findings = r.checker.Finish(leaks)
	if n := r.checker.Undecided(); n > 0 {
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("%d times two EDTs were too far apart in the run to tell whether they are ordered", n))
	}
	if faults := check.Faults(r.report.Findings); len(faults) > 0 {
		return &finding.Error{Findings: faults, Cause: end}
	}
	return end
}

func (r *run) fillReport(err error) {
	if r.settings.report == nil {
		return
	}
	r.report.Pinned = r.binding != BindNone && !r.place.warned
	r.report.Counters.Counters = r.graph.Counters()
	for _, w := range r.pool.workers {
		r.report.Counters.Steals += w.n.steals
		r.report.Counters.Parks += w.n.parks
		r.report.Counters.Received += w.n.received
	}
	if r.leaks && err == nil {
		r.report.Leaks = r.graph.Leaks()
	}
	*r.settings.report = r.report
}

// guarded turns a panic on the worker into the end of the run.
func (w *worker) guarded(work func()) {
	normal := false
	defer func() {
		if !normal {
			w.core.Recovered(recover())
			w.pool.stop(fromEDT)
		}
	}()
	work()
	normal = true
}
