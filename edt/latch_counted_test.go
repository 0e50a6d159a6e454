package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A latch triggers when the count returns to zero, whatever the order of steps.
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

func TestLatchCountsDependences(t *testing.T) {
	everywhere(t, counting("waiter", 1, func(tr *trial, c *edt.Ctx, ran *tally) {
		latch := c.NewLatch(0)
		launch(c, tr.gets(ran, guid.Null), rw(latch))
		up, down := c.NewEvent(edt.Sticky), c.NewEvent(edt.Once)
		block := wordBlock(c, 1)
		c.AddDependence(up, latch, edt.Incr, datablock.RW)
		c.AddDependence(down, latch, edt.Decr, datablock.RW)
		c.AddDependence(block, latch, edt.Incr, datablock.RW)
		c.Satisfy(up, block)
		c.AddDependence(guid.Null, latch, edt.Decr, datablock.RW)
		c.Satisfy(down, block)
	}))
}

// OCR tests Counted0 to 2: dependences before and after the satisfaction.
func TestCountedServesItsDependencesAndIsGone(t *testing.T) {
	for _, n := range []int{1, 2, 9} {
		for _, before := range []int{0, n / 2, n} {
			t.Run(fmt.Sprintf("%d of %d before", before, n), func(t *testing.T) {
				everywhere(t, counting("waiters", n, func(tr *trial, c *edt.Ctx, ran *tally) {
					e, block := c.NewCounted(n), wordBlock(c, 2)
					for k := range n + 1 {
						if k == before {
							if !c.Exists(e) {
								tr.Errorf("gone before it was satisfied")
							}
							c.Satisfy(e, block)
						}
						if k == n {
							break
						}
						if !c.Exists(e) {
							tr.Errorf("gone after %d of %d dependences", k, n)
						}
						launch(c, tr.gets(ran, block), edt.From(e, datablock.RO))
					}
					if c.Exists(e) {
						tr.Errorf("the event exists after %d dependences and its satisfaction", n)
					}
				}))
			})
		}
	}
}
