package taskbench

import (
	"cmp"
	"slices"

	"ocr/datablock"
)

const (
	wordBytes = 8
	guidWords = 2
	lineWords = 64 / wordBytes
)

func alignWords(n int) int { return (n + lineWords - 1) &^ (lineWords - 1) }

// layOut assigns the columns to tiles, and sets the offsets in the tiles' blocks. The columns of a tile share one
// block: their tasks hold it in mode RW, and tasks of other tiles that take their outputs in mode RO. In it a column
// has, in words of 8 bytes:
//
//	stepAt     recorded: the next step
//	           EDTs of other columns that will take this column's outputs, two for each edge
//	outputAt   ring of buffers: that of step t at place t modulo their number
//	scratch    of the kernel
//
// A buffer is the output, and before it the GUID of the EDT of step t+ahead that the task has created. The task that
// takes the output sends its next output to that EDT; (t+ahead-1,i) finds there which task follows it. Outputs and
// scratch begin on lines of their own: readers share no lines with words that only the column uses.
func (p *plan) layOut(tiles int) {
	p.stride = alignWords(guidWords + p.outputWords())
	p.tiles = make([]int, tiles)
	for i, col := range p.living() {
		col.tile = i * tiles / p.Width
		col.stepAt = p.tiles[col.tile]
		peer := col.stepAt + 1
		for k := 0; k < len(col.sets) && !p.recorded; k++ {
			for e := range col.sets[k].in {
				col.sets[k].in[e].peer = peer
				peer += 2 * guidWords
			}
		}
		col.outputAt = alignWords(peer)
		col.scratch = col.outputAt + p.ring*p.stride
		col.end = col.scratch + p.Scratch/wordBytes
		p.tiles[col.tile] = alignWords(col.end)
	}
	for i, col := range p.living() {
		for _, set := range col.sets {
			p.layOutEdges(i, set)
		}
	}
}

// layOutEdges sets the offsets of a column's edges by one set.
func (p *plan) layOutEdges(i int, set edges) {
	for k := range set.in {
		in := &set.in[k]
		in.at, in.source = p.columns[in.column].outputAt, p.columns[in.column].source
		in.mode = p.passing(in.column, i)
	}
	if p.recorded {
		return
	}
	others := len(set.in) - len(set.out)
	for k := range set.out {
		out := &set.out[k]
		out.mode, out.listed, out.peer = p.passing(i, out.column), others+k, set.in[others+k].peer
	}
	// Edges to other workers' tasks take longer: they are first.
	slices.SortStableFunc(set.out, func(a, b edge) int { return cmp.Compare(a.mode, b.mode) })
}

// passing returns the mode in which a task passes an output on.
func (p *plan) passing(from, to int) datablock.Mode {
	if p.columns[from].tile == p.columns[to].tile {
		return datablock.Null
	}
	return datablock.RO
}

// name returns the word where a column keeps the GUID of its EDT of step t.
func (p *plan) name(col *column, t int) int { return col.outputAt + p.buffer(t-p.ahead) }

// buffer returns the offset of the buffer of step t, in words from a column's first output buffer.
func (p *plan) buffer(t int) int { return p.stride * (t & (p.ring - 1)) }

// turn returns the offset, in words after an edge's first GUID, of the GUID of the EDT to which the output of step t
// goes. If there is one set, a column that begins late needs two words: the first two EDTs to which it sends are both
// known from the start.
func (p *plan) turn(t int) int {
	if p.period > 1 {
		return 0
	}
	return guidWords * (t & 1)
}
