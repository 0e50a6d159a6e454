package runtime

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"ocr/edt"
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

// A Stall is a time in which a run made no progress; see [Watch].
type Stall struct {
	// Worker is the number of the worker whose EDT keeps it while others wait; -1 if no EDT has begun on any.
	Worker int
	// For is how long it has lasted.
	For time.Duration
	// Snapshot is the graph as it is.
	Snapshot *edt.Snapshot
	// Waiting has the lines of calls of [Pool.Run] and [Pool.Close] that wait for the end of the run. If the run in turn
	// needs one of these callers, it never ends.
	Waiting []string
	// Line is not "" if it is a call of a pool that makes no progress: it names the line of the run that the call waits
	// for. Then Snapshot is nil.
	Line string
}

// String describes the stall in a few lines.
func (s Stall) String() string {
	what := fmt.Sprintf("no EDT has begun for %v", s.For.Round(time.Millisecond))
	switch {
	case s.Line != "":
		what = s.Line
	case s.Worker >= 0:
		held := s.For.Round(time.Millisecond)
		what = fmt.Sprintf("an EDT has held worker %d for %v while others wait", s.Worker, held)
	}
	if s.Snapshot != nil {
		what += "\n" + s.Snapshot.Short()
	}
	if len(s.Waiting) > 0 {
		what = strings.TrimSuffix(what, "\n") + "\nfor the end of the run wait: " + strings.Join(s.Waiting, ", ") + "\n"
	}
	return what
}

// Watchdog changes when and how the run reports a lack of progress; Watchdog(Watch{}) silences it. The run is checked
// several times in the shorter of the two times, at no cost to workers; rank 0 checks all ranks. The default is
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

// firstTo returns a report function that writes the first stall.
func firstTo(out io.Writer) func(Stall) {
	var once sync.Once
	return func(s Stall) {
		once.Do(func() { fmt.Fprintf(out, "runtime: %v(runtime.Watchdog changes or silences this message)\n", s) })
	}
}

// A watcher checks a run's progress for a [Watch]. Only the monitor uses it.
type watcher struct {
	Watch
	looks  Inspector
	began  uint64          // EDTs, at the last look
	since  time.Time       // when began last changed
	still  bool            // reported since then
	holder map[int]*holder // by worker
}

// A holder is what the watcher knows of the EDT that keeps a worker.
type holder struct {
	state edt.WorkerState
	again time.Duration // once the EDT has lasted this long, check whether others wait; 0: it was reported
}

func newWatcher(w Watch, p *pool, g *edt.Graph, over <-chan struct{}, start time.Time) *watcher {
	report := w.Report
	if report == nil {
		report = firstTo(stderr)
	}
	w.Report = func(s Stall) {
		defer p.inside.enter()()
		s.Waiting = p.waiting()
		report(s)
	}
	x := &watcher{Watch: w, since: start, holder: make(map[int]*holder)}
	x.looks.begin(g, over, &p.inside)
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

// tells reports whether stalls are reported on standard error.
func (w Watch) tells() bool { return w.Report == nil && w.every() > 0 }

// look reports stalls, on any rank.
func (x *watcher) look() {
	_, s := x.looks.look(false)
	began := uint64(0)
	for k := range s.Workers {
		began += s.Workers[k].Ran
	}
	if began != x.began {
		x.began, x.since, x.still = began, time.Now(), false
	}
	if lasted := time.Since(x.since); x.Still > 0 && lasted >= x.Still && !x.still {
		x.still = true
		_, s := x.looks.look(true)
		x.Report(Stall{Worker: -1, For: lasted, Snapshot: s})
		return
	}
	if x.Held > 0 {
		for k := range s.Workers {
			x.lookAt(&s.Workers[k])
		}
	}
}

// lookAt reports an EDT that holds its worker while others wait. The check whether others wait goes over the whole
// graph, so it is repeated only after twice the time.
func (x *watcher) lookAt(w *edt.WorkerState) {
	h := x.holder[w.Worker]
	if h == nil {
		h = new(holder)
		x.holder[w.Worker] = h
	}
	if !w.Same(&h.state) {
		h.state, h.again = *w, x.Held
	}
	if h.again == 0 || w.For < h.again {
		return
	}
	h.again *= 2
	if _, s := x.looks.look(true); s.AnyWaits() {
		h.again = 0
		x.Report(Stall{Worker: w.Worker, For: w.For, Snapshot: s})
	}
}
