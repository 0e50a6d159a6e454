package runtime

import (
	"fmt"
	"slices"
	"sync"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/core/word"
	"ocr/internal/rank/remote"
)

// newStarted makes a pool of pinned workers that wait for a run.
func newStarted(s *settings) (*Pool, error) {
	allowed, maskErr := sys.GetAffinity()
	if err := s.check(allowed); err != nil {
		return nil, err
	}
	if why := lacksThreads(threadsOf(s.workers)); why != "" {
		return nil, &OptionError{fmt.Sprintf("Workers(%d)", s.workers), why}
	}
	var ranks *job
	if s.numRanks > 1 {
		var err error
		if ranks, err = openJob(s.numRanks); err != nil {
			return nil, err
		}
	}
	t := newUnstarted(s, maskErr)
	if ranks != nil {
		t.job, t.queue = ranks, &ranks.queue
	}
	t.startWorkers()
	return t, nil
}

// lacksThreads says why the system would refuse that many threads, "" if it would not; tests replace it.
var lacksThreads = sys.LacksThreads

// threadsOf is the number of threads that a pool may need: one for each worker, as many for other goroutines (see [Run]
// on GOMAXPROCS), and a few for Go itself.
func threadsOf(workers int) int { return 2*workers + 4 }

func newUnstarted(s *settings, maskErr error) *Pool {
	t := &Pool{settings: s, place: s.plan(maskErr), placement: make([]int, s.workers), queue: new(queue),
		waited: firstTo(stderr)}
	t.pool = newPool(s, len(t.place.cpus))
	t.pool.waiting, t.pool.victims = func() []string { return t.queue.waiting() }, t.stealOrder
	t.monitor = newMonitor(t.pool, s.watch, t.place.places)
	return t
}

func newPool(s *settings, pinnedTo int) *pool {
	p := &pool{stealGap: s.stealGap.Nanoseconds(), overLong: word.NewSignal(), faultsPanic: s.checked}
	p.spinTime, p.spinFull = s.spinTimes()
	p.calledSpin = calledTime
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

// attach gives the workers the graph of the next run. No run is on. In a run with observers each worker is enlisted
// now, else when it enters the run.
func (p *pool) attach(g *edt.Graph, ranks *remote.Part, observed bool) {
	p.graph, p.ranks, p.lookGap = g, ranks, lookGap(ranks)
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
	w.n, w.anyPrio = hostCounts{}, 0
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
func (t *Pool) startWorkers() {
	onFreshThread(func() { t.release = holdProcs(t.workers + 1) })
	var ready sync.WaitGroup
	errs := make([]error, t.workers)
	for k, w := range t.pool.workers {
		ready.Add(1)
		t.pool.lives.Add(1)
		first := true
		go w.live(func() {
			cpu, err := t.place.pin(k)
			if first {
				first, t.placement[k], errs[k] = false, cpu, err
				ready.Done()
			}
		})
	}
	ready.Wait()
	if k := slices.IndexFunc(errs, func(err error) bool { return err != nil }); k >= 0 && !t.place.warned {
		t.place.warned = true
		t.place.warnings = append(t.place.warnings,
			fmt.Sprintf("worker %d could not be pinned: %v; it is on processor %d", k, errs[k], t.placement[k]))
	}
}

func (t *Pool) stealOrder(worker int) []int { return t.place.topology.StealOrder(t.placement, worker) }

// close ends the workers, and the pool's use of the job. No run is on.
func (t *Pool) close() {
	t.monitor.close()
	t.pool.closed.Store(true)
	for _, w := range t.pool.workers {
		w.wake()
	}
	t.pool.lives.Wait()
	onFreshThread(t.release)
	if t.job != nil {
		t.job.release()
	}
}

// onWorker reports whether the caller runs on a worker of the pool, and so in the body of an EDT.
func (t *Pool) onWorker() bool {
	own := int64(sys.ThreadID())
	for _, w := range t.pool.workers {
		if own != 0 && w.thread.Load() == own {
			return true
		}
	}
	return false
}
