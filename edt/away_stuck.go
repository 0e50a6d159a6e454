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

// awaitedElsewhere lists the slots of other ranks that wait for events of this one. Like a [Snapshot] it is
// exact if nothing moves.
func (g *Graph) awaitedElsewhere() (all []awaited) {
	sr := g.newSnapshotReader()
	note := func(event uint64, ref uint64) {
		n := g.nodes.Find(uint32(ref))
		if ref&refNode == 0 || n == nil {
			return
		}
		if dst, slot := peekRemote(n); dst.Kind() == guid.KindEDT {
			all = append(all, awaited{dst, slot, sr.source(event)})
		}
	}
	g.events.Peek(func(i uint32) {
		e, ok := sr.event(i)
		if !ok || e.typ >= scopeEvent {
			return
		}
		if e.typ == Channel && e.head&headKind == headQueued {
			for _, ref := range g.channels.waiters(e.channel) {
				note(e.Low(i), ref)
			}
			return
		}
		ref := e.head
		for n := 0; ref != 0 && ref&headKind == 0 && n < listLimit; n++ {
			note(e.Low(i), ref)
			ref, _ = sr.next(ref)
		}
	})
	return all
}

// peekRemote returns what waits on another rank through a node, Null for nothing.
//
//go:norace
func peekRemote(n *node) (dst guid.GUID, slot int) {
	if n.high == 0 {
		return guid.Null, 0
	}
	return guid.FromWords(n.high, n.dst), int(n.slot & (1<<nodeModeAt - 1))
}
