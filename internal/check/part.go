package check

import (
	"encoding/binary"
	"encoding/json"
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/ranklog"
	"ocr/internal/sys"
	"ocr/runtime/finding"
)

// Over several ranks an EDT has its views on its own rank, and what is wrong is found on rank 0, after the run: see joinRanks. So on each rank
// there is a part of a checker. It records what it is told, what EDTs have changed at each release, and the accesses that were caught.
//
// A block lies where the graph has it: what an EDT changes goes there at its release, and what is there is what the next one sees. Nothing else
// is needed of how a block gets from rank to rank.

// A ranks is what a part has beside a [Checker], and the checker that is told of all of them.
type ranks struct {
	log      *ranklog.Log // nil of one that judges
	first    *part        // nil of one that judges
	synced   []guid.GUID  // blocks whose EDTs order their accesses by themselves; under the checker's lock
	told     []int        // by rank: how many of them it has been told
	messages *ranklog.Messages[*deferred]
	notes    []string
}

// A part is the observer of a worker of several ranks.
type part struct {
	*ranklog.Worker
	w *worker
}

// observePart makes the observer of a worker.
func (k *Checker) observePart(w *worker) edt.Observer {
	_, ranks := w.of.Rank()
	if k.log == nil {
		k.log, k.told = ranklog.New(w.of, true), make([]int, ranks)
	}
	p := &part{k.log.Observe(w.of), w}
	p.Before = w.refuseStrays
	if k.first == nil {
		k.first = p
	}
	return p
}

// tell records what this rank has found.
func (p *part) tell(f finding.Finding) {
	r := ranklog.Record{N: int(f.Kind), A: f.EDT, B: f.Object, Site: f.Site, Name: f.Template, About: f.About, Data: []byte(f.Detail)}
	if f.Note {
		r.Mode = noted
	}
	p.Say(r)
}

// noted is in a record of a finding that is a note.
const noted = 1

func (p *part) EDTBegin(id guid.GUID, t *edt.Template, in edt.Args) {
	w := p.w
	w.note()
	w.closely = w.watchesClosely(t)
	p.Worker.EDTBegin(id, t, in)
	defer w.goAside()()
	deps := in.Deps()
	n := &node{edt: id, template: t.Name(), about: t.About(in.Params(), deps)}
	w.k.lock()
	w.takesUp(n)
	w.k.mu.Unlock()
	for d := range deps {
		dep := &deps[d]
		if dep.IsNull() || dep.Mode() == datablock.Null {
			continue
		}
		h := n.holds[dep.GUID()]
		if h == nil {
			w.of.Relocate(d, p.open(n, dep.GUID(), dep.Mode(), dep.Bytes()))
			h = n.holds[dep.GUID()]
		} else { // it came on an earlier slot
			w.of.Relocate(d, h.view)
		}
		if h != nil {
			h.comesOn(t, d)
		}
	}
}

// open is [worker.open] for a block that this rank may know nothing of.
func (p *part) open(n *node, id guid.GUID, mode datablock.Mode, real []byte) []byte {
	k := p.w.k
	k.lock()
	b := k.blocks[id]
	if b == nil {
		b = &block{id: id}
		b.through, b.shared = true, k.isSynced(id)
		k.blocks[id] = b
	}
	b.users++
	k.mu.Unlock()
	seen := p.w.open(n, b, mode, real)
	if n.holds[id] == nil {
		p.leave(b)
	}
	return seen
}

// leave drops what is known of the bytes of a block that nobody here has any more.
func (p *part) leave(b *block) {
	k := p.w.k
	k.lock()
	b.users--
	unused := b.users == 0
	if unused {
		delete(k.blocks, b.id)
	}
	k.mu.Unlock()
	if unused {
		b.drop(&k.memory)
	}
}

func (p *part) BlockCreated(id guid.GUID, size int, bytes []byte) []byte {
	p.Worker.BlockCreated(id, size, bytes)
	n := p.w.self()
	if n == nil || bytes == nil {
		return bytes
	}
	defer p.w.goAside()()
	return p.open(n, id, datablock.RW, bytes)
}

