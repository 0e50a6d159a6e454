package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// A nested finish EDT is one member of the outer scope until its own is done.
func TestNestedFinish(t *testing.T) {
	const depth = 12
	everywhere(t, counting("outermost scope", 1, func(tr *trial, c *edt.Ctx, done *tally) {
		ran, closed := new(tally), new(tally)
		var nest *edt.Template
		nest = c.NewTemplate("nest", 1, 1, body(func(c *edt.Ctx, in edt.Args) {
			level := in.Param(0)
			for range 3 {
				launch(c, func(c *edt.Ctx, _ edt.Args) { launch(c, func(*edt.Ctx, edt.Args) { ran.add() }) })
			}
			if level == depth {
				return
			}
			task, out := create(c, nest, edt.Spec{Params: edt.Params(level + 1), Finish: true, Output: true})
			launch(c, func(*edt.Ctx, edt.Args) {
				want := int(depth - level)
				if closed.add(); closed.get() != want || ran.get() < 3*want {
					tr.Errorf("level %d closed as number %d, after %d EDTs", level+1, closed.get(), ran.get())
				}
			}, rw(out))
			c.AddDependence(guid.Null, task, 0, datablock.RW)
		}))
		task, out := create(c, nest, edt.Spec{Params: edt.Params(0), Finish: true, Output: true})
		launch(c, func(*edt.Ctx, edt.Args) {
			done.add()
			if closed.get() != depth || ran.get() != 3*(depth+1) {
				tr.Errorf("closed after %d scopes and %d EDTs", closed.get(), ran.get())
			}
		}, rw(out))
		c.AddDependence(guid.Null, task, 0, datablock.RW)
	}))
}

// OCR test OutputEvent3: the caller's own event is satisfied when the scope is done.
func TestFinishWithOwnOutputEvent(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Once, edt.Sticky, edt.Idempotent, edt.Latch, edt.Counted, edt.Channel} {
		t.Run(typ.String(), func(t *testing.T) {
			everywhere(t, func(tr *trial) edt.Func {
				ran, closed := new(tally), tr.times("scope", 1)
				return body(func(c *edt.Ctx, _ edt.Args) {
					own := newEvent(c, typ)
					launch(c, func(_ *edt.Ctx, in edt.Args) {
						closed.add()
						if ran.get() != 5 || !in.Dep(0).IsNull() {
							tr.Errorf("closed after %d of 5 children, with %v", ran.get(), in.Dep(0).GUID())
						}
					}, rw(own))
					_, out := create(c, c.NewTemplate("parent", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
						for range 5 {
							launch(c, func(*edt.Ctx, edt.Args) { ran.add() })
						}
						return wordBlock(c, 1)
					}), edt.Spec{Finish: true, OutputEvent: own})
					testrun.Equal(tr, own, out, "output")
				})
			})
		})
	}
}
