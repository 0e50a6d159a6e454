package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/internal/command"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// TestTraceOfAnInterruptedRun: the files and figures show the part that ran.
func TestTraceOfAnInterruptedRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancelCause(t.Context())
	interruptWatched = func() { cancel(testbed.ErrInterrupted) }
	code, out, errs := call(ctx, strings.Fields("test_watched_endless --workers 2 --trace trace "+
		"--graph dot --stats")...)
	if code != command.ExitInterrupted || !strings.HasSuffix(errs, "ocrbench: interrupted\n") {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
	testrun.Contains(t, errs, "ocrbench: warning: drawing: the first 2000 of ")
	testrun.Contains(t, out, "observed until it was interrupted", "partial")
	testrun.Contains(t, testrun.Read(t, "dot"), "the first 2000 of ")
	trace := testrun.Read(t, "trace")
	testrun.Contains(t, trace, `: interrupted [ECANCELED]"`)
	if n := strings.Count(trace, `"cat":"edt"`); n < 100 {
		t.Errorf("%d slices of EDTs", n)
	}
}

// TestGraphviz: dot draws a graph whose file ends in .svg. If there is no dot, a run with such a file does not begin.
func TestGraphviz(t *testing.T) {
	defer goleak.VerifyNone(t)
	const absent = "needs dot: install Graphviz, or name a file that does not end in .svg\n"
	for _, x := range []struct {
		name, dot, file string // dot is the body of a script, "" for none
		code            int
		errs, text      string
	}{
		{"no dot", "", "a.svg", command.ExitUsage, "ocrbench: --graph a.svg: " + absent, ""},
		{"no dot, capitals", "", "dir.dot/B.SVG", command.ExitUsage, "ocrbench: --graph dir.dot/B.SVG: " + absent, ""},
		{"no dot needed", "", "svg", command.ExitOK, "", "digraph tasks {"},
		{"no dot called", "exit 9", "a.svg.dot", command.ExitOK, "", "digraph tasks {"},
		{"drawn", `echo "<svg $*>"; exec /bin/cat`, "c.svg", command.ExitOK, "", "<svg -Tsvg>\ndigraph tasks {"},
		{"failed", "echo no font >&2; exit 3", "d.svg", command.ExitFailed,
			"ocrbench: d.svg: dot: exit status 3: no font\n", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv("PATH", t.TempDir())
			if x.dot != "" {
				script := []byte("#!/bin/sh\n" + x.dot + "\n")
				testrun.OK(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), "dot"), script, 0o755))
			}
			testrun.OK(t, os.Mkdir("dir.dot", 0o755))
			code, out, errs := call(t.Context(), "hello", "Ada", "--graph", x.file)
			if code != x.code || errs != x.errs || (out == "") != (code == command.ExitUsage) {
				t.Errorf("exit code %d, %q, %q", code, out, errs)
			}
			if text, err := os.ReadFile(x.file); !strings.HasPrefix(string(text), x.text) || (err != nil) != (x.text == "") {
				t.Errorf("the file: %v, %.100q", err, text)
			}
		})
	}
}

// TestSamplesAreNotObserved: the observed runs are additional to the measured ones.
func TestSamplesAreNotObserved(t *testing.T) {
	for flags, observed := range map[string]int{"--stats": 2, "": 0} {
		watchedRuns.all, watchedRuns.observed = 0, 0
		code, _, errs := call(t.Context(), strings.Fields("test_watched --samples 3 --sample-time 1us --warmup 1 "+
			flags)...)
		if code != command.ExitOK || watchedRuns.all != 3+1+observed || watchedRuns.observed != observed {
			t.Errorf("%s: exit code %d, %s; %+v", flags, code, errs, watchedRuns)
		}
	}
}

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
