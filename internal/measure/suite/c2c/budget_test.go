package c2c

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	app "ocr/apps/c2c"
	"ocr/internal/proof/testrun"
)

// A fakeClock stands still until a trial moves it.
type fakeClock int64

func newClock(t *testing.T) *fakeClock {
	c, before := new(fakeClock), now
	now = func() int64 { return int64(*c) }
	t.Cleanup(func() { now = before })
	return c
}

// side returns a side whose trials take so long each, of a row that may take limit.
func (c *fakeClock) side(form app.Form, limit, each time.Duration) *row {
	x := rowOf(form, 100)
	once := x.once
	x.once = func(ctx context.Context, cfg app.Config) (app.Result, error) {
		*c += fakeClock(each)
		return once(ctx, cfg)
	}
	x.limit = limit
	return x
}

// TestMaxTime: a row whose trials have taken --max-time takes no more, the three that are dropped included, and a note
// says so. One trial is kept in any case, and rows that are quick have all of theirs.
func TestMaxTime(t *testing.T) {
	const asked = 40
	r := testRun(single(), asked, zeroOne)
	r.MaxTime = 10 * time.Second
	clock := newClock(t)
	quick := clock.side(app.Polled, r.MaxTime, time.Millisecond)
	long := clock.side(app.Goroutines, r.MaxTime, time.Second)
	longer := clock.side(app.EDT, r.MaxTime, 100*time.Second)
	testrun.OK(t, r.measured(t, quick, long, longer))
	for k, want := range []int{asked, 7, 1} {
		testrun.Same(t, want, r.rows[k].kept, "%s", r.rows[k].name())
	}
	result, err := r.end(nil)
	testrun.OK(t, err)
	const note = "fewer trials than asked for, since they reached --max-time 10s: " +
		"single/goroutines/width=8/layout=same/cpus=0,1, single/edt/width=8/layout=same/cpus=0,1"
	testrun.Contains(t, strings.Join(result.Warnings, "\n"), note)
}

// TestPeerThatFails: the row of a peer that fails ends there, with a note, and the others go on.
func TestPeerThatFails(t *testing.T) {
	late := fmt.Errorf("%w: the C program: not finished within 10 s", app.ErrNothing)
	for _, tt := range []struct {
		form  app.Form
		after int // trials, three of which find the number of transfers
		kept  int
	}{{C, 0, 0}, {C, 2, 0}, {C, 8, 5}, {app.Goroutines, 8, 5}} {
		r := testRun(single(), 12, zeroOne)
		peer := rowOf(tt.form, 90)
		once, taken := peer.once, 0
		peer.once = func(ctx context.Context, cfg app.Config) (app.Result, error) {
			if taken++; taken > tt.after {
				return app.Result{}, late
			}
			return once(ctx, cfg)
		}
		if err := r.measured(t, rowOf(app.Polled, 100), peer, rowOf(app.EDT, 200)); err != nil {
			t.Errorf("%s fails after %d trials: %v", tt.form, tt.after, err)
			continue
		}
		kept := map[app.Form]int{}
		for _, row := range r.rows {
			kept[row.form] = row.kept
		}
		if kept[app.Polled] != 12 || kept[app.EDT] != 12 || kept[tt.form] != tt.kept {
			t.Errorf("%s fails after %d trials: kept %v", tt.form, tt.after, kept)
		}
		result, err := r.end(nil)
		testrun.OK(t, err)
		want := fmt.Sprintf("ended after %d of 12 trials: c2c/single/%s/width=8/layout=same/cpus=0,1: %v", tt.kept,
			tt.form, late)
		testrun.Contains(t, strings.Join(result.Warnings, "\n"), want)
	}
	// Wrong values end the run.
	r := testRun(single(), 12, zeroOne)
	cfg := app.Defaults()
	wrong := failing(rowOf(C, 90), cfg.WrongElements(1), func(n int) bool { return n == 5 })
	if err := r.measured(t, wrong); err == nil {
		t.Error("a C program with wrong values ended with a note")
	}
}
