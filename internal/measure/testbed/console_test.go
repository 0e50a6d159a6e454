package testbed

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
)

func TestProgressLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w strings.Builder
		c := NewConsole("ocrbench", &w)
		stop := c.tick(2*time.Second, time.Hour, onTerminal(c))
		c.Tell(bench.Progress{Side: "synch_p2p/edt", Done: 3, Total: 10, Share: 0.25})
		time.Sleep(3 * time.Second)
		c.Warn("it is late")
		stop()
		testrun.Equal(t, clearLine+"synch_p2p/edt: sample 4 of 10, 2s, about 6s left"+clearLine+
			"ocrbench: warning: it is late\n", w.String(), "progress")
	})
}

// onTerminal shows progress as on a terminal.
func onTerminal(c *Console) func(line string) { return func(line string) { c.show(line, true) } }

// TestProgressWithoutATerminal: a line each 30 seconds.
func TestProgressWithoutATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w strings.Builder
		c := NewConsole("ocrbench", &w)
		c.Tell(bench.Progress{Side: "x", Done: 1, Total: 4})
		testrun.OK(t, c.During(func() error {
			time.Sleep(65 * time.Second)
			return nil
		}))
		testrun.Equal(t, "ocrbench: x: sample 2 of 4, 30s\nocrbench: x: sample 2 of 4, 1m0s\n", w.String(), "progress")
	})
}

func TestProgressIsSilentInShortRuns(t *testing.T) {
	defer goleak.VerifyNone(t)
	var w strings.Builder
	c := NewConsole("ocrbench", &w)
	stop := c.tick(time.Hour, time.Hour, onTerminal(c))
	c.Tell(bench.Progress{Side: "x", Total: 1})
	stop()
	if w.Len() > 0 {
		t.Errorf("progress = %q, want nothing", w.String())
	}
}

// TestProgressFits: a line is never longer than the width of the terminal, and keeps its end, which changes.
func TestProgressFits(t *testing.T) {
	c := NewConsole("ocrbench", &strings.Builder{})
	for n := range 200 {
		c.Tell(bench.Progress{Side: strings.Repeat("é", n) + "/end", Done: 3, Total: 10})
		line := c.line(time.Minute)
		if letters := len([]rune(line)); letters >= 80 || !strings.HasSuffix(line, ": sample 4 of 10, 1m0s") ||
			n > 0 && !strings.HasPrefix(line, "é") || n > 60 && !strings.Contains(line, "é...: ") {
			t.Fatalf("a line of %d letters: %q", letters, line)
		}
	}
}
