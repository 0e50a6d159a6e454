package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// spawn creates an EDT with one open slot, so that a dependence on its output event can be added. start satisfies the
// slot.
func spawn(c *edt.Ctx, s edt.Spec, f edt.Func) (start func(), output guid.GUID) {
	s.DepCount = 1
	task, output := create(c, c.NewTemplate("producer", 0, 1, f), s)
	return func() { c.AddDependence(guid.Null, task, 0, datablock.RW) }, output
}

func TestOwnOutputEvent(t *testing.T) {
	for _, tc := range []struct {
		name  string
		event func(c *edt.Ctx) guid.GUID
		late  bool // a dependence may be added after the trigger
		block bool
	}{
		{"once", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Once) }, false, true},
		{"sticky", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Sticky) }, true, true},
		{"idempotent", func(c *edt.Ctx) guid.GUID { return c.NewEvent(edt.Idempotent) }, true, true},
		{"counted", func(c *edt.Ctx) guid.GUID { return c.NewCounted(2) }, true, true},
		{"latch", func(c *edt.Ctx) guid.GUID { return c.NewLatch(1) }, false, false},
		{"channel", func(c *edt.Ctx) guid.GUID { return c.NewChannel(2) }, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			everywhere(t, func(tr *trial) edt.Func {
				want := 1
				if tc.late {
					want = 2
				}
				ran := tr.times("consumers", want)
				return body(func(c *edt.Ctx, _ edt.Args) {
					own := tc.event(c)
					block := wordBlock(c, 3)
					start, out := spawn(c, edt.Spec{OutputEvent: own}, func(c *edt.Ctx, _ edt.Args) guid.GUID {
						testrun.Equal(tr, own, c.Output(), "Output()")
						return block
					})
					testrun.Equal(tr, own, out, "output, the caller's own")
					launch(c, func(c *edt.Ctx, in edt.Args) {
						ran.add()
						if in.Dep(0).IsNull() == tc.block {
							tr.Errorf("got %v", in.Dep(0).GUID())
						}
						if tc.late {
							launch(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(out))
						}
					}, rw(out))
					start()
				})
			})
		})
	}
}

// TestOutputOfDestroyedEDT: an output event that the runtime made for an EDT is destroyed with the EDT.
func TestOutputOfDestroyedEDT(t *testing.T) {
	for _, finish := range []bool{false, true} {
		oneRank(t, 10, func(tr *trial) edt.Func {
			return body(func(c *edt.Ctx, _ edt.Args) {
				never := c.NewTemplate("never", 0, 1, body(nothing))
				task, out := create(c, never, edt.Spec{DepCount: 1, Output: true, Finish: finish})
				c.DestroyEDT(task)
				if c.Exists(out) {
					tr.Errorf("finish EDT %v: the output event is left", finish)
				}
			})
		})
	}
}
