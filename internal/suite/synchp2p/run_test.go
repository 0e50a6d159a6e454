package synchp2p

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	app "ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/bench"
	"ocr/internal/suite/suitetest"
	"ocr/internal/testbed"
)

// TestSynchSideFigures holds that figures are those of one run and timestep,
// however many runs a sample has.
func TestSynchSideFigures(t *testing.T) {
	cfg := app.Defaults() // 8 phases of 10 ranks, 50 columns, 25 rows
	side := measured("x", EDT, func(context.Context) (app.Result, error) {
		return app.Result{Config: cfg, Elapsed: time.Millisecond, TimedTimesteps: 100}, nil
	}, true, new(app.Result))
	if _, err := side.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []bench.Value{{Unit: "ns/edt", Value: 125}, {Unit: "us/timestep", Value: 10}, {Unit: "Mflop/s", Value: 235.2}}
	if diff := cmp.Diff(want, side.Figures(7*time.Millisecond, 7), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
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
		side := measured("x", EDT, func(context.Context) (app.Result, error) {
			return app.Result{Elapsed: time.Second}, c.err
		}, c.verify, new(app.Result))
		got := ""
		if _, err := side.Once(t.Context()); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("verify %v, %v: error %q, want %q", c.verify, c.err, got, c.want)
		}
	}
}

func TestFormLists(t *testing.T) {
	for _, c := range []struct {
		forms  []Form
		events Events
		clone  Clone
		want   string
	}{
		{Defaults().Forms, Sticky, "", "[edt edt-again serial goroutines]"},
		{Defaults().Forms, Sticky, New, "[edt serial goroutines]"},
		{Defaults().Forms, Sticky, Again, "[edt-again serial goroutines]"},
		{Defaults().Forms, Both, Each, "[edt edt-again edt-channel edt-channel-again serial goroutines]"},
		{Defaults().Forms, Channel, "", "[edt-channel edt-channel-again serial goroutines]"},
		{[]Form{EDT}, Sticky, "", "[edt]"},
		{[]Form{EDT}, Sticky, Each, "[edt edt-again]"},
		{[]Form{EDT, Serial}, Channel, New, "[edt-channel serial]"},
		{[]Form{Serial, EDTAgain}, Both, "", "[serial edt-again edt-channel-again]"},
		{[]Form{EDTChannel, EDT}, Both, Each, "[edt-channel edt-channel-again edt edt-again]"},
	} {
		if got := fmt.Sprint(Config{Forms: c.forms, Events: c.events, Clone: c.clone}.sides()); got != c.want {
			t.Errorf("forms %v with events %s, clone %s = %s, want %s", c.forms, c.events, c.clone, got, c.want)
		}
	}
}

// TestSeedsForm: the counters are those of the form whose EDTs clone themselves, and each form has a word of what it
// is.
func TestSeedsForm(t *testing.T) {
	cfg := Defaults()
	cfg.Forms = []Form{Serial, EDTAgain, EDT, EDTChannel}
	bed := suitetest.Bed(t, 1, testbed.Sampling{})
	e := experiment(bed, cfg)
	if want := cfg.resultName(EDT, bed.Pool); e.Observed != want {
		t.Errorf("observed is %s, want %s", e.Observed, want)
	}
	for _, form := range []Form{EDTAgain, EDT, EDTChannel} {
		if !slices.ContainsFunc(e.Notes, func(note string) bool { return strings.HasPrefix(note, string(form)+": ") }) {
			t.Errorf("no note says what %s is: %q", form, e.Notes)
		}
	}
}
