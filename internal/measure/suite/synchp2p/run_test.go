package synchp2p

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	app "ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/suite/suitetest"
	"ocr/internal/measure/testbed"
	"ocr/internal/proof/testrun"
)

// TestSynchSideFigures holds that figures are those of one run and timestep, however many runs a sample has.
func TestSynchSideFigures(t *testing.T) {
	cfg := app.Defaults() // 8 phases of 10 ranks, 50 columns, 25 rows
	form := measured(EDT, true, func(context.Context, testbed.RunOptions, *testbed.GraphRun) (app.Result, error) {
		return app.Result{Config: cfg, Elapsed: time.Millisecond, TimedTimesteps: 100}, nil
	}, new(app.Result))
	if _, err := form.Once(t.Context(), testbed.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	want := []bench.Value{{Unit: "ns/edt", Value: 125}, {Unit: "us/timestep", Value: 10}, {Unit: "Mflop/s", Value: 235.2}}
	if diff := cmp.Diff(want, form.Figures(7*time.Millisecond, 7), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("figures of 7 runs of 1 ms (-want +got):\n%s", diff)
	}
}

// TestSynchSideChecks holds that a wrong result ends a measurement, with what was
// expected and got, unless checks are off; other errors always do.
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
		form := measured(EDT, c.verify, func(context.Context, testbed.RunOptions, *testbed.GraphRun) (app.Result, error) {
			return app.Result{Elapsed: time.Second}, c.err
		}, new(app.Result))
		got := ""
		if _, err := form.Once(t.Context(), testbed.RunOptions{}); err != nil {
			got = err.Error()
		}
		testrun.Same(t, c.want, got, "verify %v, %v: error", c.verify, c.err)
	}
}

func TestFormLists(t *testing.T) {
	for _, c := range []struct {
		forms  []Form
		events Events
		clone  Clone
		want   string
	}{
		{Defaults().Forms, Sticky, "", "[edt edt-recorded serial goroutines]"},
		{Defaults().Forms, Sticky, New, "[edt serial goroutines]"},
		{Defaults().Forms, Sticky, Again, "[edt-again serial goroutines]"},
		{Defaults().Forms, Both, Each, "[edt edt-again edt-channel edt-channel-again serial goroutines]"},
		{Defaults().Forms, Channel, "", "[edt-channel serial goroutines]"},
		{[]Form{EDT}, Sticky, "", "[edt]"},
		{[]Form{EDT, EDTRecorded}, Sticky, "", "[edt edt-recorded]"},
		{[]Form{EDT}, Sticky, Each, "[edt edt-again]"},
		{[]Form{EDT, Serial}, Channel, New, "[edt-channel serial]"},
		{[]Form{Serial, EDTAgain}, Both, "", "[serial edt-again edt-channel-again]"},
		{[]Form{EDTChannel, EDT}, Both, Each, "[edt-channel edt-channel-again edt edt-again]"},
	} {
		testrun.Equal(t, c.want, fmt.Sprint(Config{Forms: c.forms, Events: c.events, Clone: c.clone}.sides()),
			"forms %v with events %s, clone %s", c.forms, c.events, c.clone)
	}
}

// TestSeedsForm: the counters are those of the form whose EDTs clone themselves, and a note says what each form is.
func TestSeedsForm(t *testing.T) {
	cfg := Defaults()
	cfg.Forms = []Form{Serial, EDTAgain, EDT, EDTChannel}
	bed := suitetest.Bed(t, 1, testbed.Sampling{})
	if e, want := experiment(bed, cfg), cfg.resultName(EDT, bed.Pool); e.Counted != want {
		t.Errorf("counters are of %s, want %s", e.Counted, want)
	}
	notes := strings.Join(bed.Document(testbed.About{}).Asides, "\n")
	testrun.Contains(t, notes, "edt-again: ", "edt: an EDT creates", "the counters are of this form", "edt-channel: ")
	for want, forms := range map[Form][]Form{
		EDTAgain: {Serial, EDTAgain, EDTChannelAgain}, EDTRecorded: {EDTRecorded, EDTAgain}, "": {Serial},
	} {
		cfg.Forms = forms
		testrun.Same(t, want, cfg.counted(), "of %v: counters are of", forms)
	}
}
