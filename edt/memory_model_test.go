package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
)

// What an EDT wrote before it released a block and satisfied an event is seen by everything that the event makes
// runnable: through the block passed, and through another one.
func TestWritesAreVisibleAfterSatisfy(t *testing.T) {
	const chains, links = 4, 300
	onPool(t, counting("chains", chains, func(tr *trial, c *edt.Ctx, ended *tally) {
		var link *edt.Template
		link = c.NewTemplate("link", 1, 2, body(func(c *edt.Ctx, in edt.Args) {
			n := in.Param(0)
			passed, other := datablock.Slice[uint64](in.Dep(0)), datablock.Slice[uint64](in.Dep(1))
			for k := range passed {
				if passed[k] != n || other[k] != n {
					tr.Errorf("link %d reads %d and %d", n, passed[k], other[k])
				}
				passed[k]++
				other[k]++
			}
			if n == links {
				ended.add()
				return
			}
			e := c.NewEvent(edt.Once)
			a, b := in.Dep(0).GUID(), in.Dep(1).GUID()
			to := c.Place(int(n) % c.Workers())
			next := c.NewEDTAt(to, link, edt.Params(n+1))
			c.AddDependence(e, next, 0, datablock.RW)
			c.Release(a)
			c.Release(b)
			c.AddDependence(b, next, 1, datablock.RW)
			c.Satisfy(e, a)
		}))
		for range chains {
			c.NewEDT(link, edt.Params(0), rw(c.NewBlockNoAcquire(512)), rw(c.NewBlockNoAcquire(512)))
		}
	}))
}
