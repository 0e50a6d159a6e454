package ids

import (
	"sync"
	"unsafe"

	"ocr/internal/sys"
)

// Chunks is a process-wide stock of chunks for the tables of one record type. Runs
// take chunks from it and give them back, so that a second run finds its memory
// mapped, touched and near. Records in it keep their tags: a new run's GUIDs differ
// from an old one's by the run bits.
//
// A program with few objects lives in a chunk or two of the Go heap. Beyond that,
// chunks of a record type without pointers come in regions of huge pages: with
// millions of records the processor would otherwise spend its time on looking up
// page addresses.
type Chunks[T any] struct {
	// Pointers says that T holds Go pointers: then all chunks are on the heap.
	Pointers bool

	mu     sync.Mutex
	free   []*Chunk[T]
	onHeap map[*Chunk[T]]bool
}

const (
	heapChunks = 4        // per record type
	stockBytes = 64 << 20 // what a stock keeps after large runs
)

func (s *Chunks[T]) get() *Chunk[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == 0 && (s.Pointers || mapOnHeap || len(s.onHeap) < heapChunks || !s.mapRegion()) {
		if s.onHeap == nil {
			s.onHeap = make(map[*Chunk[T]]bool)
		}
		c := new(Chunk[T])
		s.onHeap[c] = true
		return c
	}
	last := len(s.free) - 1
	c := s.free[last]
	s.free = s.free[:last]
	return c
}

// mapRegion adds a region of huge pages, cut into chunks.
func (s *Chunks[T]) mapRegion() bool {
	size := int(unsafe.Sizeof(Chunk[T]{}))
	n := max(1, sys.HugePage/size)
	p := sys.MapPages(n * size)
	if p == nil {
		return false
	}
	for k := range n {
		s.free = append(s.free, (*Chunk[T])(unsafe.Add(p, k*size)))
	}
	return true
}

func (s *Chunks[T]) put(c *Chunk[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := int(unsafe.Sizeof(*c))
	if s.Pointers {
		clear(c[:])
	} else if len(s.free)*size > stockBytes && !s.onHeap[c] {
		sys.DropPages(unsafe.Pointer(c), size)
	}
	s.free = append(s.free, c)
}
