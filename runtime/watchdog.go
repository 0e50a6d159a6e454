package runtime

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// A Watch says after how long a run reports a lack of progress, and how.
type Watch struct {
	// Held is how long an EDT may keep its worker, while other EDTs wait, without a report; 0 for no limit.
	Held time.Duration
	// Still is how long the run may go on without the begin of an EDT, without a report; 0 for no limit. As long may the
	// next call of a pool wait for its turn.
	Still time.Duration
	// Report is called once for each stall, on a goroutine of its own; the end of the run waits for it. A call of a pool
	// that waits for its turn calls it on its own. If it is nil, the first report of the run, and of the calls that
	// wait, is written to standard error, in a few lines, and no other.
	Report func(Stall)
}

// DefaultWatch is what a run without [Watchdog] reports.
var DefaultWatch = Watch{Held: 5 * time.Second, Still: 10 * time.Second}

// A Stall is a time in which a run made no progress, see [Watch], or what [ReportRuns] has asked for.
type Stall struct {
	// Worker is the number of the worker whose EDT keeps it while others wait; -1 if no EDT has begun on any.
	Worker int
	// For is how long it has lasted.
	For time.Duration
	// Snapshot is what EDTs wait for. For it the workers stop between two EDTs. It is nil if some did not within 100 ms,
	// and if Worker is not -1: then Busy has them.
	Snapshot *edt.Snapshot
	Busy     []BusyWorker
	// Waiting has the lines of calls of [Pool.Run] and [Pool.Close] that wait for the end of the run. If the run in turn
	// needs one of these callers, it never ends.
	Waiting []string
	// Line is not "" if it is a call of a pool that makes no progress: it names the line of the run that the call waits
	// for. Then Snapshot and Busy are nil.
	Line string
	// Asked says that it is an answer to ReportRuns.
	Asked bool
}

// A BusyWorker is one that does not come to the end of its EDT.
type BusyWorker struct {
	Worker   int
	EDT      guid.GUID // Null if it has ended meanwhile
	Template string
	For      time.Duration // how long at least it has run the EDT
	Stack    string
}

func (w *BusyWorker) String() string {
	what := "runs no EDT"
	if !w.EDT.IsNull() {
		what = fmt.Sprintf("runs EDT %v of template %s, for at least %v", w.EDT.Short(), w.Template,
			w.For.Round(time.Millisecond))
	}
	return fmt.Sprintf("worker %d %s\n%s\n", w.Worker, what, w.Stack)
}

// busyShown is how many workers String describes.
const busyShown = 4

// String describes the stall in a few lines.
func (s Stall) String() string { return s.text(busyShown, (*edt.Snapshot).Short) }

// Long describes it in full.
func (s Stall) Long() string { return s.text(len(s.Busy), (*edt.Snapshot).String) }

func (s Stall) text(shown int, describe func(*edt.Snapshot) string) string {
	lasted := s.For.Round(time.Millisecond)
	what := fmt.Sprintf("no EDT has begun for %v", lasted)
	switch {
	case s.Line != "":
		what = s.Line
	case s.Asked:
		what = "the run that is on"
	case s.Worker >= 0:
		what = fmt.Sprintf("an EDT has held worker %d for %v while others wait", s.Worker, lasted)
	}
	what += "\n"
	if s.Snapshot != nil {
		what += describe(s.Snapshot)
	}
	for k := range s.Busy[:min(len(s.Busy), shown)] {
		what += s.Busy[k].String()
	}
	if more := len(s.Busy) - shown; more > 0 {
		what += fmt.Sprintf("and %d more workers run an EDT\n", more)
	}
	if len(s.Waiting) > 0 {
		what += "for the end of the run wait: " + strings.Join(s.Waiting, ", ") + "\n"
	}
	return what
}

// Watchdog changes when and how the run reports a lack of progress; Watchdog(Watch{}) silences it. The run is checked
// several times in the shorter of the two times, at no cost to workers; each rank checks itself. The default is
// [DefaultWatch].
func Watchdog(w Watch) Option { return func(s *settings) { s.watch = w } }

func (w Watch) check() error {
	if w.Held < 0 || w.Still < 0 {
		return &OptionError{fmt.Sprintf("Watchdog(Held %v, Still %v)", w.Held, w.Still), "want times of at least 0"}
	}
	return nil
}

// stderr is where a run without a [Watch.Report] of its own writes to.
var stderr io.Writer = os.Stderr

// firstTo returns a report function that writes the first stall, and what is asked for.
func firstTo(out io.Writer) func(Stall) {
	var once sync.Once
	return func(s Stall) {
		if s.Asked {
			fmt.Fprintf(out, "runtime: %v", s)
			return
		}
		once.Do(func() { fmt.Fprintf(out, "runtime: %v(runtime.Watchdog changes or silences this message)\n", s) })
	}
}

