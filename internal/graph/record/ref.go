package record

import "ocr/internal/core/word"

// A Ref names a waiter of an event: a slot of an EDT, or a node, which stands for another waiter. 0 is none.
//
//	bits  0..31  the index of the EDT or of the node
//	bits 32..53  the number of the slot
//	bit  54      it is a node
type Ref uint64

const (
	slotShift = 32
	slotBits  = 22
	nodeBit   = 1 << 54

	// MaxSlots is the largest number of slots of an EDT.
	MaxSlots = 1<<slotBits - 1
	// RefMask has the bits of a Ref. In a link these bits are the next waiter, the other bits the waiter's own.
	RefMask = 1<<55 - 1
)

// SlotRef names slot n of EDT i.
func SlotRef(i uint32, n int) Ref { return Ref(n)<<slotShift | Ref(i) }

// NodeRef names node i.
func NodeRef(i uint32) Ref { return nodeBit | Ref(i) }

// IsNode reports whether the waiter is a node.
func (r Ref) IsNode() bool { return r&nodeBit != 0 }

// Index returns the index of the EDT or of the node.
func (r Ref) Index() uint32 { return uint32(r) }

// Slot returns the number of the slot.
func (r Ref) Slot() uint32 { return uint32(r>>slotShift) & MaxSlots }

// Position is Slot for a waiter of any kind: it is above [MaxSlots] for a node.
func (r Ref) Position() int { return int(r >> slotShift) }

// A Link is a waiter's word: the next waiter of the same event and, above [RefMask], bits of the waiter's own.
//
// Concurrency: until the waiter is pushed, and again from when it is satisfied, one worker has the link to itself. In
// between no worker writes it, and the worker that has taken the list reads it.
type Link = uint64

// Next returns the waiter behind the waiter with this link, in a list that the caller has taken. The caller must call
// Next before it satisfies the waiter with the link: afterwards this waiter's record may belong to another object.
func Next(link *Link) Ref { return Ref(word.Load(link) & RefMask) }
