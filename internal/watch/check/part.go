package check

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/watch/ranklog"
	"ocr/runtime/finding"
)

// Check mode over several ranks:
//
//  1. On each rank a part of the checker makes the views of the rank's EDTs.
//  2. It records the observed calls, the changes of EDTs at each release, and the accesses that were caught.
//  3. After the run rank 0 judges the records of all ranks, see joinRanks.
//
// A view is made from the graph's memory of the block, and changes are copied there at the release. So the checker need
// not know how a block gets from rank to rank.

// A ranks has the fields of a [Checker] that are used only over several ranks.
type ranks struct {
	log      *ranklog.Log                 // of a part, else nil
	first    *part                        // the observer of the first worker; of a part, else nil
	synced   []guid.GUID                  // blocks whose EDTs synchronise their accesses; under the checker's lock
	sent     []int                        // by rank: the number of them that were sent there
	messages *ranklog.Messages[*deferred] // of the checker that judges, else nil
	notes    []string
}

// A part is the observer of a worker of several ranks.
type part struct {
	*ranklog.Worker
	w *worker
}

func (k *Checker) observePart(w *worker) edt.Observer {
	_, ranks := w.of.Rank()
	if k.log == nil {
		k.log, k.sent = ranklog.New(w.of, true), make([]int, ranks)
	}
	p := &part{k.log.Observe(w.of), w}
	p.Before = w.refuseStrays
	if k.first == nil {
		k.first = p
	}
	return p
}

// tell records a finding of this rank.
func (p *part) tell(f finding.Finding) {
	r := ranklog.Record{
		N: int(f.Kind), A: f.EDT, B: f.Object, Site: f.Site, Name: f.Template, About: f.About, Data: []byte(f.Detail),
	}
	if f.Note {
		r.Mode = noted
	}
	p.Say(r)
}

// noted is the mode in the record of a finding that is a note.
const noted = 1

func (p *part) EDTBegin(id guid.GUID, t *edt.Template, in edt.Args) {
	w := p.w
	w.note()
	w.closely = w.watchesClosely(t)
	p.Worker.EDTBegin(id, t, in)
	n := &node{edt: id, template: t.Name(), about: t.About(in.Params(), in.Deps())}
	w.k.lock()
	w.takesUp(n)
	w.k.mu.Unlock()
	w.openAll(n, t, in.Deps())
}

// usesHere begins a use of a block on this rank. The caller holds the lock.
func (k *Checker) usesHere(b *block) {
	if b.users++; b.users == 1 {
		b.filled, b.through, b.shared = false, true, slices.Contains(k.synced, b.id)
	}
}

// leave ends one use of a block on this rank; the last one drops the block's contents here.
func (k *Checker) leave(b *block) {
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
	return p.w.open(n, id, datablock.RW, -1, bytes)
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
		w.k.leave(b)
	}
}

func (p *part) BlockSynchronised(id guid.GUID) {
	p.Worker.BlockSynchronised(id)
	p.w.k.share(id)
}

// share makes EDTs use the graph's memory of a block from now on.
func (k *Checker) share(id guid.GUID) {
	k.lock()
	b := k.blocks[id]
	if !slices.Contains(k.synced, id) {
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
		w.k.leave(h.block)
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

// MessageSent adds to a message the synchronised blocks that the receiver does not know yet.
func (p *part) MessageSent(to int, from, about, block guid.GUID) []byte {
	note := p.Worker.MessageSent(to, from, about, block)
	k := p.w.k
	k.lock()
	defer k.mu.Unlock()
	for _, id := range k.synced[k.sent[to]:] {
		hi, lo := id.Words()
		note = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(note, hi), lo)
	}
	k.sent[to] = len(k.synced)
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

// refresh copies the graph's memory of the block, which other ranks may have changed. The caller holds the lock.
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