func (p *part) BlockReleased(id guid.GUID, mode datablock.Mode, downgraded bool) {
	w := p.w
	w.refuseStrays()
	defer w.goAside()()
	n := w.self()
	if n == nil || n.holds[id] == nil {
		p.Worker.BlockReleased(id, mode, downgraded)
		return
	}
	h := n.holds[id]
	b := h.block
	w.close(h, downgraded, func(pub *publication) {
		data, err := json.Marshal(pub)
		if err != nil {
			panic(err) // it is plain data
		}
		p.Released(id, mode, downgraded, data)
	})
	if !downgraded {
		p.leave(b)
	}
}

func (p *part) BlockSynchronised(id guid.GUID) {
	p.Worker.BlockSynchronised(id)
	p.w.k.share(id)
}

// isSynced reports whether EDTs order their accesses to a block by themselves. The caller holds the lock.
func (k *Checker) isSynced(id guid.GUID) bool {
	for _, s := range k.synced {
		if s == id {
			return true
		}
	}
	return false
}

// share has EDTs see a block itself from now on.
func (k *Checker) share(id guid.GUID) {
	k.lock()
	b := k.blocks[id]
	if !k.isSynced(id) {
		k.synced = append(k.synced, id)
	}
	k.mu.Unlock()
	if b != nil {
		b.share()
	}
}

func (p *part) EDTReturned(id guid.GUID) {
	p.Worker.EDTReturned(id)
	p.w.bodyReturned()
}

func (p *part) WorkerIdle() {
	p.Worker.WorkerIdle()
	p.w.takeLeft()
}

func (p *part) EDTEnded(id guid.GUID) {
	w := p.w
	w.k.lock()
	left := w.current.holds
	w.k.takeFaults()
	w.current = nil
	w.k.mu.Unlock()
	w.hideAll(left)
	w.endCopies()
	for _, h := range left {
		p.leave(h.block)
	}
	p.Worker.EDTEnded(id)
}

func (p *part) EDTPanicked(any) { p.takeFaults() }

// takeFaults records the accesses that were caught.
func (p *part) takeFaults() {
	k := p.w.k
	k.lock()
	defer k.mu.Unlock()
	k.takeFaults()
}

// MessageSent takes along which blocks are synchronised, as far as the rank has not been told.
func (p *part) MessageSent(to int, from, about, block guid.GUID) []byte {
	note := p.Worker.MessageSent(to, from, about, block)
	k := p.w.k
	k.lock()
	defer k.mu.Unlock()
	for _, id := range k.synced[k.told[to]:] {
		hi, lo := id.Words()
		note = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(note, hi), lo)
	}
	k.told[to] = len(k.synced)
	return note
}

func (p *part) MessageCame(from int, note []byte) {
	for rest := note[8:]; len(rest) > 0; rest = rest[16:] {
		p.w.k.share(guid.FromWords(binary.LittleEndian.Uint64(rest), binary.LittleEndian.Uint64(rest[8:])))
	}
	p.Worker.MessageCame(from, note[:8])
}

func (p *part) RankEnded() []byte {
	p.takeFaults()
	return p.Worker.RankEnded()
}

// refresh takes over what the block itself has: other ranks may have changed it. The caller holds the lock.
func (c *contents) refresh(real []byte) {
	c.real = real
	for from := 0; from < len(real); from += sys.Page {
		to := min(from+sys.Page, len(real))
		page, now := from/sys.Page, c.bytes[from:to]
		if sameWords(now, real[from:to]) {
			continue
		}
		c.keepTwins(nil, page, now)
		copyWords(now, real[from:to])
		*at(&c.written, page) = true
	}
}

// loadWord reads a word that EDTs of other ranks may be changing.
func loadWord(b []byte, at int) uint64 {
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&b[at])))
}

func sameWords(a, b []byte) bool {
	at := 0
	for ; at+word <= len(a); at += word {
		if loadWord(a, at) != loadWord(b, at) {
			return false
		}
	}
	return string(a[at:]) == string(b[at:])
}

func copyWords(to, from []byte) {
	at := 0
	for ; at+word <= len(to); at += word {
		atomic.StoreUint64((*uint64)(unsafe.Pointer(&to[at])), loadWord(from, at))
	}
	copy(to[at:], from[at:])
}
