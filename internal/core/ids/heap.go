//go:build !linux || race

package ids

import (
	"sync"
	"sync/atomic"
)

// A memory holds the records of a table in chunks of the Go heap: the race detector watches no other memory, and some
// systems have no other. A directory finds the chunks.
//
// Concurrency: an entry of dir is written once, under the table's lock, before any index into its chunk is handed out.
// A worker gets such an index by a synchronising operation. It loads the entry atomically so that a forged GUID is no
// data race.
type memory[T any] struct {
	dir   *directory[T]
	limit atomic.Uint32 // indices below it have records
}

type directory[T any] [maxRecords / ChunkLen]atomic.Pointer[Chunk[T]]

// At returns record i. The table must have handed i out.
func (m *memory[T]) At(i uint32) *T { return m.dir.at(i) }

func (d *directory[T]) at(i uint32) *T { return &d[i/ChunkLen].Load()[i%ChunkLen] }

// A near is a worker's copy of the pointer to a table's directory.
type near[T any] struct{ dir *directory[T] }

func (m *memory[T]) near() near[T] { return near[T]{m.dir} }

// At is [Table.At].
func (n near[T]) At(i uint32) *T { return n.dir.at(i) }

// extend makes chunk k accessible; it returns false if there is no memory.
func (m *memory[T]) extend(k uint32, s *Stock[T]) bool {
	if k >= uint32(len(m.dir)) {
		return false
	}
	m.dir[k].Store(s.chunk())
	m.limit.Store((k + 1) * ChunkLen)
	return true
}

// A Stock is the memory of a process for the tables of one record type. Runs take memory from it and return it. Records
// in it keep their tags: the GUIDs of two runs differ in the bits of the run. T must have no Go pointers.
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

// put takes back the memory of a table that has used this many chunks.
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
