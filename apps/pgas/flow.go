package pgas

import (
	"time"

	"ocr/apps/shmem"
	"ocr/edt"
	"ocr/guid"
)

// A flowRun is one PE in the edt form: the same phases and the same transfers as in the
// direct form, as a graph that unfolds.
type flowRun struct {
	*plan
	*tally
	flow  *shmem.Flow
	me    int
	start starter // starts iteration i, if the PE calls

	now        phase
	first, end int   // iterations of the phase
	started    int64 // when it began
	paused     int64 // when a pause that is not counted began
	drawn      []draw
	moment     moment  // of the check that runs
	resume     starter // what follows it

	begin               *shmem.Meeting
	prepared, inspected *shmem.Step
	ended, decided      *shmem.Step
	reported            *shmem.Step

	// Of PE 0:
	calibrator *calibrator
	waitedFor  int   // PEs that have not ended the phase
	next       phase // what comes then
}

// flowProgram is the edt form.
var flowProgram = shmem.NewFlow("pgas.flow", func(_ *edt.Ctx, flow *shmem.Flow) func(c *edt.Ctx) {
	plan := planFor(flow.Arg())
	f := &flowRun{
		plan: plan, tally: new(tally), flow: flow, me: flow.Rank(), now: plan.firstPhase(), waitedFor: plan.cfg.PEs,
	}
	if f.me == 0 {
		f.calibrator = &calibrator{plan: plan}
	}
	f.begin = flow.NewBarrier(func(c *edt.Ctx, _ shmem.Op) { f.beginPhase(c) })
	f.prepared = flow.NewVisit(false, f.prepareOwn, f.begin.Enter)
	f.inspected = flow.NewVisit(false,
		func(segments [][]byte, op shmem.Op) { f.note(f.inspect(segments[f.me], f.me, op.Tag, f.moment)) },
		func(c *edt.Ctx, op shmem.Op) { f.resume(c, op.Tag) })
	f.ended = flow.NewNotice(func(c *edt.Ctx, _ shmem.Op) { f.countEnded(c) })
	f.decided = flow.NewNotice(func(c *edt.Ctx, op shmem.Op) { f.enterPhase(c, phase{phaseKind(op.Tag), op.Bytes}) })
	f.reported = flow.NewVisit(false,
		func(segments [][]byte, _ shmem.Op) { f.report(segments[f.me][f.reportAt():]) },
		func(c *edt.Ctx, _ shmem.Op) { flow.End(c) })
	f.start = f.kernel()
	return func(c *edt.Ctx) { f.prepared.Start(c, f.own(), guid.Null) }
})

// own is the operation of what a PE does by itself.
func (f *flowRun) own() shmem.Op { return shmem.Op{Origin: f.me} }

// prepareOwn fills the PE's segment.
func (f *flowRun) prepareOwn(segments [][]byte, _ shmem.Op) {
	f.prepare(segments[f.me], f.me)
	if f.now.kind == checking {
		f.beginChecks(segments[f.me], f.me)
	}
	f.drawn = f.drawAll(f.me)
}

// beginPhase starts the PE's loop, when all PEs have entered the phase.
func (f *flowRun) beginPhase(c *edt.Ctx) {
	n := f.batch(f.now)
	f.first, f.end = f.total, f.total+n
	if f.now.kind == timed {
		f.tally.begin(n)
	}
	f.started = now()
	if !f.active(f.me) {
		f.endBatch(c)
		return
	}
	f.start(c, f.first)
}

// passed counts iteration i as done, and reports whether the batch goes on.
func (f *flowRun) passed(c *edt.Ctx, i int) bool {
	done := i + 1 - f.first
	if f.now.kind == timed && done >= f.markAt {
		f.mark(done)
	}
	if i+1 < f.end {
		return true
	}
	f.endBatch(c)
	return false
}

// advance goes from iteration i to the next.
func (f *flowRun) advance(c *edt.Ctx, i int) {
	if f.passed(c, i) {
		f.start(c, i+1)
	}
}

// endBatch is the end of a PE's loop. It notifies PE 0, which decides what is next.
func (f *flowRun) endBatch(c *edt.Ctx) {
	f.total = f.end
	if f.now.kind == timed {
		f.iterations = f.end - f.first
		f.tally.end()
	}
	elapsed, n := now()-f.started, f.batch(f.now)
	f.pace = float64(elapsed) / float64(n)
	if f.now.kind == warmUp {
		f.warmup = n
	}
	if f.me == 0 {
		f.next = f.calibrator.after(f.now, time.Duration(elapsed))
	}
	f.ended.Notify(c, shmem.Op{Origin: 0})
}

// countEnded counts a PE that has ended the phase. After the last, PE 0 sends the next phase to all.
func (f *flowRun) countEnded(c *edt.Ctx) {
	if f.waitedFor--; f.waitedFor > 0 {
		return
	}
	f.waitedFor = f.cfg.PEs
	next := f.next // which the next phase changes
	for pe := range f.cfg.PEs {
		f.decided.Notify(c, shmem.Op{Origin: pe, Tag: int(next.kind), Bytes: next.n})
	}
}

// enterPhase starts the next phase of a PE.
func (f *flowRun) enterPhase(c *edt.Ctx, next phase) {
	before := f.now
	f.now = next
	switch {
	case next.kind == over:
		f.reported.Start(c, f.own(), guid.Null)
	case before.kind == checking:
		f.prepared.Start(c, f.own(), guid.Null)
	default:
		f.begin.Enter(c, f.own())
	}
}

// checking reports whether the phase is the one of the checks.
func (f *flowRun) checking() bool { return f.now.kind == checking }

// at is a moment of an iteration: in the checking phase, an EDT does the PE's part first.
func (f *flowRun) at(c *edt.Ctx, m moment, i int, then starter) {
	if !f.checking() {
		then(c, i)
		return
	}
	f.resume, f.moment = then, m
	f.inspected.Start(c, shmem.Op{Origin: f.me, Tag: i}, guid.Null)
}
