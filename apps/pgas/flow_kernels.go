package pgas

import (
	"ocr/apps/shmem"
	"ocr/edt"
	"ocr/guid"
)

// A starter starts iteration i of a PE.
type starter = func(c *edt.Ctx, pe, i int)

// kernel makes the steps of the test.
func (f *flowRun) kernel(c *edt.Ctx) starter {
	switch f.cfg.Test {
	case "putget":
		return f.putGet(c)
	case "putput", "getget":
		if f.cfg.Sync == Pairwise {
			return f.pairwise(c)
		}
		return f.barriers(c)
	case "sync":
		return f.syncs(c)
	case "reduce":
		return f.reduceSeparate(c)
	case "reduceinplace":
		return f.reduceInPlace(c)
	}
	return f.transfersOnly(c)
}

// step makes the test's put or get.
func (f *flowRun) step(c *edt.Ctx, then shmem.Then) *shmem.Step {
	switch get := f.isGet(); {
	case f.test.Uses.Stride:
		return f.flow.NewStrided(c, get, f.width, f.strides(), then)
	case get:
		return f.flow.NewGet(c, then)
	}
	return f.flow.NewPut(c, then)
}

// op is the transfer of a PE's iteration.
func (f *flowRun) op(pe, i int) shmem.Op {
	op := shmem.Op{
		Origin: pe, Target: f.partner(pe), Dst: f.destAt(i), Src: f.sourceAt(i), Bytes: f.cfg.Bytes, Tag: i,
	}
	if !f.test.Uses.Random {
		return op
	}
	d := f.pes[pe].drawn[i&(f.draws-1)]
	op.Target = d.pe
	if f.isGet() {
		op.Src = d.at
	} else {
		op.Dst = d.at
	}
	return op
}

// transfersOnly: each window of transfers is started when the one before is complete. Within a
// window, those into different slots are independent; into the same one, each starts the next.
func (f *flowRun) transfersOnly(c *edt.Ctx) starter {
	window := f.window()
	lanes := min(window, f.slots)
	var move *shmem.Step
	move = f.step(c, func(c *edt.Ctx, op shmem.Op) {
		p := &f.pes[op.Origin]
		last := op.Tag | (window - 1)
		if next := op.Tag + lanes; next <= last {
			move.Start(c, f.op(op.Origin, next), guid.Null)
		}
		if p.pending--; p.pending == 0 {
			f.advance(c, op.Origin, last)
		}
	})
	return func(c *edt.Ctx, pe, i int) {
		f.pes[pe].pending = window
		for k := range lanes {
			move.Start(c, f.op(pe, i+k), guid.Null)
		}
	}
}

// putGet: the get is started by the end of the put.
func (f *flowRun) putGet(c *edt.Ctx) starter {
	get := f.flow.NewGet(c, func(c *edt.Ctx, op shmem.Op) { f.advance(c, op.Origin, op.Tag) })
	put := f.flow.NewPut(c, func(c *edt.Ctx, op shmem.Op) {
		op.Src, op.Dst = op.Dst, f.backAt(op.Tag)
		get.Start(c, op, guid.Null)
	})
	return f.mover(put)
}

// barriers is put-put and get-get with barriers, in the suite's form: the origin
// moves, sync, sync; the partner sync, moves, sync. The tag of a barrier is twice the
// iteration, plus one for the second.
func (f *flowRun) barriers(c *edt.Ctx) starter {
	var enter func(c *edt.Ctx, pe, tag int)
	move := f.step(c, func(c *edt.Ctx, op shmem.Op) {
		if f.cfg.Origin(op.Origin) {
			enter(c, op.Origin, 2*op.Tag)
		} else {
			enter(c, op.Origin, 2*op.Tag+1)
		}
	})
	begin := f.mover(move)
	met := func(c *edt.Ctx, op shmem.Op) {
		i, second := op.Tag/2, op.Tag%2 == 1
		switch {
		case second:
			f.at(c, closing, op.Origin, i, f.advance)
		case f.cfg.Origin(op.Origin):
			enter(c, op.Origin, op.Tag+1)
		default:
			f.at(c, middle, op.Origin, i, begin)
		}
	}
	sync := f.flow.NewBarrier(c, met)
	enter = func(c *edt.Ctx, pe, tag int) {
		op := shmem.Op{Origin: pe, Tag: tag}
		if f.checking(pe) && f.omits(tag%2) {
			met(c, op)
			return
		}
		sync.Enter(c, op)
	}
	return func(c *edt.Ctx, pe, i int) {
		if f.cfg.Origin(pe) {
			f.at(c, opening, pe, i, begin)
		} else {
			enter(c, pe, 2*i)
		}
	}
}

// mover starts the transfers of a step.
func (f *flowRun) mover(move *shmem.Step) starter {
	return func(c *edt.Ctx, pe, i int) { move.Start(c, f.op(pe, i), guid.Null) }
}

