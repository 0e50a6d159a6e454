package wordcount

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// counted is a table as a map.
func counted(t table) map[string]uint32 {
	m := make(map[string]uint32)
	for word, n := range t.all() {
		m[string(word)] += n
	}
	return m
}

// tiny is a table that has to grow at once.
func tiny() table { return tableIn(make([]byte, tableBytes(1))) }

// TestTableAsMap: tables that grow and merge count as a map does.
func TestTableAsMap(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var text []byte
		for range draw.IntN(3000) {
			text = append(text, "abcAB ,\n"[draw.IntN(8)])
		}
		if draw.IntN(4) == 0 {
			text = append(text, strings.Repeat("long", 100)...)
		}
		want := make(map[string]uint32)
		for _, word := range strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(" ,\n", r) }) {
			want[word]++
		}
		cut := 0
		for cut < len(text) && isLetter(text[cut]) {
			cut++
		}
		whole := tiny().count(text, onHeap)
		merged := tiny().count(text[:cut], onHeap).merge(tiny().count(text[cut:], onHeap), onHeap)
		if !maps.Equal(counted(whole), want) || !maps.Equal(counted(merged), want) {
			t.Fatalf("%q: %v and %v, want %v", text, counted(whole), counted(merged), want)
		}
	}
}

func TestIsLetter(t *testing.T) {
	for b := range 256 {
		want := strings.Contains("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", string(rune(b))) && b < 128
		if isLetter(byte(b)) != want {
			t.Errorf("byte %#x: %v", b, !want)
		}
	}
}
