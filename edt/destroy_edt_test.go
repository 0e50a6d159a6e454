package edt_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// OCR test testEdtDestroy0: an EDT is destroyed with some of its slots connected,
// to events that were satisfied before, are satisfied after, or are destroyed.
func TestDestroyedEDTNeverRuns(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Once, edt.Sticky, edt.Idempotent} {
		for _, slots := range []int{2, 4, 9} {
			for _, connected := range []int{0, slots / 2, slots - 1} {
				for _, when := range []string{"before", "after", "never"} {
					if when == "before" && typ == edt.Once {
						continue
					}
					t.Run(fmt.Sprintf("%v, %d of %d, satisfied %s", typ, connected, slots, when), func(t *testing.T) {
						underSeeds(t, 3, counting("destroyed EDT", 0, func(tr *trial, c *edt.Ctx, never *tally) {
							task := open(c, slots, func(*edt.Ctx, edt.Args) { never.add() })
							for k := range connected {
								e := c.NewEvent(typ)
								if when == "before" {
									c.Satisfy(e, guid.Null)
								}
								c.AddDependence(e, task, k, datablock.RW)
								launch(c, func(c *edt.Ctx, _ edt.Args) {
									switch {
									case when == "after":
										c.Satisfy(e, guid.Null)
									default:
										c.DestroyEvent(e)
									}
								})
							}
							c.DestroyEDT(task)
							if c.Exists(task) {
								tr.Errorf("the EDT exists after its destruction")
							}
							// Records that are free are taken again, those that events refer to are not.
							for range 3 * slots {
								launch(c, nothing, rw(guid.Null), rw(guid.Null))
							}
						}))
					})
				}
			}
		}
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

// While DestroyEDT walks over the many slots of an EDT, another worker destroys the event of the first slot and then
// satisfies the event of the second: neither may take its slot for the last one of an EDT that lives.
func TestDestroyEDTWhileItsSlotsAreCountedOut(t *testing.T) {
	const slots, rounds = 20_000, 100
	deps := make([]edt.Source, slots) // Null from the third on
	for n := range deps {
		deps[n] = rw(guid.Null)
	}
	onPool(t, func(tr *trial) edt.Func {
		never := tr.times("destroyed EDT", 0)
		var round func(c *edt.Ctx, n int)
		round = func(c *edt.Ctx, n int) {
			if n == rounds {
				return
			}
			var started atomic.Bool
			a, b, both := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky), c.NewLatch(2)
			deps[0], deps[1] = rw(b), rw(a)
			doomed := c.NewEDT(c.NewTemplate("doomed", 0, slots, body(func(*edt.Ctx, edt.Args) { never.add() })), nil, deps...)
			launch(c, func(c *edt.Ctx, _ edt.Args) { round(c, n+1) }, rw(both))
			c.NewEDTAt(c.Bind(0), c.NewTemplate("destroyer", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
				started.Store(true)
				c.DestroyEDT(doomed)
				c.Satisfy(both, guid.Null)
			})), nil)
			c.NewEDTAt(c.Bind(tr.workers-1), c.NewTemplate("events", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
				for tr.workers > 1 && !started.Load() {
				}
				c.DestroyEvent(b)
				c.Satisfy(a, guid.Null)
				c.Satisfy(both, guid.Null)
			})), nil)
		}
		return body(func(c *edt.Ctx, _ edt.Args) { round(c, 0) })
	})
}
