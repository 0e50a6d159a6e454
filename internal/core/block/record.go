package block

import (
	"unsafe"

	"ocr/datablock"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
)

// A Record is the descriptor of one block.
//
// Concurrency: several workers write state, by compare-and-swap. The queue is under lock. The creator writes size, addr
// and class before it publishes the block's GUID; only holders read them. The destroyer advances the tag in the header,
// and may mark class. Both writes precede the compare-and-swap that sets destroyed; the worker that frees the block
// reads the state after that.
type Record struct {
	ids.Header
	class uint8
	lock  word.Mutex // of the queue
	size  uint64
	addr  uintptr
	state word.Uint64
	queue
	_ uint64 // fills the record's cache line, so that two records share none
}

// The state word counts the holders by mode:
//
//	bits  0..25  holders in modes other than RO, all of the class in bits 56..57
//	bits 26..52  holders in mode RO, which excludes no other mode; plus one at home if other ranks know the block
//	bits 56..57  the class: Const, EW, or 0 for RW; 0 too if the class has no holder
//	bit  58      destroyed: the last holder frees the memory
//	bit  59      queued: EDTs wait in the queue, and an EDT that comes now joins it, except in mode RO
//	bit  60      lent: another rank has the bytes, and no EDT can acquire the block
//	bit  61      proxy: the record stands for a block of another rank
//	bit  63      copied: other ranks have copies of this rank's block
const (
	classOne   = 1
	classMask  = 1<<26 - 1
	readOne    = 1 << 26
	readMask   = (1<<27 - 1) << 26
	classShift = 56
	classBits  = 3 << classShift
	inConst    = 2 << classShift
	inEW       = 3 << classShift
	destroyed  = 1 << 58
	queued     = 1 << 59
	lent       = 1 << 60
	proxy      = 1 << 61
	copied     = 1 << 63
)

var classOf = [...]uint64{datablock.RW: 0, datablock.EW: inEW, datablock.Const: inConst}

// Size returns the block's size in bytes.
func (r *Record) Size() int { return int(r.size) }

// Memory returns the address and the size in bytes of the block's memory.
func (r *Record) Memory() (addr uintptr, size int) { return r.addr, int(r.size) }

// Line returns the address of the block's memory in cache lines, which fits 54 bits.
func (r *Record) Line() uint64 { return uint64(r.addr) / lineSize }

// Live reports whether the record holds a block of this rank that is not destroyed. It is for reports.
func (r *Record) Live() bool {
	return (r.size != 0 || r.class == emptyClass) && r.state.Load()&(destroyed|proxy) == 0
}

// memory returns the block's address. The record stores it as an integer, so that records have no pointers and the
// collector does not scan them. The store's arena keeps the memory alive, and the memory does not move.
func (r *Record) memory() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&r.addr)) }

// FirstWord returns the first eight bytes of the block, which must be that long.
func (r *Record) FirstWord() uint64 { return *(*uint64)(r.memory()) }

// SetFirstWord sets the first eight bytes of the block, which must be that long.
func (r *Record) SetFirstWord(w uint64) { *(*uint64)(r.memory()) = w }

// Bytes returns the block's memory.
func (r *Record) Bytes() []byte { return unsafe.Slice((*byte)(r.memory()), r.size) }

// admit returns the state with one more holder in mode m, and whether the present holders allow m. If fair is set, a
// destruction forbids m too, and a queue forbids each mode but RO; fair is not set for an EDT that has queued. A block
// that is lent is never granted.
func admit(state uint64, m datablock.Mode, fair bool) (uint64, bool) {
	if state&(destroyed|lent) != 0 && (fair || state&lent != 0) {
		return 0, false
	}
	if m == datablock.RO {
		return state + readOne, true
	}
	if fair && state&queued != 0 {
		return 0, false
	}
	want := classOf[m]
	if state&classMask == 0 {
		return state | want + classOne, true
	}
	return state + classOne, state&classBits == want && want != inEW
}

// leave returns the state without one holder in mode m.
func leave(state uint64, m datablock.Mode) uint64 {
	if m == datablock.RO {
		return state - readOne
	}
	state -= classOne
	if state&classMask == 0 {
		state &^= classBits
	}
	return state
}

// TryFirstRW is TryRW for a block that may have readers but no other holder: if other ranks know a block, its own rank
// counts as a reader.
func (r *Record) TryFirstRW() bool {
	old := r.state.Load()
	return old&^readMask == 0 && r.state.CompareAndSwap(old, old+classOne)
}

// TryRW is TryAcquire for mode RW by one compare-and-swap, small enough to be inlined. It also fails if the block has
// readers, and may fail if another worker changes the state at the same time.
func (r *Record) TryRW() bool {
	old := r.state.Load()
	return old < readOne && r.state.CompareAndSwap(old, old+classOne)
}

// OnlyRW reports whether a block of this rank held by the caller in mode RW is not destroyed and no EDT waits for it.
func (r *Record) OnlyRW() bool { return r.state.Load() < 1<<classShift }

// LeaveRW releases a block held in mode RW by one compare-and-swap, if the queue is empty and the block is not
// destroyed and has no readers. It may also fail if another worker changes the state at the same time. It is small
// enough to be inlined.
func (r *Record) LeaveRW() bool {
	old := r.state.Load()
	return old < readOne && r.state.CompareAndSwap(old, old-classOne)
}

// TryAcquire acquires the block in mode m (not Null) if its holders and its queue allow it, and it is not destroyed.
func (r *Record) TryAcquire(m datablock.Mode) bool {
	for {
		old := r.state.Load()
		next, ok := admit(old, m, true)
		if !ok {
			return false
		}
		if r.state.CompareAndSwap(old, next) {
			return true
		}
	}
}

// Keep acquires the block in mode RO for an EDT that waits for another block first. The memory then outlives a
// destruction until the EDT acquires the block by [Record.TryKept] or [Store.Wait]. Keep reports false if the block
// is destroyed already.
func (r *Record) Keep() bool {
	for {
		old := r.state.Load()
		if old&destroyed != 0 {
			return false
		}
		if r.state.CompareAndSwap(old, old+readOne) {
			return true
		}
	}
}

// TryKept is TryAcquire for an EDT that keeps the block: the new hold replaces the hold of [Record.Keep].
func (r *Record) TryKept(m datablock.Mode) bool {
	for {
		old := r.state.Load()
		next, ok := admitKept(old, m)
		if !ok || r.state.CompareAndSwap(old, next) {
			return ok
		}
	}
}

// admitKept is admit for an EDT that keeps the block: a destruction since Keep does not matter.
func admitKept(state uint64, m datablock.Mode) (uint64, bool) {
	next, ok := admit(state&^destroyed, m, true)
	return next - readOne | state&destroyed, ok
}
