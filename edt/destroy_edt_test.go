package edt_test

import (
	"testing"

	"ocr/edt"
)

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
