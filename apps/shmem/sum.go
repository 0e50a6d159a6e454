package shmem

import "math/bits"

// SmallSum is the largest vector, in bytes, that SumToAll sums by recursive doubling, if the number N of PEs is a power
// of two: log2 N messages of the whole vector, for latency. For other vectors each PE sums a share, for bandwidth.
const SmallSum = 256

// sumBlock is the size of the pieces in which a PE sums its share and sends it to all: a piece stays in the first-level
// cache.
const sumBlock = 8 << 10

// SumToAll adds up n elements at offset source of all PEs' segments, and writes the sum to offset target of each.
// target is source, or the two do not overlap. All PEs call it with the same arguments. On return the own target is
// complete and the PE may write its own source; other PEs may still be in the call.
func (p *PE) SumToAll(target, source, n int) {
	bytes := n * ElementBytes
	if !p.isSmall(bytes) {
		p.Barrier() // every source is ready, and every target may be written
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

// beginSum copies the PE's own vector to the target.
func (p *PE) beginSum(target, source, bytes int) {
	p.sums++
	if target != source {
		move(p.Segment()[target:][:bytes], p.Segment()[source:][:bytes])
	}
}

// peer returns the PE with which this one exchanges its sum in a round: their numbers differ in one bit.
func (p *PE) peer(round int) int { return p.rank ^ 1<<round }

// sendSum sends the sum so far to the peer of a round. Two slots alternate from sum to sum: a PE may be one sum ahead
// of its peer, but not two. In the next sum the PE waits for a message that its peer sends only when the peer has read
// the message of this sum.
func (p *PE) sendSum(target, bytes, round int) {
	to, slot := p.peer(round), p.layout.slot(p.sums, round)
	p.put(to, payload(slot, bytes), 0, p.Segment()[target:][:bytes])
	p.signal(to, slot, p.sums)
}

// addSum adds the message of the peer of a round.
func (p *PE) addSum(target, bytes, round int) {
	sum := elements(p.Segment()[target:][:bytes])
	at := payload(p.layout.slot(p.sums, round), bytes)
	add(sum, sum, elements(p.windows[p.rank][at:][:bytes]))
}

// sumShare adds up the PE's share of the vectors, in whole lines except the last, and puts the sum to every target. No
// other PE reads or writes this share of any vector, so the target may be the source.
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

// operand returns a part of a PE's vector, valid until the next call.
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

// add sets dst to a+b, four elements an iteration: while the operands are in a cache, the number of instructions bounds
// the loop.
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
