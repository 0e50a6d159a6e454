package runtime_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// Reports that name a place in the app: these tests are outside the package,
// because its own frames are not the app's.

func null(f func(c *edt.Ctx)) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		f(c)
		return guid.Null
	}
}

// TestMisuseOnEachWorker: the error names what was called, by whom and where.
func TestMisuseOnEachWorker(t *testing.T) {
	for worker := range 3 {
		var event guid.GUID
		after := false
		err := runtime.Run(context.Background(), null(func(c *edt.Ctx) {
			event = c.NewEvent(edt.Sticky)
			c.NewEDTAt(c.Bind(worker), c.NewTemplate("body", 0, 0, null(func(c *edt.Ctx) {
				c.Satisfy(event, guid.Null)
				c.Satisfy(event, guid.Null)
				after = true
			})), nil)
		}), runtime.Workers(3))
		var e *edt.Error
		if !errors.As(err, &e) || !errors.Is(err, edt.ErrSatisfied) || !errors.Is(err, edt.EPERM) {
			t.Fatalf("worker %d: got %v, want ErrSatisfied", worker, err)
		}
		if e.Target != event || e.Template != "body" || e.EDT.IsNull() || e.File != "sites_test.go" || e.Line == 0 {
			t.Errorf("worker %d: the error lacks something: %+v", worker, e)
		}
		if after {
			t.Error("the call returned")
		}
	}
}

// TestStuck: the report names all that wait and what each lacks.
func TestStuck(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		err := runtime.Run(context.Background(), null(func(c *edt.Ctx) {
			waits := c.NewTemplate("waits", 0, 3, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
			c.NewEDT(waits, nil, edt.From(guid.Null, datablock.RO), edt.Open, edt.From(c.NewEvent(edt.Sticky), datablock.RO))
			c.NewEDTAt(c.Bind(c.Workers()-1), waits, nil)
		}), runtime.Workers(workers), runtime.TrackSites())
		var stuck *edt.StuckError
		if !errors.As(err, &stuck) || stuck.Count != 2 || len(stuck.Waiting) != 2 {
			t.Fatalf("got %v, want two EDTs stuck", err)
		}
		missing := len(stuck.Waiting[0].Missing) + len(stuck.Waiting[1].Missing)
		if missing != 5 {
			t.Errorf("%d slots missing, want 2 and 3:\n%v", missing, err)
		}
		testrun.Contains(t, err.Error(), "waits", "not connected", "sticky event", "never satisfied", "sites_test.go:")
	}
}

// TestLeaks: what was not destroyed is listed, by kind.
func TestLeaks(t *testing.T) {
	var r runtime.Report
	err := runtime.Run(context.Background(), null(func(c *edt.Ctx) {
		for range 3 {
			c.NewEvent(edt.Sticky)
		}
		c.NewBlock(8)
		c.NewTemplate("left", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	}), runtime.LeakReport(), runtime.TrackSites(), runtime.Into(&r))
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[guid.Kind]int)
	for _, l := range r.Leaks {
		kinds[l.Kind] += l.Count
		if !strings.HasPrefix(l.Site, "sites_test.go:") {
			t.Errorf("leak %v lacks its site", l)
		}
	}
	if kinds[guid.KindEvent] != 3 || kinds[guid.KindBlock] != 1 || kinds[guid.KindTemplate] != 1 || len(kinds) != 3 {
		t.Errorf("leaks %v", r.Leaks)
	}
}
