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
	sp.slots, sp.params = *(*[]slot)(unsafe.Pointer(&length)), *(*[]uint64)(unsafe.Pointer(&length))
	defer func() { *sp = spill{} }()
	var c Ctx
	c.edts.Init(&g.edts)
	i := c.edts.Get()
	r := g.edts.At(i)
	r.depc, r.code, r.phase = inlineSlots+1, (inlineParams+1)<<paramShift, phaseWaiting
	r.slots[0].word, r.params[0] = 0, 0 // the record may have been another EDT's
	now := peekEDT(r)
	if slots, params := peekSlots(g, i, &now), peekParams(g, i, &now); slots != nil || params != nil {
		t.Errorf("%d slots and %d parameters, want none", len(slots), len(params))
	}
}
