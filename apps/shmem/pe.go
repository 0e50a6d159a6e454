package shmem

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/datablock/cell"
	"ocr/edt"
)

// A PE is a running processing element. The EDTs of its worker call its methods. Offsets are in bytes from the start of
// a segment; an offset out of range ends the run, as a panic does. Methods that wait end the EDT if the program was
// stopped: another PE has failed, or [Config.Done] was closed.
type PE struct {
	rank    int
	arg     []byte
	layout  layout
	windows [][]byte // by PE; nil if not in this process's memory
	quiet   uint64   // what Quiet exchanges
	polls   int      // how many polls in vain before the PE yields
	done    <-chan struct{}
	left    bool // the PE has panicked with errStopped

	barriers, sums uint64
	sent, received []uint64 // notifications, by PE
	fetched        []byte   // a piece of another process's operand

	window    edt.Window // of the run; nil if all windows are in this memory
	perRank   int        // PEs of a rank
	size      int        // of a window
	unsettled []bool     // ranks with puts that are not flushed

	_ [spacing]byte // no two PEs share a line
}

// Rank returns the PE's number, 0 to Size()-1.
func (p *PE) Rank() int { return p.rank }

// Size returns the number of PEs.
func (p *PE) Size() int { return p.layout.pes }

// Arg returns [Config.Arg], which the program must not change.
func (p *PE) Arg() []byte { return p.arg }

// Segment returns the PE's own segment. Other PEs may write it at any time: the methods say what orders a read after a
// put. In the graph form the slice is valid within a step.
func (p *PE) Segment() []byte { return p.windows[p.rank][p.layout.segment:] }

// Put copies src to offset dst of a PE's segment. The caller may use src again at once. The bytes have arrived after
// [PE.Quiet], or when the target has received a later Notify, PutFlag or Barrier of this PE.
func (p *PE) Put(to, dst int, src []byte) { p.put(to, p.layout.segment, dst, src) }

// put is Put to offset base + dst of the window.
func (p *PE) put(to, base, dst int, src []byte) {
	dst = behind(base, dst)
	if w := p.windows[to]; w != nil {
		move(w[dst:][:len(src)], src)
		return
	}
	rank, at := p.far(to, dst, len(src))
	p.window.Put(rank, at, src)
	p.unsettled[rank] = true
}

// Get copies from offset src of a PE's segment to dst. The bytes have arrived on return.
func (p *PE) Get(dst []byte, from, src int) {
	src = behind(p.layout.segment, src)
	if w := p.windows[from]; w != nil {
		move(dst, w[src:][:len(dst)])
		return
	}
	rank, at := p.far(from, src, len(dst))
	p.window.Get(dst, rank, at)
}

// move copies src to dst, of equal length: one word without a call of the general copy.
func move(dst, src []byte) {
	if len(dst) == 8 && len(src) == 8 {
		*(*[8]byte)(dst) = *(*[8]byte)(src)
		return
	}
	copy(dst, src)
}

// An Element is the unit of strided transfers and sums, of ElementBytes bytes.
type Element = int32

// ElementBytes is the size of an [Element]. Offsets of strided transfers and sums are multiples of it.
const ElementBytes = 4

// PutStrided is [PE.Put] of all elements of src; at the target they are stride elements apart: 1 is contiguous. It does
// not write the elements between them.
func (p *PE) PutStrided(to, dst int, src []byte, stride int) {
	dst = behind(p.layout.segment, dst)
	n := len(src) / ElementBytes
	if w := p.windows[to]; w != nil {
		scatter(elements(w[dst:][:Span(n, stride)]), elements(src), stride)
		return
	}
	rank, at := p.far(to, dst, Span(n, stride))
	p.window.PutStrided(rank, at, src, n, ElementBytes, stride, 1)
	p.unsettled[rank] = true
}

// GetStrided is [PE.Get] of as many elements as dst holds; at the source they are stride elements apart.
func (p *PE) GetStrided(dst []byte, from, src int, stride int) {
	src = behind(p.layout.segment, src)
	n := len(dst) / ElementBytes
	if w := p.windows[from]; w != nil {
		gather(elements(dst), elements(w[src:][:Span(n, stride)]), stride)
		return
	}
	rank, at := p.far(from, src, Span(n, stride))
	p.window.GetStrided(dst, rank, at, n, ElementBytes, 1, stride)
}

// Span returns the number of bytes from the first of n elements to the end of the last.
func Span(n, stride int) int { return ((n-1)*stride + 1) * ElementBytes }

func elements(b []byte) []Element { return datablock.SliceOf[Element](b) }

func scatter(dst, src []Element, stride int) {
	if stride == 1 {
		copy(dst, src)
		return
	}
	at := 0
	for _, v := range src {
		dst[at] = v
		at += stride
	}
}

func gather(dst, src []Element, stride int) {
	if stride == 1 {
		copy(dst, src)
		return
	}
	for i, at := 0, 0; i < len(dst); i, at = i+1, at+stride {
		dst[i] = src[at]
	}
}

