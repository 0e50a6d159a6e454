package edt_test

import (
	"fmt"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

var registered = edt.NewTemplate("edt_test.registered", 0, 1, body(nothing))

func TestMisuseDestroyTwice(t *testing.T) {
	twice := func(name, what string, made maker, destroy caller) misuse {
		return wrong(name, "destroy "+what, edt.ErrDestroyed, then(made, destroy), destroy)
	}
	event := func(name string, made maker) misuse {
		return wrong(name, "destroy event", edt.ErrDestroyed, made, (*edt.Ctx).DestroyEvent)
	}
	checkMisuses(t, []misuse{
		twice("event", "event", eventOf(edt.Sticky), (*edt.Ctx).DestroyEvent),
		twice("channel", "event", channelOf(1), (*edt.Ctx).DestroyEvent),
		event("event, place reused", staleEvent),
		event("once event after its trigger", then(eventOf(edt.Once), satisfy)),
		event("latch after its trigger", then(latchAt(1), satisfy)),
		twice("EDT", "EDT", openEDT(1), (*edt.Ctx).DestroyEDT),
		wrong("EDT, place reused", "destroy EDT", edt.ErrDestroyed, staleEDT, (*edt.Ctx).DestroyEDT),
		twice("block", "data block", unheldBlock, (*edt.Ctx).DestroyBlock),
		twice("block that others hold", "data block", then(someBlock, isAwaited), (*edt.Ctx).DestroyBlock),
		wrong("block, place reused", "destroy data block", edt.ErrDestroyed, staleBlock, (*edt.Ctx).DestroyBlock),
		{"template", "destroy template", edt.ErrDestroyed, func(c *edt.Ctx, f *fault) {
			tmpl, g := staleTemplate(c)
			f.at(c, g, func() { c.DestroyTemplate(tmpl) })
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

// TestMisuseDestroyConnectedEDT: the slot is named, whatever its source is or has become.
func TestMisuseDestroyConnectedEDT(t *testing.T) {
	var cases []misuse
	add := func(name string, slots, slot int, source func(c *edt.Ctx) guid.GUID, then caller) {
		made := func(c *edt.Ctx) guid.GUID {
			from, task := source(c), open(c, slots, nothing)
			c.AddDependence(from, task, slot, datablock.RO)
			then(c, from)
			return task
		}
		cases = append(cases, wrong(name, "destroy EDT", edt.ErrSlotTaken, made, (*edt.Ctx).DestroyEDT))
	}
	leave := func(*edt.Ctx, guid.GUID) {}
	for _, e := range unsatisfied {
		add("waits for event "+e.name, 2, 1, e.make, leave)
		add("waited for event "+e.name, 5, 4, e.make, (*edt.Ctx).DestroyEvent)
	}
	add("satisfied event", 2, 0, eventOf(edt.Sticky), satisfy)
	add("event satisfied before", 7, 6, then(eventOf(edt.Idempotent), satisfy), leave)
	add("block", 3, 2, unheldBlock, leave)
	add("Null", 9, 0, nullGUID, leave)
	checkMisuses(t, cases)
}

// TestDestroyConnectedEDTSays holds the words: the EDT, the slot by number and name, and what is allowed.
func TestDestroyConnectedEDTSays(t *testing.T) {
	for slot, name := range []string{"left", "right"} {
		var task guid.GUID
		err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
			tmpl := c.NewTemplate("joins", 0, 2, body(nothing)).NameSlots("left", "right")
			task = c.NewEDT(tmpl, nil)
			c.AddDependence(c.NewEvent(edt.Once), task, slot, datablock.RW)
			c.DestroyEDT(task)
		}))
		want := fmt.Sprintf("edt: destroy EDT %v: slot already connected or satisfied: slot %d (%s) of template joins; "+
			"an EDT without connected slots can be destroyed [EINVAL] in EDT", task, slot, name)
		if err == nil || !strings.HasPrefix(fmt.Sprintf("%+v", err), want) {
			t.Errorf("%+v, want %s", err, want)
		}
	}
}

func TestMisuseDestroyKind(t *testing.T) {
	for _, d := range []struct {
		kind, what string
		foreign    maker
		call       caller
	}{
		{"event", "event", foreignEvent, (*edt.Ctx).DestroyEvent},
		{"EDT", "EDT", foreignEDT, (*edt.Ctx).DestroyEDT},
		{"block", "data block", foreignBlock, (*edt.Ctx).DestroyBlock},
	} {
		checkMisuses(t, wrongKinds("destroy "+d.what, []string{d.kind}, d.call))
		checkMisuses(t, []misuse{wrong("foreign "+d.kind, "destroy "+d.what, edt.ErrForeign, d.foreign, d.call)})
	}
	checkMisuses(t, []misuse{
		{"foreign template", "destroy template", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			f.at(c, guid.Null, func() { c.DestroyTemplate(otherRun().template) })
		}},
		{"registered template", "destroy template", edt.ErrRegistered, func(c *edt.Ctx, f *fault) {
			f.at(c, c.TemplateGUID(registered), func() { c.DestroyTemplate(registered) })
		}},
	})
}
