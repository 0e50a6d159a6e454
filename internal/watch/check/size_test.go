package check_test

import (
	"sync"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// Two EDTs hold a block at the same time and write to one page of it. Each sees its own writes after the other one has
// released the block.
func TestWritersOfAPageAtOnce(t *testing.T) {
	for _, both := range []bool{false, true} { // whether the second writes before the first releases
		var sum uint64
		found, err := runChecked(t, 2, func(c *edt.Ctx) {
			b := c.NewBlockNoAcquire(16 * 8)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, in edt.Args) {
				for k, v := range datablock.Slice[uint64](in.Dep(1)) {
					sum += uint64(k) * v
				}
				c.DestroyBlock(b)
			}, edt.From(done, datablock.Null), edt.From(b, datablock.RO))
			var began, released sync.WaitGroup
			began.Add(2)
			released.Add(1)
			for n := range 2 {
				t := job(c, "writer", 1, func(c *edt.Ctx, in edt.Args) {
					words := datablock.Slice[uint64](in.Dep(0))
					if n == 0 || both {
						words[n] = 1
					}
					began.Done()
					began.Wait()
					if n == 0 {
						c.Release(b)
						released.Done()
						c.Satisfy(done, guid.Null)
						return
					}
					released.Wait()
					words[n], words[15] = 10, 100
					c.Release(b)
					c.Satisfy(done, guid.Null)
				})
				c.NewEDTAt(c.Bind(n), t, nil, edt.From(b, datablock.RW))
				c.DestroyTemplate(t)
			}
		})
		if err != nil || len(found) > 0 || sum != 0*1+1*10+15*100 {
			t.Errorf("both %v: sum %d; found %v, error %v", both, sum, found, err)
		}
	}
}
