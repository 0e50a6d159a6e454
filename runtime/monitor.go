package runtime

import (
	"sync"
	"time"
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
// Timers call it: a short run does not pay for a goroutine. All is under mu, which is
// held during each look, so that none goes on when the run has ended.
type monitor struct {
	pool    *pool
	watcher *watcher // nil for none
	began   []uint64 // by worker: how many EDTs it had begun at the last look

	mu     sync.Mutex
	over   bool
	timers []*time.Timer
}

// rescueTick is how often the monitor looks if workers share processors.
const rescueTick = 10 * time.Millisecond

// monitored starts the monitor of a run. The function that it returns ends it.
func (r *run) monitored() (stop func()) {
	m := &monitor{pool: r.pool}
	m.mu.Lock()
	defer m.mu.Unlock()
	if tick := r.watch.every(); tick > 0 {
		m.watcher = newWatcher(r.watch, r.graph, r.workers)
		m.look(tick, m.watcher.look)
	}
	if r.workers > r.place.places {
		m.began = make([]uint64, r.workers)
		m.look(rescueTick, m.rescue)
	}
	return m.stop
}

// look has f called every so often. The caller holds the lock.
func (m *monitor) look(every time.Duration, f func()) {
	var t *time.Timer
	t = time.AfterFunc(every, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if !m.over {
			f()
			t.Reset(every)
		}
	})
	m.timers = append(m.timers, t)
}

func (m *monitor) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.over = true
	for _, t := range m.timers {
		t.Stop()
	}
}

// rescue wakes a worker for each that has run the same EDT since the last look and
// has others to share, and one if mail from outside waits.
func (m *monitor) rescue() {
	if m.pool.graph.Mail() {
		m.pool.wakeAny()
	}
	for k, w := range m.pool.workers {
		began := m.pool.graph.Began(k)
		stuck := began == m.began[k]
		m.began[k] = began
		if stuck && w.stealable() && !m.pool.wakeAny() {
			return
		}
	}
}
