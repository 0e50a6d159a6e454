package shmem

import "math/bits"

// SmallSum is the largest vector, in bytes, that is summed by recursive doubling, of PEs whose number is a power of
// two: log2 N messages of the whole vector, for latency. Else each PE sums a share of all vectors, for bandwidth.
const SmallSum = 256

// sumBlock is the piece of a share that is summed and then sent to all: it stays in the first-level cache.
const sumBlock = 8 << 10

// SumToAll adds up n elements at offset source of all PEs' segments, and leaves the sum at offset target of each.
// target is source, or the two do not overlap. All PEs call it with the same arguments. On return the own target is
// complete and the own source may be written; other PEs may still be in the call.
func (p *PE) SumToAll(target, source, n int) {
	bytes := n * ElementBytes
	if !p.isSmall(bytes) {
		p.Barrier() // every source is ready, every target may be written
		p.sumShare(target, source, bytes)
		p.Barrier() // every target is complete, every source may be written
		return
	}
	p.beginSum(target, source, bytes)
	for round := range p.layout.rounds {
		p.sendSum(target, bytes, round)
		p.await(p.layout.slot(p.sums, round), p.sums)
		p.addSum(target, bytes, round)
	}
}

func (p *PE) isSmall(bytes int) bool {
	return bytes <= SmallSum && p.Size() > 1 && bits.OnesCount(uint(p.Size())) == 1
}

// beginSum has the PE's own vector in the target.
func (p *PE) beginSum(target, source, bytes int) {
	p.sums++
	if target != source {
		move(p.Segment()[target:][:bytes], p.Segment()[source:][:bytes])
	}
}

// peer is the PE that one exchanges its sum with in a round: their numbers differ in one bit.
func (p *PE) peer(round int) int { return p.rank ^ 1<<round }

// sendSum sends the sum so far to the peer of a round. Its slots alternate: a PE may be a sum ahead of its peer, but
// not two, as it has waited for a message of the next one, which the peer sends when it is done with this one.
func (p *PE) sendSum(target, bytes, round int) {
	to, slot := p.peer(round), p.layout.slot(p.sums, round)
	p.put(to, payload(slot, bytes), p.Segment()[target:][:bytes])
	p.signal(to, slot, p.sums)
}

// addSum adds what the peer of a round has sent.
func (p *PE) addSum(target, bytes, round int) {
	sum := elements(p.Segment()[target:][:bytes])
	at := payload(p.layout.slot(p.sums, round), bytes)
	add(sum, sum, elements(p.windows[p.rank][at:][:bytes]))
}

// sumShare adds up the PE's share of the vectors, whole lines but for the last, and puts the sum into every target. No
// other PE reads or writes that share, so the target may be the source.
func (p *PE) sumShare(target, source, bytes int) {
	const line = 64
	lines := (bytes + line - 1) / line
	begin, end := lines*p.rank/p.Size()*line, lines*(p.rank+1)/p.Size()*line
	for end = min(end, bytes); begin < end; begin += sumBlock {
		p.sumBlock(target+begin, source+begin, min(sumBlock, end-begin))
	}
}

func (p *PE) sumBlock(target, source, bytes int) {
	own := p.Segment()
	sum, operand := elements(own[target:][:bytes]), elements(own[source:][:bytes])
	for pe := range p.windows {
		if pe != p.rank {
			add(sum, operand, elements(p.operand(pe, source, bytes)))
			operand = sum
		}
	}
	if p.Size() == 1 {
		copy(sum, operand)
	}
	for pe := range p.windows {
		if pe != p.rank {
			p.Put(pe, target, own[target:][:bytes])
		}
	}
}

// operand returns a part of a PE's vector, valid until the next.
func (p *PE) operand(pe, source, bytes int) []byte {
	if w := p.windows[pe]; w != nil {
		return w[p.layout.segment+source:][:bytes]
	}
	if p.fetched == nil {
		p.fetched = make([]byte, sumBlock)
	}
	p.Get(p.fetched[:bytes], pe, source)
	return p.fetched[:bytes]
}

// add sets dst to a+b, four elements a turn: its instructions bound the loop as long as the operands are in a cache.
func add(dst, a, b []Element) {
	n := len(dst)
	a, b = a[:n], b[:n]
	for len(dst) >= 4 && len(a) >= 4 && len(b) >= 4 {
		d, x, y := (*[4]Element)(dst), (*[4]Element)(a), (*[4]Element)(b)
		d[0], d[1], d[2], d[3] = x[0]+y[0], x[1]+y[1], x[2]+y[2], x[3]+y[3]
		dst, a, b = dst[4:], a[4:], b[4:]
	}
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}