// pairwise is put-put and get-get with two notifications an iteration. A notification
// is an event; it releases the transfer of the PE that is notified. After the last
// iteration it releases nothing but the origin's count.
func (f *flowRun) pairwise(c *edt.Ctx) starter {
	var move, checked *shmem.Step
	notify := func(c *edt.Ctx, op shmem.Op) {
		if f.checking(f.partner(op.Origin)) {
			checked.Notify(c, op)
		} else {
			move.Notify(c, op)
		}
	}
	last := f.flow.NewNotice(c, func(c *edt.Ctx, op shmem.Op) { f.at(c, closing, op.Origin, op.Tag, f.advance) })
	answered := func(c *edt.Ctx, me, i int) {
		partner := f.partner(me)
		if i+1 < f.pes[me].end {
			notify(c, f.op(partner, i+1))
		} else {
			last.Notify(c, shmem.Op{Origin: partner, Tag: i})
		}
		f.passed(c, me, i)
	}
	move = f.step(c, func(c *edt.Ctx, op shmem.Op) {
		me, i := op.Origin, op.Tag
		if !f.cfg.Origin(me) {
			f.at(c, closing, me, i, answered)
			return
		}
		if i > f.pes[me].first {
			f.passed(c, me, i-1) // it was notified of its end
		}
		notify(c, f.op(op.Target, i))
	})
	start := f.mover(move)
	open := func(c *edt.Ctx, me, i int) { f.at(c, opening, me, i, start) }
	checked = f.flow.NewNotice(c, func(c *edt.Ctx, op shmem.Op) {
		me, i := op.Origin, op.Tag
		if !f.cfg.Origin(me) {
			f.at(c, middle, me, i, start)
			return
		}
		f.at(c, closing, me, i-1, func(c *edt.Ctx, me, _ int) { open(c, me, i) })
	})
	// Both must have begun the phase before either is notified.
	ready := f.flow.NewPairSync(c, f.partner, func(c *edt.Ctx, op shmem.Op) {
		if f.cfg.Origin(op.Origin) {
			open(c, op.Origin, op.Tag)
		}
	})
	return func(c *edt.Ctx, pe, i int) { ready.Enter(c, shmem.Op{Origin: pe, Tag: i}) }
}

// syncs is synchronisation alone.
func (f *flowRun) syncs(c *edt.Ctx) starter {
	met := func(c *edt.Ctx, op shmem.Op) { f.at(c, closing, op.Origin, op.Tag, f.advance) }
	var sync *shmem.Meeting
	if f.cfg.Sync == Pairwise {
		sync = f.flow.NewPairSync(c, f.partner, met)
	} else {
		sync = f.flow.NewBarrier(c, met)
	}
	enter := func(c *edt.Ctx, pe, i int) {
		op := shmem.Op{Origin: pe, Tag: i}
		if f.checking(pe) && f.omits(0) {
			met(c, op)
			return
		}
		sync.Enter(c, op)
	}
	return func(c *edt.Ctx, pe, i int) { f.at(c, opening, pe, i, enter) }
}

func (f *flowRun) reduceSeparate(c *edt.Ctx) starter {
	sum := f.flow.NewSum(c, shmem.Int32, func(c *edt.Ctx, op shmem.Op) { f.advance(c, op.Origin, op.Tag) })
	return func(c *edt.Ctx, pe, i int) {
		sum.Enter(c, shmem.Op{Origin: pe, Dst: f.destAt(0), Src: f.sourceAt(i), Bytes: f.cfg.Bytes, Tag: i})
	}
}

// reduceInPlace sets the operand again every renewal iterations, by a put of each PE to itself
// and a barrier, outside of the timing.
func (f *flowRun) reduceInPlace(c *edt.Ctx) starter {
	sum := f.flow.NewSum(c, shmem.Int32, func(c *edt.Ctx, op shmem.Op) { f.advance(c, op.Origin, op.Tag) })
	at, renewal := f.destAt(0), f.renewal()
	inPlace := func(pe, i int) shmem.Op {
		return shmem.Op{Origin: pe, Dst: at, Src: at, Bytes: f.cfg.Bytes, Tag: i}
	}
	renewed := f.flow.NewBarrier(c, func(c *edt.Ctx, op shmem.Op) {
		p := &f.pes[op.Origin]
		p.exclude(p.paused)
		sum.Enter(c, inPlace(op.Origin, op.Tag))
	})
	renew := f.flow.NewPut(c, func(c *edt.Ctx, op shmem.Op) { renewed.Enter(c, op) })
	return func(c *edt.Ctx, pe, i int) {
		if i%renewal != 0 {
			sum.Enter(c, inPlace(pe, i))
			return
		}
		f.pes[pe].paused = now()
		op := inPlace(pe, i)
		op.Target, op.Src = pe, f.sourceAt(i/renewal)
		renew.Start(c, op, guid.Null)
	}
}
