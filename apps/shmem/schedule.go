package shmem

import "math/bits"

// A stage is one step of a PE in a small reduction: what it receives, and what it then sends.
type stage struct {
	receives int // the round of the message that is waited for, -1 for none
	combine  combination
	sendTo   int // -1 for none
	sends    int // the round of the message that is sent
}

// A combination says what becomes of a vector that was received.
type combination uint8

const (
	ownFirst    combination = iota // own sum + received
	theirsFirst                    // received + own sum
	replace                        // received is the result
)

// Rounds of a small reduction besides those of recursive doubling.
const (
	foldIn  = 0
	foldOut = 1
	folds   = 2
)

// schedule returns a PE's stages of recursive doubling: PEs whose numbers differ in one bit exchange their sums, bit
// after bit, and both add them up, that of the lower one first. If the PEs are no power of two, the first few are
// folded: an odd one sends its vector to its left neighbour, and receives the result.
func schedule(pes, me int) []stage {
	power := 1 << (bits.Len(uint(pes)) - 1)
	pairs := pes - power // the first 2*pairs PEs are folded
	if me < 2*pairs && me%2 == 1 {
		return []stage{
			{receives: -1, sendTo: me - 1, sends: foldIn},
			{receives: foldOut, combine: replace, sendTo: -1},
		}
	}
	rank, next := me-pairs, stage{receives: -1, sendTo: -1}
	if me < 2*pairs {
		rank, next.receives = me/2, foldIn
	}
	var stages []stage
	for round, bit := folds, 1; bit < power; round, bit = round+1, 2*bit {
		partner := rank ^ bit
		next.sendTo, next.sends = partner+pairs, round
		if partner < pairs {
			next.sendTo = 2 * partner
		}
		stages = append(stages, next)
		next = stage{receives: round, combine: ownFirst, sendTo: -1}
		if partner < rank {
			next.combine = theirsFirst
		}
	}
	if me < 2*pairs {
		next.sendTo, next.sends = me+1, foldOut
	}
	return append(stages, next)
}

// take combines a received vector with the own sum.
func (s *stage) take(e Element, sum, received []byte) {
	switch s.combine {
	case ownFirst:
		e.sum(sum, sum, received)
	case theirsFirst:
		e.sum(sum, received, sum)
	case replace:
		move(sum, received)
	}
}
