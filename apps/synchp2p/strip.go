package synchp2p

import "ocr/apps/trial"

// A strip is one rank's columns of the grid: N rows of the rank's width, row-major, in memory of its own. Rank 0's
// first column is the grid's left border; the other ranks get theirs from the left neighbour, block by block.

// initStrip sets the borders that lie in a zeroed strip: row 0 of the grid from its column first on, and column 0 if
// the strip holds it.
func initStrip(strip []float64, width, first int) {
	for j := range strip[:width] {
		strip[j] = float64(first + j)
	}
	for i := 0; first == 0 && i*width < len(strip); i++ {
		strip[i*width] = float64(i)
	}
}

// sweepFirst sweeps the rows of one block of rank 0's strip, below row top, and leaves the block's last column in
// edge: len(edge)-1 rows. Its left neighbour is its own column 0.
func sweepFirst(strip []float64, width, top int, edge []float64) {
	block := strip[top*width:]
	for i := range edge {
		edge[i] = block[i*width]
	}
	sweepBlock(block[1:], width, width-1, edge)
}

// sweepInner does the same for any other rank, with the left neighbour's last column in edge.
func sweepInner(strip []float64, width, top int, edge []float64) {
	sweepBlock(strip[top*width:], width, width, edge)
}

// now is the clock. Tests put that of another machine in its place.
var now = trial.Now

// sweep is the work of this phase: from edge, the left neighbour's last column, to edge, its own. Rank 0 has no such
// neighbour; with the message that begins a timestep comes the corner, last in edge. Its clock starts with timestep
// 1: timestep 0 warms up, unless there is no other.
func (s *state) sweep(strip, edge []float64) {
	top := s.phase * s.rowsPerBlock
	if s.timestep == 0 && top == 0 {
		initStrip(strip, s.width, s.first)
	}
	if s.rank != 0 {
		sweepInner(strip, s.width, top, edge)
		return
	}
	if top == 0 && s.timestep <= 1 {
		s.started = now()
	}
	if s.receives() {
		strip[0] = -edge[s.rowsPerBlock]
	}
	sweepFirst(strip, s.width, top, edge)
}
