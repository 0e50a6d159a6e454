// Package testrun says how much the tests of this module do, compares what they get, and names the run of a test that
// hangs.
package testrun

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"testing"
	"time"
)

// Nightly reports whether tests are to do as much as they are meant to, not what fits into a
// few seconds: OCR_NIGHTLY=1, which .ci/full sets.
func Nightly() bool { return os.Getenv("OCR_NIGHTLY") == "1" }

// Race reports whether the race detector watches.
func Race() bool { return built("-race", "true") }

// Cgo reports whether the program may have the C library in it.
func Cgo() bool { return built("CGO_ENABLED", "1") }

func built(key, value string) bool {
	build, _ := debug.ReadBuildInfo()
	return slices.Contains(build.Settings, debug.BuildSetting{Key: key, Value: value})
}

// Sized returns how much a test does: in short mode, usually, and nightly.
func Sized[T any](short, usual, night T) T {
	switch {
	case Nightly():
		return night
	case testing.Short():
		return short
	}
	return usual
}

// HangAfter returns how long a run of a test may go on without an EDT that begins before it
// counts as hanging. That is no bound for a test: on a slow machine EDTs begin rarely, not
// never. Nightly some EDTs do as much as takes minutes.
func HangAfter() time.Duration {
	if Nightly() {
		return 10 * time.Minute
	}
	return time.Minute
}

// Hangs ends the process for a test with a run in which no EDT has begun for long. It
// writes the name of the test, what the watchdog says, and the stacks of all goroutines.
func Hangs(t testing.TB, stall fmt.Stringer) {
	fmt.Fprintf(os.Stderr, "%s hangs: %v\n", t.Name(), stall)
	_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
	os.Exit(2)
}
