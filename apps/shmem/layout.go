package shmem

import "math/bits"

// A window is the block of one PE: a control area, the same on all PEs, and behind
// it the segment. Offsets below are into the control area.
//
//	stop      PE 0's: not 0 when all PEs are to end
//	private   the PE's own counts: barriers, reductions, notifications sent and received
//	barrier   a cell for each round
//	notify    a cell for each PE that may notify this one
//	reduce    two slots, for odd and even reductions, for each round
//
// Cells that others write are spacing bytes apart: processors fetch lines in pairs, and two cells must never share one.
type layout struct {
	pes    int
	rounds int // of the barrier: log2 of the PEs, rounded up

	private, barrier, notify, reduce int
	slotBytes                        int
	segment                          int // where the segment begins
}

const spacing = 128

// Private words of a PE.
const (
	wordBarriers = iota
	wordReductions
	wordQuiet
	numPrivate
)

func newLayout(pes int) layout {
	l := layout{pes: pes, rounds: bits.Len(uint(pes - 1))}
	l.private = spacing
	l.barrier = pad(l.private + 8*(numPrivate+2*pes))
	l.notify = l.barrier + spacing*l.rounds
	l.reduce = l.notify + spacing*pes
	l.slotBytes = pad(64 + SmallReduction)
	l.segment = l.reduce + 2*(l.rounds+folds)*l.slotBytes
	return l
}

// pad rounds up to the spacing.
func pad(n int) int { return (n + spacing - 1) / spacing * spacing }

// slot returns where the message of a reduction's round arrives.
func (l *layout) slot(reduction uint64, round int) int {
	return l.reduce + (int(reduction&1)*(l.rounds+folds)+round)*l.slotBytes
}

// sent and received return the private words that count notifications.
func (l *layout) sent(to int) int       { return l.private + 8*(numPrivate+to) }
func (l *layout) received(from int) int { return l.private + 8*(numPrivate+l.pes+from) }
