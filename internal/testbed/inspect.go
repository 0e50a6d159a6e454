package testbed

import (
	"fmt"
	"sync"
	"time"

	"ocr/edt"
	"ocr/runtime"
)

// An Inspection reports of the graph that runs: when the user asks for it by SIGQUIT, and
// when a run makes no progress.
//
// Concurrency: runs has its own lock. The exported fields are set before the first run.
// mu is held while a snapshot is written, so that two are not mixed.
type Inspection struct {
	Console *Console
	Stall   time.Duration // report when no EDT begins for that long; 0 for the first long stall only
	Long    bool          // EDTs keep their workers for as long as they measure: no stall is reported unasked
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

// Asked reports of the run that is on, because the user has asked.
func (x *Inspection) Asked() {
	s := x.runs.Snapshot()
	if s == nil {
		x.Console.Say("no graph is running")
		return
	}
	x.report("the graph that is running:", s)
}

// report writes a snapshot to the console, and to the file if one is asked for.
func (x *Inspection) report(head string, s *edt.Snapshot) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.Console.Say("%s\n%s", head, s.String())
	if x.Dump == nil {
		return
	}
	if err := x.Dump.Commit([]byte(head + "\n" + s.String())); err != nil {
		x.Console.Say("%v", err)
	}
}
