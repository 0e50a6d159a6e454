package testbed

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
)

// TestProgress: a line each 10 seconds, none in a short run, and none if the console is quiet.
func TestProgress(t *testing.T) {
	const said = "ocrbench: x: sample 2 of 4, 10s, about 30s left\n"
	for _, c := range []struct {
		quiet bool
		takes time.Duration
		want  string
	}{
		{false, 9 * time.Second, ""},
		{false, 12 * time.Second, said + "ocrbench: warning: it is late\n"},
		{true, 12 * time.Second, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var w strings.Builder
			console := NewConsole("ocrbench", &w)
			console.Quiet = c.quiet
			testrun.OK(t, console.During(func() error {
				console.Tell(bench.Progress{Side: "x", Done: 1, Total: 4, Share: 0.25})
				time.Sleep(c.takes)
				if c.takes > progressInterval {
					console.Warn("it is late")
				}
				return nil
			}))
			testrun.Equal(t, c.want, w.String(), "progress of %v, quiet %v", c.takes, c.quiet)
		})
	}
}
