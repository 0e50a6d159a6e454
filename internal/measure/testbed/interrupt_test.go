package testbed

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ocr/internal/proof/testrun"
)

// TestSignals: the first signal ends the run, the second the process, unless it arrives together with the first: shells
// send signals to a process and to its group. A run that does not end is reported once.
func TestSignals(t *testing.T) {
	const waiting = "ocrbench: interrupted: waiting for running EDTs; again to stop at once, without results\n"
	for _, c := range []struct {
		name  string
		after []time.Duration // of each signal, after the one before
		want  string
	}{
		{"one", []time.Duration{0}, "cancelled "},
		{"doubled", []time.Duration{0, sameSignal / 3, sameSignal / 3}, "cancelled "},
		{"two", []time.Duration{0, sameSignal}, "cancelled exited "},
		{"long", []time.Duration{0, longEDT + time.Second}, "cancelled " + waiting + "exited "},
	} {
		synctest.Test(t, func(t *testing.T) {
			var said strings.Builder
			signals, ended := make(chan os.Signal), make(chan struct{})
			go hear(signals, ended, NewConsole("ocrbench", &said),
				func() { said.WriteString("cancelled ") }, func() { said.WriteString("exited ") })
			for _, d := range c.after {
				time.Sleep(d)
				signals <- os.Interrupt
			}
			synctest.Wait()
			testrun.Equal(t, c.want, said.String(), "%s", c.name)
			close(ended)
		})
	}
}
