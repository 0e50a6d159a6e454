package datablock

import (
	"unsafe"

	"ocr/guid"
)

// A Dep is one dependence as an EDT sees it: the block that came with it, the
// memory, and the mode in which it is held. The zero Dep is a pure control
// dependence. It may be used only inside the EDT that got it.
//
// A Dep is used in place, through a pointer: copying its six words costs more than
// all its methods.
type Dep struct {
	id   guid.GUID
	addr uintptr // as in Record: an integer, so that storing it needs no write barrier
	size int
	mode Mode
	hold Hold
}

// A Hold says what an EDT still has of a block.
type Hold uint8

const (
	// NotHeld: no access, or none any more.
	NotHeld Hold = iota
	// Held in the mode of the dependence.
	Held
	// Downgraded: writes were published, read access was kept.
	Downgraded
	// Shared: the same block came on an earlier slot, which holds it.
	Shared
)

// Set describes a block held in a mode. It is for package edt.
func (d *Dep) Set(id guid.GUID, rec *Record, mode Mode, hold Hold) {
	d.id, d.mode, d.hold = id, mode, hold
	d.addr, d.size = 0, 0
	if mode != Null {
		d.addr, d.size = rec.addr, int(rec.size)
	}
}

// SetHeld is Set for a block that is held. line is [Record.Line] where the caller
// knows it without a look at the record, else 0.
func (d *Dep) SetHeld(high, low uint64, rec *Record, line uint64, mode Mode, hold Hold) {
	d.id = guid.FromWords(high, low)
	d.addr, d.size = uintptr(line*lineSize), int(rec.size)
	if line == 0 {
		d.addr = rec.addr
	}
	d.mode, d.hold = mode, hold
}

// GUID returns the block's GUID, [guid.Null] where none came.
func (d *Dep) GUID() guid.GUID { return d.id }

// Mode returns the mode in which the block was acquired.
func (d *Dep) Mode() Mode { return d.mode }

// Hold returns what the EDT still has of the block.
func (d *Dep) Hold() Hold { return d.hold }

// IsNull reports whether the slot was satisfied without a block.
func (d *Dep) IsNull() bool { return d.id.IsNull() }

// Size returns the block's size in bytes; 0 where the EDT has no access to it.
func (d *Dep) Size() int { return d.size }

// Bytes returns the block's memory; nil in mode [Null] and where no block came.
// It is valid until the EDT releases the block or ends.
func (d *Dep) Bytes() []byte { return unsafe.Slice((*byte)(d.memory()), d.size) }

// memory turns the address back into a pointer; see [Record].
func (d *Dep) memory() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&d.addr)) }

// Relocate makes [Dep.Bytes] and the typed views show other memory than the block's
// own, at least as long. It is for observers of the graph, which keep that memory
// alive until the EDT has ended.
func (d *Dep) Relocate(b []byte) { d.addr = uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// SetHold records that the EDT gave the block up, or kept only read access. It is
// for package edt.
func (d *Dep) SetHold(h Hold) {
	d.hold = h
	if h == NotHeld {
		d.addr, d.size = 0, 0
	}
}
