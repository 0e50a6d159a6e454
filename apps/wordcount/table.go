package wordcount

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unsafe"

	"ocr/datablock"
)

// A table has the counts of words, found by hash. Its length is a power of two; zeros are an empty table.
type table []slot

// A slot is the count of a word; it is free if the count is 0.
type slot struct {
	word  word
	count uint64
}

// A word is at most maxWord letters, the first in the lowest byte, and zeros behind them.
type word struct{ low, high uint64 }

func (w word) String() string {
	letters := binary.LittleEndian.AppendUint64(nil, w.low)
	return string(bytes.TrimRight(binary.LittleEndian.AppendUint64(letters, w.high), "\x00"))
}

// tableBytes returns the size of a table for this number of different words: a quarter of the slots or more stays free.
func tableBytes(words int) int { return int(unsafe.Sizeof(slot{})) << bits.Len(uint(words*4/3+1)) }

// tableIn returns the table in memory of tableBytes bytes.
func tableIn(memory []byte) table { return datablock.ElementsOf[slot](memory) }

func (t table) count(text []byte) {
	for k := 0; k < len(text); k++ {
		if !isLetter(text[k]) {
			continue
		}
		var w word
		for bit := uint(0); k < len(text) && isLetter(text[k]); bit, k = bit+8, k+1 {
			w.low |= uint64(text[k]) << bit // 0 from bit 64 on
			w.high |= uint64(text[k]) << (bit - 64)
		}
		t.add(w, 1)
	}
}

func (t table) merge(from table) {
	for _, s := range from {
		if s.count != 0 {
			t.add(s.word, s.count)
		}
	}
}

func (t table) add(w word, n uint64) {
	begin := w.hash()
	for k := range t {
		s := &t[(begin+k)&(len(t)-1)]
		if s.count == 0 {
			s.word = w
		}
		if s.word == w {
			s.count += n
			return
		}
	}
	panic("wordcount: more words than the vocabulary has")
}

// hash multiplies by the golden ratio, as Fibonacci hashing does, and returns upper bits.
func (w word) hash() int {
	const ratio = 0x9e3779b97f4a7c15
	return int((w.low*ratio ^ w.high) * ratio >> 32)
}

func isLetter(b byte) bool { return b|' '-'a' < 26 }
