package overhead

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/peers"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newBed returns a testbed for short samples.
func newBed(t *testing.T) *testbed.Bed {
	return suitetest.Bed(t, 1, bench.Plan{Samples: 2, SampleTime: 50 * time.Microsecond, Seed: 1})
}

func configOf(t *testing.T, patterns ...string) Config {
	t.Helper()
	rows, unknown := Select(patterns)
	testrun.Equal(t, "", unknown, "no row is called")
	return Config{Rows: rows, Workers: []int{1}}
}

// TestInterrupted: the results of the rows so far are kept, and there are none of later rows.
func TestInterrupted(t *testing.T) {
	bed := newBed(t)
	bed.Samples = 1_000_000
	ctx, cancel := context.WithCancelCause(t.Context())
	bed.Hear = func(p bench.Progress) {
		if !p.Warmup && p.Done == 2 {
			cancel(testbed.ErrInterrupted)
		}
	}
	d, err := Run(ctx, bed, configOf(t, "empty-loop", "chain"))
	if !errors.Is(err, testbed.ErrInterrupted) || !d.Partial || len(d.Results) == 0 {
		t.Fatalf("error %v, partial %v, %d results", err, d.Partial, len(d.Results))
	}
	for _, r := range d.Results {
		if !strings.HasPrefix(r.Name, "overhead/empty-loop/") || len(r.Metrics[0].Samples) == 0 {
			t.Errorf("result %s of %v", r.Name, r.Metrics)
		}
	}
}

// TestConditions: the conditions are those of the processors of all workers, in any order of the numbers of workers.
func TestConditions(t *testing.T) {
	bed, cfg := newBed(t), configOf(t, "empty-loop")
	if len(bed.Machine.Allowed) < 2 {
		t.Skip("one processor")
	}
	cfg.Workers, bed.SampleTime = []int{2, 1}, 50*time.Millisecond // long enough for the system's clock
	d, err := Run(t.Context(), bed, cfg)
	testrun.OK(t, err)
	testrun.Equal(t, 2, d.Conditions.Processors, "processors of the conditions")
}

// TestRowsBeforeAFailureAreKept: a wrong result ends the measurement; the row has no results, and the rows before keep
// theirs.
func TestRowsBeforeAFailureAreKept(t *testing.T) {
	cfg, asked := configOf(t, "empty-loop", "chain/plain"), 0
	cfg.Rows[1].Forms = append(cfg.Rows[1].Forms, Form{Name: "other", Library: peers.TBB,
		Once: func(context.Context, *Bench) (Sample, error) {
			t.Error("a program was asked without --peers")
			return Sample{}, nil
		}})
	cfg.Rows[1].Forms = append(cfg.Rows[1].Forms, whole("late", 3, func(n int) int {
		if asked++; asked > 4 { // the second sample
			return n - 1
		}
		return n
	}))
	d, err := Run(t.Context(), newBed(t), cfg)
	testrun.Fails(t, err, "chain/plain, late: wrong result: operations that were not done", "error")
	if len(d.Results) != 1 || !d.Partial || !strings.HasPrefix(d.Results[0].Name, "overhead/empty-loop/") {
		t.Errorf("partial %v, results %v", d.Partial, d.Results)
	}
}

// withOthers runs rows with a stand-in for a program of another runtime.
func withOthers(t *testing.T, standIn func() (Sample, error)) (notes, results string, err error) {
	t.Helper()
	cfg := configOf(t, "chain")
	cfg.Others = true
	for _, r := range cfg.Rows {
		r.Forms = slices.DeleteFunc(r.Forms, func(f Form) bool { return f.Library != nil })
		r.Forms = append(r.Forms, Form{Name: "stand-in", Library: peers.TBB,
			Once: func(context.Context, *Bench) (Sample, error) { return standIn() }})
	}
	d, err := Run(t.Context(), newBed(t), cfg)
	for _, r := range d.Results {
		results += r.Name + " "
	}
	return strings.Join(d.Notes(), "\n"), results, err
}

// TestOthersThatAreNotThere: a program that cannot be compiled or does not run is noted, and left out.
func TestOthersThatAreNotThere(t *testing.T) {
	for want, failed := range map[string]error{
		"left out: oneTBB: no g++ on PATH (needs Debian's packages g++, libtbb-dev)": &peers.Missing{
			Library: peers.TBB, Err: errors.New("no g++ on PATH")},
		"stand-in beside chain/event, workers=1: no more samples: unexpected EOF": io.ErrUnexpectedEOF,
	} {
		notes, results, err := withOthers(t, func() (Sample, error) { return Sample{}, failed })
		if err != nil || strings.Count(notes, want) != 1 ||
			strings.Count(results, " ") != 4 || strings.Contains(results, "stand-in") {
			t.Errorf("%v: error %v, results %v, notes:\n%s", failed, err, results, notes)
		}
	}
}

// TestOthersThatAreWrong: a wrong answer ends the run as a wrong result of ours does, at any time.
func TestOthersThatAreWrong(t *testing.T) {
	for _, good := range []int{0, 1} {
		asked := 0
		_, results, err := withOthers(t, func() (Sample, error) {
			if asked++; asked > good {
				return Sample{}, trial.Wrong("stand-in", "checksum", 1, 2)
			}
			return Sample{Ops: 1, Elapsed: 1}, nil
		})
		if wrong := new(trial.VerifyError); !errors.As(err, &wrong) || wrong.Where != "checksum" || results != "" {
			t.Errorf("after %d good samples: error %v, results %v", good, err, results)
		}
	}
}

// TestText: each row is followed by its other forms, with the ratio of their times to the row's.
func TestText(t *testing.T) {
	series := func(ns ...float64) bench.Series {
		return bench.Series{Metrics: bench.Metrics{{Unit: "ns/op", Samples: ns}}, Runs: []int{1, 1}}
	}
	row, own := &Row{Section: "s", Name: "a/b"}, series(10, 20)
	got := text([]result{
		{row: row, form: Form{Does: "task makes next"}, workers: 1, series: own, own: &own},
		{row: row, form: Form{Name: "tbb", Does: "built each time"}, workers: 1, series: series(30, 80), own: &own},
	})
	var b bytes.Buffer
	got.Sections[0].Table.Write(&b, 0)
	testrun.Same(t, strings.Join([]string{
		"row    kind             workers  ns/op  times ours   95 % interval  n",
		"a/b    task makes next        1  15.00           -  10.00 .. 20.00  2",
		"  tbb  built each time        1  55.00       3.500  30.00 .. 80.00  2", ""}, "\n"), b.String(), "table")
}
