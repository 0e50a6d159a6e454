package workspan

import (
	"sync/atomic"

	"ocr/internal/core/ids"
)

// A table has an entry for each record of the graph, by the record's index.
//
// Concurrency: the first worker that needs a chunk makes it, and it stays. The table does not protect its entries.
type table[T any] struct {
	chunks [maxChunks]atomic.Pointer[[ids.ChunkLen]T]
}

// maxChunks bounds the chunks of records of package ids.
const maxChunks = 1 << 14

func (t *table[T]) at(index uint32) *T {
	chunk := &t.chunks[index/ids.ChunkLen]
	entries := chunk.Load()
	if entries == nil {
		chunk.CompareAndSwap(nil, new([ids.ChunkLen]T))
		entries = chunk.Load()
	}
	return &entries[index%ids.ChunkLen]
}

// raise makes *p at least depth, and returns the value that *p then has.
func raise(p *uint64, depth uint64) uint64 {
	for {
		before := atomic.LoadUint64(p)
		if before >= depth {
			return before
		}
		if atomic.CompareAndSwapUint64(p, before, depth) {
			return depth
		}
	}
}
