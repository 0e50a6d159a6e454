package cbaseline

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"ocr/apps/c2c"
)

// places are the addresses of a request: what A writes, what B writes, the plain
// elements (0 where there are none).
type places struct{ a, b, data uint64 }

func ask(t *testing.T, p *Process, r c2c.Config) places {
	t.Helper()
	r.Transfers = 2
	if !r.Test.HasLength() {
		r.Length = 1
	}
	line := request(r)
	if _, err := io.WriteString(p.in, strings.Replace(line, "trial", "where", 1)); err != nil {
		t.Fatal(err)
	}
	answer, err := p.readLine()
	if err != nil {
		t.Fatal(err)
	}
	var at places
	if _, err := fmt.Sscanf(answer, "at %v %v %v", &at.a, &at.b, &at.data); err != nil {
		t.Fatalf("%s: answered %q: %v", line, answer, err)
	}
	return at
}

// TestPlaces asserts what shares a line and what does not: a test whose words lie
// elsewhere is another test, and says nothing.
func TestPlaces(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := run(t, cpu, cpu, noLimit)
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
		base := ask(t, p, r).a - tt.a
		if base%4096 != 0 {
			t.Errorf("%s: line 0 at %#x, want the start of a page", tt.test, base)
		}
		for r.Line = range c2c.Lines {
			at := base + uint64(r.Line)*256
			want := places{a: at + tt.a, b: at + tt.b}
			if tt.data != none {
				want.data = at + tt.data
			}
			if got := ask(t, p, r); got != want {
				t.Errorf("%s %s line %d: at %#x, want %#x", tt.test, tt.layout, r.Line, got, want)
			}
		}
	}
}

// TestShortArraysAreApart: however short, arrays and the words beside them lie on
// lines of their own, and pairs of lines.
func TestShortArraysAreApart(t *testing.T) {
	cpu := allowedCPUs(t, 1)[0]
	p := run(t, cpu, cpu, noLimit)
	for _, test := range []c2c.Test{c2c.DualArray, c2c.Flow, c2c.Blocked, c2c.Ring} {
		for _, length := range []int{1, 127, 128, 129} {
			got := ask(t, p, c2c.Config{Test: test, Width: 1, Length: length, Blocks: 1})
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
