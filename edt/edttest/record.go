package edttest

import (
	"errors"
	"slices"
)

// errCut ends a run that the search does not follow to its end.
var errCut = errors.New("edttest: the schedule was cut off")

// A record keeps what was chosen in a run. A nil record keeps nothing.
type record struct {
	moves []move // what was not chosen as usual
	holds []int  // steps at which an EDT could have been postponed
	limit int    // the most EDTs to run
	cut   bool   // the run came to the limit
}

func (r *record) quiet(h *Host, workers []int) {
	if r != nil && !slices.IsSorted(workers) {
		r.moves = append(r.moves, newMove(opQuiet, h.steps, workers...))
	}
}

// step records the choices of a step: e was picked from before ready entries, of which one may have been held. It
// reports false at the limit.
func (r *record) step(h *Host, e entry, before int, held bool, w, idle int) bool {
	if r == nil {
		return true
	}
	if r.cut = h.steps >= r.limit; r.cut {
		return false
	}
	if idle >= 0 {
		r.moves = append(r.moves, newMove(opIdle, h.steps, idle))
	}
	if before > 1 {
		r.holds = append(r.holds, h.steps)
	}
	if held {
		r.moves = append(r.moves, newMove(opHold, h.steps))
	}
	if before > 0 {
		r.note(opRank, h.steps, rankOf(e, h.ready), 0)
	}
	if !e.task.Place().Strict() {
		r.note(opWorker, h.steps, w%h.workersEach, usualWorker(h, e))
	}
	return true
}

// rankOf counts the EDTs that became ready before e.
func rankOf(e entry, ready []entry) (rank int) {
	for _, other := range ready {
		if other.arrival < e.arrival {
			rank++
		}
	}
	return rank
}

func (r *record) note(op byte, at, chosen, usual int) {
	if chosen != usual {
		r.moves = append(r.moves, newMove(op, at, chosen))
	}
}

func (r *record) join(nth, at, waiting int) {
	if r != nil {
		r.note(opJoin, nth, at, waiting)
	}
}

func (r *record) atOnce(e entry, w int) {
	if r != nil && w >= 0 {
		r.moves = append(r.moves, newMove(opOverlap, e.arrival, w))
	}
}
