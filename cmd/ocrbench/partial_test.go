package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ocr/edt"
	"ocr/internal/harness"
	"ocr/internal/suite/metg"
)

// kept is what a document in JSON says of a run that failed.
type kept struct {
	Partial bool
	Results []struct{ Name string }
}

func readKept(t *testing.T, out *bytes.Buffer) (w kept) {
	t.Helper()
	if err := json.Unmarshal(out.Bytes(), &w); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return w
}

// TestOverheadKeepsRowsBeforeAFailure holds that a row that fails takes neither those
// before it along, nor leaves anything of its own.
func TestOverheadKeepsRowsBeforeAFailure(t *testing.T) {
	var out bytes.Buffer
	s := flagsTo(&out)
	f := new(overheadFlags)
	s.cmd = f.command(s.session)
	s.sampling = harness.Sampling{Samples: 2, SampleTime: 50 * time.Microsecond, Seed: 1}
	s.workers, f.workers, s.format, s.quiet = 1, []int{1}, "json", true
	bed, to := prepared(t, s)
	rows, err := f.chosen(s.cmd, []string{"empty-loop", "chain/plain"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.resolve(s, bed, to, rows)
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	r.bench.Miscount = func(c *edt.Counters) {
		if runs++; runs == 4 { // the second sample of the second row
			c.EDTCreated++
		}
	}
	if err := r.measure(t.Context()); err == nil || !strings.Contains(err.Error(), "chain/plain: wrong result: edt.created: got ") {
		t.Errorf("error %v", err)
	}
	d := readKept(t, &out)
	if !d.Partial || len(d.Results) == 0 {
		t.Fatalf("partial %v, results %v", d.Partial, d.Results)
	}
	for _, result := range d.Results {
		if !strings.HasPrefix(result.Name, "overhead/empty-loop/") {
			t.Errorf("%s is written", result.Name)
		}
	}
}

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

// prepared resolves common flags.
func prepared(t *testing.T, f *commonFlags) (*harness.Testbed, *harness.Output) {
	t.Helper()
	bed, out, err := f.prepare()
	if err != nil {
		t.Fatal(err)
	}
	return bed, out
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
	for _, name := range []string{metg.Name, overheadName} {
		for args, given := range map[string]string{
			"--trace x.json": "--trace x.json", "--dot=x.dot": "--dot x.dot", "--stats": "--stats true", "--trace-events 3": "--trace-events 3",
		} {
			wantUsage(t, noEnv, append([]string{name}, strings.Fields(args)...), given+": "+name+" has no such flag: use ocrbench taskbench for one graph")
		}
	}
}
