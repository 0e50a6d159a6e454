package block

import (
	"unsafe"

	"ocr/datablock"
	"ocr/internal/core/dep"
)

// Show converts a dependence to the type that programs see.
//
// This is sound because a [dep.State] is the only field of datablock.Dep whose size is not 0: both types have the same
// size, alignment and layout. TestDepIsItsState fails if that changes.
func Show(s *dep.State) *datablock.Dep { return (*datablock.Dep)(unsafe.Pointer(s)) }

// ShowAll is [Show] for a list.
func ShowAll(all *[]dep.State) []datablock.Dep { return *(*[]datablock.Dep)(unsafe.Pointer(all)) }

// Hide is the inverse of [Show].
func Hide(d *datablock.Dep) *dep.State { return (*dep.State)(unsafe.Pointer(d)) }

// Among reports whether d points into a list. A copy of an element does not.
func Among(all []dep.State, d *dep.State) bool {
	from := uintptr(unsafe.Pointer(d)) - uintptr(unsafe.Pointer(unsafe.SliceData(all)))
	return from < uintptr(len(all))*unsafe.Sizeof(dep.State{})
}

// Relocate points a dependence to other memory, which the caller keeps alive; b is nil for an empty block.
func Relocate(d *dep.State, b []byte) { d.Addr = uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// LineOf is [Record.Line] for memory at an address.
func LineOf(addr uintptr) uint64 { return uint64(addr) / lineSize }

// ShowMemory gives a dependence access to the block. line is the block's [Record.Line], or 0 if the caller has not read
// the record.
func (r *Record) ShowMemory(d *dep.State, line uint64) {
	d.Addr, d.Size = uintptr(line*lineSize), int(r.size)
	if line == 0 {
		d.Addr = r.addr
	}
}
