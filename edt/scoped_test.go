package edt_test

import (
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestScopedEventsGoWithTheirScope: EDTs of nested scopes make events and wait for them; each has gone when its scope
// ends, whether it has triggered or not, and those of the run are no leaks.
func TestScopedEventsGoWithTheirScope(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		var ran tally
		tr.after(func() {
			testrun.Equal(tr, 0, len(tr.leaks), "leaks %v", tr.leaks)
			testrun.Equal(tr, 24, ran.n.Load(), "users that ran")
		})
		var made [5][2]guid.GUID // by depth
		var family func(depth int) action
		family = func(depth int) action {
			return func(c *edt.Ctx, _ edt.Args) {
				never, event := c.NewScoped(), c.NewScoped()
				made[depth] = [2]guid.GUID{never, event}
				for range 4 {
					launchOnceAfter(c, func(*edt.Ctx, edt.Args) { ran.n.Add(1) }, event)
				}
				if depth > 0 {
					inner := c.NewEvent(edt.Once)
					launchOnceAfter(c, func(c *edt.Ctx, _ edt.Args) {
						if tr.ranks == 0 && (!c.Exists(never) || !c.Exists(event)) {
							tr.Errorf("an event of the outer scope has gone")
						}
						if gone := made[depth-1]; tr.ranks == 0 && (c.Exists(gone[0]) || c.Exists(gone[1])) {
							tr.Errorf("an event of the inner scope is there after its end")
						}
						c.Satisfy(event, guid.Null)
					}, inner)
					inScope(c, family(depth-1), inner)
					return
				}
				c.Satisfy(event, guid.Null)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			family(0)(c, edt.Args{})
			done := c.NewEvent(edt.Once)
			launchOnceAfter(c, func(c *edt.Ctx, _ edt.Args) {
				if n := c.NewScoped(); !c.Exists(n) {
					tr.Errorf("an event of the run has gone")
				}
			}, done)
			inScope(c, family(4), done)
		})
	})
}

// launchOnceAfter creates an EDT that waits for an event, from a template that goes.
func launchOnceAfter(c *edt.Ctx, f action, event guid.GUID) {
	tmpl := c.NewTemplate("after", 0, 1, body(f))
	c.NewEDT(tmpl, nil, rw(event))
	c.DestroyTemplate(tmpl)
}

// inScope creates a finish EDT, from a template that goes.
func inScope(c *edt.Ctx, f action, done guid.GUID) {
	tmpl := c.NewTemplate("finish", 0, 0, body(f))
	create(c, tmpl, edt.Spec{Finish: true, OutputEvent: done})
	c.DestroyTemplate(tmpl)
}

// TestScopedEventLeftStuck: an EDT outside the scope that waits for an event of it can never start.
func TestScopedEventLeftStuck(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.want = func(err error) {
			if _, ok := err.(*edt.StuckError); !ok {
				tr.Errorf("error %v, want a StuckError", err)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			outside := open(c, 1, nothing)
			inScope(c, func(c *edt.Ctx, _ edt.Args) { c.AddDependence(c.NewScoped(), outside, 0, 0) }, guid.Null)
		})
	})
}
