package edt

import (
	"testing"
	"unsafe"
)

// A slice that is read while it is assigned for the first time may have its length only.
func TestTornSpillIsNotRead(t *testing.T) {
	g := NewGraph(Config{Workers: 1})
	defer g.Close()
	sp := g.spills.make(0)
	length := struct {
		place    unsafe.Pointer
		len, cap int
	}{nil, 9, 9}
	sp.slots = *(*[]slot)(unsafe.Pointer(&length))
	defer func() { *sp = spill{} }()
	var c Ctx
	c.edts.Init(&g.edts)
	i := c.edts.Get()
	r := g.edts.At(i)
	r.depc, r.phase = inlineSlots+1, phaseWaiting
	r.slots[0].word = 0 // the record may have been another EDT's
	now := peekEDT(r)
	if slots := peekSlots(g, i, &now); slots != nil {
		t.Errorf("%d slots, want none", len(slots))
	}
}
