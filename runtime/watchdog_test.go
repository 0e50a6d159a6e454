package runtime

import (
	"strings"
	"testing"
	"time"

	"ocr/edt"
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
	for early := true; early; { // on a busy machine the first report may come before the holder begins
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

// TestStallsAreCounted: a run is reported once if no EDT has begun for so long. A time in which the process was stopped
// counts as one interval.
func TestStallsAreCounted(t *testing.T) {
	const still = 8 * time.Hour
	stalls := 0
	var m *monitor
	mustRun(t, starting(func(c *edt.Ctx) {
		looking := make(chan bool)
		go func() {
			defer close(looking)
			m.mu.Lock()
			defer m.mu.Unlock()
			m.every = still / checksPerStall
			for k := range 3 * checksPerStall {
				if k == 3 {
					m.workers[0].began-- // as if another EDT had begun
				}
				m.looked = time.Now().Add(-m.every)
				if k%2 == 1 {
					m.looked = m.looked.Add(-3 * still) // as if the process was stopped
				}
				m.check()
				testrun.Equal(t, k >= 3+checksPerStall, stalls == 1, "reported by check %d", k)
			}
		}()
		<-looking
	}), Workers(1), Watchdog(Watch{Still: still, Report: func(s Stall) {
		stalls++
		testrun.Equal(t, still, s.For.Round(time.Minute))
	}}), prepared(func(p *pool) {
		for each := range monitors.all {
			if each.pool == p {
				m = each
			}
		}
	}))
}

// Only the first stall of a run is written to standard error.
func TestOneStallIsWritten(t *testing.T) {
	n := noticed(t)
	report := Watch{}.reporter()
	for range 3 {
		report(Stall{For: time.Second, Snapshot: &edt.Snapshot{}})
	}
	testrun.Contains(t, <-n, "no EDT has begun for 1s")
	testrun.Equal(t, 0, len(n), "more stalls that are written")
}
