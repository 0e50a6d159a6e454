package block

import (
	"unsafe"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/dep"
)

// Show shows a dependence to a program, ShowAll all that an EDT has.
//
// This is sound because a datablock.Dep is a struct with one field that has a size, a [dep.State]: the
// two have one size, alignment and layout, and a pointer to a struct is a pointer to
// that field. TestDepIsItsState fails if that changes.
func Show(s *dep.State) *datablock.Dep { return (*datablock.Dep)(unsafe.Pointer(s)) }

// ShowAll is [Show] for a list.
func ShowAll(all *[]dep.State) []datablock.Dep { return *(*[]datablock.Dep)(unsafe.Pointer(all)) }

// Hide is the inverse of [Show].
func Hide(d *datablock.Dep) *dep.State { return (*dep.State)(unsafe.Pointer(d)) }

// Among reports whether d is one of a list, and no copy of one.
func Among(all []dep.State, d *dep.State) bool {
	from := uintptr(unsafe.Pointer(d)) - uintptr(unsafe.Pointer(unsafe.SliceData(all)))
	return from < uintptr(len(all))*unsafe.Sizeof(dep.State{})
}

// Relocate makes a dependence show other memory, which its caller keeps alive.
func Relocate(d *dep.State, b []byte) { d.Addr = uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// Describe describes the block of record r, nil for a block without access, as it is
// held in a mode.
func Describe(d *dep.State, id guid.GUID, r *Record, mode datablock.Mode, hold dep.Hold) {
	d.ID, d.Access = id, dep.In(uint8(mode), hold)
	d.Addr, d.Size = 0, 0
	if mode != datablock.Null {
		d.Addr, d.Size = r.addr, int(r.size)
	}
}

// LineOf is [Record.Line] for memory at an address.
func LineOf(addr uintptr) uint64 { return uint64(addr) / lineSize }

// ShowMemory gives a dependence access to the block. line is [Record.Line] if the caller
// knows it without a look at the record, else 0.
func (r *Record) ShowMemory(d *dep.State, line uint64) {
	d.Addr, d.Size = uintptr(line*lineSize), int(r.size)
	if line == 0 {
		d.Addr = r.addr
	}
}
