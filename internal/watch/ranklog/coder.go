package ranklog

import (
	"encoding/binary"

	"ocr/guid"
)

// A coder writes records or reads them, by the same calls: each takes a part of a record, and reads set it.
type coder struct {
	bytes  []byte // written, or yet to be read
	reads  bool
	moment uint64 // of the latest record
	texts  map[string]int
	known  []string // the texts, by number
}

func number[T ~int | ~int64 | ~uint8 | ~uint64](c *coder, n *T) {
	if !c.reads {
		c.bytes = binary.AppendUvarint(c.bytes, uint64(*n))
		return
	}
	v, size := binary.Uvarint(c.bytes)
	*n, c.bytes = T(v), c.bytes[size:]
}

func (c *coder) flag(is *bool) {
	n := 0
	if *is {
		n = 1
	}
	*is = c.length(n) != 0
}

// length returns n, or the number that is read.
func (c *coder) length(n int) int {
	number(c, &n)
	return n
}

func (c *coder) guid(g *guid.GUID) {
	hi, lo := g.Words()
	number(c, &hi)
	number(c, &lo)
	*g = guid.FromWords(hi, lo)
}

func (c *coder) data(b *[]byte) {
	if n := c.length(len(*b)); c.reads {
		*b, c.bytes = c.bytes[:n:n], c.bytes[n:]
	} else {
		c.bytes = append(c.bytes, *b...)
	}
}

// text has the number of a text, and the text itself at its first use.
func (c *coder) text(s *string) {
	n, old := c.texts[*s]
	if !old {
		n = len(c.known)
	}
	if n = c.length(n); n == len(c.known) {
		b := []byte(*s)
		c.data(&b)
		if c.known = append(c.known, string(b)); !c.reads {
			c.texts[*s] = n
		}
	}
	*s = c.known[n]
}
