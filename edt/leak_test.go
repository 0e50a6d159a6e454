package edt_test

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// leaks runs a program and checks what it is said to have left.
func leaks(t *testing.T, want []edt.Leak, main func(c *edt.Ctx)) {
	t.Helper()
	underSeeds(t, 3, func(tr *trial) edt.Func {
		tr.after(func() {
			testrun.Same(tr, want, tr.leaks, "leaks")
		})
		return body(func(c *edt.Ctx, _ edt.Args) { main(c) })
	})
}

func TestLeaks(t *testing.T) {
	event := func(typ string) []edt.Leak { return []edt.Leak{{Kind: guid.KindEvent, Template: typ, Count: 1}} }
	for _, tc := range []struct {
		name string
		want []edt.Leak
		main func(c *edt.Ctx)
	}{
		{"nothing", nil, func(*edt.Ctx) {}},
		{"once", event("once"), func(c *edt.Ctx) { c.NewEvent(edt.Once) }},
		{"sticky", event("sticky"), func(c *edt.Ctx) { c.NewEvent(edt.Sticky | edt.NoArg) }},
		{"satisfied idempotent", event("idempotent"), func(c *edt.Ctx) { c.Satisfy(c.NewEvent(edt.Idempotent), guid.Null) }},
		{"event of the last worker", event("idempotent"), func(c *edt.Ctx) {
			for range 200 {
				c.DestroyEvent(c.NewEvent(edt.Idempotent, c.Place(c.Places()-1)))
			}
			c.NewEvent(edt.Idempotent, c.Place(c.Places()-1))
		}},
		{"latch", event("latch"), func(c *edt.Ctx) { c.NewLatch(3) }},
		{"counted with a use left", event("counted"), func(c *edt.Ctx) { c.Satisfy(c.NewCounted(1), guid.Null) }},
		{"channel", event("channel"), func(c *edt.Ctx) { c.NewChannel(1) }},
		{"block", []edt.Leak{{Kind: guid.KindBlock, Count: 2}},
			func(c *edt.Ctx) { wordBlock(c, 1); c.NewBlockNoAcquire(9000) }},
		{"template", []edt.Leak{{Kind: guid.KindTemplate, Template: "left", Count: 1}},
			func(c *edt.Ctx) { c.NewTemplate("left", 0, 0, body(nothing)) }},
		{"template called main", []edt.Leak{{Kind: guid.KindTemplate, Template: "main", Count: 1}},
			func(c *edt.Ctx) { c.NewTemplate("main", 0, 0, body(nothing)) }},
		{"range", []edt.Leak{{Kind: guid.KindRange, Count: 1}}, func(c *edt.Ctx) { c.NewRange(3, guid.KindEvent) }},
		{"EDT, after a shutdown", []edt.Leak{{Kind: guid.KindEDT, Template: "edt_test.registered", Count: 3}},
			func(c *edt.Ctx) {
				for range 3 {
					c.NewEDT(registered, nil)
				}
				c.Shutdown()
			}},
		{"all that was destroyed or went by itself", nil, func(c *edt.Ctx) {
			c.DestroyEvent(c.NewEvent(edt.Sticky))
			c.DestroyEvent(c.NewChannel(1))
			c.Satisfy(c.NewEvent(edt.Once), guid.Null)
			c.Satisfy(c.NewLatch(1), guid.Null)
			e := c.NewCounted(1)
			c.NewEDT(registered, nil, rw(e))
			c.Satisfy(e, guid.Null)
			c.DestroyBlock(c.NewBlockNoAcquire(8))
			c.DestroyEDT(c.NewEDT(registered, nil))
			c.DestroyRange(c.NewRange(1, guid.KindEvent))
			c.DestroyTemplate(c.NewTemplate("temporary", 0, 0, body(nothing)))
			c.Spawn(registered, &edt.Spec{Finish: true, Output: true, Deps: []edt.Source{rw(guid.Null)}})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { leaks(t, tc.want, tc.main) })
	}
}

func TestLeaksOfSeveralKindsAreSorted(t *testing.T) {
	leaks(t, []edt.Leak{
		{Kind: guid.KindEvent, Template: "channel", Count: 1},
		{Kind: guid.KindEvent, Template: "sticky", Count: 2},
		{Kind: guid.KindBlock, Count: 1},
	}, func(c *edt.Ctx) {
		c.NewBlockNoAcquire(8)
		c.NewEvent(edt.Sticky)
		c.NewChannel(1)
		c.NewEvent(edt.Sticky)
	})
}

func TestLeaksSaySites(t *testing.T) {
	underSeeds(t, 2, func(tr *trial) edt.Func {
		tr.sites = true
		var line int
		tr.after(func() {
			site := func(n int) string { return fmt.Sprintf("leak_test.go:%d by main", line+n) }
			want := []edt.Leak{
				{Kind: guid.KindTemplate, Template: "sited", Site: site(1), Count: 1},
				{Kind: guid.KindEvent, Template: "sticky", Site: site(3), Count: 4},
				{Kind: guid.KindBlock, Site: site(4), Count: 4},
				{Kind: guid.KindBlock, Site: site(6), Count: 1},
			}
			testrun.Same(tr, want, tr.leaks, "leaks")
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			_, _, line, _ = goruntime.Caller(0)
			c.NewTemplate("sited", 0, 0, body(nothing))
			for range 4 {
				c.NewEvent(edt.Sticky)
				c.NewBlockNoAcquire(8)
			}
			c.NewBlockNoAcquire(8)
		})
	})
}

// A call on a label under which no object was created is lost: the leaks say so, and where it was made.
func TestLeaksOfLabels(t *testing.T) {
	const never = "never created under its label, but "
	for _, tc := range []struct {
		name  string
		kind  guid.Kind
		what  string
		count int
		call  func(c *edt.Ctx, f *fault, label guid.GUID)
	}{
		{"satisfied", guid.KindEvent, "satisfied", 2, func(c *edt.Ctx, f *fault, label guid.GUID) {
			for range 2 {
				f.at(c, label, func() { c.Satisfy(label, guid.Null) })
			}
		}},
		{"event to event", guid.KindEvent, "given a dependence", 1, func(c *edt.Ctx, f *fault, label guid.GUID) {
			e := c.NewEvent(edt.Once)
			f.at(c, label, func() { c.AddDependence(e, label, 0, 0) })
			c.Satisfy(e, guid.Null)
		}},
		{"Null to EDT", guid.KindEDT, "given a dependence", 1, func(c *edt.Ctx, f *fault, label guid.GUID) {
			f.at(c, label, func() { c.AddDependence(guid.Null, label, 0, 0) })
		}},
		{"awaited by an event", guid.KindEvent, "depended on", 1, func(c *edt.Ctx, f *fault, label guid.GUID) {
			e := c.NewLatch(1)
			f.at(c, label, func() { c.AddDependence(label, e, 0, 0) })
			c.Satisfy(e, guid.Null)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			underSeeds(t, 2, func(tr *trial) edt.Func {
				var f fault
				tr.after(func() {
					want := []edt.Leak{{Kind: tc.kind, Template: never + tc.what, Site: fmt.Sprintf("%s:%d by main", f.file, f.line),
						Lost: true, Count: tc.count}}
					testrun.Same(tr, want, tr.leaks, "leaks")
				})
				return body(func(c *edt.Ctx, _ edt.Args) {
					rng := c.NewRange(1, tc.kind)
					tc.call(c, &f, c.Label(rng, 0))
					c.DestroyRange(rng)
				})
			})
		})
	}
}

// If EDTs are stuck, such calls may be the reason.
func TestStuckReportNamesLabels(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.want = func(err error) {
			var stuck *edt.StuckError
			if !errors.As(err, &stuck) || len(stuck.Kept) != 1 ||
				!strings.Contains(err.Error(), "never created under its label, but satisfied from leak_test.go:") {
				tr.Errorf("run: %v, want one that tells of the kept satisfaction", err)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			rng := c.NewRange(2, guid.KindEvent)
			launch(c, nothing, rw(c.Label(rng, 0)))
			c.Satisfy(c.Label(rng, 1), guid.Null)
		})
	})
}

func TestLeakText(t *testing.T) {
	for _, tc := range []struct {
		leak edt.Leak
		want string
	}{
		{edt.Leak{Kind: guid.KindBlock, Count: 2}, "2 data block"},
		{edt.Leak{Kind: guid.KindEvent, Template: "sticky", Site: "a.go:1", Count: 1}, "1 event sticky from a.go:1"},
	} {
		testrun.Equal(t, tc.want, tc.leak.String())
	}
}
