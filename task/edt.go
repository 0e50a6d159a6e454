package task

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A Port names an open slot of an EDT, or an event ([Event.Port]); an EDT that has the Port satisfies it, once.
// Parameters and blocks may hold it. It takes three words.
type Port[T any] struct {
	edt guid.GUID
	at  uint64 // slot number; the mode in the bits from portMode on
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

// Signal satisfies the slot or event without a block.
func (p Port[T]) Signal(c *edt.Ctx) {
	c.AddDependence(guid.GUID{}, p.edt, int(uint32(p.at)), datablock.Mode(p.at>>portMode))
}

// Connect gives the slot or event a source: an event, or a block that the EDT does not hold.
func (p Port[T]) Connect(c *edt.Ctx, s Source[T]) {
	c.AddDependence(s.id(), p.edt, int(uint32(p.at)), datablock.Mode(p.at>>portMode))
}
