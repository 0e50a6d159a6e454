package remote

import (
	"bytes"
	"sync"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/rank"
)

// Ranks share blocks by a directory. A block's home knows which ranks have copies, or, if there are none, which rank
// has the right to write; see directory.go. A rank with a copy or this right uses the block through a record of its
// own, the proxy, as fast as its own blocks. Another rank asks home; see proxy.go. README.md has the argument.

// A right is what a rank has, or needs, of a block of another rank.
type right uint8

const (
	noRight right = iota // the rank has nothing
	toRead               // shared: the rank has a copy
	toWrite              // modified: the rank has the only bytes
)

// mode returns the mode in which a rank waits for the right.
func (n right) mode() datablock.Mode {
	if n == toRead {
		return datablock.Const
	}
	return datablock.EW
}

// needFor returns the right that a rank needs for an EDT which acquires the block in mode m.
func needFor(m datablock.Mode) right {
	switch m {
	case datablock.Null:
		return noRight
	case datablock.RO, datablock.Const:
		return toRead
	}
	return toWrite
}

// needOf returns what a rank needs for the EDT of a waiter, nothing if there is no waiter.
func needOf(w block.Waiter) right {
	if w.EDT == 0 {
		return noRight
	}
	return needFor(w.Mode)
}

// sharedBlocks is what a rank knows of blocks that several ranks use.
//
// Concurrency: everything is under mu. Messages about blocks are sent under it, so they leave in the order of the
// changes that they report. A record's word and queue follow the rules of package block. Only the courier frees entries
// and proxies.
type sharedBlocks struct {
	mu        sync.Mutex
	directory map[uint32]*entry // by record: blocks of this rank that others know
	proxies   map[uint32]*proxy // by record
	names     map[guid.GUID]*proxy
	leaving
}

// What the words of GET, and of DATA, RECALL and BACK, hold behind the block's GUID.
const (
	getEDT      = 2 // the EDT that waits, two words
	getNeed     = 4 // the right that is needed; from bit getTemplate on: the index of the EDT's template
	getTemplate = 8

	blockRight = 2 // DATA: what the rank gets; RECALL: what home needs; BACK: what the rank keeps
	blockSize  = 3 // DATA: the block's size

	rightMask = 3
	sameBytes = 1 << 2 // DATA: the rank has a copy, so no bytes come
)

// sendBlock sends a message about a block. The message is not signed, as no call of an EDT causes it.
func (p *Part) sendBlock(to int, kind uint8, id guid.GUID, what uint64, bytes []byte) {
	m := &rank.Message{Kind: kind, Count: blockSize + 1, Tail: bytes}
	putGUID(m, 0, id)
	m.Words[blockRight] = what
	m.Words[blockSize] = uint64(len(bytes))
	p.post(to, m)
}

// Want implements [edt.Remote]: it asks for the block, or recalls it.
func (p *Part) Want(c *edt.Ctx, word uint64) {
	b, i := &p.shared, uint32(word)
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.proxies[i]; x != nil {
		p.askFor(edt.Home{Ctx: c}, x)
	}
	if e := b.directory[i]; e != nil {
		p.recallFor(e)
	}
}

// Granted implements [edt.Remote]. The record has granted the block to the waiting rank, in mode EW or Const.
func (p *Part) Granted(c *edt.Ctx, w block.Waiter) {
	b, h := &p.shared, edt.Home{Ctx: c}
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.proxies[w.Cursor]; x != nil {
		p.sendBack(h, x, needFor(w.Mode))
	} else {
		p.give(h, b.directory[w.Cursor], int(w.EDT&^block.ForRank), needFor(w.Mode))
	}
}

// takeBytes copies received bytes into the block's memory. EDTs in mode RO may still read there, if they acquired the
// block before it was lent. So takeBytes writes nothing if the bytes have not changed.
func takeBytes(into, came []byte) {
	if !bytes.Equal(into, came) {
		copy(into, came)
	}
}

// alongSize is the largest size of a block that moves without a request, ahead of a message that passes it on.
const alongSize = 4096

// tell is called before a message with a block's GUID goes to a rank. On the block's home, tell notes that the rank
// knows the block. If the argument along is a right, tell tries to move the block first: from its home to that rank,
// with this right; from another rank back to its home. If the block is gone, the caller then calls tellGone.
func (p *Part) tell(c *edt.Ctx, id guid.GUID, to int, along right) (gone bool) {
	if id.Kind() != guid.KindBlock {
		return false
	}
	b, h := &p.shared, edt.Home{Ctx: c}
	b.mu.Lock()
	defer b.mu.Unlock()
	if id.Home() != p.me {
		if x := b.names[id]; x != nil && along != noRight {
			p.returnUnasked(h, x)
		}
		return false
	}
	e := p.entryOf(id)
	if e == nil || e.destroyed {
		return true
	}
	e.known.add(to)
	if along != noRight {
		p.giveUnasked(h, e, to, along)
	}
	return false
}

// tellGone reports to a rank that a block is destroyed.
func (p *Part) tellGone(id guid.GUID, to int) { p.sendBlock(to, msgGone, id, 0, nil) }
