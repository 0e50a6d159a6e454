package synchp2p

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	app "ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// TestSynchSideFigures: figures are those of one run and timestep, for any number of runs in a sample.
func TestSynchSideFigures(t *testing.T) {
	cfg := app.Defaults() // 8 phases of 10 strips, 50 columns, 25 rows
	form := measured(app.EDT, true, func(context.Context, *runtime.Report) (app.Result, error) {
		return app.Result{Config: cfg, Elapsed: time.Millisecond, TimedTimesteps: 100}, nil
	}, new(app.Result))
	_, err := form.Once(t.Context())
	testrun.OK(t, err)
	want := []bench.Value{{Unit: "ns/edt", Value: 125}, {Unit: "us/timestep", Value: 10}, {Unit: "Mflop/s", Value: 235.2}}
	if diff := cmp.Diff(want, form.Figures(7*time.Millisecond, 7), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("figures of 7 runs of 1 ms (-want +got):\n%s", diff)
	}
}

// TestSynchSideChecks: a wrong result ends a measurement, with the expected and the actual value, unless checks are
// off; other errors always do.
func TestSynchSideChecks(t *testing.T) {
	wrong := trial.Wrong("synch_p2p", "after timestep 2: A(24,49)", 145, 146)
	for _, c := range []struct {
		err    error
		verify bool
		want   string
	}{
		{wrong, true, "synch_p2p: wrong result: after timestep 2: A(24,49): got 145, expected 146"},
		{wrong, false, ""},
		{trial.ErrIncomplete, false, trial.ErrIncomplete.Error()},
	} {
		form := measured(app.EDT, c.verify, func(context.Context, *runtime.Report) (app.Result, error) {
			return app.Result{Elapsed: time.Second}, c.err
		}, new(app.Result))
		got := ""
		if _, err := form.Once(t.Context()); err != nil {
			got = err.Error()
		}
		testrun.Same(t, c.want, got, "verify %v, %v: error", c.verify, c.err)
	}
}

// TestSeedsForm: the counters are of form edt, else of the first graph. A note says what each graph form is.
func TestSeedsForm(t *testing.T) {
	cfg := Defaults()
	cfg.Forms = []app.Form{Serial, app.EDTAgain, app.EDT}
	bed := suitetest.Bed(t, 1, bench.Plan{})
	testrun.Same(t, cfg.resultName(app.EDT, bed.Pool), experiment(bed, cfg, nil).Counted, "counters are of")
	notes := strings.Join(bed.Asides, "\n")
	testrun.Contains(t, notes, "edt-again: ", "edt: an EDT creates", "the counters are of this form")
	for want, forms := range map[app.Form][]app.Form{
		app.EDTAgain: {Serial, app.EDTAgain}, app.EDTRecorded: {app.EDTRecorded, app.EDTAgain},
	} {
		cfg.Forms = forms
		testrun.Same(t, cfg.resultName(want, bed.Pool), experiment(bed, cfg, nil).Counted, "of %v: counters are of", forms)
	}
}
