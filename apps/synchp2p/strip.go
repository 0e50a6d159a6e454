package synchp2p

import "ocr/apps/trial"

// A strip is some neighbouring columns of the grid: N rows of its width, row-major, in memory of its own. The first
// column of strip 0 is the grid's left border; another strip receives the column to its left from the left
// neighbour, block by block.

// initStrip sets those points of a zeroed strip that are on the grid's border: row 0, and column 0 if the strip has it.
// The argument first is the strip's first column.
func initStrip(points []float64, width, first int) {
	for j := range points[:width] {
		points[j] = float64(first + j)
	}
	for i := 0; first == 0 && i*width < len(points); i++ {
		points[i*width] = float64(i)
	}
}

// sweepFirst sweeps one block of strip 0, the len(edge)-1 rows below row top, and leaves the block's last column
// in edge. Column 0 of the strip is the block's left neighbour.
func sweepFirst(points []float64, width, top int, edge []float64) {
	block := points[top*width:]
	for i := range edge {
		edge[i] = block[i*width]
	}
	sweepBlock(block[1:], width, width-1, edge)
}

// sweepInner is sweepFirst for a strip other than strip 0; edge has the left neighbour's last column.
func sweepInner(points []float64, width, top int, edge []float64) {
	sweepBlock(points[top*width:], width, width, edge)
}

// now reads the clock. Tests replace it by the clock of another machine.
var now = trial.Now

// sweep computes this phase. It replaces the left neighbour's last column in edge by the strip's own. Strip 0 has no
// left neighbour: the message that begins its timestep has the corner, as the last value of edge. Strip 0 reads the
// clock at the start of timestep 1, or of timestep 0 if there is no other: timestep 0 warms up.
func (s *state) sweep(points, edge []float64) {
	top := s.phase * s.rowsPerBlock
	if s.timestep == 0 && top == 0 {
		initStrip(points, s.width, s.first)
	}
	if s.strip != 0 {
		sweepInner(points, s.width, top, edge)
		return
	}
	if top == 0 && s.timestep <= 1 {
		s.started = now()
	}
	if s.receives() {
		points[0] = -edge[s.rowsPerBlock]
	}
	sweepFirst(points, s.width, top, edge)
}
