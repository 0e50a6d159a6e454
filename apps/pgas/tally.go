package pgas

import "time"

// A tally is what one PE counts and measures. Only that PE's EDTs use it, all on one worker,
// until the last EDT of the run collects it.
type tally struct {
	total      int // iterations of all phases
	warmup     int
	iterations int // timed
	ended      bool
	wrong      error // the first that the checking phase found

	started, stopped int64 // of the timed part; see now
	excluded         int64 // of the loop, ns: what the test does between timed pieces
	marks            []Mark
	planned          int     // iterations of the timed part
	markEvery        float64 // iterations
	markAt           int     // how many iterations are behind the PE at its next mark
	pace             float64 // ns an iteration took in the phase before

	_ [128]byte
}

// Marks are at least leastSlice apart, and not too many.
const (
	maxMarks   = 1024
	leastSlice = 4000 // ns
)

// begin starts the timed part of n iterations.
func (t *tally) begin(n int) {
	t.planned, t.iterations, t.excluded = n, 0, 0
	t.marks = make([]Mark, 0, maxMarks)
	slices := min(t.pace*float64(n)/leastSlice, maxMarks, float64(n))
	t.markEvery = float64(n) / max(slices, 1)
	t.aim(0)
	t.started = now()
}

// mark notes the time after so many iterations.
func (t *tally) mark(iterations int) {
	t.marks = append(t.marks, Mark{Iterations: iterations, At: time.Duration(now() - t.excluded)})
	t.aim(iterations)
}

// aim sets the next mark, with so many iterations behind the PE.
func (t *tally) aim(iterations int) {
	next := int(float64(len(t.marks)+1)*t.markEvery + 0.5)
	t.markAt = min(max(next, iterations+1), t.planned)
}

// end ends the timed part, of which the last mark is the end.
func (t *tally) end() {
	t.stopped = now() - t.excluded
	last := Mark{Iterations: t.iterations, At: time.Duration(t.stopped)}
	if k := len(t.marks) - 1; k >= 0 && t.marks[k].Iterations == t.iterations {
		t.marks[k] = last
		return
	}
	t.marks = append(t.marks, last)
}

// note keeps the first error.
func (t *tally) note(err error) {
	if t.wrong == nil {
		t.wrong = err
	}
}

// timing returns what was measured, for a result.
func (t *tally) timing(pe, partner int) Timing {
	return Timing{
		PE: pe, Partner: partner, Marks: t.marks,
		Start: time.Duration(t.started), End: time.Duration(t.stopped), Excluded: time.Duration(t.excluded),
	}
}
