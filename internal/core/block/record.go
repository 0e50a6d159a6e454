package block

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/internal/core/ids"
)

// A Record is the descriptor of one block.
//
// Concurrency: state is the only field that several workers write at a time, by
// compare-and-swap; the queue is under its lock. size, addr, class and home are written by the creator before
// the block's GUID is known to anybody else, and read by holders only. The tag in
// the header is moved on by the destroyer, which may also mark class; both come before
// the compare-and-swap that says "destroyed", and the worker that frees the block has seen
// that.
type Record struct {
	ids.Header
	class uint8
	home  int16
	lock  sync.Mutex // of the queue
	size  uint64
	addr  uintptr
	state uint64
	queue // a record is a line: holders on two workers write state
}

// The state word counts the holders and says what they hold:
//
//	bits  0..27  holders in the class
//	bits 28..55  holders in mode RO, which conflict with nobody
//	bits 56..57  the class: Const, EW, or 0 for RW, and if there is no holder
//	bit  58      destroyed: the last one out frees the memory
//	bit  59      EDTs wait in the queue: newcomers other than RO join it
//	bit  60      away: another rank has the bytes, and nobody acquires the block
//	bit  61      it is the block of another rank
//	bit  62      which is used in place: the class counts those here that have it or wait for it
//	bit  63      which may have come into several slots
const (
	classOne   = 1
	classMask  = 1<<28 - 1
	readOne    = 1 << 28
	readMask   = classMask << 28
	classShift = 56
	classBits  = 3 << classShift
	inConst    = 2 << classShift
	inEW       = 3 << classShift
	destroyed  = 1 << 58
	queued     = 1 << 59
	away       = 1 << 60
	proxy      = 1 << 61
	inPlace    = 1 << 62
	spread     = 1 << 63
	notRW      = 1 << classShift // at least this in class Const or EW, and if one of the bits above is set
)

var classOf = [...]uint64{datablock.RW: 0, datablock.EW: inEW, datablock.Const: inConst}

// Size returns the block's size in bytes.
func (r *Record) Size() int { return int(r.size) }

// Home returns the worker that the block was meant for, -1 for none.
func (r *Record) Home() int { return int(r.home) }

// SetHome records the worker that the block is meant for.
func (r *Record) SetHome(worker int) { r.home = int16(worker) }

// Memory returns where the block's memory is, and how much.
func (r *Record) Memory() (addr uintptr, size int) { return r.addr, int(r.size) }

// Line returns where the block's memory begins, in cache lines: it fits 54 bits.
func (r *Record) Line() uint64 { return uint64(r.addr) / lineSize }

// Live reports whether the record holds a block. It is for reports.
func (r *Record) Live() bool {
	return r.size != 0 && atomic.LoadUint64(&r.state)&(destroyed|proxy) == 0
}

// memory returns the block's address. It is kept as an integer so that records
// hold no pointers and the collector passes them by; what it points to is kept
// alive by the store's list of arenas, and does not move.
func (r *Record) memory() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&r.addr)) }

// FirstWord returns the first eight bytes of the block, which has them.
func (r *Record) FirstWord() uint64 { return *(*uint64)(r.memory()) }

// SetFirstWord sets them.
func (r *Record) SetFirstWord(w uint64) { *(*uint64)(r.memory()) = w }

// Bytes returns the block's memory, for its creator.
func (r *Record) Bytes() []byte { return unsafe.Slice((*byte)(r.memory()), r.size) }

// admit returns the state after one more holder in mode m, and whether m may be
// granted beside the present holders. With fair set it stands back for the queue,
// and for a destruction; EDTs that queued before are still served. While the block is away nobody is.
func admit(state uint64, m datablock.Mode, fair bool) (uint64, bool) {
	if state&(destroyed|away) != 0 && (fair || state&away != 0) {
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

// leave returns the state after one holder in mode m has gone.
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

// TryFirstRW is TryRW of a block that nobody holds.
func (r *Record) TryFirstRW() bool {
	return atomic.LoadUint64(&r.state) == 0 && atomic.CompareAndSwapUint64(&r.state, 0, classOne)
}

// TryRW is TryAcquire for mode RW in one try, small enough to be inlined. It may
// also fail because of a racing holder.
func (r *Record) TryRW() bool {
	old := atomic.LoadUint64(&r.state)
	return old < notRW && atomic.CompareAndSwapUint64(&r.state, old, old+classOne)
}

// OnlyRW reports whether a block that its caller holds in mode RW stays, and nobody waits for it.
func (r *Record) OnlyRW() bool { return atomic.LoadUint64(&r.state) < notRW }

// LeaveRW gives back a hold in mode RW in one try, if that leaves nothing to do: nobody
// waits, and the block stays. It may also fail because of a racing holder. Like TryRW it
// is small enough to be inlined.
func (r *Record) LeaveRW() bool {
	old := atomic.LoadUint64(&r.state)
	return old < notRW && atomic.CompareAndSwapUint64(&r.state, old, old-classOne)
}

// TryAcquire takes a hold in mode m (not Null) if the present holders and the
// queue allow it.
func (r *Record) TryAcquire(m datablock.Mode) bool {
	for {
		old := atomic.LoadUint64(&r.state)
		next, ok := admit(old, m, true)
		if !ok {
			return false
		}
		if atomic.CompareAndSwapUint64(&r.state, old, next) {
			return true
		}
	}
}

// Keep takes a hold in mode RO for an EDT that waits for another block first: so this one is still there when the EDT
// acquires it by [Record.TryKept] or [Store.Wait], whoever destroys it meanwhile. It reports false if the block is
// destroyed already.
func (r *Record) Keep() bool {
	for {
		old := atomic.LoadUint64(&r.state)
		if old&destroyed != 0 {
			return false
		}
		if atomic.CompareAndSwapUint64(&r.state, old, old+readOne) {
			return true
		}
	}
}

// TryKept is TryAcquire for an EDT that keeps the block: its hold takes the place of what [Record.Keep] took.
func (r *Record) TryKept(m datablock.Mode) bool {
	for {
		old := atomic.LoadUint64(&r.state)
		next, ok := admitKept(old, m)
		if !ok {
			return false
		}
		if atomic.CompareAndSwapUint64(&r.state, old, next) {
			return true
		}
	}
}

// admitKept is admit for an EDT that keeps the block, to which a destruction since then is nothing.
func admitKept(state uint64, m datablock.Mode) (uint64, bool) {
	next, ok := admit(state&^destroyed, m, true)
	return next - readOne | state&destroyed, ok
}
