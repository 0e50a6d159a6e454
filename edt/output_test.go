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

// TestReturnedEventIsChained: if an EDT returns an event, its output event waits for that event (OCR tests
// edtReturnEvent0 and 1).
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

// TestNestedFinish: a nested finish EDT counts in the outer scope until its own scope closes.
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

// TestFinishWithOwnOutputEvent: an event of the caller is satisfied when the scope closes (OCR test OutputEvent3).
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

// TestDestroyedFinishEDTLeavesTheOuterScope is OCR test testEdtDestroy3.
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
