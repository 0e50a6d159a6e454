package edttest

import (
	"errors"
	"slices"

	"ocr/edt"
)

// A Host is a deterministic host of a graph: it simulates workers, and runs ready EDTs on the calling goroutine.
type Host struct {
	Graph *edt.Graph

	order       order
	job         *job // nil if there is one rank
	workers     []*edt.Worker
	workersEach int // of each rank; workers are in the order of their ranks
	ready       []entry
	held        []entry       // postponed EDTs: they run when nothing else can
	busy        []int         // workers in the middle of a body, the innermost last
	steps       int           // number of entries that were picked
	choices     []int         // steps at which several entries were ready
	limit       int           // the largest number of steps, -1 for none
	arrived     int           // number of entries that became ready
	stopped     []bool        // by rank
	tidy        bool          // every worker goes idle after every EDT
	bell        chan struct{} // there is mail; nil in a search, which handles none
}

// An entry is a ready EDT, or a message that can be handled, on a rank. arrival is its number in the order in which
// entries became ready.
type entry struct {
	task    edt.Ready
	rank    int
	from    int // 1 + the rank that sent the message, 0 for an EDT
	arrival int
}

// New makes a graph with this configuration and a host for it, which draws the schedule from the seed.
func New(seed uint64, cfg edt.Config) *Host {
	atLeast("Config.Workers", cfg.Workers, 1)
	h := &Host{order: newDrawn(seed, false), limit: -1, bell: make(chan struct{}, 1)}
	cfg.Bell = h.ring
	h.make(cfg)
	return h
}

// make makes the graph and its workers.
func (h *Host) make(cfg edt.Config) {
	cfg.Join = h.order.join
	h.stopped, h.workersEach = make([]bool, 1), cfg.Workers
	h.Graph = edt.NewGraph(cfg)
	for range cfg.Workers {
		h.workers = append(h.workers, h.Graph.NewWorker(rankHost{h, 0}))
	}
}

// Run runs main and all EDTs that follow from it on simulated workers. It returns what [ocr/runtime.Run] would: nil
// after a shutdown or when no EDT is left, else the error.
func Run(seed uint64, workers int, main edt.Func, argv ...string) error {
	h := New(seed, edt.Config{Workers: workers})
	defer h.Graph.Close()
	return h.Run(main, argv...)
}

// take runs a ready EDT at once, or adds it to the ready ones. If there are several ranks, a stopped rank takes none.
func (h *Host) take(e entry) {
	if h.stopped[e.rank] && h.job != nil {
		return
	}
	e.arrival = h.arrived
	h.arrived++
	if w := h.atOnce(e); w >= 0 {
		h.call(w, e)
		return
	}
	h.ready = append(h.ready, e)
}

// stop ends the run on a rank, which then begins no EDT.
func (h *Host) stop(rank int) {
	h.stopped[rank] = true
	if h.job != nil {
		gone := func(e entry) bool { return e.rank == rank && e.from == 0 }
		h.ready, h.held = slices.DeleteFunc(h.ready, gone), slices.DeleteFunc(h.held, gone)
	}
}

// Run is the function [Run] on the caller's host. After it, h.Graph.Counters and h.Graph.Leaks may be called.
func (h *Host) Run(main edt.Func, argv ...string) error {
	h.on(0, func(*edt.Worker) { h.Graph.Begin(main, argv) })
	if err := h.runAll(); err != nil {
		return err
	}
	if end := h.Graph.Ended(); end != nil {
		return end.Err
	}
	if stuck := h.Graph.Stuck(); stuck != nil {
		return stuck
	}
	return nil
}

// runAll runs ready EDTs and handles mail until the run is over.
func (h *Host) runAll() error {
	if h.job != nil {
		return h.job.run()
	}
	for !h.stopped[0] && (h.more() || h.awaitMail()) {
		if h.takesMail() {
			continue
		}
		if err := h.step(); err != nil {
			return err
		}
	}
	return nil
}

// on calls a function for a worker. If the function panics, the worker gets the panic.
func (h *Host) on(worker int, do func(w *edt.Worker)) {
	w := h.workers[worker]
	defer func() {
		if v := recover(); v != nil {
			w.Recovered(v)
		}
	}()
	do(w)
}

