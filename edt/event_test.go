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

// TestChannelPairsInOrder: the k-th satisfaction meets the k-th dependence, whichever comes first, in sequences of
// sends and receives of every length up to the bound (OCR tests Channel0 and Channel1Unbounded).
func TestChannelPairsInOrder(t *testing.T) {
	for _, bound := range []int{1, 2, 5, edt.Unbounded} {
		for _, runs := range [][]int{{1, -1}, {-1, 1}, {1, -2, 1}, {2, -2, -1, 1}, {5, -10, 5}, {3, -1, 1, -3}, {30, -30},
			{-30, 30}} {
			if bound != edt.Unbounded && longest(runs) > bound {
				continue
			}
			t.Run(fmt.Sprintf("bound %d, %v", bound, runs), func(t *testing.T) {
				everywhere(t, func(tr *trial) edt.Func {
					total := 0
					for _, n := range runs {
						total += max(n, 0)
					}
					got := tr.times("receivers", total)
					return body(func(c *edt.Ctx, _ edt.Args) {
						ch, sent, received := c.NewChannel(bound), uint64(0), uint64(0)
						for _, n := range runs {
							for range n {
								c.Satisfy(ch, wordBlock(c, sent))
								sent++
							}
							for range -n {
								want := received
								launch(c, tr.reads(got, want), rw(ch))
								received++
							}
						}
						if !c.Exists(ch) {
							tr.Errorf("the channel is gone before it was destroyed")
						}
						c.DestroyEvent(ch)
					})
				})
			})
		}
	}
}

// longest returns the largest number of calls without a partner in runs.
func longest(runs []int) int {
	level, most := 0, 0
	for _, n := range runs {
		level += n
		most = max(most, level, -level)
	}
	return most
}

// TestLatchTriggersAtZero: a latch triggers when the count returns to zero, in any order of steps.
func TestLatchTriggersAtZero(t *testing.T) {
	const up, down = edt.Incr, edt.Decr
	for _, tc := range []struct {
		counter int64
		steps   []int
	}{
		{0, []int{up, down}},
		{0, []int{down, up}}, // negative first, OCR test Latch1
		{0, []int{up, up, down, down}},
		{0, []int{down, down, up, up}},
		{0, []int{up, up, down, up, down, down}},
		{1, []int{down}},
		{-1, []int{up}},
		{2, []int{up, down, down, down}},
		{3, []int{down, down, down}},
	} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			everywhere(t, func(tr *trial) edt.Func {
				steps, ran := new(tally), tr.times("waiters", 2)
				return body(func(c *edt.Ctx, _ edt.Args) {
					latch, block := c.NewLatch(tc.counter), wordBlock(c, 1)
					for range 2 {
						launch(c, func(_ *edt.Ctx, in edt.Args) {
							ran.add()
							if steps.get() != len(tc.steps) || !in.Dep(0).IsNull() {
								tr.Errorf("triggered after %d of %d steps, with %v", steps.get(), len(tc.steps), in.Dep(0).GUID())
							}
						}, rw(latch))
					}
					for k, slot := range tc.steps {
						if !c.Exists(latch) {
							tr.Errorf("gone before step %d", k)
						}
						steps.add()
						c.SatisfySlot(latch, block, slot)
					}
					if c.Exists(latch) {
						tr.Errorf("the latch exists after it triggered")
					}
				})
			})
		})
	}
}

// TestScopedEventsGoWithTheirScope: EDTs of nested scopes make events and wait for them. Each event is destroyed when
// its scope closes, triggered or not. Events outside of scopes last until the run ends, and are no leaks.
func TestScopedEventsGoWithTheirScope(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		var ran tally
		tr.after(func() {
			testrun.Equal(tr, 0, len(tr.leaks), "leaks %v", tr.leaks)
			testrun.Equal(tr, 24, ran.n.Load(), "users that ran")
		})
		var made [5][2]guid.GUID // by depth
		var family func(depth int) action
		family = func(depth int) action {
			return func(c *edt.Ctx, _ edt.Args) {
				never, event := c.NewScoped(), c.NewScoped()
				made[depth] = [2]guid.GUID{never, event}
				for range 4 {
					launchOnceAfter(c, func(*edt.Ctx, edt.Args) { ran.n.Add(1) }, event)
				}
				if depth > 0 {
					inner := c.NewEvent(edt.Once)
					launchOnceAfter(c, func(c *edt.Ctx, _ edt.Args) {
						if tr.ranks == 0 && (!c.Exists(never) || !c.Exists(event)) {
							tr.Errorf("an event of the outer scope has gone")
						}
						if gone := made[depth-1]; tr.ranks == 0 && (c.Exists(gone[0]) || c.Exists(gone[1])) {
							tr.Errorf("an event of the inner scope is there after its end")
						}
						c.Satisfy(event, guid.Null)
					}, inner)
					inScope(c, family(depth-1), inner)
					return
				}
				c.Satisfy(event, guid.Null)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			family(0)(c, edt.Args{})
			done := c.NewEvent(edt.Once)
			launchOnceAfter(c, func(c *edt.Ctx, _ edt.Args) {
				if n := c.NewScoped(); !c.Exists(n) {
					tr.Errorf("an event of the run has gone")
				}
			}, done)
			inScope(c, family(4), done)
		})
	})
}

