package datablock

import (
	"unsafe"

	"ocr/guid"
	"ocr/internal/core/dep"
)

// A Dep is one dependence as an EDT sees it: the block of the slot, its memory, and the mode in which the EDT holds it.
// The zero Dep is a control dependence without a block. Only the EDT that got a Dep may use it.
//
// Use a Dep in place, through a pointer: the runtime keeps the state of the block in the Dep, and copying its five
// words costs more than any of its methods. go vet finds copies.
type Dep struct {
	_     noCopy
	state dep.State
}

// A noCopy has the methods of a lock, so that go vet (copylocks) finds copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// GUID returns the block's GUID, [guid.Null] if there is no block.
func (d *Dep) GUID() guid.GUID { return d.state.ID }

// Mode returns the mode in which the block was acquired.
func (d *Dep) Mode() Mode { return Mode(d.state.Access.Mode()) }

// IsNull reports whether the slot was satisfied without a block.
func (d *Dep) IsNull() bool { return d.state.ID.IsNull() }

// Size returns the block's size in bytes; 0 if the EDT has no access to it.
func (d *Dep) Size() int { return d.state.Size }

// Bytes returns the block's memory, valid until the EDT releases the block or ends. It is nil in mode [Null], without a
// block, and after the release.
func (d *Dep) Bytes() []byte { return d.state.Bytes() }

// Memory returns the address of Bytes, for package ocr/task.
func (d *Dep) Memory() unsafe.Pointer { return d.state.Memory() }

// MaxSize is the size of the largest block, in bytes.
const MaxSize = 1 << 37
