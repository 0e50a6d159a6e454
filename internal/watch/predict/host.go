package predict

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"time"

	"ocr/edt"
	"ocr/internal/core/sys"
)

// ErrOutside says that a program needs what cannot be predicted.
var ErrOutside = errors.New("a program with an edt.External or edt.Blocking cannot be predicted")

// Known is the shortest time, in ns, that an EDT of each template took to make another one ready, or to end. It may be
// kept from run to run.
type Known map[string]int64

// Config is what a program is predicted on.
type Config struct {
	Workers int
	Costs   Costs
	// Endless has every EDT begin when it is ready, whether a worker is idle or not: the time of the run is its span.
	Endless bool
	Known   Known        // filled in
	Clock   func() int64 // in ns, in place of the machine's; nil outside of tests
}

// Result is what was predicted of a run. Work, Overhead and Idle are sums over the workers; together they are Time on
// each worker.
type Result struct {
	Time                 time.Duration // from the first EDT to the last one's end
	Work                 time.Duration // in EDTs, with the calls that they make
	Overhead             time.Duration // what the steps in Costs took of the workers' time
	Idle                 time.Duration
	Steals, Parks, Sends int
}

// A Host is an [edt.Host] that predicts one run.
type Host struct {
	Graph  *edt.Graph
	Result Result // of Run

	Config
	workers []*worker
	events  events
	turn    uint64
	now     int64 // virtual ns
	stopped bool
	free    int // EDTs in lists from which others may take
	parked  int // workers that are parked or waking
	spins   int // workers that count as spinning

	running *body // runs for real at this moment, nil for none
	watch   stopwatch
	bodies  []*body   // that are free
	dormant []*worker // those that were dormant when it was last empty
}

// A body is an EDT from its begin to its end.
type body struct {
	w     *worker
	task  edt.Ready
	name  string // of its template
	start int64  // virtual; what the worker pays meanwhile is added
	began int64  // real
	made  []made
	at    int // the first of made that is not ready yet
	took  int64
	next  edt.Ready // what Execute returned
}

// made is an EDT that was made ready, so many ns after the begin of the body.
type made struct {
	task  edt.Ready
	after int64
}

// New makes a host and its graph. The caller closes the graph.
func New(cfg Config) *Host {
	h := &Host{Config: cfg}
	h.Graph = edt.NewGraph(edt.Config{Workers: cfg.Workers, Bell: func() {}})
	for n := range cfg.Workers {
		w := &worker{n: n, lists: lists{left: roundLen}, loot: -1}
		w.ready = &body{w: w}
		w.core = h.Graph.NewWorker(seat{h, w})
		h.workers = append(h.workers, w)
	}
	return h
}

// A seat is the [edt.Host] of a worker.
type seat struct {
	*Host
	w *worker
}

// Ready implements [edt.Host].
func (s seat) Ready(k edt.Ready) {
	b := s.running
	after := int64(0)
	if b.began != 0 {
		after = s.watch.since(b.began)
	}
	b.made = append(b.made, made{k, after})
}

// Stop implements [edt.Host].
func (h *Host) Stop() { h.stopped = true }

// Now is the virtual time in the body that runs.
func (h *Host) Now() int64 {
	if b := h.running; b != nil && b.began != 0 {
		return b.start + h.watch.since(b.began)
	}
	return h.now
}

// Run predicts a run of main, and returns what runtime.Run would.
func (h *Host) Run(ctx context.Context, main edt.Func, argv ...string) error {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	h.watch.begin(h.Clock)
	first := h.workers[0]
	h.call(first.ready, func() { h.Graph.Begin(main, argv) })
	for _, m := range first.ready.made {
		h.place(first, m.task)
	}
	for _, w := range h.workers {
		if !h.Endless {
			h.search(w, false)
		}
	}
	for n := 0; len(h.events) > 0; n++ {
		if n&0x3ff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e := h.events.pop()
		h.now = e.at
		h.do(&e)
	}
	h.Result.Idle = time.Duration(h.Workers)*h.Result.Time - h.Result.Work - h.Result.Overhead
	if end := h.Graph.Ended(); end != nil {
		return end.Err
	}
	if h.Graph.Expects() || h.Graph.Mail() {
		return fmt.Errorf("predict: %w", ErrOutside)
	}
	if stuck := h.Graph.Stuck(); stuck != nil {
		return stuck
	}
	return nil
}

// call calls the graph. What it makes ready is in b.
func (h *Host) call(b *body, f func()) {
	outer := h.running
	defer func() {
		h.running = outer
		if v := recover(); v != nil {
			b.w.core.Recovered(v)
		}
	}()
	b.made, b.at, b.began = b.made[:0], 0, 0
	h.running = b
	f()
}

// execute runs a body for real.
func (h *Host) execute(b *body) {
	h.call(b, func() {
		b.took = -1
		b.began = h.watch.start()
		b.next = b.w.core.Execute(b.task)
		b.took = h.watch.since(b.began)
	})
	if b.took < 0 { // it has panicked
		b.took = h.watch.since(b.began)
	}
	first := b.took
	for k := range b.made { // without time that the system took away
		b.made[k].after = min(b.made[k].after, b.took)
		first = min(first, b.made[0].after)
	}
	if before, ok := h.Known[b.name]; !ok || first < before {
		h.Known[b.name] = first
	}
}

// A stopwatch measures a body, without what the readings take, and without the time in which the system gave the thread
// no processor.
type stopwatch struct {
	clock           func() int64
	reading         int64 // what a reading takes, 0 for a clock of a test
	apart           int64 // since start, of what does not count
	wall, processor int64 // at the latest look at the thread's time
}

const (
	lookAfter = 15_000  // ns in a body after which the thread's time is read
	staleAt   = 100_000 // ns after which that of before is of no use for the next body
)

func (s *stopwatch) begin(clock func() int64) {
	if s.clock = clock; clock != nil {
		return
	}
	s.clock = sys.Nanotime
	s.reading = reading(s.clock)
}

// reading returns what a reading of a clock takes: the least of some tries, as the system may stop the thread in one.
func reading(clock func() int64) int64 {
	const tries, many = 20, 50
	least := int64(1 << 62)
	for range tries {
		before := clock()
		for range many - 1 {
			clock()
		}
		least = min(least, (clock()-before)/many)
	}
	return least
}

func (s *stopwatch) start() int64 {
	if now := s.clock(); s.reading > 0 && now-s.wall > staleAt {
		s.look(now)
	}
	s.apart = 0
	return s.clock()
}

// since is how long a body has lasted that began at a time.
func (s *stopwatch) since(began int64) int64 {
	now := s.clock()
	took := int64(0)
	if s.apart += s.reading; s.reading > 0 && now-max(began, s.wall) > lookAfter {
		took = s.look(now)
	}
	lasted := max(0, now-began-s.apart)
	s.apart += took
	return lasted
}

// look reads the thread's time, and returns how long that took: it is a system call.
func (s *stopwatch) look(now int64) (took int64) {
	processor := sys.ProcessorTime()
	if s.processor > 0 { // it is known
		s.apart += max(0, now-s.wall-(processor-s.processor))
	}
	s.wall, s.processor = s.clock(), processor // what is lost in between is in took alone
	return s.wall - now
}
