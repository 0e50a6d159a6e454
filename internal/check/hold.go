package check

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/sys"
	"ocr/runtime/finding"
)

// A hold is one EDT's access to a block.
type hold struct {
	node  *node
	block *block
	mode  datablock.Mode
	came  string        // on which slot, if the template says what comes there
	view  []byte        // what the EDT sees
	twins map[int]*twin // by page: what it saw at first, if others have changed that since
	parts int64         // of the view, see mostParts
	over  bool

	// Under the checker's lock:
	exposed   []exposure
	published moment // when its writes were, 0 before
	changed   bool   // there were some
}

// A twin is a page as an EDT saw it at first.
type twin struct {
	bytes  []byte
	unused bool // the EDT had not used the page when others changed it
}

func (h *hold) writes() bool { return h.mode == datablock.RW || h.mode == datablock.EW }

// kept says how an EDT may use what it sees of a block that it holds in this mode.
func (h *hold) kept(m *memory) sys.Protection {
	if h.writes() {
		return sys.ReadWrite
	}
	return m.readable()
}

// open shows an EDT a block: what comes back is what it is to see. If that is the block
// itself, its writes are everybody's at once, and nothing is known of them.
func (w *worker) open(n *node, b *block, mode datablock.Mode, real []byte) []byte {
	if len(real) == 0 {
		return real
	}
	b.mu.Lock()
	if b.place(&w.k.memory, real); !b.placed || b.shared {
		b.mu.Unlock()
		return real
	}
	h := &hold{node: n, block: b, mode: mode}
	if b.through {
		b.refresh(real)
	}
	if !w.views.show(h, b.off, len(real), h.kept(&w.k.memory)) {
		b.mu.Unlock()
		if b.through {
			return real
		}
		return b.bytes
	}
	if h.kept(&w.k.memory) == sys.ReadWrite {
		b.holds = append(b.holds, h)
	}
	b.mu.Unlock()

	w.k.mu.Lock()
	defer w.k.mu.Unlock()
	if n.holds == nil {
		n.holds = make(map[guid.GUID]*hold)
	}
	n.holds[b.id] = h
	return h.view
}

// close ends an EDT's access to a block, or, if it is downgraded, its writing. settle is called with what it has done.
func (w *worker) close(h *hold, downgraded bool, settle func(p *publication)) {
	k, b := w.k, h.block
	k.mu.Lock()
	now := k.tick()
	k.mu.Unlock()

	b.mu.Lock()
	pub := h.publish(&k.memory, now)
	pub.site = w.site()
	b.holds = slices.DeleteFunc(b.holds, func(o *hold) bool { return o == h })
	if downgraded {
		_ = k.memory.backing.Show(startOf(h.view), b.off, whole(len(h.view)), k.memory.readable(), true)
	}
	b.mu.Unlock()

	k.mu.Lock()
	k.takeFaults() // while it is known that the EDT holds the block
	settle(&pub)
	h.end(downgraded)
	k.mu.Unlock()
	if !downgraded {
		w.views.hide(h)
	}
}

// end ends a hold, or makes it one for reading. The caller holds the lock.
func (h *hold) end(downgraded bool) {
	h.twins = nil
	if downgraded {
		h.mode = datablock.RO
		return
	}
	delete(h.node.holds, h.block.id)
	h.over, h.block = true, h.block.remains() // it only says whose view late accesses are in
}

// A publication is what an EDT has changed of a block, or used too early.
type publication struct {
	at     moment
	site   string        // of the release
	Lo, Hi int           // bytes; none if Hi is 0
	Runs   []changed     // of one that writes
	Pages  []sys.PageUse // nil if that is not known
}

// A changed is words of a page that an EDT has changed.
type changed struct {
	Lo, Hi  int    // bytes of the block
	Was, Is []byte // the first word
}

// A conflict is words of a block that an EDT has changed after another.
type conflict struct {
	by     cause // the other's change
	lo, hi int   // bytes
	values string
}

