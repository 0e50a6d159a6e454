package runtime

import (
	"sync"
	"time"

	"ocr/edt"
)

// A monitor looks at a run from outside, now and then. It has two duties: it reports
// what lasts too long (see [Watch]), and, if workers share processors, it wakes workers
// for EDTs that would lie beside them.
//
// A parked worker is not woken for an EDT while another one on its processor is
// awake: that one will run it sooner or later, and two would only take turns. But a
// body may be long. So if a worker runs the same EDT for longer than a look, and
// has others that could be stolen, the monitor wakes some worker for them. The
// operating system then shares the processor out among the two.
//
// Timers call it: a run does not pay for a goroutine. They stay from one run of a pool to the next, and
// go on for one look after the last one: short runs do not pay for timers either. All is under mu, which is
// held during each look, so that none goes on when the run has ended.
type monitor struct {
	pool  *pool
	watch Watch

	mu      sync.Mutex
	graph   *edt.Graph // of the run that is on, nil for none
	start   time.Time
	over    <-chan struct{} // closed when that run is about to end; nil if there are no other ranks
	watcher *watcher        // of the run, nil before its first look
	began   []uint64        // by worker: how many EDTs it had begun at the last look; nil before that
	timers  []*lookout
}

// A lookout calls look every so often, while runs are on.
type lookout struct {
	timer *time.Timer
	every time.Duration
	set   bool
}

// rescueTick is how often the monitor looks if workers share processors.
const rescueTick = 10 * time.Millisecond

// newMonitor makes the monitor of a pool, of whose workers so many have a processor of their own.
func newMonitor(p *pool, watch Watch, places int) *monitor {
	m := &monitor{pool: p, watch: watch}
	if tick := watch.every(); tick > 0 {
		m.look(tick, m.observe)
	}
	if len(p.workers) > places {
		m.look(rescueTick, m.rescue)
	}
	return m
}

// look will have f called every so often.
func (m *monitor) look(every time.Duration, f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := &lookout{every: every}
	m.timers = append(m.timers, l)
	l.timer = time.AfterFunc(every, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if l.set = m.graph != nil; l.set {
			f()
			l.timer.Reset(every)
		}
	})
	l.timer.Stop()
}

// begin begins to look at a run.
func (m *monitor) begin(g *edt.Graph, over <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.graph, m.over, m.start = g, over, time.Now()
	for _, l := range m.timers {
		if !l.set {
			l.set = true
			l.timer.Reset(l.every)
		}
	}
}

// end ends that. No look is on when it returns.
func (m *monitor) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.graph, m.watcher, m.began = nil, nil, nil
}

// close stops the timers. No run is on.
func (m *monitor) close() {
	for _, l := range m.timers {
		l.timer.Stop()
	}
}

// observe is the look for a [Watch].
func (m *monitor) observe() {
	if m.watcher == nil {
		m.watcher = newWatcher(m.watch, m.pool, m.graph, m.over, m.start)
	}
	m.watcher.look()
}

// rescue wakes a worker for each that has run the same EDT since the last look and
// has others to share, and one if mail from outside waits.
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
