package testbed

import (
	"sync"
	"time"

	"ocr/runtime"
)

// An Inspection reports what runs do: when the user asks for it by SIGQUIT, and when a run makes no progress. The
// fields are set before the first run.
type Inspection struct {
	Console *Console
	Stall   time.Duration // report if no EDT begins for this long; 0 for the first long stall only
	Polls   bool          // EDTs poll, and keep their workers for a whole run: no stall is reported unless Stall is set

	stalled sync.Once
}

// options returns the options for the inspection of a run.
func (x *Inspection) options() []runtime.Option {
	if x == nil {
		return nil
	}
	var watch runtime.Watch
	if !x.Polls {
		watch = runtime.DefaultWatch
	}
	if x.Stall > 0 {
		watch = runtime.Watch{Still: x.Stall}
	}
	watch.Report = func(s runtime.Stall) {
		if s.Asked || x.Stall > 0 {
			x.Console.Say("%s", s.Long())
		} else {
			x.stalled.Do(func() { x.Console.Say("%s", s.String()) })
		}
	}
	return []runtime.Option{runtime.Watchdog(watch)}
}
