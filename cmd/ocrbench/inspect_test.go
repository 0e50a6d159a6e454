package main

import (
	"bytes"
	"os"
	"path/filepath"
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

// TestWatchdog: a stall is reported on standard error and in a file, until it ends.
func TestWatchdog(t *testing.T) {
	defer goleak.VerifyNone(t)
	dump := filepath.Join(t.TempDir(), "dump")
	var out, errs lockedBuffer
	args := []string{"ocrbench", "test_held", "--workers", "2", "--watchdog", "100ms", "--dump", dump}
	heldLongEnough = func() bool {
		drawn, _ := os.ReadFile(dump)
		return strings.Contains(errs.String(), " of template holder, number ") &&
			strings.Contains(string(drawn), "test.waiting")
	}
	code := ocrbench().NewSession(args, command.IO{In: strings.NewReader(""), Out: &out, Err: &errs},
		noEnv).Run(t.Context())
	if code != command.ExitOK {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	testrun.Contains(t, errs.String(),
		"ocrbench: no EDT has begun for ", "worker 0: ", "worker 1: ", " of template holder, number ", "for at least ",
		"template test.waiting: 1 waiting, 0 acquiring, 0 ready, 0 running", "it is the output of EDT ",
		" of template holder, which runs")
	if drawn := testrun.Read(t, dump); !strings.HasPrefix(drawn, "no EDT has begun for ") ||
		!strings.Contains(drawn, "test.waiting") {
		t.Errorf("drawn: %s", drawn)
	}
}

// TestFirstStall: without --watchdog the first stall of all runs is reported, shortly.
func TestFirstStall(t *testing.T) {
	before := runtime.DefaultWatch
	runtime.DefaultWatch = runtime.Watch{Still: 10 * time.Millisecond}
	defer func() { runtime.DefaultWatch = before }()
	var out, errs lockedBuffer
	heldLongEnough = func() bool { return strings.Contains(errs.String(), " of template holder, number ") }
	code := ocrbench().NewSession([]string{"ocrbench", "test_held", "--workers", "2"},
		command.IO{In: strings.NewReader(""), Out: &out, Err: &errs}, noEnv).Run(t.Context())
	if code != command.ExitOK {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	if n := strings.Count(errs.String(), "ocrbench: no EDT has begun for "); n != 1 {
		t.Errorf("the stall was reported %d times in %s", n, errs.String())
	}
}
