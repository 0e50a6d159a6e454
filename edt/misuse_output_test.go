package edt_test

import (
	"fmt"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// Calls that may be mistakes: the error must name their line.
func satisfies(c *edt.Ctx, f *fault, e guid.GUID) { f.at(c, e, func() { c.Satisfy(e, guid.Null) }) }
func destroys(c *edt.Ctx, f *fault, e guid.GUID)  { f.at(c, e, func() { c.DestroyEvent(e) }) }

// TestMisuseOutputEvent: another call satisfies or destroys an output event before its EDT ends. The error names the
// EDT, and no line of it; with sites recorded it names the line that satisfied or destroyed the event.
func TestMisuseOutputEvent(t *testing.T) {
	depend := func(c *edt.Ctx, f *fault, out guid.GUID) {
		f.at(c, out, func() { c.AddDependence(guid.Null, out, 0, datablock.RW) })
	}
	null, chained := func(*edt.Ctx) guid.GUID { return guid.Null }, eventOf(edt.Once)
	for _, tc := range []struct {
		name  string
		end   func(c *edt.Ctx, f *fault, out guid.GUID)
		did   string
		own   edt.EventType // of an event of the program's own, 0 for none
		ret   maker
		cause *edt.Condition
	}{
		{"satisfied", satisfies, "satisfied", 0, null, edt.ErrStale},
		{"satisfied by a dependence", depend, "satisfied", 0, null, edt.ErrStale},
		{"destroyed", destroys, "destroyed", 0, null, edt.ErrStale},
		{"destroyed, an event returned", destroys, "destroyed", 0, chained, edt.ErrStale},
		{"own sticky satisfied", satisfies, "satisfied", edt.Sticky, null, edt.ErrSatisfied},
		{"own sticky destroyed", destroys, "destroyed", edt.Sticky, null, edt.ErrStale},
		{"own once satisfied", satisfies, "satisfied", edt.Once, null, edt.ErrStale},
	} {
		for _, finish := range []bool{false, true} {
			if finish && tc.name == "destroyed, an event returned" {
				continue // the return value of a finish EDT satisfies nothing
			}
			for _, sites := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, finish %v, sites %v", tc.name, finish, sites), func(t *testing.T) {
					underSeeds(t, 3, func(tr *trial) edt.Func {
						tr.sites = sites
						var f fault
						var producer guid.GUID
						tr.want = func(err error) {
							if err == nil && tr.ranks != 0 && producer.Home() != 0 && tc.name == "destroyed, an event returned" {
								return // the rank of the returned event finds the mistake, when that event triggers
							}
							e := testrun.As[*edt.Error](tr, err)
							testrun.Is(tr, err, tc.cause)
							if op := map[bool]string{false: "return", true: "finish"}[finish]; e.Op != op || e.Target != f.target ||
								e.EDT != producer || e.Template != "producer" {
								tr.Errorf("%v: want %s of %v, by %v", err, op, f.target, producer)
							}
							at := fmt.Sprintf("(%s:%d)", f.file, f.line)
							for part, want := range map[string]bool{
								at: sites, tc.did + " at " + strings.Trim(at, "()") + " by main": sites,
								"satisfied or destroyed": !sites, "output event": true, "misuse_output_test.go:": true,
							} {
								testrun.Equal(tr, want, strings.Contains(err.Error(), part),
									"message %q contains %q", err, part)
							}
						}
						return body(func(c *edt.Ctx, _ edt.Args) {
							tmpl := c.NewTemplate("producer", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID { return tc.ret(c) })
							spec := edt.Spec{Finish: finish, Output: tc.own == 0}
							if tc.own != 0 {
								spec.OutputEvent = c.NewEvent(tc.own)
							}
							var out guid.GUID
							producer, out = c.Spawn(tmpl, &spec)
							tc.end(c, &f, out)
							c.AddDependence(guid.Null, producer, 0, datablock.RW)
						})
					})
				})
			}
		}
	}
}

// TestMisuseBehindFinish: a misuse at the end of a finish scope is reported with the EDT of the scope.
func TestMisuseBehindFinish(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		var next, scope guid.GUID
		tr.want = func(err error) {
			e := testrun.As[*edt.Error](tr, err)
			if e.Cause != edt.ErrStale || e.Target != next || e.EDT != scope || e.Template != "scope" {
				tr.Errorf("run: %v, want a stale %v at the end of the scope of %v", err, next, scope)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			var out guid.GUID
			next = c.NewEvent(edt.Sticky)
			scope, out = c.Spawn(c.NewTemplate("scope", 0, 1, body(nothing)), &edt.Spec{Finish: true, Output: true})
			c.AddDependence(out, next, 0, datablock.RW)
			c.DestroyEvent(next)
			c.AddDependence(guid.Null, scope, 0, datablock.RW)
		})
	})
}

// TestMisuseSaysWhatBecameOfAnEvent: with sites recorded, an error about an event that was destroyed or satisfied names
// the line of that call.
func TestMisuseSaysWhatBecameOfAnEvent(t *testing.T) {
	for _, tc := range []struct {
		did  string
		made maker
		end  func(c *edt.Ctx, f *fault, e guid.GUID)
	}{
		{"satisfied", eventOf(edt.Once), satisfies}, {"satisfied", eventOf(edt.Sticky), satisfies},
		{"destroyed", then(eventOf(edt.Sticky), satisfy), destroys},
	} {
		underSeeds(t, 2, func(tr *trial) edt.Func {
			tr.sites = true
			var f fault
			tr.want = func(err error) {
				testrun.Fails(tr, err, fmt.Sprintf("%s at %s:%d by main", tc.did, f.file, f.line))
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				e := tc.made(c)
				tc.end(c, &f, e)
				c.Satisfy(e, guid.Null)
			})
		})
	}
}

// TestMisuseOutputOfScopeDestroyed: the output event of a finish EDT is destroyed before the scope closes. The worker
// that returns the last token of the scope finds it.
func TestMisuseOutputOfScopeDestroyed(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		var out guid.GUID
		tr.want = func(err error) {
			e := testrun.As[*edt.Error](tr, err)
			if e.Cause != edt.ErrStale || e.Op != "finish" || e.Target != out || e.File == "trial_test.go" {
				tr.Errorf("%v, want that finish finds a stale %v", err, out)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			create(c, c.NewTemplate("scope", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
				out = c.Output()
				c.DestroyEvent(out)
				launch(c, nothing)
			})), edt.Spec{Finish: true, Output: true})
		})
	})
}

// TestScopeNamesItsTemplate: the error at the end of a finish scope names its EDT's template, although the template was
// destroyed before, and another one was made.
func TestScopeNamesItsTemplate(t *testing.T) {
	err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		gate, ran, out := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky), c.NewEvent(edt.Once)
		alpha := c.NewTemplate("alpha", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
			launch(c, nothing, edt.From(gate, datablock.Null))
			c.Satisfy(ran, guid.Null)
		}))
		c.Spawn(alpha, &edt.Spec{Finish: true, OutputEvent: out})
		c.DestroyTemplate(alpha)
		launch(c, func(c *edt.Ctx, _ edt.Args) {
			c.NewTemplate("beta", 0, 0, body(nothing))
			c.DestroyEvent(out)
			c.Satisfy(gate, guid.Null)
		}, edt.From(ran, datablock.Null))
	}))
	testrun.Contains(t, fmt.Sprint(err), "of template alpha")
}
