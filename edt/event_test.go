package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestOnceTriggersItsWaitersAndIsGone(t *testing.T) {
	everywhere(t, counting("waiters", 7, func(tr *trial, c *edt.Ctx, ran *tally) {
		e, block := c.NewEvent(edt.Once), wordBlock(c, 1)
		for range 7 {
			launch(c, func(c *edt.Ctx, in edt.Args) {
				ran.add()
				testrun.Equal(tr, block, in.Dep(0).GUID())
				if c.Exists(e) {
					tr.Errorf("the event exists when its waiters run")
				}
			}, edt.From(e, datablock.RO))
		}
		c.Satisfy(e, block)
		if c.Exists(e) {
			tr.Errorf("the event exists after it triggered")
		}
	}))
}

// OCR test Once1.
func TestOneEventOnSeveralSlots(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Once, edt.Sticky, edt.Idempotent} {
		for _, slots := range []int{2, 6} {
			t.Run(fmt.Sprintf("%v on %d", typ, slots), func(t *testing.T) {
				everywhere(t, counting("EDT", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
					e, block := c.NewEvent(typ), wordBlock(c, 4)
					task := open(c, slots, func(_ *edt.Ctx, in edt.Args) {
						ran.add()
						for k := range slots {
							if in.Dep(k).GUID() != block || wordOf(in.Dep(k)) != 4 {
								tr.Errorf("slot %d: %v", k, in.Dep(k).GUID())
							}
						}
					})
					for k := range slots {
						c.AddDependence(e, task, k, datablock.RW)
					}
					c.Satisfy(e, block)
				}))
			})
		}
	}
}

func TestIdempotentIgnoresLaterSatisfactions(t *testing.T) {
	everywhere(t, counting("waiters", 2, func(tr *trial, c *edt.Ctx, ran *tally) {
		e, first := c.NewEvent(edt.Idempotent), wordBlock(c, 1)
		check := tr.gets(ran, first)
		launch(c, check, edt.From(e, datablock.RO))
		c.Satisfy(e, first)
		c.Satisfy(e, wordBlock(c, 2))
		c.Satisfy(e, guid.Null)
		launch(c, check, edt.From(e, datablock.RO))
		if !c.Exists(e) {
			tr.Errorf("the event is gone before it was destroyed")
		}
	}))
}

func TestLateDependenceIsSatisfiedAtOnce(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Sticky, edt.Idempotent} {
		for _, null := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, null=%v", typ, null), func(t *testing.T) {
				everywhere(t, counting("waiters", 3, func(tr *trial, c *edt.Ctx, ran *tally) {
					e, block := c.NewEvent(typ), guid.Null
					if !null {
						block = wordBlock(c, 6)
					}
					check := func(_ *edt.Ctx, in edt.Args) {
						ran.add()
						if in.Dep(0).GUID() != block || !null && wordOf(in.Dep(0)) != 6 {
							tr.Errorf("got %v, want %v", in.Dep(0).GUID(), block)
						}
					}
					launch(c, check, edt.From(e, datablock.RO))
					c.Satisfy(e, block)
					launch(c, check, edt.From(e, datablock.RO))
					task := open(c, 1, check)
					c.AddDependence(e, task, 0, datablock.RO)
				}))
			})
		}
	}
}

// A woken EDT may destroy the event that it waited for (synch_p2p's receiver).
func TestWokenEDTDestroysItsEvent(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Sticky, edt.Idempotent} {
		t.Run(typ.String(), func(t *testing.T) {
			everywhere(t, counting("receivers", 100, func(tr *trial, c *edt.Ctx, ran *tally) {
				for k := range uint64(100) {
					e := c.NewEvent(typ)
					launch(c, func(c *edt.Ctx, in edt.Args) {
						ran.add()
						c.DestroyEvent(e)
						if c.Exists(e) || wordOf(in.Dep(0)) != k {
							tr.Errorf("message %d: read %d", k, wordOf(in.Dep(0)))
						}
					}, rw(e))
					launch(c, func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, wordBlock(c, k)) })
				}
			}))
		})
	}
}
