package shmem

import "ocr/datablock/cell"

// SmallReduction is the largest vector, in bytes, that is reduced by recursive doubling: log2 N messages of the whole
// vector, for latency. Larger ones are cut into a chunk a PE, for bandwidth.
const SmallReduction = 256

// reductionBlock is the piece of a chunk that is summed and then sent to all: it stays in the first-level cache.
const reductionBlock = 8 << 10

// Reduce adds up in an order that depends on the numbers of PEs and bytes alone: floating-point sums have the same bits
// in every run and on every PE.
func (m *memory) Reduce(e Element, dst, src, n int) {
	if bytes := n * e.Size(); bytes <= SmallReduction {
		m.reduceSmall(e, dst, src, bytes)
	} else {
		m.reduceLarge(e, dst, src, bytes)
	}
}

// reduceSmall goes through the PE's schedule.
//
// Messages alternate between two slots. A PE may be a reduction ahead of its partner, but not two: it has waited for a
// message of the next one, which the partner sends when it is done with this one.
func (m *memory) reduceSmall(e Element, dst, src, bytes int) {
	epoch, sum := m.beginSmall(dst, src, bytes)
	for k := range m.stages {
		s := &m.stages[k]
		if s.receives >= 0 {
			own, at := m.windows[m.me], m.layout.slot(epoch, s.receives)
			m.atLeast(word(own, at), epoch)
			s.take(e, sum, payload(own, at, bytes))
		}
		if s.sendTo >= 0 {
			to, at := m.windows[s.sendTo], m.layout.slot(epoch, s.sends)
			move(payload(to, at, bytes), sum)
			cell.Store(word(to, at), epoch)
		}
	}
}

// beginSmall counts a reduction, and has the PE's own vector in the target.
func (m *memory) beginSmall(dst, src, bytes int) (epoch uint64, sum []byte) {
	count := m.private(wordReductions)
	*count++
	own := m.windows[m.me]
	sum = own[dst : dst+bytes]
	if dst != src {
		move(sum, own[src:src+bytes])
	}
	return *count, sum
}

// payload returns the vector in a slot: behind the word that counts reductions if
// both fit one line, else in the next lines.
func payload(window []byte, slot, bytes int) []byte {
	at := payloadAt(slot, bytes)
	return window[at : at+bytes]
}

func payloadAt(slot, bytes int) int {
	if bytes <= 64-8 {
		return slot + 8
	}
	return slot + 64
}

// reduceLarge is reduce-scatter and all-gather in one pass: each PE adds up its chunk of all vectors, in the order of
// the PEs, and puts the sum into every target. No other PE reads or writes that chunk, so the target may be the source.
func (m *memory) reduceLarge(e Element, dst, src, bytes int) {
	m.Barrier() // every source is ready, every target may be written
	m.chunk.reduce(e, dst, src, bytes)
	m.Barrier() // every target is complete, every source may be written
}

// A chunk is the part of one PE in a large reduction.
type chunk struct {
	me      int
	windows [][]byte
	scratch []byte // with more than two PEs

	far     *oneSided // to those whose windows are nil
	base    int       // of what windows has, in a whole window
	fetched [2][]byte // of them, for PEs of even and odd numbers
}

// reduce adds up the chunk of the vectors at offset src of all windows into all those at dst.
func (k *chunk) reduce(e Element, dst, src, bytes int) {
	begin, end := k.bounds(bytes)
	for ; begin < end; begin += reductionBlock {
		k.reduceBlock(e, dst+begin, src+begin, min(reductionBlock, end-begin))
	}
}

// bounds returns the part of a vector that the PE adds up: whole lines, but for the last.
func (k *chunk) bounds(bytes int) (begin, end int) {
	const line = 64
	pes := len(k.windows)
	lines := (bytes + line - 1) / line
	begin, end = lines*k.me/pes*line, lines*(k.me+1)/pes*line
	return min(begin, bytes), min(end, bytes)
}

func (k *chunk) reduceBlock(e Element, dst, src, bytes int) {
	target := k.windows[k.me][dst : dst+bytes]
	operand := func(pe int) []byte { return k.operand(pe, src, bytes) }
	last := len(k.windows) - 1
	switch last {
	case 0:
		copy(target, operand(0))
	case 1:
		e.sum(target, operand(0), operand(1))
	default:
		if k.scratch == nil {
			k.scratch = make([]byte, reductionBlock)
		}
		partial := k.scratch[:bytes]
		e.sum(partial, operand(0), operand(1))
		for pe := 2; pe < last; pe++ {
			e.sum(partial, partial, operand(pe))
		}
		e.sum(target, partial, operand(last))
	}
	for pe, window := range k.windows {
		switch {
		case pe == k.me:
		case window == nil:
			k.far.Put(pe, k.base+dst, target)
		default:
			copy(window[dst:dst+bytes], target)
		}
	}
}

// operand returns a part of a PE's vector. It is valid until the next but one.
func (k *chunk) operand(pe, src, bytes int) []byte {
	if window := k.windows[pe]; window != nil {
		return window[src : src+bytes]
	}
	b := &k.fetched[pe%2]
	if *b == nil {
		*b = make([]byte, reductionBlock)
	}
	k.far.Get((*b)[:bytes], pe, k.base+src)
	return (*b)[:bytes]
}