// launchOnceAfter creates an EDT that waits for an event, from a template that it destroys.
func launchOnceAfter(c *edt.Ctx, f action, event guid.GUID) {
	tmpl := c.NewTemplate("after", 0, 1, body(f))
	c.NewEDT(tmpl, nil, rw(event))
	c.DestroyTemplate(tmpl)
}

// inScope creates a finish EDT, from a template that it destroys.
func inScope(c *edt.Ctx, f action, done guid.GUID) {
	tmpl := c.NewTemplate("finish", 0, 0, body(f))
	create(c, tmpl, edt.Spec{Finish: true, OutputEvent: done})
	c.DestroyTemplate(tmpl)
}

// TestScopedEventLeftStuck: an EDT outside the scope that waits for an event of the scope never starts.
func TestScopedEventLeftStuck(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.want = func(err error) {
			if _, ok := err.(*edt.StuckError); !ok {
				tr.Errorf("error %v, want a StuckError", err)
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			outside := open(c, 1, nothing)
			inScope(c, func(c *edt.Ctx, _ edt.Args) { c.AddDependence(c.NewScoped(), outside, 0, 0) }, guid.Null)
		})
	})
}

var modes = []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null}

// checkDep checks that an EDT sees a block in a mode: the block's GUID, never the
// event's, and its memory unless the mode gives no access.
func checkDep(tr *trial, d *datablock.Dep, want guid.GUID, mode datablock.Mode) {
	if d.GUID() != want || d.IsNull() != want.IsNull() {
		tr.Errorf("%v: slot holds %v, want %v", mode, d.GUID(), want)
		return
	}
	if want.IsNull() || mode == datablock.Null {
		if d.Bytes() != nil || d.Size() != 0 {
			tr.Errorf("%v: access to %d bytes of %v", mode, d.Size(), want)
		}
		return
	}
	if d.Mode() != mode || d.Size() != 8 || len(d.Bytes()) != 8 || wordOf(d) != 12 {
		tr.Errorf("%v: mode %v, %d bytes", mode, d.Mode(), d.Size())
	}
}

// TestDependenceOnEvent: AddDependence satisfies an event of each type with an event, a block or Null.
func TestDependenceOnEvent(t *testing.T) {
	for _, dst := range []edt.EventType{edt.Once, edt.Idempotent, edt.Sticky, edt.Latch, edt.Counted, edt.Channel} {
		for _, source := range []string{"event", "triggered event", "block", "Null"} {
			t.Run(fmt.Sprintf("%s to %v", source, dst), func(t *testing.T) {
				everywhere(t, counting("waiter", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
					e, block := newEvent(c, dst), wordBlock(c, 12)
					want := block
					if source == "Null" || dst == edt.Latch {
						want = guid.Null
					}
					launch(c, func(_ *edt.Ctx, in edt.Args) {
						ran.add()
						checkDep(tr, in.Dep(0), want, datablock.RO)
					}, edt.From(e, datablock.RO))
					src := c.NewEvent(edt.Sticky)
					switch source {
					case "event":
						c.AddDependence(src, e, 0, datablock.Null) // the mode is ignored
						c.Satisfy(src, block)
					case "triggered event":
						c.Satisfy(src, block)
						c.AddDependence(src, e, 0, datablock.RW)
					case "block":
						c.AddDependence(block, e, 0, datablock.RW)
					default:
						c.AddDependence(guid.Null, e, 0, datablock.RW)
					}
				}))
			})
		}
	}
}

// newEvent makes an event of any type that triggers when it is next satisfied.
func newEvent(c *edt.Ctx, t edt.EventType) guid.GUID {
	switch t {
	case edt.Latch:
		return c.NewLatch(1)
	case edt.Counted:
		return c.NewCounted(1)
	case edt.Channel:
		return c.NewChannel(1)
	}
	return c.NewEvent(t)
}
