package testbed

import (
	"sync"
	"time"

	"ocr/runtime"
)

// An Inspection reports what runs do: when the user asks for it by SIGQUIT, and when a run makes no progress.
//
// Concurrency: the exported fields are set before the first run. mu is held while a report is written, so that two are
// not mixed.
type Inspection struct {
	Console *Console
	Stall   time.Duration // report if no EDT begins for that long; 0 for the first long stall only
	Long    bool          // EDTs keep their workers for as long as they measure: no stall is reported unless Stall is set
	Dump    *Sink         // gets the latest report; nil for none

	mu      sync.Mutex
	stalled sync.Once
}

// options has a run inspected.
func (x *Inspection) options() []runtime.Option {
	if x == nil {
		return nil
	}
	var watch runtime.Watch
	if !x.Long {
		watch = runtime.DefaultWatch
	}
	if x.Stall > 0 {
		watch = runtime.Watch{Still: x.Stall}
	}
	watch.Report = func(s runtime.Stall) {
		if s.Asked || x.Stall > 0 {
			x.report(s)
		} else {
			x.stalled.Do(func() { x.Console.Say("%s", s.String()) })
		}
	}
	return []runtime.Option{runtime.Watchdog(watch)}
}

// Asked reports of the runs that are on, because the user has asked.
func (x *Inspection) Asked() {
	if runtime.ReportRuns() == 0 {
		x.Console.Say("no graph is running")
	}
}

// report writes a report in full to the console, and to the file if one is asked for.
func (x *Inspection) report(s runtime.Stall) {
	x.mu.Lock()
	defer x.mu.Unlock()
	text := s.Long()
	x.Console.Say("%s", text)
	if x.Dump == nil {
		return
	}
	if err := x.Dump.Commit([]byte(text)); err != nil {
		x.Console.Say("%v", err)
	}
}
