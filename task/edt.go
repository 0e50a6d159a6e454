package task

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Port names a slot of an EDT that was left open, or an event ([Event.Port]): its holder satisfies it, once. It may
// lie in parameters and in blocks. Three words: a result that a child EDT owes to a join.
type Port[T any] struct {
	edt guid.GUID
	at  uint64 // slot, and the mode above it
}

const portMode = 32

func port[T any](g guid.GUID, slot uint64, mode datablock.Mode) Port[T] {
	return Port[T]{g, slot | uint64(mode)<<portMode}
}

func (p Port[T]) describe() string {
	if p.edt.Kind() == guid.KindEvent {
		return nameOf(p.edt)
	}
	return fmt.Sprintf("slot %d of %s", uint32(p.at), nameOf(p.edt))
}

// Send releases a block that the EDT holds, and satisfies the slot or event with it.
func (p Port[T]) Send(c *edt.Ctx, b Block[T]) {
	c.Release(b.GUID)
	c.AddDependence(b.GUID, p.edt, int(uint32(p.at)), datablock.Mode(p.at>>portMode))
}

// Signal satisfies it without a block.
func (p Port[T]) Signal(c *edt.Ctx) {
	c.AddDependence(guid.GUID{}, p.edt, int(uint32(p.at)), datablock.Mode(p.at>>portMode))
}

// Connect gives it a source: an event, or a block, which the EDT does not hold or not any more.
func (p Port[T]) Connect(c *edt.Ctx, s Source[T]) {
	c.AddDependence(s.id(), p.edt, int(uint32(p.at)), datablock.Mode(p.at>>portMode))
}
