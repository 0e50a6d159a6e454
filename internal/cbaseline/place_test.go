package cbaseline

import (
	"fmt"
	"strings"
	"testing"

	"ocr/apps/c2c"
)

// places are the addresses of a request: what A writes, what B writes, the plain
// elements (0 where there are none).
type places struct{ a, b, data uint64 }

// ask returns the places of trials in one process.
func ask(t *testing.T, trials ...c2c.Config) []places {
	t.Helper()
	cpu := allowedCPUs(t, 1)[0]
	var requests []string
	for _, r := range trials {
		r.Transfers = 2
		if !r.Test.HasLength() {
			r.Length = 1
		}
		requests = append(requests, strings.Replace(request(r), "trial", "where", 1))
	}
	var all []places
	for i, answer := range answers(t, cpu, cpu, requests...) {
		var at places
		if _, err := fmt.Sscanf(answer, "at %v %v %v", &at.a, &at.b, &at.data); err != nil {
			t.Fatalf("%s: answered %q: %v", requests[i], answer, err)
		}
		all = append(all, at)
	}
	return all
}

// TestPlaces asserts what shares a line and what does not: a test whose words lie
// elsewhere is another test, and says nothing.
func TestPlaces(t *testing.T) {
	const bytes = 512 * 4
	const none = ^uint64(0)
	for _, tt := range []struct {
		test       c2c.Test
		layout     c2c.Layout
		a, b, data uint64 // from the line
	}{
		{c2c.Single, c2c.Same, 0, 0, none},
		{c2c.Dual, c2c.Same, 0, 16, none},
		{c2c.Dual, c2c.Separate, 0, 128, none},
		{c2c.Array, c2c.Same, 0, 0, none},
		{c2c.DualArray, c2c.Same, 0, bytes, none},
		{c2c.Flow, c2c.Same, 0, bytes + 128, none},
		{c2c.Blocked, c2c.Same, bytes, bytes + 128, 0},
		{c2c.Ring, c2c.Same, 3 * bytes, 3*bytes + 128, 0},
	} {
		r := c2c.Config{Test: tt.test, Width: 4, Layout: tt.layout, Length: 512}
		if tt.test == c2c.Ring {
			r.Blocks = 3
		}
		var onLines []c2c.Config
		for r.Line = range c2c.Lines {
			onLines = append(onLines, r)
		}
		found := ask(t, onLines...)
		base := found[0].a - tt.a
		if base%4096 != 0 {
			t.Errorf("%s: line 0 at %#x, want the start of a page", tt.test, base)
		}
		for line, got := range found {
			at := base + uint64(line)*256
			want := places{a: at + tt.a, b: at + tt.b}
			if tt.data != none {
				want.data = at + tt.data
			}
			if got != want {
				t.Errorf("%s %s line %d: at %#x, want %#x", tt.test, tt.layout, line, got, want)
			}
		}
	}
}

// TestShortArraysAreApart: however short, arrays and the words beside them lie on
// lines of their own, and pairs of lines.
func TestShortArraysAreApart(t *testing.T) {
	for _, test := range []c2c.Test{c2c.DualArray, c2c.Flow, c2c.Blocked, c2c.Ring} {
		for _, length := range []int{1, 127, 128, 129} {
			got := ask(t, c2c.Config{Test: test, Width: 1, Length: length, Blocks: 1})[0]
			elements := got.a
			if got.data != 0 {
				elements = got.data
				if got.b != got.a+128 {
					t.Errorf("%s: A's word at %#x, B's at %#x, want them 128 bytes apart", test, got.a, got.b)
				}
			}
			last := elements + uint64(length) - 1
			for _, word := range []uint64{got.a, got.b} {
				if word != elements && (word%128 != 0 || word <= last) {
					t.Errorf("%s of %d bytes up to %#x: a word at %#x, want the start of 128 bytes after them",
						test, length, last, word)
				}
			}
		}
	}
}
