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
	if !w.views.show(h, b.off, len(real), h.kept(&w.k.memory)) {
		b.mu.Unlock()
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

// close ends an EDT's access to a block, or, if it is downgraded, its writing.
func (w *worker) close(h *hold, downgraded bool) {
	k, b := w.k, h.block
	k.mu.Lock()
	now := k.tick()
	k.mu.Unlock()

	b.mu.Lock()
	pub := h.publish(&k.memory, now)
	b.holds = slices.DeleteFunc(b.holds, func(o *hold) bool { return o == h })
	if downgraded {
		_ = k.memory.backing.Show(startOf(h.view), b.off, whole(len(h.view)), k.memory.readable(), true)
	}
	b.mu.Unlock()

	k.mu.Lock()
	k.takeFaults() // while it is known that the EDT holds the block
	k.judge(h, &pub)
	if downgraded {
		h.mode, h.twins = datablock.RO, nil
	} else {
		// From here on it only says whose view late accesses are in.
		h.over, h.twins, h.block = true, nil, b.remains()
		delete(h.node.holds, b.id)
	}
	k.mu.Unlock()
	if !downgraded {
		w.views.hide(h)
	}
}

// A publication is what an EDT has changed of a block, or used too early.
type publication struct {
	at        moment
	lo, hi    int // bytes; none if hi is 0
	over      []conflict
	unwritten int           // a page that it used and nobody had written, -1 for none
	pages     []sys.PageUse // nil if that is not known
}

// A conflict is words of a block that an EDT has changed after another.
type conflict struct {
	by      cause // the other's change
	lo, hi  int   // bytes
	was, is []byte
}

// publish carries what an EDT has changed to the block; of one that only reads it tells
// what it has used, or, if that could not be prevented, changed. The caller holds the lock
// of the contents.
func (h *hold) publish(m *memory, now moment) publication {
	p := publication{at: now, lo: len(h.view), unwritten: -1}
	uses := make([]sys.PageUse, whole(len(h.view))/sys.Page)
	known := sys.PagesInUse(startOf(h.view), uses)
	if known {
		p.pages = uses
	}
	for page, use := range uses {
		if h.kept(m) == sys.ReadWrite && (!known || use&sys.PageOwn != 0) {
			h.publishPage(&p, page)
		}
		if t := h.twins[page]; t != nil && t.unused {
			uses[page] = 0
		}
		if !m.tellsUnwritten {
			continue
		}
		written := at(&h.block.written, page)
		if use != 0 && !h.writes() && !h.block.filled && !*written {
			p.unwritten = page
		}
		*written = *written || use != 0
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
		h.keepTwins(page, now)
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
		p.lo, p.hi = min(p.lo, from+lo), from+hi
		if h.writes() {
			h.noteWriter(p, page, lo, hi)
			for w := lo; w < hi; w += word {
				if h.block.shared {
					merge(h.block.real[from:], view, base, w)
				}
				merge(now, view, base, w)
			}
		}
		lo = hi
	}
}

// keepTwins keeps what a page was for the other EDTs that may have changed it and have yet
// to publish that. It is about to change: until then their copies of it are of what it is.
func (h *hold) keepTwins(page int, now []byte) {
	for _, o := range h.block.holds {
		if o == h || o.twins[page] != nil {
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

// noteWriter notes which EDT changed bytes lo to hi of a page last, and which ones have
// before.
func (h *hold) noteWriter(p *publication, page, lo, hi int) {
	by := cause{from: h.node, at: p.at}
	at(&h.block.last, page).change(lo/word, (hi+word-1)/word, by, func(r run) {
		if r.by.from == h.node || slices.ContainsFunc(p.over, func(c conflict) bool { return c.by == r.by }) {
			return
		}
		from := page*sys.Page + r.lo*word
		one := min(from+word, len(h.view))
		p.over = append(p.over, conflict{
			r.by, from, min(page*sys.Page+r.hi*word, len(h.view)),
			bytes.Clone(h.block.bytes[from:one]), bytes.Clone(h.view[from:one]),
		})
	})
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
	end := min(at+word, len(view))
	var w [word]byte
	copy(w[:], now[at:end])
	for k := at; k < end; k++ {
		if view[k] != base[k] {
			w[k-at] = view[k]
		}
	}
	if end-at == word {
		atomic.StoreUint64((*uint64)(unsafe.Pointer(&now[at])), binary.NativeEndian.Uint64(w[:]))
		return
	}
	copy(now[at:end], w[:])
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
		k.noteLook(look{h, k.tick(), p.pages})
	}
}

// judgeWrites reports the words that an EDT has changed after another without an order
// between them. The caller holds the lock, as for all that follow.
func (k *Checker) judgeWrites(h *hold, p *publication) {
	h.published = p.at
	for _, c := range p.over {
		f := h.finding(finding.WriteRace, fmt.Sprintf("bytes %d to %d: %x, over %x", c.lo, c.hi-1, c.is, c.was))
		if k.ordered(c.by.from, c.by.at, h.node) {
			if k.planned(c.by.from, c.by.at, h.node) {
				continue
			}
			f.Kind, f.Note = finding.TurnOrder, true
		}
		k.report(c.by.from.against(f))
	}
	if h.changed = p.hi > 0; h.changed {
		k.noteChange(h, change{cause{from: h.node, at: p.at}, p.lo, p.hi})
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
	if p.hi > 0 {
		f := h.finding(finding.ReadOnlyWrite, fmt.Sprintf("at bytes %d to %d of %d, held in mode %v", p.lo, p.hi-1, len(h.view), h.mode))
		k.report(f)
	}
	if p.unwritten >= 0 {
		from := p.unwritten * sys.Page
		k.report(h.finding(finding.UnwrittenRead, fmt.Sprintf("among bytes %d to %d", from, min(from+sys.Page, len(h.view))-1)))
	}
}

// against returns the finding with the EDT on its other side.
func (n *node) against(f finding.Finding) finding.Finding {
	f.Other, f.OtherTemplate, f.OtherAbout = n.edt, n.template, n.about
	return f
}

// finding is the common part of what is said of a hold.
func (h *hold) finding(kind finding.Kind, detail string) finding.Finding {
	return finding.Finding{
		Kind: kind, EDT: h.node.edt, Template: h.node.template, About: h.node.about, Site: edt.CallSite(),
		Object: h.block.id, ObjectSite: h.block.site, Detail: detail,
	}
}
