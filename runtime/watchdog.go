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
)

// A Watch says when a run counts as making no progress, and how that is reported.
type Watch struct {
	// Still is about the time after which the run is reported if no EDT has begun; 0 for no limit. It is also the time
	// after which the first of a pool's waiting calls is reported.
	Still time.Duration
	// Report is called once for each stall, on a goroutine of its own; the run does not end before it returns. For a call
	// of a pool that waits for its turn, and by [ReportRuns], it is called on the caller's goroutine. If Report is nil,
	// the first stall of each run, and the first wait of each pool, is written to standard error in a few lines.
	Report func(Stall)
}

// DefaultWatch is the Watch of a run without [Watchdog].
var DefaultWatch = Watch{Still: 10 * time.Second}

// A Stall is a time in which a run made no progress (see [Watch]), or an answer to [ReportRuns].
type Stall struct {
	// For is how long the stall has lasted.
	For time.Duration
	// Snapshot has what each EDT waits for. Workers stop between two EDTs while it is taken. It is nil if some did not
	// stop within 100 ms: then Busy has these workers.
	Snapshot *edt.Snapshot
	Busy     []BusyWorker
	// Waiting has the lines of the calls of [Pool.Run] and [Pool.Close] that wait for the end of the run. If the run needs
	// one of these callers, it never ends.
	Waiting []string
	// Line is for a call of a pool that waits for its turn: it names the run for which the call waits, with the run's
	// line. It is "" for any other stall. If it is not "", Snapshot and Busy are nil.
	Line string
	// Asked says that ReportRuns has asked for the report.
	Asked bool
}

// A BusyWorker is a worker that did not stop between two EDTs.
type BusyWorker struct {
	Worker   int
	EDT      guid.GUID // Null if the EDT has ended meanwhile
	Template string
	For      time.Duration // how long the EDT has run, at least
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

// busyShown is the number of workers that String describes.
const busyShown = 4

// String describes the stall in a few lines, with at most four workers.
func (s Stall) String() string { return s.text(busyShown, (*edt.Snapshot).Short) }

// Long describes the stall in full.
func (s Stall) Long() string { return s.text(len(s.Busy), (*edt.Snapshot).String) }

func (s Stall) text(shown int, describe func(*edt.Snapshot) string) string {
	what := fmt.Sprintf("no EDT has begun for %v", s.For.Round(time.Millisecond))
	switch {
	case s.Line != "":
		what = s.Line
	case s.Asked:
		what = "the run that is on"
	}
	what += "\n"
	if s.Snapshot != nil {
		what += describe(s.Snapshot)
	}
	for k := range s.Busy[:min(len(s.Busy), shown)] {
		what += s.Busy[k].String()
	}
	if more := len(s.Busy) - shown; more > 0 {
		what += fmt.Sprintf("and %d more workers did not stop\n", more)
	}
	if len(s.Waiting) > 0 {
		what += "for the end of the run wait: " + strings.Join(s.Waiting, ", ") + "\n"
	}
	return what
}

// Watchdog sets when and how the run reports a lack of progress; Watchdog(Watch{}) silences it. The default is
// [DefaultWatch]. A timer checks the run several times in the time [Watch.Still], at no cost to workers. Each rank
// checks itself.
func Watchdog(w Watch) Option { return func(s *settings) { s.watch = w } }

// stderr is where runs without a [Watch.Report] write.
var stderr io.Writer = os.Stderr

// reporter returns Report, or a function that writes the first stall, and each answer to ReportRuns.
func (w Watch) reporter() func(Stall) {
	if w.Report != nil {
		return w.Report
	}
	var once sync.Once
	return func(s Stall) {
		if s.Asked {
			fmt.Fprintf(stderr, "runtime: %v", s)
			return
		}
		once.Do(func() { fmt.Fprintf(stderr, "runtime: %v(runtime.Watchdog changes or silences this message)\n", s) })
	}
}
