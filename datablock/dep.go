package datablock

import (
	"unsafe"

	"ocr/guid"
	"ocr/internal/core/dep"
)

// A Dep is one dependence as an EDT sees it: the block that came with it, the
// memory, and the mode in which it is held. The zero Dep is a pure control
// dependence. It may be used only inside the EDT that got it.
//
// A Dep is used in place, through a pointer: what is noted of the block is in it, and copying its six words costs more
// than all its methods. go vet finds copies.
type Dep struct {
	_     noCopy
	state dep.State
}

// A noCopy is what go vet (copylocks) takes for a lock.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// GUID returns the block's GUID, [guid.Null] if none came.
func (d *Dep) GUID() guid.GUID { return d.state.ID }

// Mode returns the mode in which the block was acquired.
func (d *Dep) Mode() Mode { return Mode(d.state.Access.Mode()) }

// IsNull reports whether the slot was satisfied without a block.
func (d *Dep) IsNull() bool { return d.state.ID.IsNull() }

// Size returns the block's size in bytes; 0 if the EDT has no access to it.
func (d *Dep) Size() int { return d.state.Size }

// Bytes returns the block's memory; nil in mode [Null] and if no block came.
// It is valid until the EDT releases the block or ends.
func (d *Dep) Bytes() []byte { return d.state.Bytes() }

// Memory is where Bytes begin, for package ocr/task.
func (d *Dep) Memory() unsafe.Pointer { return d.state.Memory() }

// MaxSize is the largest block, in bytes.
const MaxSize = 1 << 37
