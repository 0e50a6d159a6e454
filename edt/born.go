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
	mu   sync.Mutex
	seen []uint64          // by maker: how many have come
	at   map[uint64]uint32 // low word of the name -> record
	of   map[uint32]uint64 // and back
}

// add notes the name of a record.
func (b *bornNames) add(maker int, lo uint64, i uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at == nil {
		b.at, b.of = make(map[uint64]uint32), make(map[uint32]uint64)
	}
	b.seen[maker]++
	b.at[lo], b.of[i] = i, lo
}

// forget drops the name of a record.
func (b *bornNames) forget(i uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.at, b.of[i])
	delete(b.of, i)
}

// find returns the record of a name, 0 if there is none; early says that it is yet to come.
func (b *bornNames) find(lo uint64) (i uint32, early bool) {
	maker, serial := ids.BornBy(lo)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at[lo], maker < len(b.seen) && serial >= b.seen[maker]
}

func (b *bornNames) name(i uint32) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of[i]
}

// bornHere reports whether g is the name that another rank gave to an EDT that lives here. It returns its own name, one
// of no object if the EDT is gone.
func (c *Ctx) bornHere(g guid.GUID) (own guid.GUID, ok bool) {
	hi, lo := g.Words()
	if c.g.ranks == nil || hi != c.highEDT|bornBit {
		return g, false
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
