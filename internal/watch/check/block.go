package check

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// A block is what the checker knows of a data block. The block's own memory has the released bytes.
type block struct {
	id        guid.GUID
	site      string
	allowed   edt.Unordered
	destroyed bool // EDTs that were satisfied with it may still use it
	now       *version
	last      []write  // by word: the latest write
	uses      []access // the latest, the oldest first
	users     []*node  // the latest EDTs that were satisfied with it
}

// shared reports whether the block's EDTs synchronise their accesses, and use its own memory.
func (b *block) shared() bool { return b.allowed&edt.SharedBytes != 0 }

// A version is the bytes of a block from one change to the next.
type version struct {
	bytes   []byte // on the heap: views are compared with these; nil if over, then only these views have them
	pages   *pages // the same bytes, shown to all EDTs that read; nil if they are not shown
	readers int    // EDTs that use the pages
	views   int    // views that are compared with bytes
	over    bool   // the block has changed, or was destroyed
}

const (
	usersKept = 128     // users of a block that are remembered
	handedOn  = 1 << 17 // a block of so many bytes or more passes its pages from one holder to the next
	idleKept  = 1 << 10 // versions without readers that keep their pages
)

// blockOf returns the record of a block; it makes one for a block from before the run.
func (k *Checker) blockOf(id guid.GUID) *block {
	b := k.blocks[id]
	if b == nil {
		b = &block{id: id}
		k.blocks[id] = b
	}
	return b
}

// version returns the present version of a block; it makes one if there is none.
func (b *block) version(real []byte) *version {
	if b.now == nil {
		b.now = &version{bytes: cloneWords(real)}
	}
	return b.now
}

// isAlone reports whether the view is the only one of the present version.
func (v *view) isAlone() bool {
	return v.version != nil && v.version == v.block.now && v.version.views == 1
}

// change ends the present version of a block that a view has changed, if other views are compared with the version.
// Else the version stays, as its bytes are now those of the view, and gives up its pages.
func (k *Checker) change(v *view) {
	if !v.isAlone() {
		k.end(v.block)
	} else if now := v.version; now.pages != nil {
		k.memory.drop(now.pages)
		now.pages = nil
	}
}

// end ends the present version of a block.
func (k *Checker) end(b *block) {
	if now := b.now; now != nil {
		b.now, now.bytes, now.over = nil, nil, true
		k.retire(now)
	}
}

// write gives a view pages of its own: the version's if the block is large and no EDT uses them, else a copy. It
// returns false if there are no pages.
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

// endWrite takes a view's own pages away. It keeps those of a large block for the next view, if the view's version is
// still the present one and has no pages.
func (k *Checker) endWrite(v *view) {
	now := v.block.now
	if now == nil || now != v.version || now.pages != nil || len(now.bytes) < handedOn {
		k.memory.drop(v.pages)
		return
	}
	now.pages = v.pages
	k.keepIdle(now)
}

// read shows a version to one more EDT; it returns false if there are no pages.
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

// endRead ends an EDT's use of a version.
func (k *Checker) endRead(v *version) {
	if v.readers--; v.readers > 0 {
		return
	}
	if k.retire(v); v.pages != nil {
		k.keepIdle(v)
	}
}

// keepIdle keeps the pages of a version that no EDT uses, and makes accesses to them fault. If too many are kept, it
// drops those that were kept first.
func (k *Checker) keepIdle(v *version) {
	v.pages.protect(sys.NoAccess)
	if oldest, went := keepLast(&k.idle, v, idleKept); went && oldest.pages != nil && oldest.readers == 0 {
		k.memory.drop(oldest.pages)
		oldest.pages = nil
	}
}

// retire drops the pages of a version if no EDT will read it again.
func (k *Checker) retire(v *version) {
	if v.over && v.readers == 0 && v.pages != nil {
		k.memory.drop(v.pages)
		v.pages = nil
	}
}

// cloneWords copies bytes to memory that is aligned to a word.
func cloneWords(b []byte) []byte {
	words := make([]uint64, (len(b)+word-1)/word)
	c := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
	copy(c, b)
	return c
}
