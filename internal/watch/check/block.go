package check

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// A block is what the checker knows of a data block. The block's own memory has what was released.
type block struct {
	id      guid.GUID
	site    string
	allowed edt.Unordered
	shared  bool // its EDTs synchronise their accesses, and use the block's own memory
	now     *version
	last    []write  // by word
	uses    []access // the latest, the oldest first
	users   []*node  // the latest that were satisfied with it
}

// A version is the bytes of a block between two changes of it.
type version struct {
	bytes   []byte // on the heap: what views are compared with
	pages   *pages // the same, shown to all EDTs that read; nil while there are none
	readers int    // that use the pages
	views   int    // that are compared with the bytes
	over    bool   // the block has changed since, or is destroyed
}

const (
	usersKept = 128     // of a block
	handedOn  = 1 << 17 // bytes of a block from which on its pages go from one EDT that holds it to the next
	idleKept  = 1 << 10 // versions that no EDT reads keep their pages
)

// blockOf returns the record of a block, a new one if the block is from before the run.
func (k *Checker) blockOf(id guid.GUID) *block {
	b := k.blocks[id]
	if b == nil {
		b = &block{id: id}
		k.blocks[id] = b
	}
	return b
}

// version returns the bytes of a block as they are now.
func (b *block) version(real []byte) *version {
	if b.now == nil {
		b.now = &version{bytes: cloneWords(real)}
	}
	return b.now
}

// isAlone reports whether a view is the only one of the block as it is now.
func (v *view) isAlone() bool {
	return v.version != nil && v.version == v.block.now && v.version.views == 1
}

// change ends the version of a block. If no other view is compared with it, it has become what the view has released.
func (k *Checker) change(v *view) {
	if !v.isAlone() {
		k.end(v.block)
	} else if now := v.version; now.pages != nil {
		k.memory.drop(now.pages)
		now.pages = nil
	}
}

// end ends the version of a block.
func (k *Checker) end(b *block) {
	if now := b.now; now != nil {
		b.now, now.over = nil, true
		k.retire(now)
	}
}

// write gives a view pages of its own: those of a large block that no EDT uses, or a copy; false if there are none.
func (k *Checker) write(v *view) bool {
	now := v.version
	if len(now.bytes) >= handedOn && now.pages != nil && now.readers == 0 {
		v.pages, now.pages = now.pages, nil
		v.pages.protect(sys.ReadWrite)
		return true
	}
	if v.pages = k.memory.take(len(now.bytes)); v.pages != nil {
		copy(v.pages.bytes, now.bytes)
	}
	return v.pages != nil
}

// endWrite takes a view's own pages away, or keeps those of a large block for its next view.
func (k *Checker) endWrite(v *view) {
	now := v.block.now
	if now == nil || now != v.version || now.pages != nil || len(now.bytes) < handedOn {
		k.memory.drop(v.pages)
		return
	}
	now.pages = v.pages
	k.keepIdle(now)
}

// read shows a version to one more EDT; false if there are no pages for it.
func (k *Checker) read(v *version) bool {
	switch {
	case v.pages == nil:
		if v.pages = k.memory.take(len(v.bytes)); v.pages == nil {
			return false
		}
		copy(v.pages.bytes, v.bytes)
		v.pages.protect(sys.ReadOnly)
	case v.readers == 0:
		v.pages.protect(sys.ReadOnly)
	}
	v.readers++
	return true
}

// endRead ends the use of a version by an EDT.
func (k *Checker) endRead(v *version) {
	if v.readers--; v.readers > 0 {
		return
	}
	if k.retire(v); v.pages != nil {
		k.keepIdle(v)
	}
}

// keepIdle keeps the pages of a version that no EDT uses, out of reach, and drops those of the one that was kept first.
func (k *Checker) keepIdle(v *version) {
	v.pages.protect(sys.NoAccess)
	if oldest, went := keepLast(&k.idle, v, idleKept); went && oldest.pages != nil && oldest.readers == 0 {
		k.memory.drop(oldest.pages)
		oldest.pages = nil
	}
}

// retire gives the pages of a version back that none will read again.
func (k *Checker) retire(v *version) {
	if v.over && v.readers == 0 && v.pages != nil {
		k.memory.drop(v.pages)
		v.pages = nil
	}
}

// cloneWords copies bytes to memory that begins at a word.
func cloneWords(b []byte) []byte {
	words := make([]uint64, (len(b)+word-1)/word)
	c := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
	copy(c, b)
	return c
}
