package check

import (
	"sync"
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// A block is what the checker knows of a data block.
type block struct {
	id     guid.GUID
	site   string
	size   int
	filled bool // written before any EDT ran
	contents

	// Under the checker's lock:
	synced    bool // its EDTs synchronise their accesses: see [edt.Ctx.Synchronised]
	allowed   edt.Unordered
	changes   []change
	looks     []look
	exclusive bool    // an EDT held it in mode EW
	locked    []cause // all releases so far: exclusive holders come after them, and others after exclusive ones
	last      []words // by page: the last writer of each byte
	known     []bool  // by page: it was written
	used      []*node // the latest EDTs that had it
	users     int     // EDTs that created it, or were satisfied with it, and have not ended
	destroyed bool
	ghost     *block // see remains
}

// contents are the bytes of a block in check mode; the graph's memory for the block is not used.
//
// Concurrency: an EDT's writes are copied here at its release, under mu, byte by byte. EDTs that read the block at the
// same time may see them, as the modes of blocks allow.
type contents struct {
	mu      sync.Mutex
	placed  bool // bytes is set: of a large block it is at off of the memory
	nowhere bool // there is no room for them: EDTs see the graph's memory of the block
	off     int
	bytes   []byte
	real    []byte  // the graph's memory of the block
	shared  bool    // EDTs see real from the creator's release on: they synchronise their accesses
	written []bool  // by page: it was written
	holds   []*hold // those that may write and have views
}

// remains is a record of the block's name only, for findings after its end.
func (b *block) remains() *block {
	if b.ghost == nil {
		b.ghost = &block{id: b.id, site: b.site}
	}
	return b.ghost
}

// uses records that an EDT has a block, or was satisfied with it: the block's record is kept until the EDT ends, even
// if another EDT destroys the block.
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

// forget drops the record of a destroyed block, if no EDT is left to use it.
func (w *worker) forget(b *block) {
	if !b.destroyed || b.users > 0 {
		return
	}
	delete(w.k.blocks, b.id)
	w.dead = append(w.dead, b)
}

// usedKept bounds block.used.
const usedKept = 128

// place finds a place for the bytes of a block at its first use. real is the graph's memory of the block. The caller
// holds the lock of the contents.
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

// drop frees the memory of a block's contents.
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

// ofWords allocates memory for a small block, aligned to a word; nil for an empty one.
func ofWords(size int) []byte {
	if size == 0 {
		return nil
	}
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

// blockOf returns the record of a block, a new one if the block is from before the run.
func (k *Checker) blockOf(id guid.GUID) *block {
	b := k.blocks[id]
	if b == nil {
		b = &block{id: id, filled: true}
		k.blocks[id] = b
	}
	return b
}
