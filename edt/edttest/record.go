package edttest

import (
	"errors"
	"slices"
)

// errCut ends a run that the search does not follow to its end.
var errCut = errors.New("edttest: the schedule was cut off")

// A record keeps what was chosen in a run, and what else could have been. A nil record keeps nothing.
type record struct {
	moves  []move  // what was not chosen as usual
	points []point // in the order in which the choices came
	limit  int     // the most EDTs to run
	cut    bool    // the run came to the limit
}

// A point is a choice, with what else could have been chosen: the numbers from lo to hi-1 without skip.
type point struct {
	choice
	lo, hi, skip int
}

// others calls f with the move to each alternative, until f returns false.
func (p point) others(f func(move) bool) bool {
	if p.op == opHold {
		return f(newMove(opHold, p.at))
	}
	for arg := p.lo; arg < p.hi; arg++ {
		if arg != p.skip && !f(newMove(p.op, p.at, arg)) {
			return false
		}
	}
	return true
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
	r.points = append(r.points, point{choice{h.steps, opIdle}, 0, len(h.workers), -1})
	if before > 1 {
		r.points = append(r.points, point{choice: choice{h.steps, opHold}})
	}
	if held {
		r.moves = append(r.moves, newMove(opHold, h.steps))
	}
	if before > 0 {
		r.note(opRank, h.steps, rankOf(e, h.ready), 0, len(h.ready)+1)
	}
	if !e.task.Place().Strict() {
		r.note(opWorker, h.steps, w%h.workersEach, usualWorker(h, e), h.workersEach)
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

func (r *record) note(op byte, at, chosen, usual, n int) {
	if chosen != usual {
		r.moves = append(r.moves, newMove(op, at, chosen))
	}
	r.points = append(r.points, point{choice{at, op}, 0, n, usual})
}

func (r *record) join(nth, at, waiting int) {
	if r != nil {
		r.note(opJoin, nth, at, waiting, waiting+1)
	}
}

func (r *record) atOnce(e entry, free []int, w int) {
	if r == nil {
		return
	}
	if w >= 0 {
		r.moves = append(r.moves, newMove(opOverlap, e.arrival, w))
	}
	r.points = append(r.points, point{choice{e.arrival, opOverlap}, free[0], free[0] + 1, -1})
}
