package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// TestMisuseAgain: what is wrong at the call.
func TestMisuseAgain(t *testing.T) {
	const op = "go on"
	source := func(name string, cause *edt.Condition, made maker) misuse {
		return misuse{name, op, cause, func(c *edt.Ctx, f *fault) {
			g := made(c)
			f.at(c, g, func() { c.Again(edt.Change{Slot: 0, Source: g}) })
		}}
	}
	cases := []misuse{
		{"twice", op, edt.ErrGoesOn, func(c *edt.Ctx, f *fault) {
			c.Again()
			f.at(c, c.Self(), func() { c.Again() })
		}},
		{"twice, behind an event", op, edt.ErrGoesOn, func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				e, other := c.NewEvent(edt.Sticky), c.NewEvent(edt.Sticky)
				c.Again(edt.Change{Slot: 0, Source: e})
				f.at(c, c.Self(), func() { c.Again(edt.Change{Slot: 1, Source: other}) })
			}, edt.From(guid.Null, datablock.RW), edt.From(guid.Null, datablock.RW))
		}},
		{"slot named twice", op, edt.ErrSlotTaken, func(c *edt.Ctx, f *fault) {
			e := c.NewEvent(edt.Sticky)
			f.at(c, c.Self(), func() { c.Again(edt.Change{Slot: 0, Source: e}, edt.Change{Slot: 0, Source: e}) })
		}},
		source("event that is gone", edt.ErrStale, then(eventOf(edt.Sticky), (*edt.Ctx).DestroyEvent)),
		source("once event that has triggered", edt.ErrStale, then(eventOf(edt.Once), satisfy)),
		source("block that is gone", edt.ErrStale, then(someBlock, (*edt.Ctx).DestroyBlock)),
		source("latch that has triggered", edt.ErrStale, then(latchAt(1), satisfy)),
		source("channel that is gone", edt.ErrStale, then(channelOf(1), (*edt.Ctx).DestroyEvent)),
		source("open", edt.ErrKind, func(*edt.Ctx) guid.GUID { return guid.Uninitialized }),
		source("EDT", edt.ErrKind, (*edt.Ctx).Self),
		source("template", edt.ErrKind, func(c *edt.Ctx) guid.GUID {
			return c.TemplateGUID(c.NewTemplate("t", 0, 0, body(nothing)))
		}),
		source("event of another run", edt.ErrForeign, foreignEvent),
		source("block of another run", edt.ErrForeign, foreignBlock),
	}
	for _, slot := range []int{-1, 1, 1 << 40} {
		cases = append(cases, misuse{fmt.Sprintf("slot %d of 1", slot), op, edt.ErrSlotRange, func(c *edt.Ctx, f *fault) {
			f.at(c, c.Self(), func() { c.Again(edt.Change{Slot: slot, Source: guid.Null}) })
		}}, misuse{fmt.Sprintf("slot %d of 1, behind an event", slot), op, edt.ErrSlotRange, func(c *edt.Ctx, f *fault) {
			f.at(c, c.Self(), func() { c.Again(edt.Change{Slot: slot, Source: c.NewEvent(edt.Sticky)}) })
		}})
	}
	checkMisuses(t, cases)
}

// TestMisuseAfterAgain: what is found when the body has ended is blamed on the call.
func TestMisuseAfterAgain(t *testing.T) {
	stale := func(name string, slots []datablock.Mode,
		then func(c *edt.Ctx, in edt.Args, event guid.GUID) (target guid.GUID)) misuse {
		return misuse{name, "go on", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			var deps []edt.Source
			for _, m := range slots {
				deps = append(deps, edt.From(wordBlock(c, 1), m))
			}
			f.template = "launched"
			launch(c, func(c *edt.Ctx, in edt.Args) {
				e := c.NewEvent(edt.Sticky)
				f.at(c, e, func() { c.Again(edt.Change{Slot: len(slots) - 1, Source: e}) })
				f.target = then(c, in, e)
			}, deps...)
		}}
	}
	destroyEvent := func(c *edt.Ctx, _ edt.Args, e guid.GUID) guid.GUID {
		c.DestroyEvent(e)
		return e
	}
	destroyBlock := func(c *edt.Ctx, in edt.Args, e guid.GUID) guid.GUID {
		b := in.Dep(0).GUID()
		c.DestroyBlock(b)
		c.Satisfy(e, guid.Null)
		return b
	}
	rw, null := datablock.RW, datablock.Null
	cases := []misuse{
		stale("event destroyed", []datablock.Mode{rw}, destroyEvent),
		stale("event destroyed, five slots", []datablock.Mode{rw, null, rw, null, rw}, destroyEvent),
		stale("block destroyed", []datablock.Mode{rw, rw}, destroyBlock),
		stale("block without access destroyed", []datablock.Mode{null, rw}, destroyBlock),
		stale("block destroyed, five slots", []datablock.Mode{rw, null, null, null, rw}, destroyBlock),
	}
	cases = append(cases, misuse{"counted event that others have used up", "add dependence", edt.ErrCount,
		func(c *edt.Ctx, f *fault) {
			f.template = "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				e := c.NewCounted(1)
				launch(c, nothing, edt.From(e, rw))
				f.at(c, e, func() { c.Again(edt.Change{Slot: 0, Source: e}) })
			}, edt.From(guid.Null, rw))
		}}, misuse{"channel that others wait for", "add dependence", edt.ErrFull, func(c *edt.Ctx, f *fault) {
		f.template = "launched"
		launch(c, func(c *edt.Ctx, _ edt.Args) {
			e := c.NewChannel(1)
			launch(c, nothing, edt.From(e, rw))
			f.at(c, e, func() { c.Again(edt.Change{Slot: 0, Source: e}) })
		}, edt.From(guid.Null, rw))
	}})
	checkMisuses(t, cases)
	t.Run("sites", func(t *testing.T) {
		for _, m := range cases {
			underSeeds(t, 2, func(tr *trial) edt.Func {
				tr.sites = true
				var f fault
				tr.want = func(err error) { m.check(tr, &f, err) }
				return body(func(c *edt.Ctx, _ edt.Args) { m.run(c, &f) })
			})
		}
	})
}
