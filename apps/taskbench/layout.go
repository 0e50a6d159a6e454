package taskbench

import "ocr/datablock"

const (
	wordBytes = 8
	guidWords = 2
	lineWords = 64 / wordBytes
)

func alignWords(n int) int { return (n + lineWords - 1) &^ (lineWords - 1) }

// layOut assigns the columns to tiles, and sets the offsets in the tiles' blocks. A column has, in words of 8 bytes:
//
//	stepAt     recorded: the next step
//	link.peer  EDTs that will take this column's outputs, two for each link
//	outputAt   ring of buffers: that of step t at place t modulo their number
//	scratch    of the kernel
//
// A buffer is the output, and before it the GUID of the EDT of step t+ahead that the task has created. Outputs and
// scratch begin on lines of their own: readers share no lines with words that only the column uses.
func (p *plan) layOut(tiles int) {
	p.stride = alignWords(guidWords + p.outputWords())
	p.tiles = make([]int, tiles)
	for i, col := range p.living() {
		col.tile = i * tiles / p.Width
		col.stepAt = p.tiles[col.tile]
		peer := col.stepAt + 1
		for _, links := range col.sets {
			peer += 2 * guidWords * len(links)
		}
		col.outputAt = alignWords(peer)
		col.scratch = col.outputAt + (p.ringMask+1)*p.stride
		col.end = col.scratch + p.Scratch/wordBytes
		p.tiles[col.tile] = alignWords(col.end)
	}
	for _, col := range p.living() {
		peer := col.stepAt + 1
		for _, links := range col.sets {
			for k := range links {
				links[k].peer = peer
				peer += 2 * guidWords
				p.layOutLink(col, &links[k])
			}
		}
	}
}

// layOutLink sets where the other column's outputs are, and the mode in which blocks pass between the columns.
func (p *plan) layOutLink(col *column, l *link) {
	other := p.columns[l.column]
	l.at = other.outputAt
	switch {
	case other == col:
		l.mode = datablock.RW
	case other.tile == col.tile:
		l.mode = datablock.Null
	default:
		l.mode = datablock.RO
	}
}

// buffer returns the offset of the buffer of step t, in words from a column's first output buffer.
func (p *plan) buffer(t int) int { return p.stride * (t & p.ringMask) }

// output returns the whole pairs of the output of step t, in a tile in which the column's buffers begin at word first.
func (p *plan) output(words []uint64, first, t int) []uint64 {
	return words[first+p.buffer(t)+guidWords:][:p.pairs]
}

// scratchIn returns the column's scratch memory in the memory of its tile.
func (col *column) scratchIn(words []uint64) []uint64 { return words[col.scratch:col.end] }

// turn returns the offset, in words after a link's first GUID, of the GUID of the EDT to which the output of step t
// goes. If there is one set, a column that begins late needs two GUIDs: the first two EDTs to which it sends are both
// known from the start.
func (p *plan) turn(t int) int {
	if p.period > 1 {
		return 0
	}
	return guidWords * (t & 1)
}
