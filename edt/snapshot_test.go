package edt_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// looked runs a program whose main EDT, or one that main creates, looks at the graph.
func looked(t *testing.T, main func(c *edt.Ctx, look func() *edt.Snapshot)) {
	t.Helper()
	h := edttest.New(1, edt.Config{Workers: 2})
	defer h.Graph.Close()
	_ = h.Run(body(func(c *edt.Ctx, _ edt.Args) { main(c, h.Graph.Snapshot) }))
}

// lackOf checks that one EDT waits, for one thing, and returns that.
func lackOf(t *testing.T, s *edt.Snapshot, task guid.GUID, slot int) string {
	t.Helper()
	if s.Count != 1 || len(s.Waiting) != 1 || s.Waiting[0].EDT != task || len(s.Waiting[0].Missing) != 1 {
		t.Fatalf("waiting: %d, %+v; want %v for one thing", s.Count, s.Waiting, task)
	}
	m := s.Waiting[0].Missing[0]
	testrun.Equal(t, slot, m.Slot, "slot")
	if !strings.Contains(s.String(), guid.Shorten(m.Lacks)) {
		t.Errorf("the text does not say %q:\n%v", m.Lacks, s)
	}
	return m.Lacks
}

func TestSnapshotOfEventsAwaited(t *testing.T) {
	for _, tc := range unsatisfied {
		t.Run(tc.name, func(t *testing.T) {
			for _, slots := range []int{2, 9} { // inline, spilled
				looked(t, func(c *edt.Ctx, look func() *edt.Snapshot) {
					e := tc.make(c)
					task := open(c, slots, nothing)
					for k := range slots - 1 {
						c.AddDependence(guid.Null, task, k, datablock.RW)
					}
					c.AddDependence(e, task, slots-1, datablock.RW)
					if got, want := lackOf(t, look(), task, slots-1), fmt.Sprintf(tc.want, e); got != want {
						t.Errorf("lacks %q, want %q", got, want)
					}
				})
			}
		})
	}
}

// A snapshot says what satisfies each slot: over chains of events, and in every other state of a slot.
func TestSnapshotOfSatisfiers(t *testing.T) {
	for name, tc := range map[string]func(c *edt.Ctx, look func() *edt.Snapshot){
		"open slot": func(c *edt.Ctx, look func() *edt.Snapshot) {
			task := open(c, 1, nothing)
			testrun.Equal(t, "not connected", lackOf(t, look(), task, 0))
		},
		"event after event": func(c *edt.Ctx, look func() *edt.Snapshot) {
			first, second := c.NewLatch(3), c.NewEvent(edt.Sticky)
			c.AddDependence(first, second, 0, datablock.RW)
			task := launch(c, nothing, rw(second))
			got := lackOf(t, look(), task, 0)
			testrun.Equal(t, fmt.Sprintf("sticky event %v, never satisfied; latch event %v is to satisfy it", second,
				first), got)
		},
		"five events before one": func(c *edt.Ctx, look func() *edt.Snapshot) {
			latch := c.NewLatch(5)
			for range 5 {
				c.AddDependence(c.NewEvent(edt.Once), latch, edt.Decr, datablock.RW)
			}
			task := launch(c, nothing, rw(latch))
			if got := lackOf(t, look(), task, 0); strings.Count(got, "once event") != 3 ||
				!strings.HasSuffix(got, " and 2 more") {
				t.Error(got)
			}
		},
		"event gone": func(c *edt.Ctx, look func() *edt.Snapshot) {
			e := c.NewEvent(edt.Sticky)
			task := launch(c, nothing, rw(e))
			c.DestroyEvent(e)
			c.NewEvent(edt.Sticky) // in its place
			testrun.Equal(t, fmt.Sprintf("event %v, destroyed before it triggered", e), lackOf(t, look(), task, 0))
		},
		"output": func(c *edt.Ctx, look func() *edt.Snapshot) {
			maker, out := create(c, c.NewTemplate("maker", 0, 1, body(nothing)), edt.Spec{Output: true})
			task := launch(c, nothing, rw(out))
			s := look()
			if s.Count != 2 || s.Waiting[1].EDT != task {
				t.Fatalf("%v", s)
			}
			want := fmt.Sprintf("once event %v, never satisfied; it is the output of EDT %v of template maker, which waits", out,
				maker)
			testrun.Equal(t, want, s.Waiting[1].Missing[0].Lacks)
		},
		"block held": func(c *edt.Ctx, look func() *edt.Snapshot) {
			b := wordBlock(c, 1)
			var second guid.GUID
			c.NewEDT(c.NewTemplate("holder", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				s := look()
				got := lackOf(t, s, second, -1)
				want := fmt.Sprintf("data block %v, not granted in mode RW; it was given to EDT %v of template holder, which runs",
					b, c.Self())
				testrun.Equal(t, want, got)
				if s.Templates[1].Acquiring != 1 || s.Templates[1].Template != "launched" {
					t.Errorf("%v", s)
				}
			})), nil, edt.From(b, datablock.EW))
			second = launch(c, nothing, rw(b))
		},
	} {
		t.Run(name, func(t *testing.T) { looked(t, tc) })
	}
}

// The EDTs in a finish scope keep it open, also those in inner scopes.
func TestSnapshotOfScope(t *testing.T) {
	looked(t, func(c *edt.Ctx, look func() *edt.Snapshot) {
		inner := c.NewTemplate("inner", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
			open(c, 1, nothing)
			s := look()
			k := slices.IndexFunc(s.Waiting, func(w edt.WaitingEDT) bool { return w.Template == "after" })
			if k < 0 {
				t.Fatalf("%v", s)
			}
			got := s.Waiting[k].Missing[0].Lacks
			if ok, _ := regexp.MatchString(
				`^latch event .*, count 1; the finish scope of 2 EDTs, one of them EDT .* of template inner, which runs, `+
					`is to satisfy it$`, got,
			); !ok {
				t.Error(got)
			}
		}))
		outer := c.NewTemplate("outer", 0, 1, body(func(c *edt.Ctx, _ edt.Args) { create(c, inner, edt.Spec{Finish: true}) }))
		task, out := create(c, outer, edt.Spec{Finish: true, Output: true})
		c.NewEDT(c.NewTemplate("after", 0, 1, body(nothing)), nil, rw(out))
		c.AddDependence(guid.Null, task, 0, datablock.RW)
	})
}

// TestRunning: a host can ask, at any time, which EDT a worker runs, and how many EDTs have been created and begun.
func TestRunning(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 2})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		launch(c, nothing)
		me := c.Worker()
		if id, template := h.Graph.Running(me); id != c.Self() || template != "main" ||
			h.Graph.Created(me) != 1 || h.Graph.Began(me) != 1 {
			t.Errorf("EDT %v of template %s; %d created, %d begun", id, template, h.Graph.Created(me), h.Graph.Began(me))
		}
		if id, template := h.Graph.Running(1 - me); !id.IsNull() || template != "" || h.Graph.Began(1-me) != 0 {
			t.Errorf("the other worker: EDT %v of template %q", id, template)
		}
	})))
}
