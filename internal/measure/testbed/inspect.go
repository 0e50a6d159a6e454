package testbed

import (
	"sync"
	"time"

	"ocr/runtime"
)

// Watchdog returns the option of runs that report on the console what they do: when the user asks by SIGQUIT, and when
// no EDT begins for a given time. If this time is 0, only the first stall of the default time is reported, in short. If
// it is 0 and EDTs poll, no stall is reported, as such EDTs keep their workers for a whole run.
func Watchdog(c *Console, still time.Duration, polls bool) runtime.Option {
	watch := runtime.DefaultWatch
	if still > 0 || polls {
		watch = runtime.Watch{Still: still}
	}
	var stalled sync.Once
	watch.Report = func(s runtime.Stall) {
		if s.Asked || still > 0 {
			c.Say("%s", s.Long())
		} else {
			stalled.Do(func() { c.Say("%s", s.String()) })
		}
	}
	return runtime.Watchdog(watch)
}
