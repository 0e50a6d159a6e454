package task

import (
	"iter"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// Nothing is the type of empty parameters, and the element type of blocks and events without elements.
type Nothing struct{}

// slot is a slot of a body. T is the element type of its block: the compiler infers it from the method elem. Every slot
// is one pointer to the dependence.
type slot[T any] interface {
	elem(T)
	mode() datablock.Mode
}

// held has what all slots share.
type held[T any] struct{ dep *datablock.Dep }

func (held[T]) elem(T) {}

// Block returns the name of the block.
func (h held[T]) Block() Block[T] { return Block[T]{h.dep.GUID()} }

// IsNull reports whether the slot was satisfied without a block. Such a slot has no elements; neither has a slot whose
// block the body has released. The report of an index out of range names the slot.
func (h held[T]) IsNull() bool { return h.dep.IsNull() }

// Destroy destroys the block; see [edt.Ctx.DestroyBlock].
func (h held[T]) Destroy(c *edt.Ctx) { c.DestroyBlock(h.dep.GUID()) }

// access has what the slots share whose mode gives access to the block.
type access[T any] struct{ held[T] }

// Release releases the block before the end of the EDT; see [edt.Ctx.Release].
func (a access[T]) Release(c *edt.Ctx) { c.ReleaseDep(a.dep) }

// SendTo releases the block, and satisfies an event with it; see [edt.Ctx.Pass].
func (a access[T]) SendTo(c *edt.Ctx, e Event[T]) { c.PassDep(e.GUID, a.dep) }

// elements returns the elements of a slot's block. It is no method, as each slot type would have its own copy.
func elements[T any](a access[T]) []T {
	n := uint(a.dep.Size()) / uint(unsafe.Sizeof(*(*T)(nil)))
	return *(*[]T)(unsafe.Pointer(&slice{a.dep.Memory(), n, n}))
}

// A slice is what a Go slice consists of. unsafe.Slice would check the size in bytes and the end of the address space.
// A block without memory has no bytes.
type slice struct {
	memory           unsafe.Pointer
	length, capacity uint
}

// reading has the methods of the slots whose block the EDT only reads.
type reading[T any] struct{ access[T] }

// At returns element i.
func (r reading[T]) At(i int) T { return elements(r.access)[i] }

// Len returns how many elements the block has.
func (r reading[T]) Len() int { return len(elements(r.access)) }

// All ranges over the elements.
func (r reading[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, v := range elements(r.access) {
			if !yield(i, v) {
				return
			}
		}
	}
}

// Slice returns the elements. The body must not write them: check mode finds writes.
func (r reading[T]) Slice() []T { return elements(r.access) }

// writing has the methods of the slots whose block the EDT may write.
type writing[T any] struct{ access[T] }

// Slice returns the elements: the block's own memory, valid until the body releases, sends or destroys the block, or
// the EDT ends.
func (w writing[T]) Slice() []T { return elements(w.access) }

// RW is a slot whose block the EDT reads and writes; see [datablock.RW].
type RW[T any] struct{ writing[T] }

func (RW[T]) mode() datablock.Mode { return datablock.RW }

// EW is a slot whose block the EDT alone writes; see [datablock.EW].
type EW[T any] struct{ writing[T] }

func (EW[T]) mode() datablock.Mode { return datablock.EW }

// RO is a slot whose block the EDT reads, and other EDTs may write meanwhile; see [datablock.RO].
type RO[T any] struct{ reading[T] }

func (RO[T]) mode() datablock.Mode { return datablock.RO }

// Const is a slot whose block the EDT reads, and no EDT writes meanwhile; see [datablock.Const].
type Const[T any] struct{ reading[T] }

func (Const[T]) mode() datablock.Mode { return datablock.Const }

// Ref is a slot that gives the body the name of a block, without access to it; see [datablock.Null].
type Ref[T any] struct{ held[T] }

func (Ref[T]) mode() datablock.Mode { return datablock.Null }

// After is a slot that only waits: at most a block's name comes on it.
type After struct{ held[Nothing] }

func (After) mode() datablock.Mode { return datablock.Null }

// A Source satisfies a slot of a new EDT: [Event.From], [Block.From], [None] and [Open] return one. In New the zero
// Source is an error; in Again it keeps what is on the slot.
type Source[T any] struct{ notHigh, low uint64 }

// source makes a Source; of the zero Event or Block it makes the zero Source. The high word is inverted, so that the
// zero Source has a GUID that no slot accepts: to detect it costs nothing.
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

// None returns the source that satisfies a slot at once, without a block.
func None[T any]() Source[T] { return Source[T]{notHigh: ^uint64(0)} }

// Open returns the source of a slot that is satisfied later, by the [Port] that [EDT1.Slot0] or another SlotN returns.
func Open[T any]() Source[T] { return source[T](guid.Uninitialized) }
