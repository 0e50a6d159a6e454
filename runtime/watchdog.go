package runtime

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"ocr/edt"
)

// A Watch says after how long without progress a run reports that, and how.
type Watch struct {
	// Held is how long an EDT may keep its worker while other EDTs wait before
	// that is reported; 0 for never.
	Held time.Duration
	// Still is how long no EDT may begin, while the run goes on, before that is
	// reported; 0 for never.
	Still time.Duration
	// Report is called once for each such time, on a goroutine of its own; the
	// end of the run waits for it. If it is nil, the first report of the run is
	// written to standard error, in a few lines, and no other.
	Report func(Stall)
}

// DefaultWatch is what a run without [Watchdog] reports.
var DefaultWatch = Watch{Held: 5 * time.Second, Still: 10 * time.Second}

// A Stall is a time in which a run did not get on; see [Watch].
type Stall struct {
	// Worker is the one whose EDT keeps it while others wait; -1 if no EDT has
	// begun on any worker.
	Worker int
	// For is how long it has lasted.
	For time.Duration
	// Snapshot is the graph as it is.
	Snapshot *edt.Snapshot
	// Waiting are the lines of calls of [Pool.Run] and [Pool.Close] that wait for the end of the run. If the run waits
	// for what one of them does next, it does so for ever.
	Waiting []string
}

// String describes the stall in a few lines.
func (s Stall) String() string {
	what := fmt.Sprintf("no EDT has begun for %v", s.For.Round(time.Millisecond))
	if s.Worker >= 0 {
		what = fmt.Sprintf("an EDT has held worker %d for %v while others wait", s.Worker, s.For.Round(time.Millisecond))
	}
	if s.Snapshot != nil {
		what += "\n" + s.Snapshot.Short()
	}
	if len(s.Waiting) > 0 {
		what = strings.TrimSuffix(what, "\n") + "\nfor the end of the run wait: " + strings.Join(s.Waiting, ", ") + "\n"
	}
	return what
}

// Watchdog changes when and how the run reports that it makes no progress;
// Watchdog(Watch{}) silences it. A run looks at its progress several times in the
// shorter of the two times; workers are not concerned. Of several ranks, rank 0 looks at all. The default is [DefaultWatch].
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
	said := false
	return func(s Stall) {
		if !said {
			said = true
			fmt.Fprintf(out, "runtime: %v(runtime.Watchdog changes or silences this message)\n", s)
		}
	}
}

// A watcher looks at a run's progress for a [Watch]. Only the monitor uses it.
type watcher struct {
	Watch
	looks  Inspector
	began  uint64          // EDTs, at the last look
	since  time.Time       // when that last changed
	still  bool            // reported for the time that goes on
	holder map[int]*holder // by worker
}

// A holder is how the watcher deals with the EDT that keeps a worker.
type holder struct {
	state edt.WorkerState
	again time.Duration // look whether others wait once it has lasted so long
}

func newWatcher(w Watch, p *pool, g *edt.Graph, over <-chan struct{}, start time.Time) *watcher {
	report := w.Report
	if report == nil {
		report = firstTo(stderr)
	}
	w.Report = func(s Stall) {
		defer p.inside.enter()()
		s.Waiting = p.waiting.list()
		report(s)
	}
	x := &watcher{Watch: w, since: start, holder: make(map[int]*holder)}
	x.looks.begin(g, over, &p.inside)
	return x
}

// looksPerStall is how often the watcher looks in the time that it waits for.
const looksPerStall = 8

// every returns how often look must be called, 0 for never.
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

// look reports what has lasted too long, on any rank.
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

// lookAt reports an EDT that holds its worker while others wait. To see whether any
// do, it goes over the whole graph, so if none does it lets twice the time pass.
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
