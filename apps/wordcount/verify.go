package wordcount

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"ocr/apps/trial"
)

// Verify compares the count of each word with that of package strings and a map, in the text as it was
// before it was compressed.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if a.want == nil {
		a.want = make(map[string]uint32)
		for word := range strings.FieldsFuncSeq(string(a.text), func(r rune) bool { return !unicode.IsLetter(r) }) {
			a.want[word]++
		}
	}
	got := make(map[string]uint32)
	for word, n := range a.counts.all() {
		if _, twice := got[string(word)]; twice {
			return trial.Wrong(appName, fmt.Sprintf("%q", word), "two counts", "one")
		}
		got[string(word)] = n
	}
	for _, words := range []map[string]uint32{a.want, got} {
		for _, word := range slices.Sorted(maps.Keys(words)) {
			if got[word] != a.want[word] {
				return trial.Wrong(appName, fmt.Sprintf("%q", word), got[word], a.want[word])
			}
		}
	}
	return nil
}

// Total returns how many words the latest run has counted, and how many different ones.
func (a *App) Total() (words, different int) {
	for _, n := range a.counts.all() {
		words += int(n)
		different++
	}
	return words, different
}
