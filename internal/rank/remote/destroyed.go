package remote

import (
	"slices"
	"sync/atomic"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/rank"
)

// README.md, "Blocks", says what ranks do when a block is destroyed.

// leaving has the proxies and entries to be freed when no EDT of this rank and no other rank needs them.
type leaving struct {
	going       atomic.Int64 // len(proxiesGone) + len(entriesGone), for readers without the lock
	proxiesGone []*proxy
	entriesGone []*entry
	gone        [goneNames]goneName
}

// A goneName is the name of a block whose proxy was freed, for errors.
type goneName struct {
	word uint64
	id   guid.GUID
}

// goneNames is the number of names that are remembered.
const goneNames = 64

// noteDestroyed notes that a call on this rank destroys a block of another rank.
func (p *Part) noteDestroyed(id guid.GUID) {
	b := &p.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.names[id]; x != nil {
		x.destroyed = true
	}
}

// Destroyed implements [edt.Remote].
func (p *Part) Destroyed(word uint64) bool {
	b, i := &p.shared, uint32(word)
	b.mu.Lock()
	defer b.mu.Unlock()
	e, x := b.directory[i], b.proxies[i]
	return e != nil && e.destroyed || x != nil && x.destroyed
}

// handleGone notes that the home has destroyed a block.
func (p *Part) handleGone(m *rank.Message) {
	b := &p.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.names[getGUID(m, 0)]; x != nil && !x.leaving {
		x.destroyed, x.leaving = true, true
		b.proxiesGone = append(b.proxiesGone, x)
		b.going.Add(1)
	}
}

// Kept is for hosts: it returns the number of destroyed blocks that this rank still keeps, its own and those of others.
// It is 0 when the run has ended because nothing was left to do.
func (p *Part) Kept() (n int) {
	b := &p.shared
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.directory {
		if e.destroyed {
			n++
		}
	}
	for _, x := range b.names {
		if x.destroyed {
			n++
		}
	}
	return n
}

// freeDestroyed frees destroyed blocks, and proxies of such blocks, on the courier.
func (p *Part) freeDestroyed() {
	b := &p.shared
	if b.going.Load() == 0 {
		return
	}
	b.mu.Lock()
	var granted []block.Waiter
	b.proxiesGone = slices.DeleteFunc(b.proxiesGone, p.dropProxy)
	b.entriesGone = slices.DeleteFunc(b.entriesGone, func(e *entry) (done bool) {
		granted, done = p.dropEntry(e, granted)
		return done
	})
	b.going.Store(int64(len(b.proxiesGone) + len(b.entriesGone)))
	b.mu.Unlock()
	p.courier.Grant(granted)
}

// dropProxy frees a proxy, unless an EDT holds the block here or waits for it. The caller has the lock.
func (p *Part) dropProxy(x *proxy) (done bool) {
	b, word := &p.shared, x.r.Low(x.i)
	if x.asked != noRight || !x.r.Retire(x.has == toRead) {
		return false
	}
	if x.has != noRight {
		p.sendBlock(x.id.Home(), msgBack, x.id, uint64(noRight), x.changed())
	}
	delete(b.names, x.id)
	delete(b.proxies, x.i)
	b.gone[x.i%goneNames] = goneName{word, x.id}
	p.courier.Local().FreeProxy(x.i, x.r)
	return true
}

// dropEntry frees a destroyed block of this rank, unless another rank waits for the block. If another rank has a right
// to the block again, the entry leaves the list, and check lists it again later. The caller has the lock, and grants
// the block to the EDTs that are appended to granted.
func (p *Part) dropEntry(e *entry, granted []block.Waiter) (all []block.Waiter, done bool) {
	switch {
	case !e.isBack():
		e.leaving = false
		return granted, true
	case e.r.Wanted():
		return granted, false
	}
	delete(p.shared.directory, e.i)
	own := p.courier.Local()
	own.Destroy(e.i, e.r)
	return own.Release(e.i, e.r, datablock.RO, granted), true
}
