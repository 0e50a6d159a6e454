//go:build linux && !race

package ids

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"ocr/internal/core/sys"
)

// A memory holds the records of a table in a range of addresses that is large enough for maxRecords records.
// So the address of record i follows from i, without a directory. Only the part in use has memory.
//
// Concurrency: base is written before the table is used. limit is raised under the table's lock, before a worker gets
// an index below it.
type memory[T any] struct {
	base  unsafe.Pointer
	limit atomic.Uint32 // indices below it have records
	extent
}

// An extent is the length of a range, and of its part in use, in bytes.
type extent struct {
	size, open int
	reserved   bool // the range was reserved, not only chosen
}

// At returns record i. The table must have handed i out.
func (m *memory[T]) At(i uint32) *T { return recordAt[T](m.base, i) }

// recordAt is sound for an index below the limit: there the range is mapped for as long as the process lives. The
// collector does not know the range, and records have no Go pointers.
func recordAt[T any](base unsafe.Pointer, i uint32) *T {
	var record T
	return (*T)(unsafe.Add(base, uintptr(i)*unsafe.Sizeof(record)))
}

// A near is a worker's copy of the address of a table's records.
type near[T any] struct{ base unsafe.Pointer }

func (m *memory[T]) near() near[T] { return near[T]{m.base} }

// At is [Table.At].
func (n near[T]) At(i uint32) *T { return recordAt[T](n.base, i) }

// extend makes chunk k accessible; it returns false if there is no memory.
func (m *memory[T]) extend(k uint32, _ *Stock[T]) bool {
	end := int(k+1) * int(unsafe.Sizeof(Chunk[T]{}))
	if end > m.size {
		return false
	}
	for m.open < end {
		next := unsafe.Add(m.base, m.open)
		if m.reserved && sys.Clear(next, sys.HugePage, sys.ReadWrite) != nil || !m.reserved &&
			!sys.MapAt(next, sys.HugePage) {
			return false
		}
		// With millions of records the processor would otherwise spend its time on address translation. A program with few
		// records needs less than the first huge page.
		if m.open > 0 {
			sys.UseHugePages(next, sys.HugePage)
		}
		m.open += sys.HugePage
	}
	m.limit.Store((k + 1) * ChunkLen)
	return true
}

// A Stock is the memory of a process for the tables of one record type. Runs take memory from it and return it; so a
// second run gets memory that is mapped, touched, and on the right NUMA node. Records in it keep their tags: the GUIDs
// of two runs differ in the bits of the run. T must have no Go pointers.
//
// A range stays reserved: a goroutine that uses a table after the end of its run reads old records, and does not crash.
type Stock[T any] struct {
	mu   sync.Mutex
	free []stocked
	kept int // bytes of memory behind the ranges in free
}

type stocked struct {
	base unsafe.Pointer
	extent
	kept int
}

func (s *Stock[T]) get(m *memory[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var r stocked
	if last := len(s.free) - 1; last >= 0 {
		r, s.free = s.free[last], s.free[:last]
		s.kept -= r.kept
	} else {
		var record T
		r = reserve(int(unsafe.Sizeof(record)))
	}
	m.base, m.extent = r.base, r.extent
}

// put takes back the memory of a table that has used this many chunks.
func (s *Stock[T]) put(m *memory[T], used uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := stocked{base: m.base, extent: m.extent}
	r.kept = min(alignUp(int(used)*int(unsafe.Sizeof(Chunk[T]{})), sys.HugePage), m.open, stockBytes-s.kept)
	if r.kept < m.open {
		sys.DropPages(unsafe.Add(m.base, r.kept), m.open-r.kept)
	}
	s.kept += r.kept
	s.free = append(s.free, r)
	m.limit.Store(0)
	m.base, m.extent = nil, extent{}
}

// stockBytes is the most memory that a stock keeps.
const stockBytes = 64 << 20

// reserve reserves a range for records of this size. A limit on addresses (ulimit -v) counts reserved ranges in full.
// So under a low limit reserve only chooses a range, and memory is mapped there piece by piece.
func reserve(size int) stocked {
	n := alignUp(maxRecords*size, sys.HugePage)
	if limit := sys.AddressSpace(); limit == 0 || limit > 1<<40 {
		if p := sys.Reserve(n + sys.HugePage); p != nil {
			return stocked{base: unsafe.Add(p, -uintptr(p)&(sys.HugePage-1)), extent: extent{size: n, reserved: true}}
		}
	}
	return stocked{base: chooseRange(), extent: extent{size: n}}
}

// chooseRange returns the start of a range of addresses for one table, in which nothing is mapped. The system puts new
// mappings right below the existing ones, so a range far below these stays free, unless the process maps very much.
// Then the table is full sooner.
func chooseRange() unsafe.Pointer {
	return unsafe.Add(lowMapping(), -int(ranges.Add(1)+8)*rangeStride)
}

const rangeStride = 16 << 30 // more than the largest range

var (
	ranges     atomic.Int32
	lowMapping = sync.OnceValue(func() unsafe.Pointer {
		p := sys.Reserve(2 * sys.HugePage)
		return unsafe.Add(p, -uintptr(p)&(sys.HugePage-1))
	})
)

func alignUp(n, to int) int { return (n + to - 1) &^ (to - 1) }
