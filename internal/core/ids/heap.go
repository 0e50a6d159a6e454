//go:build !linux || race

package ids

import (
	"sync"
	"sync/atomic"
)

// A memory holds the records of a table: in chunks of the Go heap, which is all that the
// race detector watches, and all that there is on some systems. A directory finds them.
//
// Concurrency: an entry of dir is written once, under the table's lock, before any
// index into that chunk is handed out; a worker that got such an index got it through
// some synchronising operation, and loads the entry atomically only so that a forged
// GUID is not a data race.
type memory[T any] struct {
	dir   *directory[T]
	limit atomic.Uint32 // of the indices that may be looked at
}

type directory[T any] [maxRecords / ChunkLen]atomic.Pointer[Chunk[T]]

// At returns record i, which must have been handed out.
func (m *memory[T]) At(i uint32) *T { return m.dir.at(i) }

func (d *directory[T]) at(i uint32) *T { return &d[i/ChunkLen].Load()[i%ChunkLen] }

// A near is what a worker's cache keeps of its table to find records.
type near[T any] struct{ dir *directory[T] }

func (m *memory[T]) near() near[T] { return near[T]{m.dir} }

// At is [Table.At].
func (n near[T]) At(i uint32) *T { return n.dir.at(i) }

// extend makes chunk k accessible, false if there is no room.
func (m *memory[T]) extend(k uint32, s *Stock[T]) bool {
	if k >= uint32(len(m.dir)) {
		return false
	}
	m.dir[k].Store(s.chunk())
	m.limit.Store((k + 1) * ChunkLen)
	return true
}

// A Stock is a process-wide stock of memory for the tables of one record type. Runs
// take memory from it and give it back. Records in it keep their tags: a new run's GUIDs
// differ from an old one's by the run bits. T must not hold Go pointers.
type Stock[T any] struct {
	mu     sync.Mutex
	dirs   []*directory[T]
	chunks []*Chunk[T]
}

func (s *Stock[T]) get(m *memory[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.dirs) - 1; last >= 0 {
		m.dir, s.dirs = s.dirs[last], s.dirs[:last]
	} else {
		m.dir = new(directory[T])
	}
}

func (s *Stock[T]) chunk() *Chunk[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.chunks) - 1
	if last < 0 {
		return new(Chunk[T])
	}
	c := s.chunks[last]
	s.chunks = s.chunks[:last]
	return c
}

// put takes back the memory of a table that has used the given number of chunks.
func (s *Stock[T]) put(m *memory[T], used uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range used {
		s.chunks = append(s.chunks, m.dir[k].Swap(nil))
	}
	m.limit.Store(0)
	if m.dir != nil {
		s.dirs = append(s.dirs, m.dir)
		m.dir = nil
	}
}
