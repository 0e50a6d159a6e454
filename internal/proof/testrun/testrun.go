// Package testrun says how much the tests of this module do, compares values, and names the test whose run hangs.
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

// Nightly reports whether tests should do their full amount, and not only what fits into a few seconds: if
// OCR_NIGHTLY=1, which .ci/full sets.
func Nightly() bool { return os.Getenv("OCR_NIGHTLY") == "1" }

// NeedsTools skips a test that calls the Go tool or another compiler, which takes seconds, unless OCR_TOOLS=1, which
// .ci/run and .ci/full set. With -short it always skips the test.
func NeedsTools(t testing.TB) {
	t.Helper()
	if testing.Short() || os.Getenv("OCR_TOOLS") != "1" {
		t.Skip("calls compilers, which takes seconds: with OCR_TOOLS=1")
	}
}

// Race reports whether the race detector is on.
func Race() bool {
	build, _ := debug.ReadBuildInfo()
	return slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// Sized returns how much a test does: night if [Nightly], else short with -short, else usual.
func Sized[T any](short, usual, night T) T {
	switch {
	case Nightly():
		return night
	case testing.Short():
		return short
	}
	return usual
}

// HangAfter returns the time after which a test's run in which no EDT begins counts as hanging. It is no bound for the
// test: on a slow machine EDTs begin seldom, not never. Nightly some EDTs take minutes.
func HangAfter() time.Duration {
	if Nightly() {
		return 10 * time.Minute
	}
	return time.Minute
}

// Hangs ends the process for a test whose run hangs. It writes the name of the test, the watchdog's report, and the
// stacks of all goroutines.
func Hangs(t testing.TB, stall fmt.Stringer) {
	fmt.Fprintf(os.Stderr, "%s hangs: %v\n", t.Name(), stall)
	_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
	os.Exit(2)
}
