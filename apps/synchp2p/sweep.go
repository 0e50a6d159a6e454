package synchp2p

import "ocr/apps/trial"

// sweep computes the block of this phase of any rank but 0: from edge, the left
// neighbour's last column, to edge, its own.
func (s *rankState) sweep(strip, edge []float64) {
	if s.isFirst() {
		initStrip(strip, s.width, s.first)
	}
	sweepInner(strip, s.width, s.top(), edge)
}

// sweep does the same for rank 0, whose left neighbour is column 0 of the grid.
// corner is what came with the message that begins a timestep. The clock starts
// with timestep 1: timestep 0 warms up, unless there is no other.
func (h *headState) sweep(strip []float64, corner float64, edge []float64) {
	if h.isFirst() {
		initStrip(strip, h.width, h.first)
	}
	if h.phase == 0 && h.timestep <= 1 {
		h.started = trial.Now()
	}
	if h.receives() {
		h.corners.note(corner)
		strip[0] = -corner
	}
	sweepFirst(strip, h.width, h.top(), edge)
}
