package shmem

import "unsafe"

// A PE is a processing element at work: the argument of a program's body. It is valid inside that EDT, on its
// goroutine. Offsets are in bytes from the start of a segment.
//
// Every method ends the run with an *[Error] if an argument is out of range. Methods that wait poll, yield as the
// [Waiter] says, and do not return if the world is stopped: another PE has failed, or Config.Done was closed.
type PE struct {
	t    Transport
	site Site
	rank int
	arg  []byte
	bounds
}

// Rank returns the PE's number, 0 to Size()-1.
func (p *PE) Rank() int { return p.rank }

// Size returns the number of PEs.
func (p *PE) Size() int { return int(p.pes) }

// Arg returns [Config.Arg], which must not be changed.
func (p *PE) Arg() []byte { return p.arg }

// Segment returns the PE's own segment. Other PEs may write it at any time: the methods say what orders a read after a
// put.
func (p *PE) Segment() []byte { return p.site.Windows[p.rank][p.site.Control:] }

// at turns an offset into a segment into one into a window.
func (p *PE) at(offset int) int { return p.site.Control + offset }

// Put copies src to offset dst of a PE's segment.
//
// Completion: local. src may be used again at once. The target has the bytes after [PE.Quiet], or when it has received
// a later Notify, PutFlag or Barrier of this PE. Of two puts to the same bytes with none of these in between either may
// be the last.
func (p *PE) Put(to, dst int, src []byte) {
	if !p.reaches(to, dst, len(src)) {
		p.outOfRange("put", p.rank, to, dst, len(src))
	}
	p.t.Put(to, p.at(dst), src)
}

// Get copies from offset src of a PE's segment to dst.
//
// Completion: full. dst has the bytes on return. The program orders it after puts of that PE or others.
func (p *PE) Get(dst []byte, from, src int) {
	if !p.reaches(from, src, len(dst)) {
		p.outOfRange("get", p.rank, from, src, len(dst))
	}
	p.t.Get(dst, from, p.at(src))
}

// PutStrided copies n elements of width bytes, 4 or 8: element i from src at i*s.Src to the PE's segment at dst +
// i*s.Dst, counted in elements. The bytes between the elements are not touched. Offsets are multiples of the width.
//
// Completion: local, as [PE.Put].
func (p *PE) PutStrided(to, dst int, src []byte, n, width int, s Strides) {
	p.checkStrided("strided put", to, dst, s.Dst, src, s.Src, n, width)
	p.t.PutStrided(to, p.at(dst), src, n, width, s)
}

// GetStrided copies n elements of width bytes, 4 or 8: element i from the PE's segment at src + i*s.Src to dst at
// i*s.Dst, counted in elements.
//
// Completion: full, as [PE.Get].
func (p *PE) GetStrided(dst []byte, from, src int, n, width int, s Strides) {
	p.checkStrided("strided get", from, src, s.Src, dst, s.Dst, n, width)
	p.t.GetStrided(dst, from, p.at(src), n, width, s)
}

// PutFlag puts a message whose last word is its own flag: the last 8 bytes of src, or all 4 of a message of 4. They
// reach the target after the rest of src and all earlier puts of this PE there. dst+len(src) is a multiple of the word.
//
// Completion: local. The target has it all once [PE.WaitFlag] has returned, or [PE.Load] has returned the word.
func (p *PE) PutFlag(to, dst int, src []byte) {
	width := p.flagWidth("put flag", to, dst, len(src))
	body := len(src) - width
	if body > 0 {
		p.t.Put(to, p.at(dst), src[:body])
	}
	p.t.Signal(to, p.at(dst+body), width, readWord(src[body:]))
}

// WaitFlag returns when the word that ends a message of len(want) bytes at an offset of a PE's segment is the one that
// ends want. In the own segment the message of another PE has then arrived; in another PE's, which is polled there, it
// may be got.
//
// Completion: what was put there before that [PE.PutFlag], by the same PE, is there.
func (p *PE) WaitFlag(pe, at int, want []byte) {
	width := p.flagWidth("wait flag", pe, at, len(want))
	body := len(want) - width
	v := readWord(want[body:])
	for polls := 0; !p.t.Poll(pe, p.at(at+body), width, v); polls += pollBurst {
		polls = pause(&p.site.Wait, polls, p.t.Stopped)
	}
}

// flagWidth checks a message of n bytes that ends in its flag, and returns the flag's bytes.
func (p *PE) flagWidth(op string, pe, at, n int) int {
	if !p.reaches(pe, at, n) {
		p.outOfRange(op, p.rank, pe, at, n)
	}
	width := 8
	if n == 4 {
		width = 4
	}
	if n < width || (at+n)%width != 0 {
		misuse(op, p.rank, "%d bytes at offset %d do not end in an aligned word", n, at)
	}
	return width
}

func readWord(b []byte) uint64 {
	if len(b) == 4 {
		return uint64(*(*uint32)(unsafe.Pointer(&b[0])))
	}
	return *(*uint64)(unsafe.Pointer(&b[0]))
}

// Quiet completes puts.
//
// Completion: remote. Every put of this PE so far has reached its target on return.
func (p *PE) Quiet() { p.t.Flush() }

// Barrier returns when all PEs have called it.
//
// Completion: remote, for all. Every PE sees after it what any PE has put before it.
func (p *PE) Barrier() { p.t.Barrier() }

// Notify counts up what PE to waits for.
//
// Completion: none by itself. A PE that has waited for it sees everything that this PE had put to it before.
func (p *PE) Notify(to int) {
	p.peer("notify", p.rank, to)
	p.t.Notify(to)
}

// Wait returns when PE from has notified this one once more: the k-th Wait after the k-th Notify.
//
// Completion: everything that PE from put here before that Notify has arrived.
func (p *PE) Wait(from int) {
	p.peer("wait", p.rank, from)
	p.t.Wait(from)
}

// SumToAll adds up n elements at offset source of all PEs' segments and leaves the sum at offset target of all of them.
// target is source (in place), or the two do not overlap; both are multiples of the element's size. All PEs call it
// with the same arguments. The order of additions depends on the numbers of PEs and bytes alone: all PEs get the same
// bits, in every run.
//
// Completion: the own target is complete and the own source may be written on return. Other PEs may still be in the
// call.
func (p *PE) SumToAll(e Element, target, source, n int) {
	size := e.Size()
	if size == 0 {
		misuse("sum to all", p.rank, "no element type %d", e)
	}
	if n < 0 || uint(n) > p.bytes/uint(size) {
		misuse("sum to all", p.rank, "%d elements of %d bytes, the segment has %d", n, size, p.bytes)
	}
	p.sum(p.rank, e, target, source, n*size)
	if n > 0 {
		p.t.Reduce(e, p.at(target), p.at(source), n)
	}
}

// Check ends the PE if the world is stopped. Loops that do not wait call it now and then: it takes some nanoseconds.
func (p *PE) Check() {
	if p.t.Stopped() {
		panic(errStopped)
	}
}

// checkStrided checks the remote side, a segment, and the local one, a slice.
func (p *PE) checkStrided(op string, pe, offset, stride int, local []byte, localStride, n, width int) {
	checkStrides(op, p.rank, width, Strides{Dst: stride, Src: localStride})
	p.strided(op, p.rank, pe, offset, stride, n, width)
	if n < 0 || !spans(n, width, localStride, len(local)) {
		misuse(op, p.rank, "%d elements with stride %d in %d bytes", n, localStride, len(local))
	}
}
