package edt_test

import (
	"errors"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// stuck runs a program that ends with EDTs waiting.
func stuck(t *testing.T, sites bool, main func(tr *trial, c *edt.Ctx) (want func(e *edt.StuckError))) {
	t.Helper()
	underSeeds(t, 4, func(tr *trial) edt.Func {
		tr.sites = sites
		var want func(e *edt.StuckError)
		tr.want = func(err error) {
			var e *edt.StuckError
			if !errors.As(err, &e) {
				tr.Errorf("run: %v, want a StuckError", err)
				return
			}
			if first, _, _ := strings.Cut(e.Error(), "\n"); first != fmt.Sprintf(
				"edt: stuck: %d EDT(s) wait and nothing can run", e.Count,
			) {
				tr.Errorf("first line %q", first)
			}
			if strings.HasSuffix(e.Error(), "TrackSites() adds the lines that created them") == (sites && e.Count > 0) {
				tr.Errorf("the advice to record sites does not fit: %v", e)
			}
			want(e)
		}
		return body(func(c *edt.Ctx, _ edt.Args) { want = main(tr, c) })
	})
}

// waits checks that exactly one EDT waits, for these slots.
func waits(tr *trial, task guid.GUID, template string, slots map[int]string) func(e *edt.StuckError) {
	return func(e *edt.StuckError) {
		if e.Count != 1 || len(e.Waiting) != 1 {
			tr.Errorf("%d EDTs wait, %d are shown", e.Count, len(e.Waiting))
			return
		}
		w := e.Waiting[0]
		if w.EDT != task || w.Template != template || len(w.Missing) != len(slots) {
			tr.Errorf("%v of %q misses %v, want %v of %q to miss %v", w.EDT, w.Template, w.Missing, task, template, slots)
		}
		for _, m := range w.Missing {
			testrun.Equal(tr, slots[m.Slot], m.Lacks, "slot %d", m.Slot)
			testrun.Contains(tr, e.Error(), fmt.Sprintf("slot %d: %s", m.Slot, guid.Shorten(m.Lacks)))
		}
		if !strings.Contains(e.Error(), "EDT "+task.Short()+" ") || !strings.Contains(e.Error(), template) {
			tr.Errorf("the message does not name the EDT: %v", e)
		}
	}
}

func TestStuckOnOpenSlots(t *testing.T) {
	for _, slots := range []int{3, 7} {
		stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
			task := open(c, slots, nothing)
			for k := 1; k < slots-1; k++ {
				c.AddDependence(guid.Null, task, k, datablock.RW)
			}
			return waits(tr, task, "open", map[int]string{0: "not connected", slots - 1: "not connected"})
		})
	}
}

// unsatisfied are events that an EDT may wait for, and what reports say of them: with the GUID.
var unsatisfied = []struct {
	name string
	make maker
	want string
}{
	{"once", eventOf(edt.Once), "once event %v, never satisfied"},
	{"idempotent", eventOf(edt.Idempotent), "idempotent event %v, never satisfied"},
	{"sticky", eventOf(edt.Sticky), "sticky event %v, never satisfied"},
	{"counted", countedFor(3), "counted event %v, never satisfied"},
	{"channel", channelOf(1), "channel event %v, no satisfaction for this dependence"},
	{"latch", then(latchAt(5), satisfy), "latch event %v, count 4"},
}

func TestStuckOnEvents(t *testing.T) {
	for _, tc := range unsatisfied {
		t.Run(tc.name, func(t *testing.T) {
			stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
				e := tc.make(c)
				task := launch(c, nothing, rw(guid.Null), rw(e))
				return waits(tr, task, "launched", map[int]string{1: fmt.Sprintf(tc.want, e)})
			})
			t.Run("destroyed", func(t *testing.T) {
				stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
					e := tc.make(c)
					task := launch(c, nothing, rw(e), rw(guid.Null))
					c.DestroyEvent(e)
					c.NewEvent(edt.Sticky) // in its place
					return waits(tr, task, "launched", map[int]string{0: fmt.Sprintf("event %v, destroyed before it triggered", e)})
				})
			})
		})
	}
}

func TestStuckReportSaysSites(t *testing.T) {
	stuck(t, true, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
		tmpl := c.NewTemplate("sited", 0, 1, body(nothing))
		_, file, line, _ := goruntime.Caller(0)
		e := c.NewEvent(edt.Sticky)
		task := c.NewEDT(tmpl, nil, rw(e))
		file = filepath.Base(file)
		return func(err *edt.StuckError) {
			waits(tr, task, "sited", map[int]string{
				0: fmt.Sprintf("sticky event %v, never satisfied, created at %s:%d by main", e, file, line+1),
			})(err)
			if want := fmt.Sprintf("%s:%d by main", file, line+2); err.Waiting[0].Site != want ||
				!strings.Contains(err.Error(), "created at "+want) {
				tr.Errorf("EDT created at %q, want %q", err.Waiting[0].Site, want)
			}
		}
	})
}

func TestStuckReportIsBounded(t *testing.T) {
	stuck(t, false, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
		for range 250 {
			open(c, 1, nothing)
		}
		return func(e *edt.StuckError) {
			if e.Count != 250 || len(e.Waiting) != 100 || !strings.Contains(e.Error(), "\n  and 150 more\n") {
				tr.Errorf("%d of %d shown: %v", len(e.Waiting), e.Count, e)
			}
		}
	})
}

// Destroyed EDTs do not wait.
func TestDestroyedEDTsAreNotStuck(t *testing.T) {
	everywhere(t, program(func(_ *trial, c *edt.Ctx) {
		c.DestroyEDT(open(c, 1, nothing))
		c.DestroyEDT(open(c, 6, nothing))
	}))
}

// A report shows the first 20 slots, and says that there are more.
func TestReportOfManySlots(t *testing.T) {
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, in edt.Args) {
		wide := c.NewTemplate("wide", 0, 30, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
		c.NewEDT(wide, nil)
		c.AddDependence(guid.Null, c.NewEDT(wide, nil), 3, datablock.RW)
	}))
	var stuck *edt.StuckError
	if !errors.As(err, &stuck) {
		t.Fatal(err)
	}
	testrun.Equal(t, 40, strings.Count(err.Error(), "not connected"), "slots shown, 20 of each EDT")
	testrun.Equal(t, 2, strings.Count(err.Error(), "and perhaps more from here on"), "mentions that there are more")
}
