package runtime

import (
	"maps"
	"slices"
	"sync"
	"time"

	"ocr/edt"
)

// A monitor checks a run at intervals, by a timer. It reports lack of progress (see [Watch]). If workers share
// processors, it also wakes workers for EDTs that wait behind a long body.
//
// Why the second: a push wakes no parked worker while another worker on its processor is awake, as the two would only
// take turns on the processor. But the awake worker may be in a long body. So if a worker has run the same EDT since
// the last check, and has other EDTs that can be stolen, the monitor wakes a worker for them. The operating system then
// shares the processor between the two.
//
// The timer stays from one run of a pool to the next, and stops one check after the last run: so a short run starts no
// timer. mu is held during each check; so when end returns no check is under way.
type monitor struct {
	pool    *pool
	watch   Watch
	crowded bool          // workers share processors
	every   time.Duration // between two checks, 0 for no checks

	mu      sync.Mutex
	timer   *time.Timer
	set     bool
	graph   *edt.Graph // of the run that is on, nil for none
	watcher *watcher   // of the run, nil before the first check
	telling insiders   // goroutines that report; it has a lock of its own
}

// rescueTick is the longest time between two checks if workers share processors.
const rescueTick = 10 * time.Millisecond

// newMonitor makes the monitor of a pool whose workers have this many processors for themselves.
func newMonitor(p *pool, watch Watch, places int) *monitor {
	m := &monitor{pool: p, watch: watch, every: watch.every(), crowded: len(p.workers) > places}
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
	m.graph = g
	if m.every > 0 && !m.set {
		m.set = true
		m.timer.Reset(m.every)
	}
}

// end ends the checks of the run: none is under way when end returns.
func (m *monitor) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.graph, m.watcher = nil, nil
}

// close stops the timer. It is called when no run is on.
func (m *monitor) close() {
	monitors.mu.Lock()
	delete(monitors.all, m)
	monitors.mu.Unlock()
	m.timer.Stop()
}

// monitors has the monitors of all pools.
var monitors = struct {
	mu  sync.Mutex
	all map[*monitor]bool
}{all: make(map[*monitor]bool)}

func (m *monitor) check() {
	x := m.watching()
	if m.crowded {
		x.note()
		m.rescue()
	}
	if every := x.every(); every > 0 && time.Since(x.looked) >= every {
		x.look()
	}
}

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
	x.report(Stall{Asked: true})
	return true
}

// rescue wakes a worker for each worker that has run the same EDT since the last check and has other EDTs to steal. It
// also wakes one if there is mail from outside.
func (m *monitor) rescue() {
	if m.graph.Mail() {
		m.pool.wakeAny()
	}
	for k, w := range m.pool.workers {
		if m.watcher.workers[k].same && w.stealable() && !m.pool.wakeAny() {
			return
		}
	}
}
