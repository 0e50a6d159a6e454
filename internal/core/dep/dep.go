// Package dep has what is inside a datablock.Dep: package edt fills it in, and package
// datablock shows it to programs.
package dep

import (
	"unsafe"

	"ocr/guid"
)

// A State is one dependence of an EDT that runs, or a block that it has created.
type State struct {
	ID     guid.GUID
	Addr   uintptr // of the block's memory: an integer, so that storing it needs no write barrier
	Size   int
	Access Access
}

// An Access is a datablock.Mode, and what the EDT still has of the block: one word, as they
// are compared together, and a processor waits if it loads more than it has just stored.
type Access uint64

const holdShift = 8

// In is the access of a hold in a mode.
func In(mode uint8, h Hold) Access { return Access(h)<<holdShift | Access(mode) }

// Mode returns the datablock.Mode.
func (a Access) Mode() uint8 { return uint8(a) }

// Hold returns what the EDT still has.
func (a Access) Hold() Hold { return Hold(a >> holdShift) }

// proxyShift is above the hold.
const proxyShift = 16

// OfProxy is the access to a block of another rank, for which record i stands here.
func (a Access) OfProxy(i uint32) Access { return a | Access(i)<<proxyShift }

// Proxy returns the record that stands for the block, 0 if it is a block of this rank.
func (a Access) Proxy() uint32 { return uint32(a >> proxyShift) }

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
	// OfGraph: the run of a recorded graph holds it.
	OfGraph
)

// Here reports whether the EDT can access the block through this slot.
func (h Hold) Here() bool { return h == Held || h == Downgraded || h == OfGraph }

// SetHold records that the EDT has given the block up, or has kept only read access. The access is not that
// of a proxy any more.
func (s *State) SetHold(h Hold) {
	s.Access = In(s.Access.Mode(), h)
	if h == NotHeld {
		s.Addr, s.Size = 0, 0
	}
}

// Memory turns the address back into a pointer. The memory is Go memory that the run
// keeps alive, or that an observer does, and Go memory of this size does not move. So
// the integer is the address of a live object for as long as the EDT may use it.
func (s *State) Memory() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&s.Addr)) }

// Bytes returns the memory as bytes, nil if the EDT has no access to it.
func (s *State) Bytes() []byte { return unsafe.Slice((*byte)(s.Memory()), s.Size) }
