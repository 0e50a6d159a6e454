package edt_test

import (
	"fmt"
	goruntime "runtime"
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
		{"sticky", event("sticky"), func(c *edt.Ctx) { c.NewEvent(edt.Sticky) }},
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
			c.DestroyTemplate(c.NewTemplate("temporary", 0, 0, body(nothing)))
			c.Spawn(registered, &edt.Spec{Finish: true, Output: true, Deps: []edt.Source{rw(guid.Null)}})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { leaks(t, tc.want, tc.main) })
	}
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

func TestLeakText(t *testing.T) {
	for _, tc := range []struct {
		leak edt.Leak
		want string
	}{
		{edt.Leak{Kind: guid.KindBlock, Count: 2}, "2 data blocks"},
		{edt.Leak{Kind: guid.KindEvent, Template: "sticky", Site: "a.go:1", Count: 1}, "1 sticky event from a.go:1"},
		{edt.Leak{Kind: guid.KindEDT, Template: "waits", Count: 3}, "3 EDTs of template waits"},
	} {
		testrun.Equal(t, tc.want, tc.leak.String())
	}
}
