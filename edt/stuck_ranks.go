package edt

import (
	"fmt"

	"ocr/guid"
)

// The home of an EDT that waits does not know what is with an event of another rank; the event's home knows who waits there.

// join says of slots what they wait for on other ranks.
func (e *StuckError) join(all []awaited) {
	slots := make(map[slotOf]string, len(all))
	for _, a := range all {
		slots[slotOf{a.EDT, a.Slot}] = a.Lacks
	}
	for k := range e.Waiting {
		w := &e.Waiting[k]
		for n := range w.Missing {
			if lacks, ok := slots[slotOf{w.EDT, w.Missing[n].Slot}]; ok {
				w.Missing[n].Lacks = lacks
			}
		}
	}
}

// awaitedElsewhere lists the slots of other ranks that wait for events and labels of this one. No worker may be running.
func (g *Graph) awaitedElsewhere() (all []awaited) {
	sr := g.newSnapshotReader()
	note := func(event uint64, ref uint64) {
		n := g.nodes.Find(uint32(ref))
		if ref&refNode == 0 || n == nil || n.high == 0 {
			return
		}
		if dst := guid.FromWords(n.high, n.dst); dst.Kind() == guid.KindEDT {
			all = append(all, awaited{dst, int(n.slot & (1<<nodeModeAt - 1)), sr.source(event)})
		}
	}
	g.events.Each(func(i uint32, e *event) {
		if e.typ == 0 || e.typ&typeMask >= scopeEvent {
			return
		}
		if e.typ&typeMask == Channel && e.head&headKind == headQueued {
			ch := g.channels.all[e.channel-1]
			for k := range ch.wants.n {
				note(e.Low(i), ch.wants.ring[(ch.wants.head+k)&(len(ch.wants.ring)-1)])
			}
			return
		}
		for ref := e.head; ref != 0 && ref&headKind == 0; ref, _ = sr.next(ref) {
			note(e.Low(i), ref)
		}
	})
	for slot, name := range g.labels.awaited() {
		all = append(all, awaited{slot.edt, slot.slot, fmt.Sprintf("label %v, no object created", name)})
	}
	return all
}
