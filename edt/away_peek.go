package edt

import (
	"runtime/debug"
	"unsafe"
)

// What follows reads records that workers write meanwhile, without synchronisation. The
// race detector leaves it alone. The callers check what they get: a record may
// be half of one object and half of the next.

//go:norace
func peekEDT(r *edtRecord) edtRecord { return *r }

// peekSlots returns a copy of the slots of an EDT whose record was copied to t.
//
//go:norace
func peekSlots(g *Graph, i uint32, t *edtRecord) []slot {
	if t.depc <= inlineSlots {
		return t.slots[:t.depc]
	}
	slots := peekSpill(g, i, t)
	if len(slots) < int(t.depc) {
		return nil
	}
	copied := make([]slot, t.depc)
	for n := range copied { // not by copy, which tells the race detector
		copied[n] = slots[n]
	}
	return copied
}

// peekSpill returns the spilled slots of an EDT whose record was copied to t, nil
// if the record is another's by now: while it is the same EDT's, the list stays in place.
//
//go:norace
func peekSpill(g *Graph, i uint32, t *edtRecord) []slot {
	sp := g.spills.find(uint32(t.slots[0].word))
	if sp == nil {
		return nil
	}
	slots := sp.slots
	now := peekEDT(g.edts.At(i))
	if torn(slots) || now.Header != t.Header || now.slots[0].word != t.slots[0].word || now.phase == phaseFree {
		return nil
	}
	return slots
}

// torn reports whether a slice has the length of after its first assignment, and the place of before: none.
func torn[T any](s []T) bool { return len(s) > 0 && unsafe.SliceData(s) == nil }

// ignoreFault calls f, which reads what others write, and bears a fault: a slice whose
// length and place were read at different times may reach beyond its memory.
func ignoreFault(f func()) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		v := recover()
		if _, isFault := v.(interface{ Addr() uintptr }); v != nil && !isFault {
			panic(v)
		}
	}()
	f()
}
