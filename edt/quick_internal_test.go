package edt

import (
	"sync/atomic"
	"testing"

	"ocr/datablock"
)

// A slot that lost the race for its event is as it was: open, so that it can be connected by
// the way that takes more than one try.
func TestSlotThatLostARaceIsOpen(t *testing.T) {
	c, _ := newCtx(t)
	i, g := waiting(t, c, 2)
	_, lo := c.NewEvent(Sticky).Words()
	e, k := c.g.events.At(uint32(lo)), c.g.edts.At(i)
	var over atomic.Bool
	others := make(chan bool)
	go func() { // keeps changing the list, as if other slots were put in and taken out
		defer close(others)
		for !over.Load() {
			atomic.StoreUint64(&e.head, slotRef(7, 1))
			atomic.StoreUint64(&e.head, 0)
		}
	}()
	for tries := 1; quickWait(e, &k.slots[1], uint64(datablock.RO)<<linkModeAt, slotRef(i, 1)); tries++ {
		if link := k.slots[1].link; link&^refMask != uint64(datablock.RO)<<linkModeAt|slotWaiting {
			t.Fatalf("try %d: the slot waits with link %#x", tries, link)
		}
		k.slots[1].link = slotOpen
	}
	over.Store(true)
	<-others
	if link := k.slots[1].link; link != slotOpen {
		t.Errorf("the slot has link %#x, want that of an open one", link)
	}
	// The slow way takes the slot.
	atomic.StoreUint64(&e.head, 0)
	c.addDependence(c.g.eventGUID(e.Low(uint32(lo))), g, 1, datablock.RO)
	if k.slots[1].state() != slotWaiting || e.head != slotRef(i, 1) {
		t.Errorf("the slot has link %#x, the event %#x", k.slots[1].link, e.head)
	}
}
