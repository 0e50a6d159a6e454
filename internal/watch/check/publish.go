package check

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"ocr/internal/core/sys"
)

// A publication is what an EDT has changed and used of a block.
type publication struct {
	at      moment
	site    string        // of the release
	Lo, Hi  int           // byte range of the changed words; none if Hi is 0
	Changed []changed     // by page, if the EDT may write
	Exact   bool          // the EDT has written no other bytes: their types are known
	Small   bool          // the block is copied: the EDT may also have written what was there before
	Pages   []sys.PageUse // nil if that is not known
}

// A changed is what an EDT has changed of a page.
type changed struct {
	Lo    int       // offset in the block
	Bytes []byte    // by word from there on: a bit for each changed byte
	Words []newWord // the first words of runs of changed words, at most wordsKept
}

// wordsKept is how many words of a change are kept.
const wordsKept = 8

// A newWord is a word that was changed.
type newWord struct {
	At      int // offset in the block
	Was, Is []byte
}

// A conflict is words of a block that an EDT has changed after another.
type conflict struct {
	by     cause // the other's change
	lo, hi int   // bytes, of the words
	same   bool  // some bytes of them were changed by both
	values string
}

// publish copies an EDT's changes to the block's contents. For an EDT that may only read it reports the pages used, and
// changes that could not be prevented.
func (h *hold) publish(m *memory, now moment) publication {
	c := &h.block.contents
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holds = slices.DeleteFunc(c.holds, func(o *hold) bool { return o == h })
	p := publication{at: now, Lo: len(h.view), Exact: h.as != nil, Small: h.small != nil}
	if h.small != nil {
		h.publishCopy(&p, m)
		return p
	}
	uses := make([]sys.PageUse, whole(len(h.view))/sys.Page)
	known := sys.PagesInUse(startOf(h.view), uses)
	if known {
		p.Pages = uses
	}
	for page, use := range uses {
		if h.kept(m) == sys.ReadWrite && (!known || use&sys.PageOwn != 0) {
			h.publishPage(&p, page)
		}
		if t := h.twins[page]; t != nil {
			uses[page] = t.use
		}
		if m.tellsUnwritten && use != 0 {
			*at(&h.block.written, page) = true
		}
	}
	return p
}

// publishCopy is publish for a block that is copied. It asks for the use of the copy only if reads of bytes that were
// never written are reported.
func (h *hold) publishCopy(p *publication, m *memory) {
	if h.writes() {
		h.publishPage(p, 0)
	}
	if m.tellsUnwritten {
		if use, known := h.copyUse(); known {
			p.Pages = []sys.PageUse{use}
		}
	}
}

// publishPage copies an EDT's changes of a page to the block's contents.
func (h *hold) publishPage(p *publication, page int) {
	from := page * sys.Page
	to := min(from+sys.Page, len(h.view))
	view, now := h.view[from:to], h.block.bytes[from:to]
	base := now
	if t := h.twins[page]; t != nil {
		base = t.bytes
	}
	if h.small != nil {
		view = h.small.bytes
	}
	if string(view) == string(base) {
		return
	}
	if h.writes() {
		h.block.keepTwins(h, page, now)
	}
	mask := changedBytes(view, base)
	lo, hi := 0, len(mask)
	for mask[lo] == 0 {
		lo++
	}
	for mask[hi-1] == 0 {
		hi--
	}
	p.Lo, p.Hi = min(p.Lo, from+lo*word), from+min(hi*word, len(view))
	if !h.writes() {
		return
	}
	c := changed{Lo: from + lo*word}
	for w := lo; w < hi; w++ {
		if mask[w] == 0 {
			continue
		}
		if len(c.Words) < wordsKept && (w == lo || mask[w-1] == 0) {
			c.Words = append(c.Words, newWord{from + w*word, bytes.Clone(wordAt(now, w)), bytes.Clone(wordAt(view, w))})
		}
		if h.block.shared {
			merge(h.block.real[from:], view, w, mask[w])
		}
		merge(now, view, w, mask[w])
		mask[w] = h.as.numbers(from/word+w, mask[w])
	}
	c.Bytes = mask[lo:hi]
	p.Changed = append(p.Changed, c)
}

// keepTwins saves a page that is about to change for all EDTs but one that may have changed it and have not published:
// their changes are found by comparison with the page as they saw it.
func (c *contents) keepTwins(but *hold, page int, now []byte) {
	for _, o := range c.holds {
		if o == but || o.twins[page] != nil {
			continue
		}
		use := [1]sys.PageUse{sys.PageTouched}
		if o.small == nil {
			at := unsafe.Pointer(&o.view[page*sys.Page])
			sys.PagesInUse(at, use[:])
			// Subtle: this write of 0 makes the system copy the page now. Without it an EDT that writes to the page
			// later would get a copy of the changed page.
			atomic.AddUint64((*uint64)(at), 0)
		}
		if o.twins == nil {
			o.twins = make(map[int]*twin)
		}
		o.twins[page] = &twin{bytes.Clone(now), use[0]}
	}
}

// noteWriter records the EDT as the last writer of its words, and returns its conflicts with earlier ones. The caller
// holds the lock.
func (h *hold) noteWriter(p *publication) (over []conflict) {
	me := writer{cause{from: h.node, at: p.at}, p.Exact}
	for _, c := range p.Changed {
		page := c.Lo / sys.Page
		from := page * sys.Page
		size := (min(sys.Page, h.block.size-from) + word - 1) / word
		at(&h.block.last, page).change(size, (c.Lo-from)/word, c.Bytes, me, func(w writer, m *meeting) {
			if w.by.from == h.node || !m.same && w.exact && p.Exact ||
				slices.ContainsFunc(over, func(o conflict) bool { return o.by == w.by && (o.same || !m.same) }) {
				return
			}
			one := conflict{by: w.by, lo: from + m.lo*word, hi: min(from+m.hi*word, h.block.size), same: m.same}
			for _, w := range c.Words {
				if w.At == one.lo {
					one.values = fmt.Sprintf(": %x, over %x", w.Is, w.Was)
				}
			}
			over = append(over, one)
		})
	}
	return over
}

// wordAt is a word of a page, the last of which may be a part of one.
func wordAt(page []byte, w int) []byte { return page[w*word : min(w*word+word, len(page))] }

// changedBytes returns by word which of its bytes differ.
func changedBytes(view, base []byte) []byte {
	mask := make([]byte, (len(view)+word-1)/word)
	for w := range mask {
		a, b := wordAt(view, w), wordAt(base, w)
		if len(a) == word && *(*uint64)(unsafe.Pointer(&a[0])) == *(*uint64)(unsafe.Pointer(&b[0])) {
			continue
		}
		for k := range a {
			if a[k] != b[k] {
				mask[w] |= 1 << k
			}
		}
	}
	return mask
}

// merge copies the changed bytes of a word to now, atomically if it is a whole word, as other EDTs may read it.
func merge(now, view []byte, w int, changed byte) {
	from := wordAt(view, w)
	if len(from) < word {
		for k := range from {
			if changed>>k&1 != 0 {
				now[w*word+k] = from[k]
			}
		}
		return
	}
	for p := (*uint64)(unsafe.Pointer(&now[w*word])); ; {
		old := atomic.LoadUint64(p)
		is := old
		for k, b := range from {
			if changed>>k&1 != 0 {
				(*[word]byte)(unsafe.Pointer(&is))[k] = b
			}
		}
		if atomic.CompareAndSwapUint64(p, old, is) {
			return
		}
	}
}