// publish carries what an EDT has changed to the block; of one that only reads it tells
// what it has used, or, if that could not be prevented, changed. The caller holds the lock
// of the contents.
func (h *hold) publish(m *memory, now moment) publication {
	p := publication{at: now, Lo: len(h.view)}
	uses := make([]sys.PageUse, whole(len(h.view))/sys.Page)
	known := sys.PagesInUse(startOf(h.view), uses)
	if known {
		p.Pages = uses
	}
	for page, use := range uses {
		if h.kept(m) == sys.ReadWrite && (!known || use&sys.PageOwn != 0) {
			h.publishPage(&p, page)
		}
		if t := h.twins[page]; t != nil && t.unused {
			uses[page] = 0
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
	for lo := 0; lo < len(view); {
		if same(view, base, lo) {
			lo += word
			continue
		}
		hi := lo + word
		for hi < len(view) && !same(view, base, hi) {
			hi += word
		}
		hi = min(hi, len(view))
		p.Lo, p.Hi = min(p.Lo, from+lo), from+hi
		if h.writes() {
			first := min(lo+word, len(view))
			p.Runs = append(p.Runs, changed{from + lo, from + hi, bytes.Clone(now[lo:first]), bytes.Clone(view[lo:first])})
			for w := lo; w < hi; w += word {
				if h.block.shared || h.block.through {
					merge(h.block.real[from:], view, base, w)
				}
				merge(now, view, base, w)
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
		var use [1]sys.PageUse
		unused := sys.PagesInUse(at, use[:]) && use[0] == 0
		// One that has not written to the page may be about to, and the system copies
		// it then. This makes it have its copy now, and changes nothing of it.
		atomic.AddUint64((*uint64)(at), 0)
		if o.twins == nil {
			o.twins = make(map[int]*twin)
		}
		o.twins[page] = &twin{bytes.Clone(now), unused}
	}
}

// noteWriter notes which EDT changed words of a block last, and which ones have before. The caller holds the lock.
func (h *hold) noteWriter(p *publication) (over []conflict) {
	by := cause{from: h.node, at: p.at}
	for _, c := range p.Runs {
		page := c.Lo / sys.Page
		from := page * sys.Page
		at(&h.block.last, page).change((c.Lo-from)/word, (c.Hi-from+word-1)/word, by, func(r run) {
			if r.by.from == h.node || slices.ContainsFunc(over, func(o conflict) bool { return o.by == r.by }) {
				return
			}
			one := conflict{by: r.by, lo: from + r.lo*word, hi: min(from+r.hi*word, c.Hi)}
			if one.lo == c.Lo {
				one.values = fmt.Sprintf(": %x, over %x", c.Is, c.Was)
			}
			over = append(over, one)
		})
	}
	return over
}

// same reports whether a word is the same in both.
func same(a, b []byte, at int) bool {
	if at+word <= len(a) {
		return binary.NativeEndian.Uint64(a[at:]) == binary.NativeEndian.Uint64(b[at:])
	}
	return string(a[at:]) == string(b[at:])
}

// merge brings the bytes of a word that differ from base into now, at once if it is a
// whole word: others may be reading it.
func merge(now, view, base []byte, at int) {
	if at+word > len(view) {
		for k := at; k < len(view); k++ {
			if view[k] != base[k] {
				now[k] = view[k]
			}
		}
		return
	}
	for p := (*uint64)(unsafe.Pointer(&now[at])); ; {
		old := atomic.LoadUint64(p)
		var w [word]byte
		binary.NativeEndian.PutUint64(w[:], old)
		for k := range w {
			if view[at+k] != base[at+k] {
				w[k] = view[at+k]
			}
		}
		if atomic.CompareAndSwapUint64(p, old, binary.NativeEndian.Uint64(w[:])) {
			return
		}
	}
}

// judge looks at what an EDT has done with a block when its hold ends.
func (k *Checker) judge(h *hold, p *publication) {
	if h.writes() {
		k.judgeWrites(h, p)
		k.judgeExposures(h)
	} else {
		k.judgeReads(h, p)
	}
	if !h.changed {
		k.noteLook(look{h, k.tick(), p.Pages})
	}
}

// judgeWrites reports the words that an EDT has changed after another without an order
// between them. The caller holds the lock, as for all that follow.
func (k *Checker) judgeWrites(h *hold, p *publication) {
	h.published = p.at
	k.unwritten(h, p)
	for _, c := range h.noteWriter(p) {
		f := h.finding(finding.WriteRace, fmt.Sprintf("bytes %d to %d%s", c.lo, c.hi-1, c.values))
		f.Site = p.site
		if k.ordered(c.by.from, c.by.at, h.node) {
			if h.block.allowed&edt.ExclusiveWriters != 0 || k.planned(c.by.from, c.by.at, h.node) {
				continue
			}
			f.Kind = finding.TurnOrder
		}
		k.report(c.by.from.against(f))
	}
	if h.changed = p.Hi > 0; h.changed {
		k.noteChange(h, changeOf(h.node, p))
	}
	b := h.block
	if b.locked = append(b.locked, cause{from: h.node, at: p.at}); len(b.locked) == lockedKept {
		b.locked = k.condense(b.locked, 1)
	}
}

// lockedKept bounds the releases of a block that are kept apart.
const lockedKept = 64

// judgeReads reports what an EDT that may only read has changed, or read before anybody
// had written it.
func (k *Checker) judgeReads(h *hold, p *publication) {
	if p.Hi > 0 {
		f := h.finding(finding.ReadOnlyWrite, fmt.Sprintf("at bytes %d to %d of %d, held in mode %v", p.Lo, p.Hi-1, h.block.size, h.mode))
		f.Site = p.site
		k.report(f)
	}
	if page := k.unwritten(h, p); page >= 0 {
		from := page * sys.Page
		f := h.finding(finding.UnwrittenRead, fmt.Sprintf("among bytes %d to %d", from, min(from+sys.Page, h.block.size)-1))
		f.Site = p.site
		k.report(f)
	}
}

// unwritten returns a page that an EDT has used and nobody had written before, -1 for none.
func (k *Checker) unwritten(h *hold, p *publication) (found int) {
	found = -1
	for page, use := range p.Pages {
		if !k.memory.tellsUnwritten || use == 0 {
			continue
		}
		if known := at(&h.block.known, page); !*known {
			*known = true
			if !h.block.filled {
				found = page
			}
		}
	}
	return found
}

// against returns the finding with the EDT on its other side.
func (n *node) against(f finding.Finding) finding.Finding {
	f.Other, f.OtherTemplate, f.OtherAbout = n.edt, n.template, n.about
	return f
}

// finding is the common part of what is said of a hold.
func (h *hold) finding(kind finding.Kind, detail string) finding.Finding {
	return finding.Finding{
		Kind: kind, EDT: h.node.edt, Template: h.node.template, About: h.node.about,
		Object: h.block.id, ObjectSite: h.block.site, Detail: detail,
	}
}
