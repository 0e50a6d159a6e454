package main

import (
	"context"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/internal/command"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

// TestTraceOfAnInterruptedRun: the files and figures are of what ran.
func TestTraceOfAnInterruptedRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancelCause(t.Context())
	interruptWatched = func() { cancel(testbed.ErrInterrupted) }
	code, out, errs := call(ctx, noEnv, strings.Fields("test_watched_endless --workers 2 --trace trace "+
		"--trace-events 1000 "+
		"--dot dot --dot-limit 50 --stats")...)
	if code != command.ExitInterrupted || !strings.HasSuffix(errs, "ocrbench: interrupted\n") {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
	testrun.Contains(t, errs, "ocrbench: warning: trace: the oldest ", "ocrbench: warning: drawing: the first 50 of ")
	testrun.Contains(t, out, "observed until it was interrupted", "partial")
	testrun.Contains(t, testrun.Read(t, "dot"), "the first 50 of ")
	trace := testrun.Read(t, "trace")
	testrun.Contains(t, trace, `: interrupted [ECANCELED]","edts":`)
	if n := strings.Count(trace, `"cat":"edt"`); n < 100 {
		t.Errorf("%d slices of EDTs", n)
	}
}

// TestSamplesAreNotObserved holds that runs are observed beside those that are measured.
func TestSamplesAreNotObserved(t *testing.T) {
	for flags, observed := range map[string]int{"--stats": 2, "": 0} {
		watchedRuns.all, watchedRuns.observed = 0, 0
		code, _, errs := call(t.Context(), noEnv, strings.Fields("test_watched --samples 3 --sample-time 1us --warmup 1 "+
			flags)...)
		if code != command.ExitOK || watchedRuns.all != 3+1+observed || watchedRuns.observed != observed {
			t.Errorf("%s: exit code %d, %s; %+v", flags, code, errs, watchedRuns)
		}
	}
}
