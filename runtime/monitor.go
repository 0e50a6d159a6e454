package runtime

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"ocr/edt"
	"ocr/internal/core/sys"
)

// A monitor checks a run at intervals, by a timer. It reports lack of progress (see [Watch]). If workers share
// processors, it also wakes workers for EDTs that wait behind a long body.
//
// Why it wakes them: a push wakes no parked worker while another worker on its processor is awake, as the two would
// only take turns on the processor. But the awake worker may be in a long body. So if a worker has run the same EDT
// since the last check, and has other EDTs that can be stolen, the monitor wakes a worker for them. The operating
// system then shares the processor between the two.
//
// The timer stays on from one run of a pool to the next, and stops one check after the last run: of short runs in a row
// only the first starts it. mu is held during each check; so when method end returns no check is under way.
type monitor struct {
	pool    *pool
	watch   Watch
	crowded bool          // workers share processors
	every   time.Duration // between two checks, 0 for no checks

	mu      sync.Mutex
	timer   *time.Timer
	set     bool
	graph   *edt.Graph    // of the run that is on, nil for none
	workers []watched     // nil before the first note of the run
	looked  time.Time     // when the last check was, or the first note
	still   time.Duration // for how long no EDT has begun, as checks count it
	tell    func(Stall)
	telling insiders // goroutines that report; telling has a lock of its own
}

// A watched is what the monitor has noted of a worker.
type watched struct {
	began uint64    // the number of EDTs that the worker had begun at the last note
	since time.Time // when field began last changed
	same  bool      // field began had the same value at the note before
}

const (
	checksPerStall = 8                     // checks in the time [Watch.Still]
	rescueTick     = 10 * time.Millisecond // longest time between two checks if workers share processors
)

// newMonitor makes the monitor of a pool. places is the number of its workers with a processor of their own.
func newMonitor(p *pool, watch Watch, places int) *monitor {
	m := &monitor{pool: p, watch: watch, crowded: len(p.workers) > places}
	if watch.Still > 0 {
		m.every = max(watch.Still/checksPerStall, time.Millisecond)
	}
	if m.crowded && (m.every == 0 || m.every > rescueTick) {
		m.every = rescueTick
	}
	m.timer = time.AfterFunc(time.Hour, m.tick)
	m.timer.Stop()
	monitors.mu.Lock()
	monitors.all[m] = true
	monitors.mu.Unlock()
	return m
}

// tick checks the run that is on, and sets the timer for the next check.
func (m *monitor) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.set = m.graph != nil; m.set {
		defer m.timer.Reset(m.every) // even if a report ends its goroutine
		m.check()
	}
}

// begin starts the timer for a run.
func (m *monitor) begin(g *edt.Graph) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.graph, m.workers = g, nil
	if m.every > 0 && !m.set {
		m.set = true
		m.timer.Reset(m.every)
	}
}

// end ends the checks of the run: none is under way when end returns.
func (m *monitor) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.graph = nil
}

// close stops the timer. It is called when no run is on.
func (m *monitor) close() {
	monitors.mu.Lock()
	delete(monitors.all, m)
	monitors.mu.Unlock()
	m.timer.Stop()
}

// check reports the run, once, if no EDT has begun for the time [Watch.Still]. A long time between two checks, in which
// the process was stopped (by Ctrl-Z) or had no processor, counts as one interval.
func (m *monitor) check() {
	before, limit, now := m.still, m.watch.Still, time.Now()
	if m.workers != nil {
		passed := now.Sub(m.looked)
		if lost := passed - m.every; passed > max(2*m.every, limit/checksPerStall) {
			for k := range m.workers {
				m.workers[k].since = m.workers[k].since.Add(lost)
			}
			passed = m.every
		}
		m.still, m.looked = m.still+passed, now
	}
	m.note()
	if m.crowded {
		m.rescue()
	}
	if limit > 0 && before < limit && m.still >= limit {
		m.report(Stall{For: m.still})
	}
}

