package edt

import (
	"sync"

	"ocr/guid"
	"ocr/internal/ids"
)

// bornNames are the names of EDTs that other ranks have made here. Who makes an EDT on another rank names it, and
// need not wait: the how manieth of its EDTs there it is. Creations come in that order. So a number that was not seen yet is
// that of an EDT whose creation is on its way, and another one is that of an EDT which is here, or was.
//
// Concurrency: all under mu.
type bornNames struct {
	mu    sync.Mutex
	by    []bornBy // by maker
	names []uint64 // by record: the low word of its name
}

// A bornBy is what one maker has made here. Its numbers follow each other, so records are found in pages.
type bornBy struct {
	seen  uint64 // how many have come
	pages map[uint64]*bornPage
	last  *bornPage // that into which the newest came
	spare *bornPage
}

const bornPageLen = 256

type bornPage struct {
	alive   int
	records [bornPageLen]uint32 // 0: gone
}

// add notes the name of a record: the next one of its maker.
func (b *bornNames) add(maker int, lo uint64, i uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := &b.by[maker]
	if m.seen%bornPageLen == 0 {
		m.turn()
	}
	m.last.records[m.seen%bornPageLen] = i
	m.last.alive++
	m.seen++
	for int(i) >= len(b.names) {
		b.names = append(b.names, make([]uint64, max(bornPageLen, len(b.names)))...)
	}
	b.names[i] = lo
}

// turn begins a page.
func (m *bornBy) turn() {
	if m.pages == nil {
		m.pages = make(map[uint64]*bornPage)
	}
	if m.last != nil && m.last.alive == 0 {
		m.drop(m.seen/bornPageLen-1, m.last)
	}
	if m.last, m.spare = m.spare, nil; m.last == nil {
		m.last = new(bornPage)
	}
	m.pages[m.seen/bornPageLen] = m.last
}

// drop lets go of a page of which no EDT is left.
func (m *bornBy) drop(k uint64, p *bornPage) {
	delete(m.pages, k)
	m.spare = p
}

// forget drops the name of a record.
func (b *bornNames) forget(i uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maker, serial := ids.BornBy(b.names[i])
	m := &b.by[maker]
	p := m.page(serial)
	p.records[serial%bornPageLen], b.names[i] = 0, 0
	if p.alive--; p.alive == 0 && p != m.last {
		m.drop(serial/bornPageLen, p)
	}
}

// page returns the page of an EDT that has come; nil if it is gone, and all others of the page.
func (m *bornBy) page(serial uint64) *bornPage {
	if serial/bornPageLen == (m.seen-1)/bornPageLen {
		return m.last
	}
	return m.pages[serial/bornPageLen]
}

// find returns the record of a name, 0 if there is none; early says that it is yet to come.
func (b *bornNames) find(lo uint64) (i uint32, early bool) {
	maker, serial := ids.BornBy(lo)
	if maker >= len(b.by) {
		return 0, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m := &b.by[maker]
	if serial >= m.seen {
		return 0, true
	}
	if p := m.page(serial); p != nil {
		i = p.records[serial%bornPageLen]
	}
	return i, false
}

// name returns the name of a record, 0 if it has none: whoever looks at a record from outside may be late.
func (b *bornNames) name(i uint32) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if int(i) >= len(b.names) {
		return 0
	}
	return b.names[i]
}

// bornHere reports whether g is the name that another rank gave to an EDT that lives here. It returns its own name, one
// of no object if the EDT is gone.
func (c *Ctx) bornHere(g guid.GUID) (own guid.GUID, ok bool) {
	hi, lo := g.Words()
	if c.g.ranks == nil || hi != c.highEDT|bornBit {
		return g, false
	}
	for c != c.g.ranks.courier && c.tooEarly(g) { // an EDT here has learnt the name before the creation has come
		c.awaitMessage()
	}
	i, _ := c.g.ranks.born.find(lo)
	if i == 0 {
		return guid.FromWords(c.highEDT, 1<<63), true
	}
	return guid.FromWords(c.highEDT, c.edts.At(i).SharedLow(i)), true
}

// tooEarly reports whether g names an EDT that another rank has made here, and that has not come yet.
func (c *Ctx) tooEarly(g guid.GUID) bool {
	hi, lo := g.Words()
	if maker, _ := ids.BornBy(lo); hi != c.highEDT|bornBit || maker == c.g.ranks.me {
		return false
	}
	_, early := c.g.ranks.born.find(lo)
	return early
}

// bornName is the name of the EDT in a record that has flagBorn.
func (g *Graph) bornName(i uint32) guid.GUID {
	return guid.FromWords(g.highEDT|bornBit, g.ranks.born.name(i))
}

// knownAs is how the program knows an EDT of this rank, if g names one: by the name that it was given elsewhere.
func (c *Ctx) knownAs(g guid.GUID) guid.GUID {
	if hi, lo := g.Words(); c.g.ranks != nil && hi == c.highEDT {
		if t := c.g.edts.Lookup(lo); t != nil {
			return c.g.edtGUID(uint32(lo), t)
		}
	}
	return g
}

// checkNamed ends the run if g is a name for an EDT on another rank that this rank has never given.
func (c *Ctx) checkNamed(op string, g guid.GUID, stale *Condition) {
	hi, lo := g.Words()
	if maker, serial := ids.BornBy(lo); hi&bornBit != 0 && maker == c.g.ranks.me && serial >= c.g.ranks.Numbered(g.Home()) {
		c.misuse(op, stale, g, "")
	}
}
