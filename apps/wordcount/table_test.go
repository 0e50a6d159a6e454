package wordcount

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// counted returns a table as a map.
func counted(t table) map[string]uint64 {
	m := make(map[string]uint64)
	for _, s := range t {
		if s.count != 0 {
			m[s.word.String()] += s.count
		}
	}
	return m
}

// TestTableAsMap: tables that are filled and merged count as a map does, up to as many words as they are made for.
func TestTableAsMap(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var text []byte
		for range draw.IntN(3000) {
			text = append(text, "abcAB ,\n"[draw.IntN(8)])
		}
		for k := maxWord; k < len(text); k += maxWord + 1 {
			text[k] = ' ' // no word is longer
		}
		want := make(map[string]uint64)
		for _, word := range strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(" ,\n", r) }) {
			want[word]++
		}
		cut := 0
		for cut < len(text) && isLetter(text[cut]) {
			cut++
		}
		tables := make([]table, 3)
		for k, part := range [][]byte{text, text[:cut], text[cut:]} {
			tables[k] = tableIn(make([]byte, tableBytes(len(want))))
			tables[k].count(part)
		}
		whole, merged := tables[0], tables[1]
		merged.merge(tables[2])
		if !maps.Equal(counted(whole), want) || !maps.Equal(counted(merged), want) {
			t.Fatalf("%q: %v and %v, want %v", text, counted(whole), counted(merged), want)
		}
	}
}
