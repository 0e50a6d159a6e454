package edt_test

import (
	"errors"
	"testing"

	"ocr/edt"
	"ocr/guid"
)

// The output event of a finish EDT is destroyed before the scope is done: found
// when it closes, by whoever gives up the last member.
func TestMisuseOutputOfScopeDestroyed(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		var out guid.GUID
		tr.want = func(err error) {
			wantCondition(tr, err, edt.ErrStale)
			if e := new(edt.Error); errors.As(err, &e) && (e.Op != "finish" || e.Target != out || e.File == "trial_test.go") {
				tr.Errorf("%q of %v at %s, want finish of %v", e.Op, e.Target, e.File, out)
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

// The output event of an EDT is gone when the EDT ends.
func TestMisuseOutputDestroyed(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.want = func(err error) { wantCondition(tr, err, edt.ErrStale) }
		return body(func(c *edt.Ctx, _ edt.Args) {
			create(c, c.NewTemplate("producer", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
				c.DestroyEvent(c.Output())
			})), edt.Spec{Output: true})
		})
	})
}
