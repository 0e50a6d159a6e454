package taskbench

import (
	"cmp"
	"slices"

	"ocr/datablock"
)

// The columns of a tile share one block, which their tasks hold in mode RW, and tasks of other tiles that take their
// outputs in mode RO. In words of 8 bytes, a column has there:
//
//	names      announced: EDTs of the column, that of step t at place t modulo their number; recorded: the next step
//	peers      EDTs of other columns that will take this column's outputs
//	outputs    ring of buffers: that of step t at place t modulo their number
//	scratch    of the kernel
//
// With mutual links the buffer of step t begins with the GUID of the column's EDT of step t+ahead: the receiver of the
// output will next send to that one, and (t+ahead-1,i) finds there which task follows on it. Until then the buffer is
// not overwritten, because there are no fewer buffers than steps ahead. Columns, outputs and scratch begin on lines of
// their own: readers do not share lines with words that only the column uses.

const (
	wordBytes = 8
	guidWords = 2
	lineWords = 64 / wordBytes
)

func alignWords(n int) int { return (n + lineWords - 1) &^ (lineWords - 1) }

// layOut deals the columns out to tiles, and places everything in the tiles' blocks.
func (p *plan) layOut(tiles int) {
	if p.links == mutual {
		p.payload = guidWords
	}
	if p.links == announced {
		p.peerMask = p.half - 1
	}
	p.stride = alignWords(p.payload + p.outputWords())
	p.tiles = make([]int, tiles)
	for i, col := range p.living() {
		col.tile = i * tiles / p.Width
		p.tiles[col.tile] = p.layOutColumn(col, p.tiles[col.tile])
	}
	for i := range p.columns {
		p.sortOutputs(&p.columns[i])
		p.layOutEdges(&p.columns[i])
	}
}

// sortOutputs puts those first that go to other workers' tasks: they take longer.
func (p *plan) sortOutputs(col *column) {
	for _, outputs := range col.outputs {
		slices.SortStableFunc(outputs, func(a, b output) int {
			return cmp.Compare(p.passing(col, &a), p.passing(col, &b))
		})
	}
}

// layOutColumn gives a column its place, from a word on, and returns where it ends.
func (p *plan) layOutColumn(col *column, at int) (end int) {
	col.namesAt = at
	col.peersAt = col.namesAt + guidWords*p.names
	col.outputAt = alignWords(col.peersAt + p.peerWords(col))
	col.scratchAt = col.outputAt + p.ring*p.stride
	col.end = col.scratchAt + p.Scratch/wordBytes
	return alignWords(col.end)
}

// peerWords returns the words for GUIDs of other columns' EDTs: with announcements those of half a window for each
// consumer, else one for each input, whose place is also that of the output to the same column.
func (p *plan) peerWords(col *column) int {
	if p.links == announced {
		return guidWords * p.half * len(col.consumers)
	}
	if p.links == recorded {
		return 0
	}
	words := 0
	for _, inputs := range col.inputs {
		words += guidWords * len(inputs)
	}
	return words
}

// layOutEdges makes the lists of inputs and outputs that tasks use.
func (p *plan) layOutEdges(col *column) {
	col.takes, col.gives = make([][]take, p.period), make([][]give, p.period)
	at := uint32(col.peersAt)
	for set := range p.period {
		peers := make(map[int]uint32)
		for _, in := range col.inputs[set] {
			from := &p.columns[in.from]
			peers[in.from] = at
			col.takes[set] = append(col.takes[set], take{
				source: source(p.number, in.from), slot: uint32(in.slot),
				outputAt: uint32(from.outputAt), peer: at, remote: from.tile != col.tile,
			})
			at += guidWords
		}
		for place, consumer := range col.consumers {
			peers[consumer] = uint32(col.peersAt + guidWords*p.half*place)
		}
		for k, out := range col.outputs[set] {
			to := give{uint32(out.slot), peers[out.to], p.passing(col, &col.outputs[set][k])}
			col.gives[set] = append(col.gives[set], to)
		}
	}
}

// passing returns the mode in which an output is passed on.
func (p *plan) passing(col *column, out *output) datablock.Mode {
	if p.columns[out.to].tile == col.tile {
		return datablock.Null
	}
	return datablock.RO
}

// name returns the word where a column notes its EDT of step t.
func (p *plan) name(col *column, t int) int {
	if p.links == mutual {
		return col.outputAt + p.buffer(t-p.ahead)
	}
	return col.namesAt + guidWords*(t&(p.names-1))
}

// buffer returns the word, from a column's first output buffer on, where the output buffer of step t is.
func (p *plan) buffer(t int) int { return p.stride * (t & (p.ring - 1)) }
