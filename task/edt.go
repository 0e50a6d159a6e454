package task

import (
	"fmt"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// EDT1 is a new EDT with one slot, EDT2 to EDT4 with more. What they know of the slots'
// types is for slots that were left open.
type EDT1[T0 any] struct {
	guid.GUID
	task *core
}

// Slot0 names the first slot, Slot1 to Slot3 the others.
func (e EDT1[T0]) Slot0() Port[T0] { return port[T0](e.GUID, 0, e.task.modes[0]) }

// EDT2 is an EDT with two slots.
type EDT2[T0, T1 any] struct{ EDT1[T0] }

// Slot1 names the second slot.
func (e EDT2[T0, T1]) Slot1() Port[T1] { return port[T1](e.GUID, 1, e.task.modes[1]) }

// EDT3 is an EDT with three slots.
type EDT3[T0, T1, T2 any] struct{ EDT2[T0, T1] }

// Slot2 names the third slot.
func (e EDT3[T0, T1, T2]) Slot2() Port[T2] { return port[T2](e.GUID, 2, e.task.modes[2]) }

// EDT4 is an EDT with four slots.
type EDT4[T0, T1, T2, T3 any] struct{ EDT3[T0, T1, T2] }

// Slot3 names the fourth slot.
func (e EDT4[T0, T1, T2, T3]) Slot3() Port[T3] { return port[T3](e.GUID, 3, e.task.modes[3]) }

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
	p.Connect(c, b.From())
}

// Signal satisfies it without a block.
func (p Port[T]) Signal(c *edt.Ctx) {
	c.AddDependence(guid.GUID{}, p.edt, int(uint32(p.at)), datablock.Mode(p.at>>portMode))
}

// Connect gives it a source: an event, or a block, which the EDT does not hold or not any more.
func (p Port[T]) Connect(c *edt.Ctx, s Source[T]) {
	c.AddDependence(s.id(), p.edt, int(uint32(p.at)), datablock.Mode(p.at>>portMode))
}
