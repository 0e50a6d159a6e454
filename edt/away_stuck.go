package edt

import (
	"ocr/guid"
)

// The home of an EDT that waits does not know the state of another rank's event; the home of the event knows which
// slots wait for it.

// A slotOf names a slot of an EDT in reports.
type slotOf struct {
	edt  guid.GUID
	slot int
}

// joinWaits notes for the slots of EDTs what they wait for on other ranks.
func joinWaits(waiting []WaitingEDT, all []awaited) {
	slots := make(map[slotOf]string, len(all))
	for _, a := range all {
		slots[slotOf{a.EDT, a.Slot}] = a.Lacks
	}
	for k := range waiting {
		w := &waiting[k]
		for n := range w.Missing {
			if lacks, ok := slots[slotOf{w.EDT, w.Missing[n].Slot}]; ok {
				w.Missing[n].Lacks = lacks
			}
		}
	}
}

// awaitedElsewhere lists the slots of other ranks that wait for events of this one.
func (g *Graph) awaitedElsewhere() (all []awaited) {
	sr := g.newWaitReader()
	note := func(event uint64, ref uint64) {
		if ref&refNode == 0 {
			return
		}
		n := g.nodes.At(uint32(ref))
		if dst := guid.FromWords(n.high, n.dst); n.high != 0 && dst.Kind() == guid.KindEDT {
			all = append(all, awaited{dst, int(n.slot & (1<<nodeModeAt - 1)), sr.source(event)})
		}
	}
	g.events.Each(func(i uint32, e *event) {
		if e.typ == 0 || e.typ >= scopeEvent {
			return
		}
		if e.typ == Channel && e.head&headKind == headQueued {
			for _, ref := range g.channels.waiters(e.channel) {
				note(e.Low(i), ref)
			}
			return
		}
		for ref := e.head; ref != 0 && ref&headKind == 0; {
			note(e.Low(i), ref)
			ref, _ = sr.next(ref)
		}
	})
	return all
}
