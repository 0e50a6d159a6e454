package runtime

import (
	"strings"
	"testing"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A notice is a writer that sends what is written to it.
type notice chan string

func (n notice) Write(p []byte) (int, error) {
	n <- string(p)
	return len(p), nil
}

// noticed replaces standard error for the runs of a test.
func noticed(t *testing.T) notice {
	n := make(notice, 10)
	before := stderr
	stderr = n
	t.Cleanup(func() { stderr = before })
	return n
}

// A run whose EDT keeps its worker reports it while the run is on.
func TestStallsAreWrittenToStandardError(t *testing.T) {
	n := noticed(t)
	for early := true; early; { // on a busy machine the first report is older than the begin of the holder
		mustRun(t, starting(func(c *edt.Ctx) {
			c.NewEDT(c.NewTemplate("holder", 0, 0, does(func(*edt.Ctx, edt.Args) {
				said := <-n
				if early = !strings.Contains(said, "of template holder"); !early {
					testrun.Contains(t, said, "runtime: no EDT has begun for ", "watchdog_test.go:",
						"(runtime.Watchdog changes or silences this message)\n")
				}
			})), nil)
		}), Workers(1), Watchdog(Watch{Still: time.Millisecond}))
	}
}

// A run that waits for an open external is reported, with the external, in each run of a pool, though the timers stay
// from one run to the next.
func TestOpenExternalIsReported(t *testing.T) {
	const open = "open from outside: event "
	stalls := make(chan string, 1)
	report := func(s Stall) {
		if text := s.String(); strings.Contains(text, open) { // else the external did not exist yet
			select {
			case stalls <- text:
			default:
			}
		}
	}
	p := newTestPoolThatStays(t, Workers(2), Watchdog(Watch{Still: time.Millisecond, Report: report}))
	for range 3 {
		for len(stalls) > 0 {
			<-stalls // of the run before
		}
		err := p.Run(t.Context(), starting(func(c *edt.Ctx) {
			_, x := c.NewExternal(1)
			go func() {
				defer x.Close()
				s := <-stalls
				testrun.Contains(t, s, "made at watchdog_test.go:", "satisfied from outside 0 of 1 times")
			}()
			nothing := c.NewTemplate("nothing", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
			c.NewEDT(nothing, nil) // its begin ends the first stall, so a second one is reported
		}))
		if err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Millisecond) // the timers find no run, and stop
	}
}

// TestStopIsNoStall: if more than an interval lies between two looks, it counts as one interval. So a stop of the
// process is no stall, but the times before and after it count.
func TestStopIsNoStall(t *testing.T) {
	const still, interval, stop = 8 * time.Hour, time.Hour, 100 * time.Hour
	for name, x := range map[string]struct {
		lasted, looked time.Duration // before now: the begin of the EDT, the last look
		want           bool
	}{
		"short":                        {5 * interval, interval, false},
		"long":                         {9 * interval, interval, true},
		"stopped":                      {stop, stop, false},
		"stopped late":                 {stop + 6*interval, stop, false},
		"stopped after it was long":    {stop + 8*interval, stop, true},
		"a look is a little late":      {9 * interval, interval * 3 / 2, true},
		"begun after the last look":    {0, stop, false},
		"stopped since the look, long": {stop + still, stop, true},
	} {
		stalls := 0
		watch := Watch{Still: still, Report: func(Stall) { stalls++ }}
		var p *pool
		mustRun(t, starting(func(*edt.Ctx) {
			looking := make(chan bool)
			go func() {
				defer close(looking)
				p.lookAt(x.lasted, x.looked)
			}()
			<-looking
		}), Workers(1), Watchdog(watch), prepared(func(q *pool) { p = q }))
		testrun.Equal(t, x.want, stalls == 1, "%s: reported", name)
	}
}

// lookAt makes the monitor look at a run as if each worker's EDT had begun that long ago, and the last look had been
// that long ago.
func (p *pool) lookAt(lasted, looked time.Duration) {
	for m := range monitors.all {
		if m.pool == p {
			m.mu.Lock()
			defer m.mu.Unlock()
			x, now := m.watching(), time.Now()
			x.note()
			for k := range x.workers {
				x.workers[k].since = now.Add(-lasted)
			}
			x.moved, x.looked = now.Add(-lasted), now.Add(-looked)
			x.look()
		}
	}
}

// Only the first stall of a run is written to standard error.
func TestOneStallIsWritten(t *testing.T) {
	var b strings.Builder
	report := firstTo(&b)
	for range 3 {
		report(Stall{For: time.Second, Snapshot: &edt.Snapshot{}})
	}
	testrun.Equal(t, 1, strings.Count(b.String(), "no EDT has begun for 1s"), "stalls in %s", b.String())
}
