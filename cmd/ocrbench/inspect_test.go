package main

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/internal/command"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// lockedBuffer is a standard error that more than one goroutine may write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// held runs test_held. One EDT of it keeps its worker until the function returns true for the text on standard error.
func held(t *testing.T, until func(errs string) bool, args ...string) (errs string) {
	t.Helper()
	var stderr lockedBuffer
	heldLongEnough = func() bool { return until(stderr.String()) }
	args = append([]string{"ocrbench", "test_held", "--workers", "2"}, args...)
	code := command.New(apps, args, io.Discard, &stderr).Run(t.Context())
	testrun.Equal(t, command.ExitOK, code, "exit code: %s", stderr.String())
	return stderr.String()
}

// TestWatchdog: with --watchdog a stall is reported on standard error, with the worker, the EDT and its line.
func TestWatchdog(t *testing.T) {
	defer goleak.VerifyNone(t)
	reported := func(errs string) bool { return strings.Contains(errs, " of template holder, ") }
	errs := held(t, reported, "--watchdog", "100ms")
	testrun.Contains(t, errs, "ocrbench: no EDT has begun for ", "worker ", " runs EDT ",
		" of template holder, for at least ", "testapps_test.go:")
}

// TestFirstStall: without --watchdog only the first stall of all runs is reported, in short.
func TestFirstStall(t *testing.T) {
	before := runtime.DefaultWatch
	runtime.DefaultWatch = runtime.Watch{Still: 10 * time.Millisecond}
	defer func() { runtime.DefaultWatch = before }()
	errs := held(t, func(errs string) bool { return strings.Contains(errs, "no EDT has begun for ") })
	testrun.Equal(t, 1, strings.Count(errs, "ocrbench: no EDT has begun for "),
		"reports of the stall in %s", errs)
}
