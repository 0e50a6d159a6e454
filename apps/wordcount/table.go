package wordcount

import (
	"bytes"
	"iter"
	"math/bits"

	"ocr/datablock"
)

// A table has the counts of words in flat memory: a head, slots that are found by hash, and the letters of the words.
// Memory of zeros is an empty table.
type table struct {
	head    *tableHead
	slots   []slot // a power of two
	letters []byte
}

type tableHead struct {
	Words   int // different ones
	Letters int // bytes of letters in use
	_       [6]int
}

type slot struct {
	hash   uint32
	at     uint32 // offset of the word in the letters
	length uint32
	count  uint32 // 0: the slot is free
}

const (
	headBytes      = 64
	slotBytes      = 16
	lettersPerSlot = 12 // three quarters of the longest word
)

// tableBytes returns the size of a table for this number of different words: a quarter of its slots stay free.
func tableBytes(words int) int {
	return headBytes + 1<<bits.Len(uint(words*4/3+1))*(slotBytes+lettersPerSlot)
}

// tableIn returns the table in memory of tableBytes bytes.
func tableIn(memory []byte) table {
	behind := headBytes + (len(memory)-headBytes)/(slotBytes+lettersPerSlot)*slotBytes
	head := &datablock.ElementsOf[tableHead](memory)[0]
	return table{head, datablock.ElementsOf[slot](memory[headBytes:behind]), memory[behind:]}
}

// count adds the words of a text.
func (t *table) count(text []byte) {
	for k := 0; k < len(text); k++ {
		if !isLetter(text[k]) {
			continue
		}
		begin, hash := k, uint32(hashSeed)
		for ; k < len(text) && isLetter(text[k]); k++ {
			hash = (hash ^ uint32(text[k])) * hashPrime
		}
		t.add(text[begin:k], hash, 1)
	}
}

// merge adds the counts of another table.
func (t *table) merge(from table) {
	for k := range from.slots {
		if s := &from.slots[k]; s.count != 0 {
			t.add(from.word(s), s.hash, s.count)
		}
	}
}

// add adds to the count of a word.
func (t *table) add(word []byte, hash, n uint32) {
	mask := uint32(len(t.slots) - 1)
	for k := hash ^ hash>>16; ; k++ {
		s := &t.slots[k&mask]
		if s.count == 0 {
			if t.head.Words++; t.head.Words == len(t.slots) {
				panic("wordcount: more words than the vocabulary has")
			}
			*s = slot{hash, uint32(t.head.Letters), uint32(len(word)), n}
			t.head.Letters += copy(t.letters[t.head.Letters:][:len(word)], word)
			return
		}
		if s.hash == hash && bytes.Equal(t.word(s), word) {
			s.count += n
			return
		}
	}
}

func (t *table) word(s *slot) []byte { return t.letters[s.at : s.at+s.length] }

// all ranges over words and their counts.
func (t *table) all() iter.Seq2[[]byte, uint32] {
	return func(yield func([]byte, uint32) bool) {
		for k := range t.slots {
			if s := &t.slots[k]; s.count != 0 && !yield(t.word(s), s.count) {
				return
			}
		}
	}
}

// The hash of FNV-1a.
const (
	hashSeed  = 2166136261
	hashPrime = 16777619
)

func isLetter(b byte) bool { return b|' '-'a' < 26 }
