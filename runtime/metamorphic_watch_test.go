package runtime

import (
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
)

// sized is how much a test does: now, nightly, and, as shortened says, in short mode and
// under the race detector.
func sized(now, atNight int) int {
	if testrun.Nightly() {
		return atNight
	}
	return shortened(now)
}

var hangAfter = flag.Duration("hang", 2*time.Minute, "after how long without progress a stress test counts as hanging")

// A hangGuard ends the process, with the stacks of all goroutines, if one run takes
// so long that it must hang. what names the run, so that it can be repeated.
type hangGuard struct{ timer *time.Timer }

func watch(t testing.TB, what func() string) *hangGuard {
	w := &hangGuard{time.AfterFunc(*hangAfter, func() {
		fmt.Fprintf(os.Stderr, "%s hangs: %s\n", t.Name(), what())
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
		os.Exit(2)
	})}
	t.Cleanup(func() { w.timer.Stop() })
	return w
}

// progress says that a run has ended.
func (w *hangGuard) progress() { w.timer.Reset(*hangAfter) }
