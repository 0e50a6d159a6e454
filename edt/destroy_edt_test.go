package edt_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// OCR test testEdtDestroy0, without connected slots.
func TestDestroyedEDTNeverRuns(t *testing.T) {
	for _, slots := range []int{1, 2, 4, 9} {
		underSeeds(t, 3, counting("destroyed EDT", 0, func(tr *trial, c *edt.Ctx, never *tally) {
			task := open(c, slots, func(*edt.Ctx, edt.Args) { never.add() })
			c.DestroyEDT(task)
			if c.Exists(task) {
				tr.Errorf("the EDT exists after its destruction")
			}
			for range 3 * slots { // they take its record
				launch(c, nothing, rw(guid.Null), rw(guid.Null))
			}
		}))
	}
}

func TestDestroyEDTDestroysItsOutputEvent(t *testing.T) {
	for _, finish := range []bool{false, true} {
		t.Run(fmt.Sprintf("finish=%v", finish), func(t *testing.T) {
			everywhere(t, program(func(tr *trial, c *edt.Ctx) {
				task, out := create(c, c.NewTemplate("doomed", 0, 1, body(nothing)), edt.Spec{Output: true, Finish: finish})
				c.DestroyEDT(task)
				if tr.ranks == 0 && c.Exists(out) { // else it goes a little later
					tr.Errorf("the output event exists after the EDT's destruction")
				}
			}))
		})
	}
}

// OCR test testEdtDestroy2: the scope closes when its last members are destroyed, from inside or by an EDT outside.
func TestScopeClosesWhenMembersAreDestroyed(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		destroyed, closed := new(tally), tr.times("scope closed", 1)
		return body(func(c *edt.Ctx, _ edt.Args) {
			created := c.NewEvent(edt.Sticky)
			var members []guid.GUID
			start, out := spawn(c, edt.Spec{Output: true, Finish: true}, body(func(c *edt.Ctx, _ edt.Args) {
				for range 5 {
					members = append(members, open(c, 1, nothing))
				}
				destroyed.add()
				c.DestroyEDT(members[0])
				c.Satisfy(created, guid.Null)
			}))
			launch(c, func(*edt.Ctx, edt.Args) {
				closed.add()
				testrun.Equal(tr, 5, destroyed.get(), "members destroyed when the scope closed")
			}, rw(out))
			for k := range 4 {
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					destroyed.add()
					c.DestroyEDT(members[k+1])
				}, rw(created))
			}
			start()
		})
	})
}

// OCR test testEdtDestroy3.
func TestDestroyedFinishEDTLeavesTheOuterScope(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		never, closed := tr.times("destroyed EDT", 0), tr.times("outer scope closed", 1)
		return body(func(c *edt.Ctx, _ edt.Args) {
			start, out := spawn(c, edt.Spec{Output: true, Finish: true}, body(func(c *edt.Ctx, _ edt.Args) {
				tmpl := c.NewTemplate("inner", 0, 1, body(func(*edt.Ctx, edt.Args) { never.add() }))
				for _, own := range []bool{false, true} {
					inner, _ := create(c, tmpl, edt.Spec{Finish: true, Output: own})
					c.DestroyEDT(inner)
				}
			}))
			launch(c, func(*edt.Ctx, edt.Args) { closed.add() }, rw(out))
			start()
		})
	})
}

// Destroying an EDT does not satisfy an output event of the caller's own, whether it is a finish EDT or not.
func TestDestroyedEDTDoesNotSatisfyItsOutput(t *testing.T) {
	for _, finish := range []bool{false, true} {
		everywhere(t, func(tr *trial) edt.Func {
			tr.want = func(err error) {
				if _, ok := err.(*edt.StuckError); !ok {
					tr.Errorf("finish %v: %v, want the waiter to be stuck", finish, err)
				}
			}
			return body(func(c *edt.Ctx, _ edt.Args) {
				out := c.NewEvent(edt.Sticky)
				launch(c, nothing, rw(out))
				one := c.NewTemplate("one", 0, 1, body(nothing))
				task, _ := c.Spawn(one, &edt.Spec{OutputEvent: out, Finish: finish})
				c.DestroyEDT(task)
			})
		})
	}
}
