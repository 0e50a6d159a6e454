package edt

import (
	"sync"
	"sync/atomic"

	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/core/relaxed"
)

// remoteNames are the names of EDTs that other ranks have made here. The creator numbers the EDTs that it creates on
// another rank, so it need not wait for a name. Creations arrive in the order of their numbers. So the creation of an
// EDT whose number was not seen yet is on its way; any other EDT is here, or has been here.
//
// Concurrency: only the courier adds, so it needs no lock. names is replaced if it gets longer.
type remoteNames struct {
	by    []namesFrom                            // by maker
	names atomic.Pointer[[]*[namePageLen]uint64] // by record: the low word of its name
}

// A namesFrom is what one maker has made here. Its numbers follow each other, so records are found in pages.
//
// Concurrency: the courier stores seen after the record and its name. It, and those that forget a name, change the
// pages under mu.
type namesFrom struct {
	seen uint64                   // creations that have come
	last atomic.Pointer[namePage] // that into which the newest came

	mu    sync.Mutex
	pages map[uint64]*namePage // those of which EDTs are left, or to come
	spare *namePage
}

const namePageLen = 256

// A namePage finds the records of EDTs whose numbers follow each other.
//
// Concurrency: a page of which no EDT is left is used again. Its records are all 0 then, and number changes before they
// do: so a record that was read is the right one if number is the right one after that.
type namePage struct {
	number  uint64
	left    atomic.Int32        // EDTs that are here, or to come
	records [namePageLen]uint64 // 0: gone, or to come
}

// add names a record, as the next one of its maker, and returns the low word of the name.
func (b *remoteNames) add(maker int, i uint32) (lo uint64) {
	m := &b.by[maker]
	serial := m.seen
	if serial%namePageLen == 0 {
		m.turn(serial / namePageLen)
	}
	lo = ids.RemoteName(maker, serial)
	relaxed.Store64(b.nameOf(i), lo)
	relaxed.Store64(&m.last.Load().records[serial%namePageLen], uint64(i))
	relaxed.Store64(&m.seen, serial+1)
	return lo
}

// nameOf returns where the name of a record is, or is to be.
func (b *remoteNames) nameOf(i uint32) *uint64 {
	k := int(i / namePageLen)
	if all := b.names.Load(); all != nil && k < len(*all) && (*all)[k] != nil {
		return &(*all)[k][i%namePageLen]
	}
	return b.grow(k, i%namePageLen)
}

// grow makes room for names.
func (b *remoteNames) grow(page int, n uint32) *uint64 {
	var all []*[namePageLen]uint64
	if old := b.names.Load(); old != nil {
		all = *old
	}
	more := make([]*[namePageLen]uint64, max(page+1, len(all)))
	copy(more, all)
	more[page] = new([namePageLen]uint64)
	b.names.Store(&more)
	return &more[page][n]
}

// turn begins a page.
func (m *namesFrom) turn(number uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages == nil {
		m.pages = make(map[uint64]*namePage)
	}
	p := m.spare
	if m.spare = nil; p == nil {
		p = new(namePage)
	}
	atomic.StoreUint64(&p.number, number)
	p.left.Store(namePageLen)
	m.pages[number] = p
	m.last.Store(p)
}

// forget drops the name of a record.
func (b *remoteNames) forget(i uint32) {
	name := b.nameOf(i)
	maker, serial := ids.NamedBy(*name)
	m := &b.by[maker]
	p := m.page(serial)
	relaxed.Store64(name, 0)
	relaxed.Store64(&p.records[serial%namePageLen], 0)
	if p.left.Add(-1) == 0 {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.pages, p.number)
		m.spare = p
	}
}

// page returns the page of an EDT that has come; nil if it is gone, and all others of the page.
func (m *namesFrom) page(serial uint64) *namePage {
	number := serial / namePageLen
	if p := m.last.Load(); atomic.LoadUint64(&p.number) == number {
		return p
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pages[number]
}

// find returns the record of a name, 0 if there is none; early says that it is yet to come.
func (b *remoteNames) find(lo uint64) (i uint32, early bool) {
	maker, serial := ids.NamedBy(lo)
	if maker >= len(b.by) {
		return 0, false
	}
	m := &b.by[maker]
	if serial >= atomic.LoadUint64(&m.seen) {
		return 0, true
	}
	p := m.page(serial)
	if p == nil {
		return 0, false
	}
	i = uint32(atomic.LoadUint64(&p.records[serial%namePageLen]))
	if atomic.LoadUint64(&p.number) != serial/namePageLen {
		return 0, false
	}
	return i, false
}

// name returns the name of a record, 0 if it has none: whoever looks at a record from outside may be late.
func (b *remoteNames) name(i uint32) uint64 {
	if all := b.names.Load(); all != nil && int(i/namePageLen) < len(*all) {
		if page := (*all)[i/namePageLen]; page != nil {
			return atomic.LoadUint64(&page[i%namePageLen])
		}
	}
	return 0
}

// tooEarly reports whether g names an EDT that another rank has made here, and that has not come yet.
func (c *Ctx) tooEarly(g guid.GUID) bool {
	hi, lo := g.Words()
	if maker, _ := ids.NamedBy(lo); hi != c.highEDT|remoteBit || maker == c.g.away.me {
		return false
	}
	_, early := c.g.away.names.find(lo)
	return early
}

// checkNamed ends the run if g is a name for an EDT on another rank that this rank has never given.
func (c *Ctx) checkNamed(op string, g guid.GUID, stale *Condition) {
	if c.isUnnamed(g) {
		c.misuse(op, stale, g, "")
	}
}

// isUnnamed reports whether g is a name for an EDT on another rank that this rank has never given.
func (c *Ctx) isUnnamed(g guid.GUID) bool {
	hi, lo := g.Words()
	maker, serial := ids.NamedBy(lo)
	return hi&remoteBit != 0 && maker == c.g.away.me && serial >= c.g.away.Numbered(g.Home())
}
