// Package dep has the contents of a datablock.Dep: package edt sets them, and package datablock shows them to programs.
package dep

import (
	"unsafe"

	"ocr/guid"
)

// A State is one dependence of an EDT that runs, or a block that the EDT has created.
type State struct {
	ID     guid.GUID
	Addr   uintptr // of the block's memory: an integer, so that storing it needs no write barrier
	Size   int
	Access Access
}

// An Access is a datablock.Mode and a [Hold] in one word: they are compared together, and a processor waits if it loads
// more bytes than it has just stored.
type Access uint64

const holdShift = 8

// In returns the access of a hold in a mode.
func In(mode uint8, h Hold) Access { return Access(h)<<holdShift | Access(mode) }

// Mode returns the datablock.Mode.
func (a Access) Mode() uint8 { return uint8(a) }

// Hold returns what the EDT still holds of the block.
func (a Access) Hold() Hold { return Hold(a >> holdShift) }

// proxyShift is where the proxy's record begins in an Access, above the hold.
const proxyShift = 16

// OfProxy returns the access to a block of another rank, whose proxy is record i.
func (a Access) OfProxy(i uint32) Access { return a | Access(i)<<proxyShift }

// Proxy returns the proxy's record, 0 for a block of this rank.
func (a Access) Proxy() uint32 { return uint32(a >> proxyShift) }

// A Hold says what an EDT still holds of a block.
type Hold uint8

const (
	// NotHeld: no access, or not any more.
	NotHeld Hold = iota
	// Held in the mode of the dependence.
	Held
	// Downgraded: the writes were published, and the EDT may still read.
	Downgraded
	// Shared: the EDT holds the block by an earlier slot.
	Shared
	// OfGraph: the run of a recorded graph holds it.
	OfGraph
)

// Here reports whether the EDT can access the block through this slot.
func (h Hold) Here() bool { return h == Held || h == Downgraded || h == OfGraph }

// SetHold records that the EDT has released the block, or kept only read access. The access then names no proxy.
func (s *State) SetHold(h Hold) {
	s.Access = In(s.Access.Mode(), h)
	if h == NotHeld {
		s.Addr, s.Size = 0, 0
	}
}

// Memory turns the address back into a pointer. The run, or an observer, keeps the memory alive. It is Go heap memory
// or reserved pages: neither moves. So the address is valid for as long as the EDT may use it.
func (s *State) Memory() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&s.Addr)) }

// Bytes returns the block's memory, nil if the EDT has no access to it.
func (s *State) Bytes() []byte { return unsafe.Slice((*byte)(s.Memory()), s.Size) }
