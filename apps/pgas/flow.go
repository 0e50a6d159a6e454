package pgas

import (
	"ocr/apps/shmem"
	"ocr/edt"
)

// A follower is what an EDT runs at its end.
type follower = func(c *edt.Ctx)

// flow is a PE in the edt form: the same phases and transfers as in the direct form, each an EDT that starts the next.
type flow struct {
	*runner
	*shmem.Flow
	i, last int      // iteration; end of the phase
	markAt  int      // the iteration after this slice
	start   follower // starts iteration i
	timed   bool

	fill, finish *shmem.Step
	look         *shmem.Step // inspects the segment at a moment of the checks
	moment       moment
	looked       follower // runs after look
	paused       int64    // clock at the begin of a time that does not count
}

var flowProgram = shmem.InFlow(func(c *edt.Ctx, pe *shmem.Flow) {
	f := &flow{runner: newRunner(pe.Arg(), pe.Rank()), Flow: pe}
	f.start = f.kernel()
	begin := func(c *edt.Ctx) { f.start(c) }
	f.fill = f.NewStep(f.runner.fill, func(c *edt.Ctx) {
		if f.last = f.warmUps(); f.checking {
			f.last = checkRounds
		}
		f.i = 0
		f.Barrier(c, begin)
	})
	f.finish = f.NewStep(f.runner.finish, f.End)
	f.look = f.NewStep(func(pe *shmem.PE) { f.inspect(pe.Segment(), f.i, f.moment) },
		func(c *edt.Ctx) { f.looked(c) })
	f.fill.Start(c, f.me)
})

// next runs after an iteration: it starts the next one, or the next phase when all PEs have ended this phase.
func (f *flow) next(c *edt.Ctx) {
	f.i++
	if f.timed && (f.i == f.last || f.i == f.markAt) {
		f.mark()
		f.markAt += f.slice()
	}
	if f.i < f.last {
		f.start(c)
	} else {
		f.Barrier(c, f.nextPhase)
	}
}

func (f *flow) nextPhase(c *edt.Ctx) {
	switch {
	case f.checking:
		f.checking = false
		f.fill.Start(c, f.me)
	case f.timed:
		f.finish.Start(c, 0)
	default:
		f.timed, f.markAt, f.last = true, f.last+f.slice(), f.last+f.Iterations
		f.begin()
		f.start(c)
	}
}

// kernel makes the steps of the test, and returns the follower that starts an iteration.
func (f *flow) kernel() follower {
	partner := f.partner(f.me)
	switch {
	case f.Test == "reduce":
		next := f.next
		return func(c *edt.Ctx) {
			f.SumToAll(c, f.destAt(0), f.sourceAt(f.i), f.Bytes/shmem.ElementBytes, next)
		}
	case f.Test == "reduceinplace":
		return f.reduceInPlace()
	case len(f.test.Syncs) > 0:
		return f.inTurn(partner)
	case !f.active(f.me):
		return func(c *edt.Ctx) {
			f.i = f.last - 1
			f.next(c)
		}
	case f.Test == "putget":
		get := f.NewStep(func(pe *shmem.PE) { f.getBack(pe, f.i) }, f.next)
		put := f.NewStep(func(pe *shmem.PE) { f.put(pe, f.i) }, func(c *edt.Ctx) { get.Start(c, partner) })
		return func(c *edt.Ctx) { put.Start(c, partner) }
	}
	move := f.step(f.next)
	if f.test.Random {
		return func(c *edt.Ctx) { move.Start(c, f.drawn[f.i&(f.draws-1)].pe) }
	}
	return func(c *edt.Ctx) { move.Start(c, partner) }
}

func (f *flow) step(then follower) *shmem.Step {
	move := f.mover()
	return f.NewStep(func(pe *shmem.PE) { move(pe, f.i) }, then)
}

// inTurn is put-put and get-get, as the direct form's inTurn.
func (f *flow) inTurn(partner int) follower {
	second := f.sync(partner, LostSecond, f.inspected(closing, f.next))
	if f.isOrigin(f.me) {
		move := f.step(f.sync(partner, LostSync, second))
		return f.inspected(opening, func(c *edt.Ctx) { move.Start(c, partner) })
	}
	move := f.step(second)
	return f.sync(partner, LostSync, f.inspected(middle, func(c *edt.Ctx) { move.Start(c, partner) }))
}

// sync returns a follower that notifies the partner, waits for the partner's notification, and then calls the given
// follower. In the checks, if the Fault argument is the configured fault, it only calls that follower.
func (f *flow) sync(partner int, left Fault, then follower) follower {
	return func(c *edt.Ctx) {
		if f.checking && f.Fault == left {
			then(c)
			return
		}
		f.Notify(c, partner)
		f.Wait(c, then)
	}
}

// inspected returns a follower that calls the given one. In the checks an EDT first inspects the segment at moment m.
func (f *flow) inspected(m moment, then follower) follower {
	return func(c *edt.Ctx) {
		if !f.checking {
			then(c)
			return
		}
		f.moment, f.looked = m, then
		f.look.Start(c, f.me)
	}
}

func (f *flow) reduceInPlace() follower {
	next := f.next
	sum := func(c *edt.Ctx) {
		f.SumToAll(c, f.destAt(0), f.destAt(0), f.Bytes/shmem.ElementBytes, next)
	}
	renewed := func(c *edt.Ctx) {
		f.exclude(f.paused)
		sum(c)
	}
	renew := f.NewStep(func(pe *shmem.PE) { f.renew(pe, f.i) }, func(c *edt.Ctx) { f.Barrier(c, renewed) })
	return func(c *edt.Ctx) {
		if f.i%f.renewal() != 0 {
			sum(c)
			return
		}
		f.paused = now()
		renew.Start(c, f.me)
	}
}
