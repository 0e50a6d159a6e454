package pgas

import (
	"ocr/apps/shmem"
	"ocr/edt"
	"ocr/guid"
)

// A starter starts iteration i.
type starter = func(c *edt.Ctx, i int)

// kernel makes the steps of the test.
func (f *flowRun) kernel() starter {
	switch f.cfg.Test {
	case "putget":
		return f.putGet()
	case "putput", "getget":
		return f.pairwise()
	case "reduce":
		return f.reduceSeparate()
	case "reduceinplace":
		return f.reduceInPlace()
	}
	return f.transfersOnly()
}

// step makes the test's put or get.
func (f *flowRun) step(then shmem.Then) *shmem.Step {
	switch get := f.isGet(); {
	case f.test.Uses.Stride:
		return f.flow.NewStrided(get, f.width, f.strides(), then)
	case get:
		return f.flow.NewGet(then)
	}
	return f.flow.NewPut(then)
}

// op is the transfer of iteration i, that of a PE.
func (f *flowRun) op(pe, i int) shmem.Op {
	op := shmem.Op{
		Origin: pe, Target: f.partner(pe), Dst: f.destAt(i), Src: f.sourceAt(i), Bytes: f.cfg.Bytes, Tag: i,
	}
	if !f.test.Uses.Random {
		return op
	}
	d := f.drawn[i&(f.draws-1)]
	op.Target = d.pe
	if f.isGet() {
		op.Src = d.at
	} else {
		op.Dst = d.at
	}
	return op
}

// transfersOnly: each transfer starts the next.
func (f *flowRun) transfersOnly() starter {
	return f.mover(f.step(func(c *edt.Ctx, op shmem.Op) { f.advance(c, op.Tag) }))
}

// putGet: the get is started by the end of the put.
func (f *flowRun) putGet() starter {
	get := f.flow.NewGet(func(c *edt.Ctx, op shmem.Op) { f.advance(c, op.Tag) })
	put := f.flow.NewPut(func(c *edt.Ctx, op shmem.Op) {
		op.Src, op.Dst = op.Dst, f.backAt(op.Tag)
		get.Start(c, op, guid.Null)
	})
	return f.mover(put)
}

// mover starts the transfers of a step.
func (f *flowRun) mover(move *shmem.Step) starter {
	return func(c *edt.Ctx, i int) { move.Start(c, f.op(f.me, i), guid.Null) }
}

// pairwise is put-put and get-get with two notifications an iteration. A notification is an event; it releases the
// transfer of the PE that is notified. After the last iteration it releases nothing but the origin's count.
func (f *flowRun) pairwise() starter {
	var move, checked *shmem.Step
	partner, origin := f.partner(f.me), f.cfg.Origin(f.me)
	notify := func(c *edt.Ctx, op shmem.Op) {
		if f.checking() {
			checked.Notify(c, op)
		} else {
			move.Notify(c, op)
		}
	}
	last := f.flow.NewNotice(func(c *edt.Ctx, op shmem.Op) { f.at(c, closing, op.Tag, f.advance) })
	answered := func(c *edt.Ctx, i int) {
		if i+1 < f.end {
			notify(c, f.op(partner, i+1))
		} else {
			last.Notify(c, shmem.Op{Origin: partner, Tag: i})
		}
		f.passed(c, i)
	}
	move = f.step(func(c *edt.Ctx, op shmem.Op) {
		i := op.Tag
		if !origin {
			f.at(c, closing, i, answered)
			return
		}
		if i > f.first {
			f.passed(c, i-1) // it was notified of its end
		}
		notify(c, f.op(partner, i))
	})
	start := f.mover(move)
	open := func(c *edt.Ctx, i int) { f.at(c, opening, i, start) }
	checked = f.flow.NewNotice(func(c *edt.Ctx, op shmem.Op) {
		i := op.Tag
		if !origin {
			f.at(c, middle, i, start)
			return
		}
		f.at(c, closing, i-1, func(c *edt.Ctx, _ int) { open(c, i) })
	})
	// The partner must have begun the phase before it is notified of a transfer: it notifies the origin, which waits
	// for that. The origin sends no such notice: nothing would wait for it, not even the partner's end.
	begun := 0
	both := func(c *edt.Ctx) {
		if begun++; begun == 2 {
			begun = 0
			open(c, f.first)
		}
	}
	ready := f.flow.NewNotice(func(c *edt.Ctx, _ shmem.Op) { both(c) })
	return func(c *edt.Ctx, _ int) {
		if origin {
			both(c)
		} else {
			ready.Notify(c, shmem.Op{Origin: partner})
		}
	}
}

func (f *flowRun) reduceSeparate() starter {
	sum := f.flow.NewSum(shmem.Int32, func(c *edt.Ctx, op shmem.Op) { f.advance(c, op.Tag) })
	return func(c *edt.Ctx, i int) {
		sum.Enter(c, shmem.Op{Origin: f.me, Dst: f.destAt(0), Src: f.sourceAt(i), Bytes: f.cfg.Bytes, Tag: i})
	}
}

// reduceInPlace sets the operand again every renewal iterations, by a put of each PE to itself
// and a barrier, outside of the timing.
func (f *flowRun) reduceInPlace() starter {
	sum := f.flow.NewSum(shmem.Int32, func(c *edt.Ctx, op shmem.Op) { f.advance(c, op.Tag) })
	at, renewal := f.destAt(0), f.renewal()
	inPlace := func(i int) shmem.Op {
		return shmem.Op{Origin: f.me, Dst: at, Src: at, Bytes: f.cfg.Bytes, Tag: i}
	}
	renewed := f.flow.NewBarrier(func(c *edt.Ctx, op shmem.Op) {
		f.exclude(f.paused)
		sum.Enter(c, inPlace(op.Tag))
	})
	renew := f.flow.NewPut(func(c *edt.Ctx, op shmem.Op) { renewed.Enter(c, op) })
	return func(c *edt.Ctx, i int) {
		if i%renewal != 0 {
			sum.Enter(c, inPlace(i))
			return
		}
		f.paused = now()
		op := inPlace(i)
		op.Target, op.Src = f.me, f.sourceAt(i/renewal)
		renew.Start(c, op, guid.Null)
	}
}
