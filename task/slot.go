package task

import (
	"iter"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// Nothing is the type of parameters, blocks and events that bring nothing.
type Nothing struct{}

// slot is what a body gets on one slot. T is what the slot's block is made of: the compiler
// finds it through the method elem. All slots are one pointer to the dependence.
type slot[T any] interface {
	elem(T)
	mode() datablock.Mode
}

// held is the part that all slots share.
type held[T any] struct{ dep *datablock.Dep }

func (held[T]) elem(T) {}

// Block returns the name of the block.
func (h held[T]) Block() Block[T] { return Block[T]{h.dep.GUID()} }

// IsNull reports whether the slot was satisfied without a block. Then it has no elements, as one whose block the body
// has given up: a panic for an index names it.
func (h held[T]) IsNull() bool { return h.dep.IsNull() }

// Release gives the block up before the end of the EDT; see [edt.Ctx.Release].
func (h held[T]) Release(c *edt.Ctx) { c.ReleaseDep(h.dep) }

// Destroy destroys the block; see [edt.Ctx.DestroyBlock].
func (h held[T]) Destroy(c *edt.Ctx) { c.DestroyBlock(h.dep.GUID()) }

// SendTo releases the block, and satisfies an event with it; see [edt.Ctx.Pass].
func (h held[T]) SendTo(c *edt.Ctx, e Event[T]) {
	c.PassDep(e.GUID, h.dep)
}

// elements is the memory of a slot's block: no method, which every type of slots would have again.
func elements[T any](h held[T]) []T {
	var element T
	return elementsAt[T](h.dep.Memory(), uint(h.dep.Size())/uint(unsafe.Sizeof(element)))
}

// maxElements is how many elements a block has at most.
const maxElements = 1 << 33

// elementsAt is unsafe.Slice for the n elements of a block, without its checks: of a multiplication, and
// for the end of the address space.
func elementsAt[T any](memory unsafe.Pointer, n uint) []T {
	if memory == nil {
		return nil
	}
	return (*[maxElements]T)(memory)[:n:n]
}

// reading is the part of the slots whose block is only read.
type reading[T any] struct{ held[T] }

// At returns element i.
func (r reading[T]) At(i int) T { return elements(r.held)[i] }

// Len returns how many elements the block has.
func (r reading[T]) Len() int { return len(elements(r.held)) }

// All ranges over the elements.
func (r reading[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, v := range elements(r.held) {
			if !yield(i, v) {
				return
			}
		}
	}
}

// Slice returns the elements, which must not be written: check mode finds it if they are.
func (r reading[T]) Slice() []T { return elements(r.held) }

// writing is the part of the slots whose block is written.
type writing[T any] struct{ held[T] }

// Slice returns the elements: the block's own memory, valid until the block is released,
// sent or destroyed, or the EDT ends.
func (w writing[T]) Slice() []T { return elements(w.held) }

// RW is a slot whose block is read and written; see [datablock.RW].
type RW[T any] struct{ writing[T] }

func (RW[T]) mode() datablock.Mode { return datablock.RW }

// EW is a slot whose block only this EDT writes; see [datablock.EW].
type EW[T any] struct{ writing[T] }

func (EW[T]) mode() datablock.Mode { return datablock.EW }

// RO is a slot whose block is read, and may be written by others meanwhile; see [datablock.RO].
type RO[T any] struct{ reading[T] }

func (RO[T]) mode() datablock.Mode { return datablock.RO }

// Const is a slot whose block is read, and does not change meanwhile; see [datablock.Const].
type Const[T any] struct{ reading[T] }

func (Const[T]) mode() datablock.Mode { return datablock.Const }

// Ref is a slot whose block is only named: the EDT has no access to it; see [datablock.Null].
type Ref[T any] struct{ held[T] }

func (Ref[T]) mode() datablock.Mode { return datablock.Null }

// After is a slot that only waits: no block comes on it.
type After struct{ held[Nothing] }

func (After) mode() datablock.Mode { return datablock.Null }

// A Source is what a slot of a new EDT gets: [Event.From], [Block.From], [None] or
// [Open]. The zero Source is an error; in Again it keeps what the slot has.
type Source[T any] struct{ notHigh, low uint64 }

// source makes a Source, the zero one of the zero Event or Block. The high word is inverted, so
// that the zero Source is no GUID that a slot accepts; to see that costs nothing.
func source[T any](g guid.GUID) Source[T] {
	hi, lo := g.Words()
	if hi == 0 {
		return Source[T]{}
	}
	return Source[T]{^hi, lo}
}

func (s Source[T]) id() guid.GUID { return guid.FromWords(^s.notHigh, s.low) }

// keeps reports whether s is the zero Source.
func (s Source[T]) keeps() bool { return s.notHigh|s.low == 0 }

// None satisfies a slot at once, without a block.
func None[T any]() Source[T] { return Source[T]{notHigh: ^uint64(0)} }

// Open leaves a slot to the [Port] that [EDT1.Slot0] and its kin return.
func Open[T any]() Source[T] { return source[T](guid.Uninitialized) }
