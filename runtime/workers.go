package runtime

import (
	"fmt"
	"slices"
	"sync"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/core/word"
	link "ocr/internal/rank"
	"ocr/internal/rank/remote"
)

// newStarted makes a pool of pinned workers that wait for a run.
func newStarted(s *settings) (*Pool, error) {
	allowed, maskErr := sys.GetAffinity()
	if err := s.check(allowed); err != nil {
		return nil, err
	}
	// One thread for each worker, as many for other goroutines (see [Run] on GOMAXPROCS), and a few for Go itself.
	if why := lacksThreads(2*s.workers + 4); why != "" {
		return nil, &OptionError{fmt.Sprintf("Workers(%d)", s.workers), why}
	}
	var ranks *job
	if s.numRanks > 1 {
		var err error
		if ranks, err = openJob(s.numRanks); err != nil {
			return nil, err
		}
	}
	p := newUnstarted(s, maskErr)
	p.job = ranks
	p.startWorkers()
	return p, nil
}

// lacksThreads says why the system would refuse that many threads, "" if it would not; tests replace it.
var lacksThreads = sys.LacksThreads

func newUnstarted(s *settings, maskErr error) *Pool {
	p := &Pool{settings: s, place: s.plan(maskErr), placement: make([]int, s.workers),
		waited: s.watch.reporter()}
	p.pool = newPool(s, len(p.place.cpus))
	p.pool.waiting, p.pool.victims = p.waitingCalls, p.stealOrder
	p.monitor = newMonitor(p.pool, s.watch, p.place.places)
	return p
}

func newPool(s *settings, pinnedTo int) *pool {
	p := &pool{stealGap: s.stealGap.Nanoseconds(), overLong: word.NewSignal(), faultsPanic: s.checked}
	p.spinTime, p.spinFull, p.calledSpin = DefaultSpin.Nanoseconds(), DefaultSpinShared.Nanoseconds(), calledTime
	if s.spin >= 0 {
		p.spinTime, p.spinFull = s.spin.Nanoseconds(), s.spin.Nanoseconds()
	}
	if s.spin >= 0 || s.workers < s.numCPUs() { // else workers would take processors from the program's other goroutines
		p.awaitSpin = p.spinTime
	}
	if p.nextSlots = sys.HasProcessBarrier(); !p.nextSlots {
		p.noSpinner = -1
	}
	cpus := s.processors(pinnedTo)
	p.workers = make([]*worker, s.workers)
	for k := range p.workers {
		w := &worker{pool: p, id: k, self: uint32(edt.BindTo(k)), left: roundLen}
		w.deque.init(s.dequeCapacity)
		w.inbox.init(s.inboxCapacity)
		w.cpu = cpus[k%len(cpus)]
		w.cpu.awake.Add(1)
		p.workers[k] = w
	}
	return p
}

// attach gives the workers the graph of the next run. It is called when no run is on. In a run with observers or sites
// each worker is enlisted now, else when it enters the run.
func (p *pool) attach(g *edt.Graph, ranks *remote.Part, observed bool) {
	p.graph, p.ranks, p.lookGap = g, ranks, 0
	if ranks != nil {
		if e, ok := ranks.Engine.(link.Dear); ok {
			p.lookGap = int64(e.LookGap())
		}
	}
	p.delivered.clear()
	for _, w := range p.workers {
		w.clear()
		w.core = nil
		if ranks != nil {
			w.inbox.hint()
		}
		if observed {
			w.enlist(new(edt.Worker))
		}
	}
}

// enlist makes the worker a worker of the graph, with a new core.
func (w *worker) enlist(core *edt.Worker) {
	p := w.pool
	w.core = core
	p.graph.Enlist(core, w.id, w)
	if p.nextSlots {
		core.UseNext(edt.NextSlot{
			EDT: &w.nextEDT.edt, Parked: &p.numParked, Spinning: &p.spinning, Share: w.shareNext,
		})
	}
}

// clear drops the EDTs that the last run has left in the worker's lists, and resets its counts.
func (w *worker) clear() {
	w.inbox.clear()
	w.nextEDT.take()
	for w.deque.pop() != 0 {
	}
	w.bound.n = 0
	w.prio.clear()
	w.boundPrio.clear()
	w.n, w.anyPrio = WorkerCounters{}, 0
}

// onFreshThread calls f on a thread with the affinity mask of the process. The caller's goroutine may be locked to a
// thread with another mask.
func onFreshThread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// startWorkers starts the workers' goroutines; all workers are pinned when it returns.
func (p *Pool) startWorkers() {
	onFreshThread(func() { p.release = holdProcs(p.workers) })
	var ready sync.WaitGroup
	errs := make([]error, p.workers)
	for k, w := range p.pool.workers {
		ready.Add(1)
		p.pool.lives.Add(1)
		first := true
		go w.live(func() {
			cpu, err := p.place.pin(k)
			if first {
				first, p.placement[k], errs[k] = false, cpu, err
				ready.Done()
			}
		})
	}
	ready.Wait()
	if k := slices.IndexFunc(errs, func(err error) bool { return err != nil }); k >= 0 && !p.place.warned {
		p.place.warned = true
		p.place.warnings = append(p.place.warnings,
			fmt.Sprintf("worker %d could not be pinned: %v; it is on processor %d", k, errs[k], p.placement[k]))
	}
}

func (p *Pool) stealOrder(worker int) []int { return p.place.topology.StealOrder(p.placement, worker) }

// close ends the workers, and the pool's use of the job. It is called when no run is on.
func (p *Pool) close() {
	p.monitor.close()
	p.pool.closed.Store(true)
	for _, w := range p.pool.workers {
		w.wake()
	}
	p.pool.lives.Wait()
	onFreshThread(p.release)
	if p.job != nil {
		p.job.release()
	}
}

// onWorker reports whether the caller runs on a worker of the pool, and so in the body of an EDT.
func (p *Pool) onWorker() bool {
	own := int64(sys.ThreadID())
	return own != 0 && slices.ContainsFunc(p.pool.workers, func(w *worker) bool { return w.thread.Load() == own })
}