// more makes the workers go idle, in some order, if nothing is ready. It reports whether an EDT can run then.
func (h *Host) more() bool {
	if len(h.ready) > 0 {
		return true
	}
	for _, w := range h.order.quiet(h) {
		h.idle(w)
	}
	return len(h.ready)+len(h.held) > 0 && (h.job != nil || !h.stopped[0])
}

func (h *Host) rankOf(worker int) int { return worker / h.workersEach }

func (h *Host) idle(worker int) {
	if h.job == nil || !h.stopped[h.rankOf(worker)] {
		h.on(worker, (*edt.Worker).Idle)
	}
}

// ring signals that there is mail. Any goroutine may call it.
func (h *Host) ring() {
	select {
	case h.bell <- struct{}{}:
	default:
	}
}

// awaitMail waits for mail if nothing can run. It returns false if no mail can come: the run is over.
func (h *Host) awaitMail() bool {
	for !h.stopped[0] && !h.Graph.Mail() {
		if !h.Graph.Expects() {
			return false
		}
		<-h.bell
	}
	return !h.stopped[0]
}

// takesMail handles mail if no EDT is ready, and reports whether it has. If an EDT is ready, a drawn order decides by
// its seed whether the mail comes first, so mail may be late by any time; in other orders the EDT runs first.
func (h *Host) takesMail() bool {
	w := 0
	d, draws := h.order.(*drawn)
	if len(h.ready)+len(h.held) > 0 && (!h.Graph.Mail() || !draws || d.rng.IntN(2) == 0) {
		return false
	}
	if draws {
		w = d.rng.IntN(len(h.workers))
	}
	h.receive(w) // a letter that it handles may be a misuse
	return true
}

// receive makes a worker handle mail.
func (h *Host) receive(worker int) { h.on(worker, (*edt.Worker).Receive) }

// errCut ends a run that has reached its limit of steps, and errRedundant a run that equals an earlier run.
var errCut, errRedundant = errors.New("edttest: the schedule was cut off"), errors.New("edttest: a redundant schedule")

// step runs an EDT on the worker that it is bound to, else on any, or handles a message. Sometimes another worker goes
// idle first, as it might on a real machine. An error says that the run is given up.
func (h *Host) step() error {
	if h.steps == h.limit {
		return errCut
	}
	if w := h.order.idleFirst(h); w >= 0 {
		h.idle(w)
	}
	if len(h.ready) > 1 {
		h.choices = append(h.choices, h.steps)
	}
	e, ok := h.order.next(h)
	if !ok {
		return errRedundant
	}
	w := e.rank*h.workersEach + h.order.worker(h, e)
	if e.task.Place().Strict() {
		w = e.rank*h.workersEach + e.task.Place().Worker()
	}
	h.steps++
	if e.from != 0 {
		h.job.deliver(w, e)
		return nil
	}
	h.call(w, e)
	if h.tidy {
		for w := range h.workers {
			h.idle(w)
		}
	}
	return nil
}

// pick takes the n-th ready entry.
func (h *Host) pick(n int) entry {
	e := h.ready[n]
	h.ready = slices.Delete(h.ready, n, n+1)
	return e
}

// atOnce returns the worker on which an EDT starts before the EDT that made it ready has ended, -1 for none.
func (h *Host) atOnce(e entry) int {
	if len(h.busy) == 0 || h.stopped[e.rank] || h.job != nil && h.job.handing {
		return -1
	}
	var free []int
	for w := range h.workers {
		bound := e.task.Place().Strict() && e.task.Place().Worker() != w%h.workersEach
		if !bound && h.rankOf(w) == e.rank && !slices.Contains(h.busy, w) {
			free = append(free, w)
		}
	}
	if len(free) == 0 {
		return -1
	}
	return h.order.atOnce(free)
}

func (h *Host) call(worker int, e entry) {
	h.busy = append(h.busy, worker)
	if h.job != nil {
		h.job.ran[e.rank]++
	}
	var next edt.Ready
	h.on(worker, func(w *edt.Worker) { next = w.Execute(e.task) })
	h.busy = h.busy[:len(h.busy)-1]
	if next != 0 {
		h.take(entry{task: next, rank: e.rank})
	}
}
