package c2c

import (
	"math/bits"
	"unsafe"

	"ocr/datablock"
	"ocr/datablock/cell"
)

// MaxCounted bounds Length if polls are counted: each element has an [ElementPolls].
const MaxCounted = 1 << 12

// PollBuckets is how many buckets the polls of an element are sorted into.
const PollBuckets = 9

// ElementPolls says how often an end polled one element of an array until it had its
// value, over the transfers of the timed part.
type ElementPolls struct {
	InVain uint64 // loads that still found another value, altogether
	Most   uint64 // of one transfer
	// Transfers counts transfers by their loads in vain: [0] those without any, [b]
	// those with 2^(b-1) to 2^b - 1, the last those with more.
	Transfers [PollBuckets]uint64
}

func (p *ElementPolls) note(inVain uint64) {
	p.InVain += inVain
	p.Most = max(p.Most, inVain)
	p.Transfers[min(bits.Len64(inVain), PollBuckets-1)]++
}

// countsPolls reports whether a test polls an array element by element.
func (t Test) countsPolls() bool { return t == Array || t == DualArray || t == Flow }

// polls returns an end's counts in the block of a trial, by element of the
// array that it reads; nil if they are not asked for.
func (c Config) polls(block []byte, side int) []ElementPolls {
	if !c.CountPolls {
		return nil
	}
	at := c.offsets().polls + side*c.pollBytes()
	first := (*ElementPolls)(unsafe.Pointer(unsafe.SliceData(datablock.SliceOf[uint64](block[at:][:c.pollBytes()]))))
	return unsafe.Slice(first, c.Length)
}

// pollBytes returns the bytes of an end's counts, in whole pairs of lines.
func (c Config) pollBytes() int {
	if !c.CountPolls {
		return 0
	}
	return roundUp(c.Length*int(unsafe.Sizeof(ElementPolls{})), apart)
}

// countAll is awaitAll that counts the polls of each element. It is slower: the time of such a trial is not a latency.
func (e *end[T]) countAll(s []T, v T) bool {
	for i := range s {
		inVain := uint64(0)
		for ; cell.Load(&s[i]) != v; inVain++ {
			if inVain%(burst*burstBatch) == burst*burstBatch-1 && !e.goOn() {
				return false
			}
		}
		e.polls[i].note(inVain)
	}
	return true
}
