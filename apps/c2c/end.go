package c2c

import (
	"ocr/apps/trial"
	"ocr/datablock/cell"
)

// burst is the number of polls in one call of half a microsecond. burstBatch is the number of bursts in vain before an
// end checks anything else: about 10 us, so that a transfer never includes the check.
const (
	burst      = 512
	burstBatch = 16
)

// An end is one of the two threads of a polled trial.
type end[T cell.Word] struct {
	mine, theirs []T // elements that this end and the other one write

	*polling
	side     int   // 0: A, which sends first
	deadline int64 // of the meeting, the warm-up, then the timed part
	alone    bool  // the other end is known to be on another processor
}

// runEnd runs one end of a polled trial over a block for the elements.
func (p *polling) runEnd(side int, block []byte) {
	byWidth := map[int]func(*polling, int, []byte){
		1: runEnd[uint8], 2: runEnd[uint16], 4: runEnd[uint32], 8: runEnd[uint64],
	}
	byWidth[p.Width](p, side, block)
}

func runEnd[T cell.Word](p *polling, side int, block []byte) {
	a, b := written[T](p.Config, block)
	if side == 1 {
		a, b = b, a
	}
	e := &end[T]{mine: a, theirs: b, polling: p, side: side}
	e.run(&p.reports[side])
}

func (e *end[T]) run(r *report) {
	r.before = trial.See()
	if r.met = e.meet(r.before.CPU); !r.met {
		return
	}
	kernel, warm := e.kernel(), uint64(e.Warmup)
	e.allow()
	if kernel(0, warm) {
		start := e.allow()
		if kernel(warm, warm+uint64(e.Transfers)) {
			r.elapsed = trial.Now() - start
		}
	}
	r.after = trial.See()
}

// allow sets the deadline of the part that begins now, and returns the time.
func (e *end[T]) allow() int64 {
	now := trial.Now()
	e.deadline = now + e.Limit.Nanoseconds()
	return now
}

// meet waits until both ends run, and reports whether they do. A clock starts only after that. Each end stores its CPU.
func (e *end[T]) meet(at int) bool {
	e.allow()
	here, other := &e.ready[e.side].word, &e.ready[1-e.side].word
	cpu := uint64(at + 2) // 1: unknown
	cell.Store(here, cpu)
	for bursts := 1; !cell.Reach(other, 1, burst); bursts++ {
		if bursts%burstBatch == 0 && !e.goOn() {
			// The other end may have arrived, and even have given up, since the last poll.
			return cell.Load(other) != 0
		}
	}
	e.alone = cpu != 1 && cell.Load(other) != 1 && cell.Load(other) != cpu
	return true
}

// goOn is called after polls in vain. It returns false if the other end has given up, or if the time is over: then it
// stops the other end too. Else it yields, as the other end may need this processor. Ends on two processors do not
// yield: on a busy machine each would lose its processor after a few microseconds, and both would rarely run at once.
func (e *end[T]) goOn() bool {
	if cell.Load(&e.stop.word) != 0 {
		return false
	}
	if trial.Now() > e.deadline {
		cell.Store(&e.stop.word, 1)
		return false
	}
	if !e.alone {
		trial.Yield()
	}
	return true
}

func (e *end[T]) kernel() func(from, to uint64) bool {
	if e.Test == Array {
		return [2]func(from, to uint64) bool{e.serveArrays, e.answerArrays}[e.side]
	}
	return [2]func(from, to uint64) bool{e.serveWords, e.answerWords}[e.side]
}

// await polls an element until it holds v.
func (e *end[T]) await(p *T, v T) bool {
	for bursts := 1; !cell.Await(p, v, burst); bursts++ {
		if bursts%burstBatch == 0 && !e.goOn() {
			return false
		}
	}
	return true
}

// reply polls an element until it holds v, and then writes v+1 to a second element.
func (e *end[T]) reply(in, out *T, v T) bool {
	for bursts := 1; !cell.Reply(in, out, v, v+1, burst); bursts++ {
		if bursts%burstBatch == 0 && !e.goOn() {
			return false
		}
	}
	return true
}

// awaitAll polls the elements of s, one after the other, until each holds v.
func (e *end[T]) awaitAll(s []T, v T) bool {
	for bursts := 1; ; bursts++ {
		n := cell.AwaitAll(s, v, burst)
		if n == len(s) {
			return true
		}
		s = s[n:]
		if bursts%burstBatch == 0 && !e.goOn() {
			return false
		}
	}
}
