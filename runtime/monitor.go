package runtime

import (
	"maps"
	"slices"
	"sync"
	"time"

	"ocr/edt"
)

// A monitor checks a run at intervals, on its own timers. It reports lack of progress (see [Watch]). If workers share
// processors, it also wakes workers for EDTs that wait behind a long body.
//
// Why the second: a push wakes no parked worker while another worker on its processor is awake, as the two would only
// take turns on the processor. But the awake worker may be in a long body. So if a worker has run the same EDT since
// the last check, and has other EDTs that can be stolen, the monitor wakes a worker for them. The operating system then
// shares the processor between the two.
//
// The timers stay from one run of a pool to the next, and stop one check after the last run: so a short run starts no
// timer. mu is held during each check; so when end returns no check is under way.
type monitor struct {
	pool  *pool
	watch Watch

	mu      sync.Mutex
	graph   *edt.Graph // of the run that is on, nil for none
	watcher *watcher   // of the run, nil before the first check
	began   []uint64   // by worker: the number of EDTs that it had begun at the last check; nil before the first check
	timers  []*periodic
	telling insiders // goroutines that report; it has a lock of its own
}

// A periodic is a timer that calls a check while runs are on.
type periodic struct {
	timer *time.Timer
	every time.Duration
	set   bool
}

// rescueTick is the interval of rescue.
const rescueTick = 10 * time.Millisecond

// newMonitor makes the monitor of a pool whose workers have this many processors for themselves.
func newMonitor(p *pool, watch Watch, places int) *monitor {
	m := &monitor{pool: p, watch: watch}
	monitors.mu.Lock()
	monitors.all[m] = true
	monitors.mu.Unlock()
	if tick := watch.every(); tick > 0 {
		m.call(tick, m.observe)
	}
	if len(p.workers) > places {
		m.call(rescueTick, m.rescue)
	}
	return m
}

// call makes a timer that calls f at intervals while runs are on.
func (m *monitor) call(every time.Duration, f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := &periodic{every: every}
	m.timers = append(m.timers, l)
	l.timer = time.AfterFunc(every, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if l.set = m.graph != nil; l.set {
			defer l.timer.Reset(every) // even if a report ends its goroutine
			f()
		}
	})
	l.timer.Stop()
}

// begin starts the timers for a run.
func (m *monitor) begin(g *edt.Graph) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.graph = g
	for _, l := range m.timers {
		if !l.set {
			l.set = true
			l.timer.Reset(l.every)
		}
	}
}

// end ends the checks of the run: none is under way when end returns.
func (m *monitor) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.graph, m.watcher, m.began = nil, nil, nil
}

// close stops the timers. It is called when no run is on.
func (m *monitor) close() {
	monitors.mu.Lock()
	delete(monitors.all, m)
	monitors.mu.Unlock()
	for _, l := range m.timers {
		l.timer.Stop()
	}
}

// monitors has the monitors of all pools.
var monitors = struct {
	mu  sync.Mutex
	all map[*monitor]bool
}{all: make(map[*monitor]bool)}

// observe is the check for a [Watch].
func (m *monitor) observe() { m.watching().look() }

// watching returns the watcher of the run that is on.
func (m *monitor) watching() *watcher {
	if m.watcher == nil {
		m.watcher = newWatcher(m)
	}
	return m.watcher
}

// ReportRuns makes each present run of this process report what it does: it calls [Watch.Report] with a [Stall] whose
// Asked is true. It returns the number of runs that have reported. Any goroutine may call it. If a Report calls it, the
// run of this Report does not report again.
func ReportRuns() (runs int) {
	monitors.mu.Lock()
	all := slices.Collect(maps.Keys(monitors.all))
	monitors.mu.Unlock()
	for _, m := range all {
		if !m.telling.call() && m.answer() {
			runs++
		}
	}
	return runs
}

// answer reports what the run that is on does; it returns false if none is.
func (m *monitor) answer() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.graph == nil {
		return false
	}
	x := m.watching()
	x.note()
	x.report(Stall{Worker: -1, Asked: true})
	return true
}

// rescue wakes a worker for each worker that has run the same EDT since the last check and has other EDTs to steal. It
// also wakes one if there is mail from outside.
func (m *monitor) rescue() {
	if m.graph.Mail() {
		m.pool.wakeAny()
	}
	if m.began == nil {
		m.began = make([]uint64, len(m.pool.workers))
	}
	for k, w := range m.pool.workers {
		began := m.graph.Began(k)
		stuck := began == m.began[k]
		m.began[k] = began
		if stuck && w.stealable() && !m.pool.wakeAny() {
			return
		}
	}
}
