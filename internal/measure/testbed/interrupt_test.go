package testbed

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ocr/internal/proof/testrun"
)

// TestSignals: the first signal ends the run; one after the message about a long run ends the process. A signal before
// the message counts as the first: shells send signals to a process and to its group.
func TestSignals(t *testing.T) {
	const waiting = "ocrbench: interrupted: waiting for running EDTs; again to stop at once, without results\n"
	for _, c := range []struct {
		name  string
		after []time.Duration // of each signal, after the one before
		want  string
	}{
		{"one", []time.Duration{0}, "cancelled "},
		{"doubled", []time.Duration{0, longEDT / 3, longEDT / 3}, "cancelled "},
		{"long", []time.Duration{0, longEDT / 3, longEDT}, "cancelled " + waiting + "exited "},
	} {
		synctest.Test(t, func(t *testing.T) {
			var said strings.Builder
			signals := make(chan os.Signal)
			go hear(signals, NewConsole("ocrbench", &said),
				func() { said.WriteString("cancelled ") }, func() { said.WriteString("exited ") })
			for _, d := range c.after {
				time.Sleep(d)
				signals <- os.Interrupt
			}
			synctest.Wait()
			testrun.Equal(t, c.want, said.String(), "%s", c.name)
			close(signals)
		})
	}
}
