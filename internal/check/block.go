package check

import (
	"sync"
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// A block is what is known of a data block.
type block struct {
	id     guid.GUID
	site   string
	size   int
	filled bool // written before any EDT ran
	contents

	// Under the checker's lock:
	synced    bool // its EDTs order their accesses by themselves
	allowed   edt.Unordered
	changes   []change
	looks     []look
	exclusive bool    // somebody held it in mode EW
	locked    []cause // all releases so far: exclusive holders come after them, and the other way round
	last      []words // by page: who changed it
	known     []bool  // pages that somebody has written
	used      []*node // that had it, the latest
	users     int     // EDTs that created it or were satisfied with it and have yet to end
	destroyed bool
	end       destruction // over several ranks
	ghost     *block      // see remains
}

// contents are the bytes of a block. They are here in check mode; the memory that the graph
// has for the block is left alone.
//
// Concurrency: an EDT's writes come here at its release, under mu, byte by byte. EDTs that
// read see that happen, as the modes of blocks allow it.
type contents struct {
	mu      sync.Mutex
	placed  bool // bytes are there: of a large block at off
	nowhere bool // there is no room for them: EDTs see the block itself
	off     int
	bytes   []byte
	real    []byte  // the block itself
	shared  bool    // EDTs see the block itself from its creator's release on: they order their accesses by themselves
	written []bool  // pages that somebody has written
	through bool    // what EDTs change goes to the block itself, too, where other ranks see it
	holds   []*hold // that may write, and have views
}

// remains is a block of which only the name is known, for what outlives it.
func (b *block) remains() *block {
	if b.ghost == nil {
		b.ghost = &block{id: b.id, site: b.site}
	}
	return b.ghost
}

// uses notes that an EDT has a block, or will be given one: what is known of it is kept
// until then, also if another destroys it.
func (n *node) uses(b *block) {
	b.users++
	n.blocks = append(n.blocks, b)
}

// dropBlocks ends an EDT's use of blocks.
func (w *worker) dropBlocks(n *node) {
	for _, b := range n.blocks {
		b.users--
		w.forget(b)
	}
	n.blocks = nil
}

// forget drops what is known of a block that is destroyed, if nobody is to use it.
func (w *worker) forget(b *block) {
	if !b.destroyed || b.users > 0 {
		return
	}
	if w.now != nil { // an EDT of another rank may yet have it
		b.changes, b.looks, b.locked, b.last, b.known, b.used = nil, nil, nil, nil, nil, nil
	} else {
		delete(w.k.blocks, b.id)
		w.dead = append(w.dead, b)
	}
}

// usedKept is how many EDTs that had a block are remembered.
const usedKept = 128

// place finds a place for the bytes of a block that is seen for the first time. real is the
// block itself. The caller holds the lock of the contents.
func (b *block) place(m *memory, real []byte) {
	if b.placed || b.nowhere {
		return
	}
	if b.placed = m.isSmall(len(real)); b.placed {
		b.bytes = ofWords(len(real))
	} else if b.off, b.placed = m.place(len(real)); b.placed {
		b.bytes = m.contents(b.off, len(real))
	} else {
		b.nowhere = true
		return
	}
	b.real, b.size = real, len(real)
	if b.filled {
		copy(b.bytes, real)
	}
}

// drop gives the memory of a block back.
func (b *block) drop(m *memory) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.placed {
		return
	}
	if !m.isSmall(len(b.bytes)) {
		m.drop(b.off, len(b.bytes))
	}
	b.placed, b.nowhere, b.bytes = false, true, nil
}

// ofWords is memory for small blocks, which begins at a word.
func ofWords(size int) []byte {
	words := make([]uint64, (size+word-1)/word)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
}

// at returns an element of a list that grows as needed.
func at[T any](list *[]T, n int) *T {
	if more := n + 1 - len(*list); more > 0 {
		*list = append(*list, make([]T, more)...)
	}
	return &(*list)[n]
}

// blockOf returns what is known of a block: nothing, of one from before the run.
func (k *Checker) blockOf(id guid.GUID) *block {
	b := k.blocks[id]
	if b == nil {
		b = &block{id: id, filled: true}
		k.blocks[id] = b
	}
	return b
}
