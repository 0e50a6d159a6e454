package pgas

import (
	"encoding/binary"
	"time"

	"ocr/apps/shmem"
	"ocr/edt"
)

// A runner is one PE in the direct form: the EDT that runs all of a test's phases.
type runner struct {
	*plan
	*tally
	pe      *shmem.PE
	me      int
	partner int
	segment []byte
	drawn   []draw
	loop    func(first, end int) // the test's loop, over iterations first to end-1
	idle    bool                 // the PE only takes part in barriers

	checking   bool        // the phase is the one of the checks
	calibrator *calibrator // of PE 0
}

// directProgram is the direct form: the body of a PE's EDT.
var directProgram = shmem.NewProgram("pgas.direct", func(_ *edt.Ctx, pe *shmem.PE) {
	plan, me := planFor(pe.Arg()), pe.Rank()
	r := &runner{
		plan: plan, tally: new(tally), pe: pe, me: me, partner: plan.partner(me), segment: pe.Segment(),
		idle: !plan.active(me),
	}
	if me == 0 {
		r.calibrator = &calibrator{plan: plan}
	}
	r.prepare(r.segment, me)
	r.drawn = r.drawAll(me)
	r.loop = r.kernel()
	pe.Barrier()
	for h := r.firstPhase(); h.kind != over; {
		next := r.agree(h, r.run(h))
		if h.kind == checking {
			r.prepare(r.segment, me)
		}
		h = next
	}
	r.report(r.segment[r.reportAt():])
})

// run takes the PE through a phase, and returns how long it took.
func (r *runner) run(h phase) time.Duration {
	n := r.batch(h)
	if r.checking = h.kind == checking; r.checking {
		r.beginChecks(r.segment, r.me)
	}
	r.pe.Barrier()
	if h.kind == timed {
		r.begin(n)
		r.runTimed(n)
		r.end()
		return 0
	}
	start := now()
	r.iterate(n)
	r.pe.Quiet()
	elapsed := now() - start
	r.pace = float64(elapsed) / float64(n)
	if h.kind == warmUp {
		r.warmup = n
	}
	return time.Duration(elapsed)
}

// runTimed is the timed part: the loop, in slices between marks, and completion.
func (r *runner) runTimed(n int) {
	for r.iterations < n {
		next := min(r.markAt, n)
		r.iterate(next - r.iterations)
		r.iterations = next
		r.mark(next)
	}
	r.pe.Quiet()
}

// Bounds of a piece of a loop. Between two pieces a PE checks whether the run was cancelled.
const (
	pieceIterations = 1 << 16
	pieceBytes      = 64 << 20
)

// iterate goes through n iterations.
func (r *runner) iterate(n int) {
	piece := max(1, min(pieceIterations, pieceBytes/r.cfg.Bytes))
	for end := r.total + n; r.total < end; r.pe.Check() {
		next := min(r.total+piece, end)
		r.loop(r.total, next)
		r.total = next
	}
}

// agree returns the next phase: PE 0 decides it, and puts it to all.
func (r *runner) agree(h phase, elapsed time.Duration) phase {
	at := r.agreementAt()
	if r.me == 0 {
		next := r.calibrator.after(h, elapsed)
		var decision [16]byte
		binary.LittleEndian.PutUint64(decision[:], uint64(next.kind))
		binary.LittleEndian.PutUint64(decision[8:], uint64(next.n))
		for pe := range r.cfg.PEs {
			r.pe.Put(pe, at, decision[:])
		}
	}
	r.pe.Barrier()
	decided := r.segment[at:]
	return phase{phaseKind(binary.LittleEndian.Uint64(decided)), int(binary.LittleEndian.Uint64(decided[8:]))}
}

// kernel returns the PE's loop.
func (r *runner) kernel() func(first, end int) {
	switch r.cfg.Test {
	case "putput":
		if r.flagged() {
			return r.putPutFlag
		}
		return r.inTurn(r.put)
	case "getget":
		return r.inTurn(r.get)
	case "reduce":
		return r.reduceSeparate
	case "reduceinplace":
		return r.reduceInPlace
	}
	if r.idle {
		return func(int, int) {}
	}
	switch r.cfg.Test {
	case "putget":
		return r.putGet
	case "putbw", "putbibw":
		return r.puts
	case "getbw", "getbibw":
		return r.gets
	}
	return r.scattered
}

// message is the message of iteration i, arrival the destination of its get.
func (r *runner) message(i int) []byte { return r.segment[r.sourceAt(i):][:r.cfg.Bytes] }

func (r *runner) arrival(i int) []byte { return r.segment[r.destAt(i):][:r.cfg.Bytes] }
