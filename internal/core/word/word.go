package word

import (
	"sync/atomic"
	"unsafe"
)

type number interface {
	~int32 | ~uint32 | ~int64 | ~uint64
}

// The words, by type.
type (
	Int32  = Of[int32]
	Uint32 = Of[uint32]
	Int64  = Of[int64]
	Uint64 = Of[uint64]
)

// A plain word is an [Of] in a program built without -tags explore. Its atomic operations are sequentially consistent,
// as those of sync/atomic are.
//
// Each method converts the pointer in place: a method for the conversion would count twice against the compiler's
// budget for inlining, and the transitions that call these methods would not be inlined.
type plain[T number] struct{ v T }

// Load returns the word.
func (w *plain[T]) Load() T {
	if unsafe.Sizeof(w.v) == 8 {
		return T(atomic.LoadUint64((*uint64)(unsafe.Pointer(&w.v))))
	}
	return T(atomic.LoadUint32((*uint32)(unsafe.Pointer(&w.v))))
}

// Store sets the word. The caller continues when all threads can see it.
func (w *plain[T]) Store(x T) {
	if unsafe.Sizeof(w.v) == 8 {
		atomic.StoreUint64((*uint64)(unsafe.Pointer(&w.v)), uint64(x))
		return
	}
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&w.v)), uint32(x))
}

// Publish sets the word, but the caller may continue before other threads can see it. On amd64 it is a plain store:
// other threads see the caller's stores in their order, but the caller's later loads may come before them.
func (w *plain[T]) Publish(x T) {
	if totalStoreOrder {
		w.v = x
		return
	}
	w.Store(x)
}

// CompareAndSwap sets the word to new if it equals old, and reports whether it did.
func (w *plain[T]) CompareAndSwap(old, new T) bool {
	if unsafe.Sizeof(w.v) == 8 {
		return atomic.CompareAndSwapUint64((*uint64)(unsafe.Pointer(&w.v)), uint64(old), uint64(new))
	}
	return atomic.CompareAndSwapUint32((*uint32)(unsafe.Pointer(&w.v)), uint32(old), uint32(new))
}

// Add adds d, and returns the sum.
func (w *plain[T]) Add(d T) T {
	if unsafe.Sizeof(w.v) == 8 {
		return T(atomic.AddUint64((*uint64)(unsafe.Pointer(&w.v)), uint64(d)))
	}
	return T(atomic.AddUint32((*uint32)(unsafe.Pointer(&w.v)), uint32(d)))
}

// Swap sets the word, and returns the old one.
func (w *plain[T]) Swap(x T) T {
	if unsafe.Sizeof(w.v) == 8 {
		return T(atomic.SwapUint64((*uint64)(unsafe.Pointer(&w.v)), uint64(x)))
	}
	return T(atomic.SwapUint32((*uint32)(unsafe.Pointer(&w.v)), uint32(x)))
}

// And clears the bits that mask lacks, and returns the old word.
func (w *plain[T]) And(mask T) T {
	if unsafe.Sizeof(w.v) == 8 {
		return T(atomic.AndUint64((*uint64)(unsafe.Pointer(&w.v)), uint64(mask)))
	}
	return T(atomic.AndUint32((*uint32)(unsafe.Pointer(&w.v)), uint32(mask)))
}

// Or sets the bits of mask, and returns the old word.
func (w *plain[T]) Or(mask T) T {
	if unsafe.Sizeof(w.v) == 8 {
		return T(atomic.OrUint64((*uint64)(unsafe.Pointer(&w.v)), uint64(mask)))
	}
	return T(atomic.OrUint32((*uint32)(unsafe.Pointer(&w.v)), uint32(mask)))
}

// Own returns the word, for its only writer.
func (w *plain[T]) Own() T { return w.v }

// Init sets a word that no other thread uses yet.
func (w *plain[T]) Init(x T) { w.v = x }

// A Bool is a flag.
type Bool struct{ w Uint32 }

// Load returns the flag.
func (b *Bool) Load() bool { return b.w.Load() != 0 }

// Store sets the flag.
func (b *Bool) Store(x bool) { b.w.Store(bit(x)) }

// Swap sets the flag, and returns the old one.
func (b *Bool) Swap(x bool) bool { return b.w.Swap(bit(x)) != 0 }

func bit(x bool) uint32 {
	if x {
		return 1
	}
	return 0
}
