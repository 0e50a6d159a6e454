package edttest

import (
	"errors"
	"slices"
)

// errCut is the error of a run that the search gives up.
var errCut = errors.New("edttest: the schedule was cut off")

// A record is the choices made in a run. A nil record records nothing.
type record struct {
	moves []move // the choices that were not the usual ones
	holds []int  // steps at which an EDT could have been postponed
	limit int    // the largest number of EDTs to run
	cut   bool   // the run has reached the limit
}

func (r *record) quiet(h *Host, workers []int) {
	if r != nil && !slices.IsSorted(workers) {
		r.moves = append(r.moves, newMove(opQuiet, h.steps, workers...))
	}
}

// step records the choices of a step: entry e was picked from before ready entries, one of which may have been held. It
// returns false at the limit.
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

// rankOf returns how many of the ready entries became ready before e.
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
