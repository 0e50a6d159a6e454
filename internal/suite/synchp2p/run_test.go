package synchp2p

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	app "ocr/apps/synchp2p"
	"ocr/apps/trial"
	"ocr/internal/bench"
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
		{[]Form{EDT, Serial, Goroutines}, Sticky, Again, "[{edt again} {serial } {goroutines }]"},
		{[]Form{EDT, Serial}, Channel, New, "[{edt-channel new} {serial }]"},
		{[]Form{Serial, EDT}, Both, Again, "[{serial } {edt again} {edt-channel again}]"},
		{[]Form{EDTChannel, EDT, EDT}, Both, Each, "[{edt-channel again} {edt-channel new} {edt again} {edt new}]"},
	} {
		if got := fmt.Sprint(Config{Forms: c.forms, Events: c.events, Clone: c.clone}.sides()); got != c.want {
			t.Errorf("forms %v with events %s, clone %s = %s, want %s", c.forms, c.events, c.clone, got, c.want)
		}
	}
}