// PutFlag puts a message and, behind it, at a multiple of 8, an 8-byte flag. The flag arrives after the message and all
// earlier puts of this PE to the same target.
func (p *PE) PutFlag(to, dst int, src []byte, flag uint64) {
	p.Put(to, dst, src)
	p.signal(to, p.layout.segment+dst+len(src), flag)
}

// WaitFlag returns when a word of the own segment is the flag of a PutFlag. The message of the PutFlag has arrived
// then.
func (p *PE) WaitFlag(at int, flag uint64) {
	word := word(p.windows[p.rank], behind(p.layout.segment, at))
	for polls := 0; !cell.Await(word, flag, pollBurst); {
		polls = p.pause(polls)
	}
}

// Quiet returns when every earlier put of this PE has reached its target.
func (p *PE) Quiet() {
	atomic.SwapUint64(&p.quiet, 0) // an exchange completes after all earlier stores are visible
	p.settle()
}

// settle flushes the puts to other ranks.
func (p *PE) settle() {
	for rank := range p.unsettled {
		p.flush(rank)
	}
}

func (p *PE) flush(rank int) {
	if p.unsettled[rank] {
		p.unsettled[rank] = false
		p.window.Flush(rank)
	}
}

// Notify notifies a PE. After the Wait for the notification, that PE sees all that this PE has put to it before.
func (p *PE) Notify(to int) {
	p.sent[to]++
	p.signal(to, p.layout.notify+spacing*p.rank, p.sent[to])
}

// Wait returns when the given PE has notified this PE once more: the k-th Wait returns after the k-th Notify.
func (p *PE) Wait(from int) {
	p.received[from]++
	p.await(p.layout.notify+spacing*from, p.received[from])
}

// Barrier returns when all PEs have called it. After it every PE sees all that any PE has put to it before.
//
// It is a dissemination barrier: in round r every PE stores, in the window of PE rank + 2^r, the number of barriers
// that it has entered, and waits until its own word has this number. After log2 N rounds, for N PEs, every PE depends
// on every other. The words count, so a PE may be a barrier ahead.
func (p *PE) Barrier() {
	p.settle()
	p.barriers++
	for r := range p.layout.rounds {
		at := p.layout.barrier + spacing*r
		p.signal((p.rank+1<<r)%p.layout.pes, at, p.barriers)
		p.await(at, p.barriers)
	}
}

// Check ends the EDT if the program was stopped. Loops that do not wait call it from time to time.
func (p *PE) Check() {
	if p.stopped() {
		p.left = true
		panic(errStopped)
	}
}

// behind returns base + offset. It refuses a negative offset: words for synchronisation lie before a segment.
func behind(base, offset int) int {
	if offset < 0 {
		misuse("offset %d of a segment", offset)
	}
	return base + offset
}

// far finds n bytes of another process's window: the rank, and the offset in the memory that the rank opens.
func (p *PE) far(pe, offset, n int) (rank, at int) {
	if offset < 0 || n > p.size-offset {
		misuse("%d bytes at offset %d of a segment of %d", n, offset-p.layout.segment, p.size-p.layout.segment)
	}
	return pe / p.perRank, pe%p.perRank*pad(p.size) + offset
}

// signal stores a word of a window after all that this PE has put there.
func (p *PE) signal(to, at int, v uint64) {
	if w := p.windows[to]; w != nil {
		cell.Store(word(w, at), v)
		return
	}
	rank, far := p.far(to, at, 8)
	p.flush(rank)
	p.window.Store(rank, far, 8, v)
}

func word(window []byte, at int) *uint64 { return (*uint64)(unsafe.Pointer(&window[at : at+8][0])) }

// PEs poll in bursts of less than a tenth of a microsecond; between bursts the scheduler can interrupt them. After a
// number of polls in vain, which depends on whether PEs share processors, a PE yields its processor.
const (
	pollBurst   = 64
	pollsAlone  = 20_000
	pollsShared = 64
)

// await returns when a word of the own window is at least v.
func (p *PE) await(at int, v uint64) {
	word := word(p.windows[p.rank], at)
	for polls := 0; !cell.Reach(word, v, pollBurst); {
		polls = p.pause(polls)
	}
}

// pause is called after a burst of polls in vain. It returns the number of polls since the last yield.
func (p *PE) pause(polls int) int {
	if p.window != nil {
		p.window.Progress()
	}
	if polls < p.polls {
		trial.Pause(1)
		return polls + pollBurst
	}
	p.Check()
	trial.Yield()
	return 0
}

// errStopped is the panic that ends the EDT of a PE; run recovers it.
var errStopped = errors.New("shmem: stopped")

// stopped reports whether the PE must end. A PE that sees that the run was cancelled stops the others.
func (p *PE) stopped() bool {
	stop := word(p.windows[p.rank], 0)
	select {
	case <-p.done:
		if cell.Load(stop) == 0 {
			p.stop()
		}
	default:
	}
	return cell.Load(stop) != 0
}

// stop makes all PEs end at their next check.
func (p *PE) stop() {
	for pe := range p.windows {
		p.signal(pe, 0, 1)
	}
}
