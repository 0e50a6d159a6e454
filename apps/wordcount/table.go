package wordcount

import (
	"bytes"
	"iter"

	"ocr/datablock"
)

// A table has counts of words in flat memory: a head, slots that are found by hash, and the letters of
// the words. Memory that is all zero is an empty table.
type table struct {
	memory  []byte
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
	at     uint32 // where in the letters the word is
	length uint32
	count  uint32 // 0: the slot is free
}

const (
	headBytes      = 64
	slotBytes      = 16
	lettersPerSlot = 8
)

var headView = datablock.NewView[tableHead]()

// tableBytes is the memory of a table with that many slots, a power of two.
func tableBytes(slots int) int { return headBytes + slots*(slotBytes+lettersPerSlot) }

// firstTable is the size of tables at first.
const firstTable = 1 << 10

// tableIn returns the table in some memory of tableBytes.
func tableIn(memory []byte) table {
	behind := headBytes + (len(memory)-headBytes)/(slotBytes+lettersPerSlot)*slotBytes
	return table{memory, headView.Of(memory), datablock.ElementsOf[slot](memory[headBytes:behind]), memory[behind:]}
}

// A grower returns a table that is twice as large as the one it is given and has its counts. The old one is
// not used any more.
type grower func(old table) table

// onHeap is the grower for goroutines.
func onHeap(old table) table {
	return tableIn(make([]byte, tableBytes(2*len(old.slots)))).merge(old, nil)
}

// newTable is an empty one on the heap.
func newTable() table { return tableIn(make([]byte, tableBytes(firstTable))) }

// count adds the words of a text, and returns the table, which may be another one.
func (t table) count(text []byte, grow grower) table {
	for k := 0; k < len(text); k++ {
		if !isLetter(text[k]) {
			continue
		}
		begin, hash := k, uint32(hashSeed)
		for ; k < len(text) && isLetter(text[k]); k++ {
			hash = (hash ^ uint32(text[k])) * hashPrime
		}
		for !t.add(text[begin:k], hash, 1) {
			t = grow(t)
		}
	}
	return t
}

// merge adds the counts of another table.
func (t table) merge(from table, grow grower) table {
	for k := range from.slots {
		if s := &from.slots[k]; s.count != 0 {
			for !t.add(from.word(s), s.hash, s.count) {
				t = grow(t)
			}
		}
	}
	return t
}

// add adds to the count of a word. It reports false if the table has no room for another word.
func (t *table) add(word []byte, hash, n uint32) bool {
	mask := uint32(len(t.slots) - 1)
	for k := hash ^ hash>>16; ; k++ {
		s := &t.slots[k&mask]
		if s.count == 0 {
			return t.put(s, word, hash, n)
		}
		if s.hash == hash && bytes.Equal(t.word(s), word) {
			s.count += n
			return true
		}
	}
}

// put begins the count of a word in a free slot. At least a quarter of them stays free.
func (t *table) put(s *slot, word []byte, hash, n uint32) bool {
	h := t.head
	if 4*(h.Words+1) > 3*len(t.slots) || h.Letters+len(word) > len(t.letters) {
		return false
	}
	*s = slot{hash, uint32(h.Letters), uint32(len(word)), n}
	h.Letters += copy(t.letters[h.Letters:], word)
	h.Words++
	return true
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
