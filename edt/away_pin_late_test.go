package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// TestDestroyedWhileInTransit: an EDT of rank 1 destroys a block, so rank 1 returns all its holds, while a third
// rank passes the block to another EDT of rank 1. That EDT still gets the block, and the hold that came with it is
// returned, too.
func TestDestroyedWhileInTransit(t *testing.T) {
	overThree(t, func(tr *trial) edt.Func {
		ran := tr.times("users", 2)
		return body(func(c *edt.Ctx, _ edt.Args) {
			b, brings := wordBlock(c, 7), c.NewEvent(edt.Once, c.Place(2))
			use := func(then func(c *edt.Ctx)) edt.Func {
				return body(func(c *edt.Ctx, in edt.Args) {
					if got := wordOf(in.Dep(0)); got != 7 {
						tr.Errorf("the block has %d", got)
					}
					ran.add()
					then(c)
				})
			}
			c.NewEDTAt(c.Bind(1), c.NewTemplate("late", 0, 1, use(func(*edt.Ctx) {})), nil, rw(brings))
			c.Satisfy(brings, b)
			c.NewEDTAt(c.Bind(1), c.NewTemplate("destroys", 0, 1, use(func(c *edt.Ctx) { c.DestroyBlock(b) })), nil, rw(b))
		})
	})
}

// TestDestroyedWithManyPins: two ranks destroy a block of each other's, which they have passed on to a third rank
// before.
func TestDestroyedWithManyPins(t *testing.T) {
	const uses = 3
	overThree(t, func(tr *trial) edt.Func {
		ran := tr.times("users", 2*uses)
		trade := func(to int) edt.Func {
			return body(func(c *edt.Ctx, _ edt.Args) {
				b := wordBlock(c, 7)
				c.NewEDTAt(c.Bind(to), c.NewTemplate("passes on", 0, 1, body(func(c *edt.Ctx, in edt.Args) {
					for range uses {
						c.NewEDTAt(c.Bind(2), c.NewTemplate("uses", 0, 1, body(func(_ *edt.Ctx, in edt.Args) {
							ran.add()
						})), nil, edt.From(b, datablock.RO))
					}
					c.DestroyBlock(b)
				})), nil, rw(b))
			})
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			for k := range 2 {
				c.NewEDTAt(c.Bind(k), c.NewTemplate("makes", 0, 1, trade(1-k)), nil, rw(guid.Null))
			}
		})
	})
}
