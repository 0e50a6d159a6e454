package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// finish runs f as a finish EDT and then as another EDT when its scope is done.
func finish(c *edt.Ctx, f, then action) {
	start, out := spawn(c, edt.Spec{Output: true, Finish: true}, body(f))
	launch(c, then, rw(out))
	start()
}

func TestFinishOfOneEDT(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		ran, closed := new(tally), tr.times("scope", 1)
		return body(func(c *edt.Ctx, _ edt.Args) {
			start, out := spawn(c, edt.Spec{Output: true, Finish: true}, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				ran.add()
				return wordBlock(c, 1)
			})
			launch(c, func(c *edt.Ctx, in edt.Args) {
				closed.add()
				if ran.get() != 1 || !in.Dep(0).IsNull() {
					tr.Errorf("closed after %d EDTs, with %v", ran.get(), in.Dep(0).GUID())
				}
				if c.Exists(out) {
					tr.Errorf("the output latch exists after its trigger")
				}
			}, rw(out))
			start()
		})
	})
}

func TestFinishWaitsForChildren(t *testing.T) {
	for _, children := range []int{1, 64, 200} {
		everywhere(t, func(tr *trial) edt.Func {
			ran, closed := new(tally), tr.times("scope", 1)
			return body(func(c *edt.Ctx, _ edt.Args) {
				finish(c, func(c *edt.Ctx, _ edt.Args) {
					for range children {
						launch(c, func(*edt.Ctx, edt.Args) { ran.add() })
					}
				}, func(*edt.Ctx, edt.Args) {
					closed.add()
					if ran.get() != children {
						tr.Errorf("closed after %d of %d children", ran.get(), children)
					}
				})
			})
		})
	}
}

// OCR test edtFinishForkBomb.
func TestFinishWaitsForDescendants(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		ran, closed := new(tally), tr.times("scope", 1)
		return body(func(c *edt.Ctx, _ edt.Args) {
			var fork *edt.Template
			fork = c.NewTemplate("fork", 1, 0, body(func(c *edt.Ctx, in edt.Args) {
				ran.add()
				for depth := in.Param(0); depth > 0; depth-- {
					c.NewEDT(fork, edt.Params(depth-1))
				}
			}))
			finish(c, func(c *edt.Ctx, _ edt.Args) { c.NewEDT(fork, edt.Params(8)) }, func(*edt.Ctx, edt.Args) {
				closed.add()
				if n := ran.get(); n != 1<<8 {
					tr.Errorf("closed after %d of %d descendants", n, 1<<8)
				}
			})
		})
	})
}

// A member that waits for something from outside keeps the scope open.
func TestFinishWaitsForMembersThatWait(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		released, closed := new(tally), tr.times("scope", 1)
		return body(func(c *edt.Ctx, _ edt.Args) {
			gate, inside := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky)
			finish(c, func(c *edt.Ctx, _ edt.Args) {
				launch(c, nothing, rw(gate))
				c.Satisfy(inside, guid.Null)
			}, func(*edt.Ctx, edt.Args) {
				closed.add()
				if released.get() != 1 {
					tr.Errorf("closed while a member waited")
				}
			})
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					released.add()
					c.Satisfy(gate, guid.Null)
				})
			}, rw(inside))
		})
	})
}

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

func TestFinishWithoutOutput(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		ran, closed := new(tally), tr.times("outer scope", 1)
		return body(func(c *edt.Ctx, _ edt.Args) {
			finish(c, func(c *edt.Ctx, _ edt.Args) {
				_, out := create(c, c.NewTemplate("silent", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
					launch(c, func(*edt.Ctx, edt.Args) { ran.add() })
				})), edt.Spec{Finish: true})
				if !out.IsNull() {
					tr.Errorf("an output event %v without Spec.Output", out)
				}
			}, func(*edt.Ctx, edt.Args) {
				closed.add()
				if ran.get() != 1 {
					tr.Errorf("the outer scope closed before the inner")
				}
			})
		})
	})
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
					if out != own {
						tr.Errorf("output %v, want %v", out, own)
					}
				})
			})
		})
	}
}

// OCR test finish 4: children write parts of one block, the sink reads all.
func TestFinishPublishesWritesOfChildren(t *testing.T) {
	const children = 32
	everywhere(t, counting("sink", 1, func(tr *trial, c *edt.Ctx, closed *tally) {
		shared := c.NewBlockNoAcquire(8 * children)
		start, out := spawn(c, edt.Spec{Output: true, Finish: true}, body(func(c *edt.Ctx, _ edt.Args) {
			for k := range children {
				launch(c, func(_ *edt.Ctx, in edt.Args) {
					datablock.Slice[uint64](in.Dep(0))[k] = uint64(k) + 1
				}, rw(shared))
			}
		}))
		launch(c, func(_ *edt.Ctx, in edt.Args) {
			closed.add()
			for k, v := range datablock.Slice[uint64](in.Dep(1)) {
				if v != uint64(k)+1 {
					tr.Errorf("word %d is %d", k, v)
				}
			}
		}, rw(out), edt.From(shared, datablock.Const))
		start()
	}))
}

// EDTs of many scopes interleave on every worker, and each scope closes after its
// own members only.
func TestScopesInterleave(t *testing.T) {
	const scopes, members = 30, 10
	everywhere(t, counting("scopes", scopes, func(tr *trial, c *edt.Ctx, closed *tally) {
		for range scopes {
			ran := new(tally)
			finish(c, func(c *edt.Ctx, _ edt.Args) {
				for range members {
					launch(c, func(c *edt.Ctx, _ edt.Args) { launch(c, func(*edt.Ctx, edt.Args) { ran.add() }) })
				}
			}, func(*edt.Ctx, edt.Args) {
				closed.add()
				if ran.get() != members {
					tr.Errorf("closed after %d of %d members", ran.get(), members)
				}
			})
		}
	}))
}
