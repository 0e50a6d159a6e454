package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

var registered = edt.NewTemplate("edt_test.registered", 0, 1, body(nothing))

func TestMisuseDestroyTwice(t *testing.T) {
	checkMisuses(t, []misuse{
		{"event", "destroy event", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := c.NewEvent(edt.Sticky)
			c.DestroyEvent(g)
			f.at(c, g, func() { c.DestroyEvent(g) })
		}},
		{"event, place reused", "destroy event", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := staleEvent(c)
			f.at(c, g, func() { c.DestroyEvent(g) })
		}},
		{"once event after its trigger", "destroy event", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := c.NewEvent(edt.Once)
			c.Satisfy(g, guid.Null)
			f.at(c, g, func() { c.DestroyEvent(g) })
		}},
		{"latch after its trigger", "destroy event", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := c.NewLatch(1)
			c.Satisfy(g, guid.Null)
			f.at(c, g, func() { c.DestroyEvent(g) })
		}},
		{"channel", "destroy event", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := c.NewChannel(1)
			c.DestroyEvent(g)
			f.at(c, g, func() { c.DestroyEvent(g) })
		}},
		{"EDT", "destroy EDT", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := open(c, 1, nothing)
			c.DestroyEDT(g)
			f.at(c, g, func() { c.DestroyEDT(g) })
		}},
		{"EDT that events still refer to", "destroy EDT", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := launch(c, nothing, rw(c.NewEvent(edt.Sticky)))
			c.DestroyEDT(g)
			f.at(c, g, func() { c.DestroyEDT(g) })
		}},
		{"EDT, place reused", "destroy EDT", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := staleEDT(c)
			f.at(c, g, func() { c.DestroyEDT(g) })
		}},
		{"block", "destroy data block", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := c.NewBlockNoAcquire(8)
			c.DestroyBlock(g)
			f.at(c, g, func() { c.DestroyBlock(g) })
		}},
		{"block that others hold", "destroy data block", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := wordBlock(c, 1)
			launch(c, nothing, rw(g))
			c.DestroyBlock(g)
			f.at(c, g, func() { c.DestroyBlock(g) })
		}},
		{"block, place reused", "destroy data block", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := staleBlock(c)
			f.at(c, g, func() { c.DestroyBlock(g) })
		}},
		{"template", "destroy template", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			tmpl, g := staleTemplate(c)
			f.at(c, g, func() { c.DestroyTemplate(tmpl) })
		}},
		{"range", "destroy range", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			g := c.NewRange(1, guid.KindEvent)
			c.DestroyRange(g)
			f.at(c, g, func() { c.DestroyRange(g) })
		}},
		{"label", "destroy event", edt.ErrNoObject, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEvent), 0)
			if err := c.NewLabelledEvent(g, edt.Sticky); err != nil {
				panic(err)
			}
			c.DestroyEvent(g)
			f.at(c, g, func() { c.DestroyEvent(g) })
		}},
	})
}

func TestMisuseDestroyRunnableEDT(t *testing.T) {
	checkMisuses(t, []misuse{
		{"itself", "destroy EDT", edt.ErrRunnable, func(c *edt.Ctx, f *fault) {
			f.at(c, c.Self(), func() { c.DestroyEDT(c.Self()) })
		}},
		{"waiting for a block only", "destroy EDT", edt.ErrRunnable, func(c *edt.Ctx, f *fault) {
			held, _ := c.NewBlock(8)
			f.later = true // main may have released the block before
			g := launch(c, nothing, edt.From(held, datablock.EW))
			f.at(c, g, func() { c.DestroyEDT(g) })
		}},
	})
	checkOneAtATime(t, misuse{"ready", "destroy EDT", edt.ErrRunnable, func(c *edt.Ctx, f *fault) {
		g := launch(c, nothing, rw(guid.Null)) // ready, but main still runs
		f.at(c, g, func() { c.DestroyEDT(g) })
	}})
}

func TestMisuseDestroyKind(t *testing.T) {
	checkMisuses(t, wrongKinds("destroy event", []string{"event"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.DestroyEvent(g) })
	}))
	checkMisuses(t, wrongKinds("destroy EDT", []string{"EDT"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.DestroyEDT(g) })
	}))
	checkMisuses(t, wrongKinds("destroy data block", []string{"block"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.DestroyBlock(g) })
	}))
	checkMisuses(t, wrongKinds("destroy range", []string{"range"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.DestroyRange(g) })
	}))
	checkMisuses(t, []misuse{
		{"foreign event", "destroy event", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().event, func() { c.DestroyEvent(otherRun().event) })
		}},
		{"foreign EDT", "destroy EDT", edt.ErrForeign,
			func(c *edt.Ctx, f *fault) { f.at(c, otherRun().edt, func() { c.DestroyEDT(otherRun().edt) }) }},
		{"foreign block", "destroy data block", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().block, func() { c.DestroyBlock(otherRun().block) })
		}},
		{"foreign range", "destroy range", edt.ErrForeign,
			func(c *edt.Ctx, f *fault) { f.at(c, otherRun().rng, func() { c.DestroyRange(otherRun().rng) }) }},
		{"foreign template", "destroy template", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			f.at(c, guid.Null, func() { c.DestroyTemplate(otherRun().template) })
		}},
		{"foreign label", "destroy event", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.at(c, otherRun().label, func() { c.DestroyEvent(otherRun().label) })
		}},
		{"registered template", "destroy template", edt.ErrRegistered, func(c *edt.Ctx, f *fault) {
			f.at(c, c.TemplateGUID(registered), func() { c.DestroyTemplate(registered) })
		}},
		{"label of another kind", "destroy data block", edt.ErrKind, func(c *edt.Ctx, f *fault) {
			g := c.Label(c.NewRange(1, guid.KindEvent), 0)
			f.at(c, g, func() { c.DestroyBlock(g) })
		}},
	})
}
