package block

import (
	"unsafe"

	"ocr/internal/core/ids"
	"ocr/internal/core/sys"
)

// AreaBytes returns the size of the shared memory for the blocks and records of ranks that are processes, 0 if this
// build has none. All processes map it at the same address. Pages that are not used take no memory.
func AreaBytes(ranks int) int {
	if ids.SharedBytes[Record]() == 0 {
		return 0
	}
	return allAreas / ranks / sys.HugePage * sys.HugePage * ranks
}

// allAreas, in bytes, is far more than the memory of any machine, since the addresses of a span are reused only for
// spans of the same length.
const allAreas = 4 << 40

// An area is the memory of one rank, for its records and its blocks.
//
// Concurrency: next, used and free are under the lock of the arena that uses the area; only one does at a time.
type area struct {
	records []byte
	memory  []byte
	next    int           // offset from which on no span was taken in this run
	used    int           // offset below which the memory may not be zeroed
	free    map[int][]int // offsets of spans that were put back, zeroed, by length
}

// keptArea is how many bytes of block memory an area keeps from one run to the next.
const keptArea = 4 << 20

// take returns n bytes, nil if the area has not that many, and whether they are zeroed.
func (a *area) take(n int) (memory []byte, fresh bool) {
	at := a.next
	if free := a.free[n]; len(free) > 0 {
		at, a.free[n] = free[len(free)-1], free[:len(free)-1]
		return a.memory[at : at+n : at+n], true
	}
	if n > len(a.memory)-at {
		return nil, false
	}
	a.next += n
	return a.memory[at : at+n : at+n], at >= a.used
}

// put takes a span back. If the system does not take its memory back, its addresses are not reused in this run.
func (a *area) put(memory []byte) {
	at, n := int(uintptr(unsafe.Pointer(&memory[0]))-uintptr(unsafe.Pointer(&a.memory[0]))), len(memory)
	if !sys.DropShared(memory) {
		return
	}
	if a.free == nil {
		a.free = make(map[int][]int)
	}
	a.free[n] = append(a.free[n], at)
}

// close ends a run.
func (a *area) close() {
	a.used = max(a.used, a.next)
	if kept := min(a.used, keptArea); sys.DropShared(a.memory[kept:a.used]) {
		a.used = kept
	}
	a.next, a.free = 0, nil
}

// NewSharedIn is [NewShared] for ranks that are processes. me is the rank of this one, memory has [AreaBytes].
func NewSharedIn(memory []byte, ranks, me int) *Shared {
	s := NewShared(ranks)
	each, records := len(memory)/ranks, ids.SharedBytes[Record]()
	for k := range ranks {
		part, said := memory[k*each:(k+1)*each-sys.HugePage:(k+1)*each-sys.HugePage], &memory[(k+1)*each-sys.HugePage]
		s.said[k] = (*Said)(unsafe.Pointer(said))
		if k == me {
			s.own = &area{records: part[:records:records], memory: part[records:]}
			continue
		}
		store := new(Store)
		store.table.View(part[:records:records])
		s.stores[k].Store(store)
	}
	return s
}
