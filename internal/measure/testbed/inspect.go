package testbed

import (
	"fmt"
	"sync"
	"time"

	"ocr/edt"
	"ocr/runtime"
)

// An Inspection reports of the graph that runs: when the user asks for it by SIGQUIT, and when a run makes no progress.
//
// Concurrency: runs has its own lock. The exported fields are set before the first run. mu is held while a snapshot is
// written, so that two are not mixed.
type Inspection struct {
	Console *Console
	Stall   time.Duration // report if no EDT begins for that long; 0 for the first long stall only
	Long    bool          // EDTs keep their workers for as long as they measure: no stall is reported unless Stall is set
	Dump    *Sink         // gets the latest snapshot; nil for none

	runs    runtime.Inspector
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
	watch.Report = func(s runtime.Stall) { x.stalled.Do(func() { x.Console.Say("%s", s.String()) }) }
	if x.Stall > 0 {
		watch = runtime.Watch{Still: x.Stall, Report: func(s runtime.Stall) {
			x.report(fmt.Sprintf("no EDT has begun for %v:", s.For.Round(time.Millisecond)), s.Snapshot)
		}}
	}
	return []runtime.Option{runtime.Inspect(&x.runs), runtime.Watchdog(watch)}
}

// Asked reports of the current run, because the user has asked.
func (x *Inspection) Asked() {
	if s := x.runs.Snapshot(); s != nil {
		x.report("the graph that is running:", s)
	} else {
		x.Console.Say("no graph is running")
	}
}

// report writes a snapshot to the console, and to the file if one is asked for.
func (x *Inspection) report(head string, s *edt.Snapshot) {
	x.mu.Lock()
	defer x.mu.Unlock()
	text := head + "\n" + s.String()
	x.Console.Say("%s", text)
	if x.Dump == nil {
		return
	}
	if err := x.Dump.Commit([]byte(text)); err != nil {
		x.Console.Say("%v", err)
	}
}
