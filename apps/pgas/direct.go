package pgas

import (
	"ocr/apps/shmem"
	"ocr/edt"
)

// directProgram is the direct form: each PE is one EDT, which runs all phases.
var directProgram = shmem.Direct(func(_ *edt.Ctx, pe *shmem.PE) {
	d := &direct{runner: newRunner(pe.Arg(), pe.Rank()), pe: pe}
	loop := d.loop()
	if d.checking {
		d.fill(pe)
		pe.Barrier()
		loop(0, checkRounds)
		pe.Barrier()
		d.checking = false
	}
	d.fill(pe)
	pe.Barrier()
	warm := d.warmUps()
	d.iterate(loop, 0, warm)
	pe.Quiet()
	pe.Barrier()
	d.begin()
	for first, end := warm, warm+d.Iterations; first < end; d.mark() {
		next := min(first+d.slice(), end)
		d.iterate(loop, first, next)
		if first = next; first == end {
			pe.Quiet()
		}
	}
	pe.Barrier()
	d.finish(pe)
})

type direct struct {
	*runner
	pe *shmem.PE
}

// Bounds of a piece of a loop. Between two pieces a PE checks whether the run was cancelled.
const (
	pieceIterations = 1 << 16
	pieceBytes      = 64 << 20
)

func (d *direct) iterate(loop func(first, end int), first, end int) {
	piece := max(1, min(pieceIterations, pieceBytes/d.Bytes))
	for next := first; first < end; first = next {
		next = min(first+piece, end)
		loop(first, next)
		d.pe.Check()
	}
}

// loop returns the PE's loop over iterations first to end-1.
func (d *direct) loop() func(first, end int) {
	switch {
	case d.Test == "reduce":
		return d.reduce
	case d.Test == "reduceinplace":
		return d.reduceInPlace
	case d.flagged():
		return d.putPutFlag
	case len(d.test.Syncs) > 0:
		return d.inTurn(d.mover())
	case !d.active(d.me):
		return func(int, int) {}
	case d.Test == "putget":
		return d.putGet
	case d.test.Strided || d.test.Random:
		return d.scatter
	case d.test.Gets:
		return d.gets
	}
	return d.puts
}

func (d *direct) putGet(first, end int) {
	for i := first; i < end; i++ {
		d.put(d.pe, i)
		d.pe.Quiet()
		d.getBack(d.pe, i)
	}
}

// puts completes each put by itself.
func (d *direct) puts(first, end int) {
	for i := first; i < end; i++ {
		d.put(d.pe, i)
		d.pe.Quiet()
	}
}

func (d *direct) gets(first, end int) {
	for i := first; i < end; i++ {
		d.get(d.pe, i)
	}
}

// scatter makes strided and random transfers, and completes each put by itself.
func (d *direct) scatter(first, end int) {
	for i := first; i < end; i++ {
		if d.scattered(d.pe, i); !d.test.Gets {
			d.pe.Quiet()
		}
	}
}

// inTurn runs put-put or get-get. The origin does: move, sync, sync; its partner: sync, move, sync.
func (d *direct) inTurn(move func(pe *shmem.PE, i int)) func(first, end int) {
	origin := d.isOrigin(d.me)
	return func(first, end int) {
		for i := first; i < end; i++ {
			if origin {
				d.at(i, opening)
				move(d.pe, i)
			}
			d.sync(LostSync)
			if !origin {
				d.at(i, middle)
				move(d.pe, i)
			}
			d.sync(LostSecond)
			d.at(i, closing)
		}
	}
}

// sync counts up the partner's word, and waits until the partner has counted up this PE's word. In the checks sync does
// nothing if its argument is the configured fault.
func (d *direct) sync(left Fault) {
	if !d.checking || d.Fault != left {
		d.pe.Notify(d.partner(d.me))
		d.pe.Wait(d.partner(d.me))
	}
}

// at inspects the segment if this is a check: m is the moment of iteration i.
func (d *direct) at(i int, m moment) {
	if d.checking {
		d.inspect(d.pe.Segment(), i, m)
	}
}

// putPutFlag puts a message and then its number, and waits for the partner's number; the partner waits first.
func (d *direct) putPutFlag(first, end int) {
	origin := d.isOrigin(d.me)
	for i := first; i < end; i++ {
		d.at(i, opening)
		if origin {
			d.putFlag(i)
		}
		d.pe.WaitFlag(d.destAt(i)+d.body(), flagOf(i))
		d.at(i, closing)
		if !origin {
			d.putFlag(i)
		}
	}
}

func (d *direct) putFlag(i int) {
	d.pe.PutFlag(d.partner(d.me), d.destAt(i), d.pe.Segment()[d.sourceAt(i):][:d.body()], flagOf(i))
}

// reduce sums into one target. Each iteration begins at another place in the source (see plan.go).
func (d *direct) reduce(first, end int) {
	for i := first; i < end; i++ {
		d.pe.SumToAll(d.destAt(0), d.sourceAt(i), d.Bytes/shmem.ElementBytes)
	}
}

// reduceInPlace sums one vector into itself. Every few iterations it sets the vector again, which is not timed.
func (d *direct) reduceInPlace(first, end int) {
	for i := first; i < end; i++ {
		if i%d.renewal() == 0 {
			begin := now()
			d.renew(d.pe, i)
			d.pe.Barrier()
			d.exclude(begin)
		}
		d.pe.SumToAll(d.destAt(0), d.destAt(0), d.Bytes/shmem.ElementBytes)
	}
}
