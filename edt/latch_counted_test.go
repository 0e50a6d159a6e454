package edt_test

import (
	"fmt"
	"testing"

	"ocr/edt"
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
