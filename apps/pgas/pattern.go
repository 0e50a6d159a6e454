package pgas

import (
	"encoding/binary"

	"ocr/datablock"
)

// guardByte fills the destination before any message is put there.
const guardByte = 0xa5

// patternWord returns 8 bytes of a PE's source: those from an offset that is a multiple of 8.
func patternWord(pe, at int) uint64 {
	return (uint64(at)>>3+1)*0x9e3779b97f4a7c15 + uint64(pe+1)*0xc2b2ae3d27d4eb4f
}

// pattern fills b with the bytes of a PE's source that begin at an offset.
func pattern(b []byte, pe, at int) {
	for len(b) > 0 && at%8 != 0 {
		b[0] = byte(patternWord(pe, at&^7) >> (8 * (at & 7)))
		b, at = b[1:], at+1
	}
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, patternWord(pe, at))
		b, at = b[8:], at+8
	}
	for i := range b {
		b[i] = byte(patternWord(pe, at) >> (8 * i))
	}
}

// prepare fills a PE's segment: the source with its pattern or operands, the rest with guards.
func (p *plan) prepare(segment []byte, pe int) {
	if source := segment[:p.dest]; p.test.Kind == Reduction {
		operands(source, pe)
	} else {
		pattern(source, pe, 0)
	}
	fillGuard(segment[p.dest:p.bytes])
}

func fillGuard(b []byte) {
	for i := range b {
		b[i] = guardByte
	}
}

// Element j of a PE's source in a reduction is (pe+1)(j mod operandPeriod + 1): a vector that begins elsewhere differs.
const operandPeriod = 11

func operands(b []byte, pe int) {
	for j, words := 0, datablock.SliceOf[int32](b); j < len(words); j++ {
		words[j] = int32((pe + 1) * (j%operandPeriod + 1))
	}
}

func operandSum(pes, j int) int { return pes * (pes + 1) / 2 * (j%operandPeriod + 1) }
