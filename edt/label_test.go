package edt_test

import (
	"errors"
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestLabelIsTheSameForAllEDTs(t *testing.T) {
	everywhere(t, counting("EDT", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
		r, other := c.NewRange(10, guid.KindEvent), c.NewRange(10, guid.KindEvent)
		g := c.Label(r, 3)
		if !g.IsLabel() || g.Kind() != guid.KindEvent || g == c.Label(r, 4) || g == c.Label(other, 3) {
			tr.Errorf("label %v of kind %v", g, g.Kind())
		}
		launch(c, func(c *edt.Ctx, _ edt.Args) {
			ran.add()
			testrun.Equal(tr, g, c.Label(r, 3), "label of another EDT")
		})
		if c.Exists(g) {
			tr.Errorf("the object exists before its creation")
		}
	}))
}

// OCR tests Label0, Label1 and LabelLatchParam0: every type, and a second creation.
func TestLabelledEvents(t *testing.T) {
	for name, make := range map[string]func(c *edt.Ctx, g guid.GUID) error{
		"once":       func(c *edt.Ctx, g guid.GUID) error { return c.NewLabelledEvent(g, edt.Once) },
		"sticky":     func(c *edt.Ctx, g guid.GUID) error { return c.NewLabelledEvent(g, edt.Sticky) },
		"idempotent": func(c *edt.Ctx, g guid.GUID) error { return c.NewLabelledEvent(g, edt.Idempotent) },
		"latch":      func(c *edt.Ctx, g guid.GUID) error { return c.NewLabelledLatch(g, 1) },
		"counted":    func(c *edt.Ctx, g guid.GUID) error { return c.NewLabelledCounted(g, 1) },
		"channel":    func(c *edt.Ctx, g guid.GUID) error { return c.NewLabelledChannel(g, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, counting("waiter", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
				g := c.Label(c.NewRange(1, guid.KindEvent), 0)
				if err := make(c, g); err != nil {
					tr.Errorf("first creation: %v", err)
				}
				if err := make(c, g); !errors.Is(err, edt.ErrExists) || edt.ErrExists.Code() != edt.EGUIDEXISTS {
					tr.Errorf("second creation: %v", err)
				}
				if !c.Exists(g) {
					tr.Errorf("the object does not exist")
				}
				launch(c, func(_ *edt.Ctx, in edt.Args) {
					ran.add()
					testrun.Equal(tr, name == "latch", in.Dep(0).IsNull(), "got %v", in.Dep(0).GUID())
				}, rw(g))
				c.Satisfy(g, wordBlock(c, 1))
			}))
		})
	}
}

// Dependences and satisfactions on a label are kept until there is an object, and
// then take effect in the order in which they came.
func TestCallsOnLabelAreKept(t *testing.T) {
	everywhere(t, counting("receivers", 4, func(tr *trial, c *edt.Ctx, ran *tally) {
		g := c.Label(c.NewRange(1, guid.KindEvent), 0)
		for k := range uint64(4) {
			c.Satisfy(g, wordBlock(c, k))
		}
		for k := range uint64(4) {
			launch(c, tr.reads(ran, k), rw(g))
		}
		if err := c.NewLabelledChannel(g, edt.Unbounded); err != nil {
			tr.Errorf("creation: %v", err)
		}
	}))
}

func TestLabelsOnBothEnds(t *testing.T) {
	everywhere(t, counting("EDT", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
		events, edts := c.NewRange(2, guid.KindEvent), c.NewRange(1, guid.KindEDT)
		from, through, to := c.Label(events, 0), c.Label(events, 1), c.Label(edts, 0)
		tmpl := c.NewTemplate("labelled", 1, 2, body(func(c *edt.Ctx, in edt.Args) {
			ran.add()
			if wordOf(in.Dep(0)) != 12 || wordOf(in.Dep(1)) != 12 || in.Param(0) != 7 {
				tr.Errorf("read %d and %d", wordOf(in.Dep(0)), wordOf(in.Dep(1)))
			}
		}))
		c.AddDependence(from, through, 0, datablock.RW)
		c.AddDependence(through, to, 0, datablock.RO)
		launch(c, func(c *edt.Ctx, _ edt.Args) { c.AddDependence(wordBlock(c, 12), to, 1, datablock.RO) })
		for k := range 3 {
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				var err error
				switch k {
				case 0:
					err = c.NewLabelledEvent(from, edt.Sticky)
					c.Satisfy(from, wordBlock(c, 12))
				case 1:
					err = c.NewLabelledEvent(through, edt.Sticky)
				case 2:
					err = c.NewLabelledEDT(to, tmpl, edt.Params(7))
				}
				if err != nil {
					tr.Errorf("creation %d: %v", k, err)
				}
			})
		}
	}))
}

func TestLabelledBlock(t *testing.T) {
	everywhere(t, counting("users", 3, func(tr *trial, c *edt.Ctx, ran *tally) {
		g := c.Label(c.NewRange(1, guid.KindBlock), 0)
		check := tr.reads(ran, 12)
		// Const is granted when the creator has released the block.
		launch(c, check, edt.From(g, datablock.Const))
		task := open(c, 1, check)
		c.AddDependence(g, task, 0, datablock.Const)
		b, err := c.NewLabelledBlock(g, 8)
		if err != nil || len(b) != 8 {
			tr.Errorf("creation: %v", err)
		}
		if late, err := c.NewLabelledBlock(g, 8); late != nil || !errors.Is(err, edt.ErrExists) {
			tr.Errorf("second creation: %v", err)
		}
		datablock.SliceOf[uint64](b)[0] = 12
		if c.BlockSize(g) != 8 || c.BlockMode(g) != datablock.RW {
			tr.Errorf("size %d, mode %v", c.BlockSize(g), c.BlockMode(g))
		}
		c.Release(g)
		e := c.NewEvent(edt.Sticky)
		launch(c, func(c *edt.Ctx, in edt.Args) {
			check(c, in)
			c.DestroyBlock(g)
			if c.Exists(g) {
				tr.Errorf("the block exists after its destruction")
			}
		}, edt.From(e, datablock.RO))
		c.Satisfy(e, g)
	}))
}