// A watcher checks a run's progress for a [Watch]. Only the monitor uses it.
type watcher struct {
	Watch
	monitor *monitor
	graph   *edt.Graph
	began   []uint64    // by worker: the EDTs that it had begun at the last look
	since   []time.Time // by worker: when that last changed
	told    []bool      // by worker: it was reported since then
	moved   time.Time   // when it last changed for any
	looked  time.Time   // when the last look ended
	still   bool        // reported since then
}

func newWatcher(m *monitor) *watcher {
	n, now := len(m.pool.workers), time.Now()
	x := &watcher{Watch: m.watch, monitor: m, graph: m.graph, began: make([]uint64, n), since: make([]time.Time, n),
		told: make([]bool, n), moved: now, looked: now}
	for k := range x.since {
		x.since[k] = now
	}
	if x.Report == nil {
		x.Report = firstTo(stderr)
	}
	return x
}

// looksPerStall is the number of checks in the shorter time of a Watch.
const looksPerStall = 8

// every returns the interval of look, 0 for never.
func (w Watch) every() time.Duration {
	shorter := w.Held
	if shorter == 0 || w.Still != 0 && w.Still < shorter {
		shorter = w.Still
	}
	if shorter == 0 {
		return 0
	}
	return max(shorter/looksPerStall, time.Millisecond)
}

// note notes which workers have begun another EDT.
func (x *watcher) note() {
	now := time.Now()
	for k := range x.began {
		if n := x.graph.Began(k); n != x.began[k] {
			x.began[k], x.since[k], x.told[k] = n, now, false
			x.moved, x.still = now, false
		}
	}
}

// forgive leaves out of all times what lies between two looks beyond an interval, if that is another one or more: the
// process was stopped, as by Ctrl-Z, or did not get a processor.
func (x *watcher) forgive() {
	missed := time.Since(x.looked) - x.every()
	if missed < x.every() {
		return
	}
	for k := range x.since {
		x.since[k] = x.since[k].Add(missed)
	}
	x.moved = x.moved.Add(missed)
}

// look reports stalls.
func (x *watcher) look() {
	x.forgive()
	defer func() { x.looked = time.Now() }()
	x.note()
	if lasted := time.Since(x.moved); x.Still > 0 && lasted >= x.Still && !x.still {
		x.still = true
		x.report(Stall{Worker: -1, For: lasted})
		return
	}
	if x.Held == 0 {
		return
	}
	for k, since := range x.since {
		id, _ := x.graph.Running(k)
		if lasted := time.Since(since); lasted >= x.Held && !x.told[k] && !id.IsNull() && x.othersWait() {
			x.told[k] = true
			x.report(Stall{Worker: k, For: lasted})
		}
	}
}

// othersWait reports whether there are EDTs that have not begun. Of those on other ranks nothing is known.
func (x *watcher) othersWait() bool {
	left := int64(1) // main
	for k := range x.began {
		left += int64(x.graph.Created(k) - x.graph.Began(k))
	}
	return left > 0 || x.monitor.pool.ranks != nil
}

// report completes a stall, and reports it, unless it is that of a rank that has no EDT while others may have some.
func (x *watcher) report(s Stall) {
	p := x.monitor.pool
	defer p.inside.enter()()
	defer x.monitor.telling.enter()()
	if s.Worker >= 0 {
		s.Busy = x.describe(p.workers[s.Worker : s.Worker+1])
	} else {
		s.Snapshot, s.Busy = x.read()
	}
	idle := s.Snapshot != nil && len(s.Snapshot.Templates)+len(s.Snapshot.Outside) == 0
	if idle && p.ranks != nil && !s.Asked {
		return
	}
	s.Waiting = p.waiting()
	x.Report(s)
}

// read halts the workers, and reads the graph, or describes those that do not stop.
func (x *watcher) read() (*edt.Snapshot, []BusyWorker) {
	p := x.monitor.pool
	p.reading.Lock()
	defer p.reading.Unlock()
	defer p.resume()
	if busy := p.halt(); len(busy) > 0 {
		return nil, x.describe(busy)
	}
	return x.graph.Snapshot(), nil
}

// describe describes busy workers.
func (x *watcher) describe(busy []*worker) (all []BusyWorker) {
	for _, w := range busy {
		id, template := x.graph.Running(w.id)
		stack, _, _ := strings.Cut(sys.StackOf(*w.goroutine.Load()), "\nocr/edt.(*Worker).Execute(") // the body's part
		stack, _, _ = strings.Cut(stack, "\nocr/edt.(*Ctx).execute")
		all = append(all, BusyWorker{w.id, id, template, time.Since(x.since[w.id]), stack})
	}
	return all
}
