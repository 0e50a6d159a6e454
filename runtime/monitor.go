package runtime

import "time"

// A monitor is the goroutine of a run that looks at it from outside, now and then. It
// has two duties: it reports what lasts too long (see [Watch]), and, if workers share
// processors, it wakes workers for EDTs that would lie beside them.
//
// A worker that sleeps is not woken for an EDT while another one on its processor is
// awake: that one will run it sooner or later, and two would only take turns. But a
// body may be long. So if a worker runs the same EDT for longer than a look, and
// has others that could be stolen, the monitor wakes some worker for them. The
// operating system then shares the processor out among the two.
type monitor struct {
	pool    *pool
	watcher *watcher // nil for none
	shared  bool     // workers share processors
	began   []uint64 // by worker: how many EDTs it had begun at the last look
}

// rescueTick is how often the monitor looks if workers share processors.
const rescueTick = 10 * time.Millisecond

// monitored starts the monitor of a run, if it needs one. The function that it
// returns ends it.
func (r *run) monitored() (stop func()) {
	m := &monitor{pool: r.pool, shared: r.workers > r.place.places}
	tick := r.watch.every()
	if tick > 0 {
		m.watcher = newWatcher(r.watch, r.graph, r.workers)
	}
	if m.shared {
		m.began = make([]uint64, r.workers)
	} else if tick == 0 {
		return func() {}
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		m.run(tick, quit)
	}()
	return func() {
		close(quit)
		<-done
	}
}

func (m *monitor) run(watchTick time.Duration, quit <-chan struct{}) {
	watch, stopWatch := ticks(watchTick)
	defer stopWatch()
	rescue, stopRescue := ticks(0)
	if m.shared {
		rescue, stopRescue = ticks(rescueTick)
	}
	defer stopRescue()
	for {
		select {
		case <-quit:
			return
		case <-watch:
			m.watcher.look()
		case <-rescue:
			m.rescue()
		}
	}
}

// ticks returns a channel of ticks, none if every is 0.
func ticks(every time.Duration) (c <-chan time.Time, stop func()) {
	if every == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// rescue wakes a worker for each that has run the same EDT since the last look and
// has others to share.
func (m *monitor) rescue() {
	for k, w := range m.pool.workers {
		began := m.pool.graph.Began(k)
		stuck := began == m.began[k]
		m.began[k] = began
		if stuck && w.hasLoot() && !m.pool.wakeAny() {
			return
		}
	}
}
