package pgas

import (
	"cmp"
	"slices"
)

// Footprint returns the bytes that the timed loop touches from an origin's core, in whole
// lines: the payload of both sides and the room that messages slide in. A cache of so many
// bytes can hold them. Random transfers count by the places that PE 0 has drawn, elements that lie
// more than a line apart by the lines that they are in. It is 0 for tests that move
// nothing.
func (c Config) Footprint() int {
	if test, ok := Lookup(c.Test); !ok || !test.Uses.Bytes {
		return 0
	}
	return newPlan(c).footprint()
}

func (p *plan) footprint() int {
	source := p.touchedSource()
	dest := p.slots * p.touched(p.dstStep)
	switch {
	case p.cfg.Test == "reduceinplace":
		return dest // the operand is set off the clock
	case p.cfg.Test == "putget":
		return source + 2*dest
	case p.test.Uses.Random && p.isGet():
		return p.touchedAtRandom(p.srcStride) + dest
	case p.test.Uses.Random:
		return source + p.touchedAtRandom(p.dstStep)
	}
	return source + dest
}

// touched returns the bytes of the lines that a message's elements are in.
func (p *plan) touched(stride int) int { return min(pad(p.span(stride)), p.elements*line) }

// touchedSource is what the own messages are taken from: all slots, slid.
func (p *plan) touchedSource() int {
	room := p.slide * line
	if p.slots > 1 {
		return p.slots*p.srcSlot + room
	}
	return min(pad(p.span(p.srcStride))+room, (p.slide+1)*p.touched(p.srcStride))
}

// touchedAtRandom is what PE 0's draws reach.
func (p *plan) touchedAtRandom(stride int) int {
	draws := p.drawAll(0)
	slices.SortFunc(draws, func(a, b draw) int { return cmp.Or(cmp.Compare(a.pe, b.pe), cmp.Compare(a.at, b.at)) })
	covered, pe, reached := 0, -1, 0
	for _, d := range draws {
		if d.pe != pe {
			pe, reached = d.pe, 0
		}
		begin, end := max(d.at/line*line, reached), pad(d.at+p.span(stride))
		covered += max(end-begin, 0)
		reached = max(end, reached)
	}
	return min(covered, p.draws*p.touched(stride))
}
