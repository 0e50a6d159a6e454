package block

import (
	"unsafe"

	"ocr/internal/core/ids"
	"ocr/internal/core/sys"
)

// AreaBytes is how much memory the blocks and records of so many ranks need that are processes, at one address in all
// of them; 0 if there can be none. What is not used takes no memory.
func AreaBytes(ranks int) int {
	if ids.SharedBytes[Record]() == 0 {
		return 0
	}
	return allAreas / ranks / sys.HugePage * sys.HugePage * ranks
}

// allAreas are far more than any machine's memory, as addresses of spans are used again for spans of the same length
// only.
const allAreas = 4 << 40

// An area is the memory of one rank, for its records and its blocks.
//
// Concurrency: next, used and free are under the lock of the arena that has the area; there is one at a time.
type area struct {
	records []byte
	memory  []byte
	next    int           // from here on nothing was handed out in this run
	used    int           // below, memory may not be zeros
	free    map[int][]int // spans that came back and are zeros, by length
}

// keptArea is the memory of blocks that stays from one run to the next.
const keptArea = 4 << 20

// take returns n bytes, nil if there are no more, and whether they are zeros.
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

// put takes a span back. If its memory cannot be given to the system, its addresses are not used again in this run.
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

// NewSharedIn is [NewShared] for ranks that are processes: one of them, and memory of [AreaBytes].
func NewSharedIn(memory []byte, ranks, me int) *Shared {
	s := NewShared(ranks)
	each, records := len(memory)/ranks, ids.SharedBytes[Record]()
	for k := range ranks {
		part := memory[k*each : (k+1)*each : (k+1)*each]
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
