package edt_test

import (
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
