package guid

import (
	"fmt"
	"io"
	"strings"

	"ocr/internal/core/ids"
)

// The text has 8-4-4-4-12 digits: the run; the home; the kind; the upper part of the generation; its lower part and the
// index.
const (
	textLen   = 36
	fromHome  = 9
	fromUpper = 19
	fromLower = 24
	fewest    = 4 // digits of a short form
)

// Short returns a short end of the text, which tells the object from all others of its kind in its run: "0001" or
// "30000001f". It is longer for objects of ranks other than 0, and for objects of generation 65536 and above. For
// reserved GUIDs Short returns the whole text.
func (g GUID) Short() string {
	text := g.String()
	switch {
	case reserved(g):
		return text
	case g.Home() != 0:
		return text[fromHome:]
	case g.lo>>48 != 1<<15:
		return text[fromUpper:]
	}
	at := fromLower
	for at < textLen-fewest && text[at] == '0' {
		at++
	}
	return text[at:]
}

// Shorten replaces the GUIDs in a text by their short forms, unless they are of several runs. Errors, reports and
// snapshots are built with whole GUIDs, and shortened when they are printed.
func Shorten(text string) string {
	var b strings.Builder
	run, first, from := uint64(0), true, 0
	for at := 0; at+textLen <= len(text); at++ {
		if text[at+8] != '-' || text[at+13] != '-' { // no GUID begins here
			continue
		}
		end := at + textLen
		g, err := Parse(text[at:end])
		if err != nil || reserved(g) || at > 0 && isWord(text[at-1]) || end < len(text) && isWord(text[end]) {
			continue
		}
		if !first && g.hi>>ids.RunShift != run {
			return text
		}
		run, first = g.hi>>ids.RunShift, false
		b.WriteString(text[from:at])
		b.WriteString(g.Short())
		at, from = end-1, end
	}
	b.WriteString(text[from:])
	return b.String()
}

// isWord reports whether a byte beside a GUID makes the GUID part of a longer word.
func isWord(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Format prints the text of an error, for the error's method Format: whole with %+v, else shortened, also quoted (%q).
func Format(f fmt.State, verb rune, text string) {
	switch {
	case verb == 'v' && f.Flag('+'):
	case verb == 'q':
		text = fmt.Sprintf("%q", Shorten(text))
	default:
		text = Shorten(text)
	}
	_, _ = io.WriteString(f, text) // package fmt ignores the error too
}
