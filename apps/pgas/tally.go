package pgas

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"
	"unsafe"

	"ocr/apps/trial"
	"ocr/datablock"
)

// now is the clock. A test that must not depend on time has another here.
var now = trial.Now

// A tally is what one PE counts and measures. Only that PE's EDTs use it, all on one worker. At its end the PE writes a
// report of it to its segment, which the last EDT of the run reads.
type tally struct {
	total      int // iterations of all phases
	warmup     int
	iterations int   // timed
	wrong      error // the first that the checking phase found, a *trial.VerifyError

	timing    Timing        // of the timed part
	excluded  time.Duration // what was done within it without counting it
	planned   int           // iterations of the timed part
	markEvery int           // iterations
	markAt    int           // how many iterations are behind the PE at its next mark
	pace      float64       // ns an iteration took in the phase before
}

// Marks are at least leastSlice apart, and not too many.
const (
	maxMarks   = 1024
	leastSlice = 4000 // ns
)

// begin starts the timed part of n iterations.
func (t *tally) begin(n int) {
	t.planned, t.iterations, t.excluded = n, 0, 0
	t.timing.Marks = make([]Mark, 0, maxMarks)
	slices := max(min(t.pace*float64(n)/leastSlice, maxMarks), 1)
	t.markEvery = int(math.Ceil(float64(n) / slices))
	t.markAt = min(t.markEvery, n)
	t.timing.Start = time.Duration(now())
}

// mark notes the time after a number of iterations, and sets the next mark.
func (t *tally) mark(iterations int) {
	t.timing.Marks = append(t.timing.Marks, Mark{Iterations: iterations, At: t.counted()})
	t.markAt = min(iterations+t.markEvery, t.planned)
}

// counted is the time without the excluded parts.
func (t *tally) counted() time.Duration { return time.Duration(now()) - t.excluded }

// exclude leaves the time since a moment of the timed part out.
func (t *tally) exclude(since int64) { t.excluded += time.Duration(now() - since) }

// end ends the timed part, of which the last mark is the end.
func (t *tally) end() {
	t.timing.End = t.counted()
	marks := t.timing.Marks
	if k := len(marks) - 1; k >= 0 && marks[k].Iterations == t.iterations {
		marks = marks[:k]
	}
	t.timing.Marks = append(marks, Mark{Iterations: t.iterations, At: t.timing.End})
}

// note keeps the first error.
func (t *tally) note(err error) { t.wrong = cmp.Or(t.wrong, err) }

// A report is a tally in a segment. Behind it are its marks, and the text of what was found wrong.
type report struct {
	Ended                     int // 0 until it is written
	Total, Warmup, Iterations int
	Start, End, Excluded      time.Duration
	Marks, Wrong              int // of marks, of bytes
}

const (
	reportHead  = int(unsafe.Sizeof(report{}))
	reportMarks = (maxMarks + 1) * int(unsafe.Sizeof(Mark{}))
	reportBytes = reportHead + reportMarks + 1<<10
)

// report writes the tally.
func (t *tally) report(b []byte) {
	r := report{1, t.total, t.warmup, t.iterations, t.timing.Start, t.timing.End, t.excluded, 0, 0}
	r.Marks = copy(datablock.ElementsOf[Mark](b[reportHead:][:reportMarks]), t.timing.Marks)
	var wrong *trial.VerifyError
	if errors.As(t.wrong, &wrong) {
		text, _ := wrong.MarshalText()
		r.Wrong = copy(b[reportHead+reportMarks:reportBytes], text)
	}
	datablock.ElementsOf[report](b[:reportHead])[0] = r
}

// reported reads a tally; ok is false if the PE was stopped before its end.
func reported(b []byte) (t tally, ok bool) {
	r := datablock.ElementsOf[report](b[:reportHead])[0]
	if r.Ended == 0 {
		return t, false
	}
	t = tally{total: r.Total, warmup: r.Warmup, iterations: r.Iterations, excluded: r.Excluded}
	t.timing = Timing{Start: r.Start, End: r.End}
	t.timing.Marks = slices.Clone(datablock.ElementsOf[Mark](b[reportHead:][:reportMarks])[:r.Marks])
	if text := b[reportHead+reportMarks:][:r.Wrong]; len(text) > 0 {
		wrong := new(trial.VerifyError)
		if err := wrong.UnmarshalText(text); err != nil {
			panic(err)
		}
		t.wrong = wrong
	}
	return t, true
}
