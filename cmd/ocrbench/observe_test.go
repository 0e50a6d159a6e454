package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/internal/command"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
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
