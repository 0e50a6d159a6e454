package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"ocr/internal/harness"
	"ocr/internal/suite/metg"
	"ocr/internal/suite/overhead"
)

// TestTaskbenchTotalsAreInterrupted holds that adding up 4*10^10 tasks ends with the run.
func TestTaskbenchTotalsAreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(harness.ErrInterrupted) })
	var out, errs bytes.Buffer
	code := newSession(strings.Fields("ocrbench taskbench -steps 10000000000 -width 4 -kernel load_imbalance --workers 1 --quiet"),
		stdio{out: &out, err: &errs}, noEnv).run(ctx)
	if code != exitInterrupted || errs.String() != "ocrbench: interrupted\n" || !strings.Contains(out.String(), "# no run was completed") {
		t.Errorf("exit code %d, errors %q, output:\n%s", code, &errs, &out)
	}
}

// TestTraceFits holds that no more records are asked for than memory has room for.
func TestTraceFits(t *testing.T) {
	f := flagsTo(nil)
	f.line.Args = []string{"ocrbench", "--trace-events", "1000"}
	f.workerFlags()
	f.observeFlags()
	f.workers, f.trace, f.traceEvents = 4, "x", 1000
	for memory, fits := range map[uint64]bool{0: true, 128_000: true, 127_999: false, 1: false} {
		err := f.traceFits(memory)
		if (err == nil) != fits {
			t.Errorf("%d bytes: %v", memory, err)
		}
		if memory == 127_999 && (err == nil || err.Error() != "--trace-events 1000: records of 32 bytes for each of 4 workers do not fit into memory: must be a whole number in 1..999") {
			t.Errorf("error %v", err)
		}
	}
	if f.trace = ""; f.traceFits(1) != nil {
		t.Errorf("without a trace: %v", f.traceFits(1))
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
