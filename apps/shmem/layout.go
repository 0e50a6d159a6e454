package shmem

import "math/bits"

// A layout is the offsets in a window, the same on all PEs: the stop word first, then
//
//	barrier   a word for each round
//	notify    a word for each PE that may notify this one
//	sum       two slots, for odd and even sums, for each round
//
// and the segment. Words that other PEs store are 128 bytes apart: processors fetch lines in pairs.
type layout struct {
	pes, rounds          int // number of PEs; its log2, rounded up
	barrier, notify, sum int
	segment              int
}

const (
	spacing   = 128
	slotBytes = (64 + SmallSum + spacing - 1) / spacing * spacing
)

func newLayout(pes int) layout {
	l := layout{pes: pes, rounds: bits.Len(uint(pes - 1)), barrier: spacing}
	l.notify = l.barrier + spacing*l.rounds
	l.sum = l.notify + spacing*pes
	l.segment = l.sum + 2*l.rounds*slotBytes
	return l
}

func pad(n int) int { return (n + spacing - 1) / spacing * spacing }

// slot returns the offset at which the message of a round of a sum arrives; the message begins with the number of the
// sum.
func (l *layout) slot(sum uint64, round int) int {
	return l.sum + (int(sum&1)*l.rounds+round)*slotBytes
}

// payload returns the offset of the vector in a slot: on the cache line of the sum's number if both fit.
func payload(slot, bytes int) int {
	if bytes <= 64-8 {
		return slot + 8
	}
	return slot + 64
}
