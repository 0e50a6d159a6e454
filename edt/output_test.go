package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// spawn creates an EDT with one open slot, so that its output event can be waited for, and start satisfies that.
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

// The output event of an EDT that returns an event is chained to that event (OCR tests edtReturnEvent0 and 1).
func TestReturnedEventIsChained(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Sticky, edt.Counted, edt.Channel, edt.Once, edt.Latch} {
		t.Run(typ.String(), func(t *testing.T) {
			everywhere(t, func(tr *trial) edt.Func {
				satisfied, ran := new(tally), tr.times("consumer", 1)
				return body(func(c *edt.Ctx, _ edt.Args) {
					inner, block := newEvent(c, typ), wordBlock(c, 9)
					consumer := open(c, 1, func(_ *edt.Ctx, in edt.Args) {
						ran.add()
						testrun.Equal(tr, 1, satisfied.get(),
							"satisfactions of the event that the output is chained to")
						if got := in.Dep(0).GUID(); typ != edt.Latch && got != block || typ == edt.Latch && !got.IsNull() {
							tr.Errorf("consumer got %v", got)
						}
					})
					_, chained := create(c, c.NewTemplate("scope", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
						start, out := spawn(c, edt.Spec{Output: true}, func(*edt.Ctx, edt.Args) guid.GUID { return inner })
						c.AddDependence(out, consumer, 0, datablock.RW)
						start()
					})), edt.Spec{Finish: true, OutputEvent: c.NewEvent(edt.Sticky)})
					launch(c, func(c *edt.Ctx, _ edt.Args) {
						satisfied.add()
						c.Satisfy(inner, block)
					}, rw(chained))
				})
			})
		})
	}
}