func TestDowngradeLabelledBlock(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		g := c.Label(c.NewRange(1, guid.KindBlock), 0)
		if _, err := c.NewLabelledBlock(g, 8); err != nil {
			tr.Errorf("creation: %v", err)
		}
		c.Downgrade(g)
		testrun.Equal(tr, datablock.RO, c.BlockMode(g), "mode after a downgrade")
	}))
}

// A label may be created again after its object was destroyed, by a call or by itself.
func TestLabelIsReusedAfterDestruction(t *testing.T) {
	const rounds = 10
	everywhere(t, counting("waiters", rounds, func(tr *trial, c *edt.Ctx, woken *tally) {
		sticky := c.Label(c.NewRange(1, guid.KindEvent), 0)
		once := c.Label(c.NewRange(1, guid.KindEvent), 0)
		block := c.Label(c.NewRange(1, guid.KindBlock), 0)
		task := c.Label(c.NewRange(1, guid.KindEDT), 0)
		tmpl := c.NewTemplate("labelled", 0, 1, body(nothing))
		for k := range rounds {
			_, err := c.NewLabelledBlock(block, 8)
			for n, err := range []error{
				err, c.NewLabelledEvent(sticky, edt.Sticky), c.NewLabelledEvent(once, edt.Once), c.NewLabelledEDT(task, tmpl, nil),
			} {
				if err != nil {
					tr.Errorf("round %d: creation %d: %v", k, n, err)
				}
			}
			launch(c, func(*edt.Ctx, edt.Args) { woken.add() }, rw(once))
			c.Satisfy(once, guid.Null)
			c.DestroyEvent(sticky)
			c.DestroyBlock(block)
			c.DestroyEDT(task)
			for _, g := range []guid.GUID{sticky, once, block, task} {
				if c.Exists(g) {
					tr.Errorf("round %d: %v exists", k, g.Kind())
				}
			}
		}
	}))
}

// Destroying a range leaves the objects under its labels.
func TestDestroyedRangeLeavesItsObjects(t *testing.T) {
	everywhere(t, counting("waiter", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
		r := c.NewRange(1, guid.KindEvent)
		g := c.Label(r, 0)
		if err := c.NewLabelledEvent(g, edt.Sticky); err != nil {
			tr.Errorf("creation: %v", err)
		}
		c.DestroyRange(r)
		c.Satisfy(g, guid.Null)
		launch(c, func(*edt.Ctx, edt.Args) { ran.add() }, rw(g))
	}))
}

func TestLabelAsReturnValue(t *testing.T) {
	for _, kind := range []guid.Kind{guid.KindEvent, guid.KindBlock} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			everywhere(t, counting("consumer", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
				g := c.Label(c.NewRange(1, kind), 0)
				start, out := spawn(c, edt.Spec{Output: true}, func(*edt.Ctx, edt.Args) guid.GUID { return g })
				launch(c, tr.reads(ran, 12), edt.From(out, datablock.Const))
				start()
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					if kind == guid.KindBlock {
						b, err := c.NewLabelledBlock(g, 8)
						if err != nil {
							tr.Errorf("creation: %v", err)
							return
						}
						datablock.SliceOf[uint64](b)[0] = 12
						return
					}
					if err := c.NewLabelledEvent(g, edt.Sticky); err != nil {
						tr.Errorf("creation: %v", err)
					}
					c.Satisfy(g, wordBlock(c, 12))
				})
			}))
		})
	}
}

// Calls of one EDT keep their order while another one creates the object.
func TestCallsOnLabelKeepTheirOrderDuringCreation(t *testing.T) {
	const messages = 300
	onPool(t, counting("receivers", 5*messages, func(tr *trial, c *edt.Ctx, ran *tally) {
		events := c.NewRange(5, guid.KindEvent)
		for n := range 5 {
			g := c.Label(events, n)
			finish(c, func(c *edt.Ctx, _ edt.Args) {
				half := c.NewEvent(edt.Sticky)
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					for k := range uint64(messages) {
						if k == messages/2 {
							c.Satisfy(half, guid.Null)
						}
						c.Satisfy(g, wordBlock(c, k))
					}
				})
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					if err := c.NewLabelledChannel(g, edt.Unbounded); err != nil {
						tr.Errorf("creation: %v", err)
					}
				}, rw(half))
			}, func(c *edt.Ctx, _ edt.Args) {
				for k := range uint64(messages) {
					launch(c, tr.reads(ran, k), rw(g))
				}
			})
		}
	}))
}

// A once event may trigger, and be gone, before there is an object under the label that it is to satisfy.
func TestOnceEventTriggersBeforeItsLabelExists(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			label := c.Label(c.NewRange(1, guid.KindEvent), 0)
			once := c.NewEvent(edt.Once)
			c.AddDependence(once, label, 0, datablock.RW)
			block := c.NewBlockNoAcquire(8)
			c.Satisfy(once, block)
			if err := c.NewLabelledEvent(label, edt.Sticky); err != nil {
				tr.Errorf("%v", err)
			}
			sink := c.NewTemplate("sink", 0, 1, body(func(_ *edt.Ctx, in edt.Args) {
				testrun.Equal(tr, block, in.Dep(0).GUID())
			}))
			c.NewEDT(sink, nil, edt.From(label, datablock.RO))
		})
	})
}
