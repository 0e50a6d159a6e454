package overhead

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newBed returns a testbed for short samples.
func newBed(t *testing.T, workers int) *testbed.Bed {
	sampling := testbed.Sampling{Samples: 2, SampleTime: 50 * time.Microsecond, Seed: 1, Verify: true}
	return suitetest.Bed(t, workers, sampling)
}

func configOf(t *testing.T, patterns ...string) Config {
	t.Helper()
	rows, err := Select(patterns)
	testrun.OK(t, err)
	return Config{Rows: rows, Workers: []int{1}}
}

// TestInterrupted holds that what was measured of the rows so far is kept, and that rows
// to come are not.
func TestInterrupted(t *testing.T) {
	bed := newBed(t, 1)
	bed.Samples = 1_000_000
	ctx, cancel := context.WithCancelCause(t.Context())
	bed.Hear = func(p bench.Progress) {
		if !p.Warmup && p.Done == 2 {
			cancel(testbed.ErrInterrupted)
		}
	}
	d, err := Run(ctx, bed, configOf(t, "empty-loop", "chain", "fan-in/n=2"))
	if !errors.Is(err, testbed.ErrInterrupted) || !d.Partial || len(d.Results) == 0 {
		t.Fatalf("error %v, partial %v, %d results", err, d.Partial, len(d.Results))
	}
	for _, r := range d.Results {
		if !strings.HasPrefix(r.Name, "overhead/empty-loop/") || len(r.Metrics[0].Samples) == 0 {
			t.Errorf("result %s of %v", r.Name, r.Metrics)
		}
	}
}

// TestConditions holds that conditions are of the processors of all workers, whichever number of them comes last.
func TestConditions(t *testing.T) {
	bed, cfg := newBed(t, 1), configOf(t, "empty-loop")
	if len(bed.Machine.Allowed) < 2 {
		t.Skip("one processor")
	}
	cfg.Workers = []int{2, 1}
	if _, err := Run(t.Context(), bed, cfg); err != nil {
		t.Fatal(err)
	}
	testrun.Equal(t, 2, bed.Conditions().Processors, "processors of the conditions")
}

// TestRowsBeforeAFailureAreKept holds that a wrong count ends the measuring, that the row
// leaves nothing of its own, and that it takes none before it along.
func TestRowsBeforeAFailureAreKept(t *testing.T) {
	bed, cfg := newBed(t, 1), configOf(t, "empty-loop", "chain/plain")
	runs := 0
	cfg.miscount = func(c *edt.Counters) {
		if runs++; runs == 4 { // the second sample of the second row
			c.EDTCreated++
		}
	}
	d, err := Run(t.Context(), bed, cfg)
	const want = "overhead/chain/plain/workers=1: chain/plain: wrong result: edt.created: got "
	testrun.Fails(t, err, want)
	if !d.Partial || len(d.Results) == 0 {
		t.Fatalf("partial %v, results %v", d.Partial, d.Results)
	}
	for _, result := range d.Results {
		if !strings.HasPrefix(result.Name, "overhead/empty-loop/") {
			t.Errorf("%s is in the document", result.Name)
		}
	}
}

// TestNoVerify holds that a wrong count is not looked for without verification.
func TestNoVerify(t *testing.T) {
	bed, cfg := newBed(t, 1), configOf(t, "chain/plain")
	bed.Verify = false
	cfg.miscount = func(c *edt.Counters) { c.EDTCreated++ }
	if d, err := Run(t.Context(), bed, cfg); err != nil || d.Verified || len(d.Results) == 0 {
		t.Errorf("error %v, document %+v", err, d)
	}
}

// TestOverheadOnOneProcessor holds that a note names each row that needs more workers than there are.
func TestOverheadOnOneProcessor(t *testing.T) {
	r, err := layOut(newBed(t, 1), Config{Rows: Rows()})
	testrun.OK(t, err)
	for _, row := range r.cfg.Rows {
		noted := slices.Contains(r.Notes, "left out: "+row.Name+": needs 2 workers")
		testrun.Equal(t, row.MinWorkers > 1, noted, "%s: noted, with %d workers needed", row.Name, row.MinWorkers)
	}
}
