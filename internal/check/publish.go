package check

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"ocr/internal/sys"
)

// A publication is what an EDT has changed of a block, or used too early.
type publication struct {
	at     moment
	site   string        // of the release
	Lo, Hi int           // bytes, of words that were changed; none if Hi is 0
	Runs   []changed     // of one that writes
	Exact  bool          // their bytes are all that it may have written
	Pages  []sys.PageUse // nil if that is not known
}

// A changed is words of a page that an EDT has changed.
type changed struct {
	Lo      int    // of the block
	Bytes   []byte // by word: bits, which of its bytes
	Was, Is []byte // the first word
}

// A conflict is words of a block that an EDT has changed after another.
type conflict struct {
	by     cause // the other's change
	lo, hi int   // bytes, of the words
	same   bool  // some bytes of them were changed by both
	values string
}

// publish carries what an EDT has changed to the block; of one that only reads it tells
// what it has used, or, if that could not be prevented, changed. The caller holds the lock
// of the contents.
func (h *hold) publish(m *memory, now moment) publication {
	p := publication{at: now, Lo: len(h.view), Exact: h.as != nil}
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

// publishPage carries the words of a page that an EDT has changed to the block.
func (h *hold) publishPage(p *publication, page int) {
	from := page * sys.Page
	to := min(from+sys.Page, len(h.view))
	view, now := h.view[from:to], h.block.bytes[from:to]
	base := now
	if t := h.twins[page]; t != nil {
		base = t.bytes
	}
	if string(view) == string(base) {
		return
	}
	if h.writes() {
		h.block.keepTwins(h, page, now)
	}
	mask := changedBytes(view, base)
	for lo := 0; lo < len(mask); {
		if mask[lo] == 0 {
			lo++
			continue
		}
		hi := lo
		for hi < len(mask) && mask[hi] != 0 {
			hi++
		}
		p.Lo, p.Hi = min(p.Lo, from+lo*word), from+min(hi*word, len(view))
		if h.writes() {
			p.Runs = append(p.Runs, changed{from + lo*word, mask[lo:hi], bytes.Clone(wordAt(now, lo)), bytes.Clone(wordAt(view, lo))})
			for w := lo; w < hi; w++ {
				if h.block.shared || h.block.through {
					merge(h.block.real[from:], view, w, mask[w])
				}
				merge(now, view, w, mask[w])
				mask[w] = h.as.numbers(from/word+w, mask[w])
			}
		}
		lo = hi
	}
}

// keepTwins keeps what a page was for the EDTs, but one, that may have changed it and have yet
// to publish that. It is about to change: until then their copies of it are of what it is.
func (c *contents) keepTwins(but *hold, page int, now []byte) {
	for _, o := range c.holds {
		if o == but || o.twins[page] != nil {
			continue
		}
		at := unsafe.Pointer(&o.view[page*sys.Page])
		use := [1]sys.PageUse{sys.PageTouched}
		sys.PagesInUse(at, use[:])
		// One that has not written to the page may be about to, and the system copies
		// it then. This makes it have its copy now, and changes nothing of it.
		atomic.AddUint64((*uint64)(at), 0)
		if o.twins == nil {
			o.twins = make(map[int]*twin)
		}
		o.twins[page] = &twin{bytes.Clone(now), use[0]}
	}
}

// noteWriter notes which EDT changed words of a block last, and which ones have before. The caller holds the lock.
func (h *hold) noteWriter(p *publication) (over []conflict) {
	by := cause{from: h.node, at: p.at}
	for _, c := range p.Runs {
		page := c.Lo / sys.Page
		from := page * sys.Page
		n := run{lo: (c.Lo - from) / word, bytes: c.Bytes, exact: p.Exact, by: by}
		at(&h.block.last, page).change(n, func(r *run, lo, hi int, same bool) {
			if r.by.from == h.node || !same && r.exact && p.Exact ||
				slices.ContainsFunc(over, func(o conflict) bool { return o.by == r.by && (o.same || !same) }) {
				return
			}
			one := conflict{by: r.by, lo: from + lo*word, hi: min(from+hi*word, h.block.size), same: same}
			if one.lo == c.Lo {
				one.values = fmt.Sprintf(": %x, over %x", c.Is, c.Was)
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

// merge brings the bytes of a word that were changed into now, at once if it is a whole word: others may be reading it.
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
