package synchp2p

import "ocr/apps/trial"

// A strip is one rank's columns of the grid: N rows of the rank's width, row-major, in memory of its own. The first
// column of rank 0's strip is the grid's left border; another rank receives the column to its left from the left
// neighbour, block by block.

// initStrip sets the border of the grid in a zeroed strip that begins at column first: row 0, and column 0 if the strip
// has it.
func initStrip(strip []float64, width, first int) {
	for j := range strip[:width] {
		strip[j] = float64(first + j)
	}
	for i := 0; first == 0 && i*width < len(strip); i++ {
		strip[i*width] = float64(i)
	}
}

// sweepFirst sweeps one block of rank 0's strip, the len(edge)-1 rows below row top, and leaves the block's last column
// in edge. Column 0 of the strip is the block's left neighbour.
func sweepFirst(strip []float64, width, top int, edge []float64) {
	block := strip[top*width:]
	for i := range edge {
		edge[i] = block[i*width]
	}
	sweepBlock(block[1:], width, width-1, edge)
}

// sweepInner does the same for another rank; edge has the left neighbour's last column.
func sweepInner(strip []float64, width, top int, edge []float64) {
	sweepBlock(strip[top*width:], width, width, edge)
}

// now reads the clock. Tests replace it by the clock of another machine.
var now = trial.Now

// sweep computes this phase. It replaces the left neighbour's last column in edge by the strip's own. Rank 0 has no
// left neighbour: the message that begins its timestep has the corner, as the last value of edge. Rank 0 reads the
// clock at the start of timestep 1, or of timestep 0 if there is no other: timestep 0 warms up.
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