// note records which workers have begun another EDT.
func (m *monitor) note() {
	now := time.Now()
	if m.workers == nil {
		m.workers, m.still, m.looked = make([]watched, len(m.pool.workers)), 0, now
		for k := range m.workers {
			m.workers[k].since = now
		}
		m.tell = m.watch.reporter()
	}
	for k := range m.workers {
		w, n := &m.workers[k], m.graph.Began(k)
		if w.same = n == w.began; !w.same {
			*w = watched{began: n, since: now}
			m.still = 0
		}
	}
}

// rescue wakes a worker for each worker that has run the same EDT since the last check and has other EDTs to steal. It
// also wakes one if there is mail from outside.
func (m *monitor) rescue() {
	if m.graph.Mail() {
		m.pool.wakeAny()
	}
	for k, w := range m.pool.workers {
		if m.workers[k].same && w.stealable() && !m.pool.wakeAny() {
			return
		}
	}
}

// report completes a stall and reports it. Over ranks it does not report that a rank has no EDTs, as other ranks may
// have some, unless ReportRuns has asked.
func (m *monitor) report(s Stall) {
	p := m.pool
	defer m.telling.enter()()
	s.Snapshot, s.Busy = m.read()
	idle := s.Snapshot != nil && s.Snapshot.Count+s.Snapshot.Ready+len(s.Snapshot.Outside) == 0
	if idle && p.ranks != nil && !s.Asked {
		return
	}
	s.Waiting = p.waiting()
	m.tell(s)
}

// read halts the workers and reads the graph. If some workers do not stop, it describes these instead.
func (m *monitor) read() (*edt.Snapshot, []BusyWorker) {
	p := m.pool
	p.reading.Lock()
	defer p.reading.Unlock()
	defer p.resume()
	if busy := p.halt(); len(busy) > 0 {
		return nil, m.describe(busy)
	}
	return m.graph.Snapshot(), nil
}

// describe returns the EDT, time and stack of each of these workers.
func (m *monitor) describe(busy []*worker) (all []BusyWorker) {
	for _, w := range busy {
		id, template := m.graph.Running(w.id)
		stack, _, _ := strings.Cut(sys.StackOf(*w.goroutine.Load()), "\nocr/edt.(*Worker).Execute(") // keep the body's frames
		stack, _, _ = strings.Cut(stack, "\nocr/edt.(*Ctx).execute")
		all = append(all, BusyWorker{w.id, id, template, time.Since(m.workers[w.id].since), stack})
	}
	return all
}

// monitors has the monitors of all pools.
var monitors = struct {
	mu  sync.Mutex
	all map[*monitor]bool
}{all: make(map[*monitor]bool)}

// ReportRuns makes each run that is on in this process report what it does: it calls [Watch.Report] with a [Stall]
// whose Asked is true. It returns the number of runs that have reported. Any goroutine may call it. If a Report calls
// it, the run of this Report does not report again, nor does a run that is checked at the moment.
func ReportRuns() (runs int) {
	monitors.mu.Lock()
	all := slices.Collect(maps.Keys(monitors.all))
	monitors.mu.Unlock()
	inReport := slices.ContainsFunc(all, func(m *monitor) bool { return m.telling.call() })
	for _, m := range all {
		if !m.telling.call() && m.answer(inReport) {
			runs++
		}
	}
	return runs
}

// answer reports what the present run does; it returns false if there is none. inReport says that the caller is in the
// Report of another run, and so has that run's lock: it does not wait for a second one.
func (m *monitor) answer(inReport bool) bool {
	if !inReport {
		m.mu.Lock()
	} else if !m.mu.TryLock() {
		return false
	}
	defer m.mu.Unlock()
	if m.graph == nil {
		return false
	}
	m.note()
	m.report(Stall{Asked: true})
	return true
}
