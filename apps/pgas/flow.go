package pgas

import (
	"time"

	"ocr/apps/shmem"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A flowRun is a run in the edt form: the same phases and the same transfers as in the
// direct form, as a graph that unfolds.
type flowRun struct {
	*plan
	app   *App
	world *shmem.World
	flow  *shmem.Flow
	pes   []flowPE
	start func(c *edt.Ctx, pe, i int) // starts iteration i of a PE that calls

	begin, agreed        *shmem.Meeting
	prepared, inspection *edt.Template
	latch                guid.GUID
}

// A flowPE is where one PE stands. Only its own EDTs use it, all on its worker.
type flowPE struct {
	*tally
	now        phase
	first, end int     // iterations of the phase
	resume     starter // what follows a moment of the checks
	started    int64   // when it began
	pending    int     // transfers of the window that are under way
	paused     int64   // when a pause that is not counted began
	drawn      []draw
	_          [128]byte
}

// startFlow starts the graph. The event triggers when all PEs have gone through all phases; then
// cleanUp destroys what is left of it.
func (a *App) startFlow(c *edt.Ctx, world *shmem.World) (ended guid.GUID, cleanUp func(*edt.Ctx)) {
	f := &flowRun{plan: a.plan, app: a, world: world, flow: world.NewFlow(), pes: make([]flowPE, a.cfg.PEs)}
	ended = c.NewEvent(edt.Sticky)
	f.latch = c.NewLatch(int64(a.cfg.PEs))
	c.AddDependence(f.latch, ended, 0, datablock.Null)
	f.begin = f.flow.NewBarrier(c, f.beginPhase)
	f.agreed = f.flow.NewBarrier(c, f.enterPhase)
	f.makeTemplates(c)
	f.start = f.kernel(c)
	for pe := range f.pes {
		f.pes[pe].tally = &a.tallies[pe]
		f.pes[pe].now = f.firstPhase()
		c.NewEDTAt(c.Bind(pe), f.prepared, nil, edt.From(world.Blocks()[pe], datablock.RW))
	}
	return ended, func(c *edt.Ctx) {
		c.DestroyEvent(ended)
		c.DestroyTemplate(f.prepared)
		c.DestroyTemplate(f.inspection)
	}
}

// makeTemplates makes the EDTs between the phases.
func (f *flowRun) makeTemplates(c *edt.Ctx) {
	f.prepared = c.NewTemplate("pgas.prepare", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		pe := c.Worker()
		f.prepare(f.world.Segment(in.Dep(0)), pe)
		if f.pes[pe].now.kind == checking {
			f.beginChecks(f.world.Segment(in.Dep(0)), pe)
		}
		f.pes[pe].drawn = f.drawAll(pe)
		c.Release(in.Dep(0).GUID())
		f.begin.Enter(c, shmem.Op{Origin: pe})
		return guid.Null
	})
	f.inspection = c.NewTemplate("pgas.inspect", 2, f.cfg.PEs, func(c *edt.Ctx, in edt.Args) guid.GUID {
		pe, i := c.Worker(), int(in.Param(0))
		f.look(pe, i, moment(in.Param(1)), in)
		for pe := range f.cfg.PEs {
			c.Release(in.Dep(pe).GUID())
		}
		f.pes[pe].resume(c, pe, i)
		return guid.Null
	})
}

// beginPhase is what a PE does when all have entered a phase.
func (f *flowRun) beginPhase(c *edt.Ctx, op shmem.Op) {
	p := &f.pes[op.Origin]
	n := f.batch(p.now)
	p.first, p.end = p.total, p.total+n
	if p.now.kind == timed {
		p.begin(n)
	}
	p.started = now()
	if !f.active(op.Origin) {
		f.endBatch(c, op.Origin)
		return
	}
	f.start(c, op.Origin, p.first)
}

// passed counts iteration i of a PE as done, and reports whether the batch goes on.
func (f *flowRun) passed(c *edt.Ctx, pe, i int) bool {
	p := &f.pes[pe]
	done := i + 1 - p.first
	if p.now.kind == timed && done >= p.markAt {
		p.mark(done)
	}
	if i+1 < p.end {
		return true
	}
	f.endBatch(c, pe)
	return false
}

// advance goes from iteration i to the next.
func (f *flowRun) advance(c *edt.Ctx, pe, i int) {
	if f.passed(c, pe, i) {
		f.start(c, pe, i+1)
	}
}

// endBatch is the end of a PE's loop. PE 0 decides what is next, and all wait for it.
func (f *flowRun) endBatch(c *edt.Ctx, pe int) {
	p := &f.pes[pe]
	p.total = p.end
	if p.now.kind == timed {
		p.iterations = p.end - p.first
		p.tally.end()
	}
	elapsed, n := now()-p.started, f.batch(p.now)
	p.pace = float64(elapsed) / float64(n)
	if p.now.kind == warmUp {
		p.warmup = n
	}
	if pe == 0 {
		f.app.next = f.app.calibrator.after(p.now, time.Duration(elapsed))
	}
	f.agreed.Enter(c, shmem.Op{Origin: pe})
}

// enterPhase takes a PE into what was agreed.
func (f *flowRun) enterPhase(c *edt.Ctx, op shmem.Op) {
	pe, next := op.Origin, f.app.next
	p := &f.pes[pe]
	before := p.now
	p.now = next
	switch {
	case next.kind == over:
		p.ended = true
		c.Satisfy(f.latch, guid.Null)
	case before.kind == checking:
		c.NewEDTAt(c.Bind(pe), f.prepared, nil, edt.From(f.world.Blocks()[pe], datablock.RW))
	default:
		f.begin.Enter(c, shmem.Op{Origin: pe})
	}
}
