package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"ocr/internal/command"
	"ocr/internal/suite/metg"
	"ocr/internal/suite/overhead"
	"ocr/internal/testbed"
)

// TestTaskbenchTotalsAreInterrupted holds that adding up 4*10^10 tasks ends with the run.
func TestTaskbenchTotalsAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(testbed.ErrInterrupted) })
	var out, errs bytes.Buffer
	code := ocrbench().NewSession(strings.Fields("ocrbench taskbench -steps 10000000000 -width 4 -kernel load_imbalance --workers 1 --quiet"),
		command.IO{Out: &out, Err: &errs}, noEnv).Run(ctx)
	if code != command.ExitInterrupted || errs.String() != "ocrbench: interrupted\n" || !strings.Contains(out.String(), "# no run was completed") {
		t.Errorf("exit code %d, errors %q, output:\n%s", code, &errs, &out)
	}
}

// TestNotObserved holds that commands without a graph of their own say who has one.
func TestNotObserved(t *testing.T) {
	for _, name := range []string{metg.Name, overhead.Name} {
		for args, given := range map[string]string{
			"--trace x.json": "--trace x.json", "--dot=x.dot": "--dot x.dot", "--stats": "--stats true", "--trace-events 3": "--trace-events 3",
		} {
			wantUsage(t, noEnv, append([]string{name}, strings.Fields(args)...), given+": "+name+" has no such flag: use ocrbench taskbench for one graph")
		}
	}
}
