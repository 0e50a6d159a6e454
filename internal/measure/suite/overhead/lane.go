package overhead

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// warmRounds are the rounds of a lane that are not timed.
const warmRounds = 2

// work is what lanes do in rounds. Its functions, but for round, may be nil.
type work struct {
	everyWorker bool                         // a lane for each worker; else one, on worker 0
	open        func(c *edt.Ctx, r *lanes)   // before the first round
	round       func(c *edt.Ctx, l *lane)    // does a round, or begins one that a later EDT ends by lane.ended
	end         func(c *edt.Ctx, r *lanes)   // after the last round, on worker 0
	check       func(runtime.Counters) error // of the counters, after the run
	options     []runtime.Option
}

// lanes are those of one run.
//
// Concurrency: the fields of a lane are used by the EDTs of its rounds, one after the other. warm and stop are words
// that all lanes read: rounds are timed from when all lanes are warm to when the first has timed enough of them, so all
// work at the same time meanwhile.
type lanes struct {
	work
	ctx   context.Context
	bench *Bench
	all   []*lane
	warm  atomic.Int32
	stop  atomic.Bool
	over  guid.GUID // a latch: all lanes are through
	next  *edt.Template
}

// A lane is one worker's sequence of rounds.
type lane struct {
	run    *lanes
	worker int

	rounds, timedRounds int
	ops, timedOps       int
	timed               bool  // this round is
	busy                int64 // ns that timedOps took
	began               int64 // clock at the beginning of the round

	// Of calls and of chains that hold a block:
	objects, targets []guid.GUID
	block            guid.GUID
	_                [64]byte
}

// Once is the Form.Once of the work.
func (w work) Once(ctx context.Context, b *Bench) (Sample, error) {
	r := &lanes{work: w, ctx: ctx, bench: b}
	n := 1
	if w.everyWorker {
		n = b.Workers
	}
	for k := range n {
		r.all = append(r.all, &lane{run: r, worker: k})
	}
	counts, err := b.Run(ctx, r.main, w.options...)
	var wrong *trial.VerifyError
	switch {
	case ctx.Err() != nil:
		return Sample{}, context.Cause(ctx)
	case errors.As(err, &wrong): // of a value that an EDT has got
		return Sample{}, wrong
	case err != nil:
		return Sample{}, err
	}
	return r.sample(counts)
}

// sample adds up what the lanes have measured, and sees that the runtime has run or destroyed all that was made.
func (r *lanes) sample(got runtime.Counters) (s Sample, err error) {
	for _, l := range r.all {
		s.Ops, s.All, s.Elapsed = s.Ops+l.timedOps, s.All+l.ops, s.Elapsed+time.Duration(l.busy)
	}
	for _, count := range []struct {
		what      string
		got, want uint64
	}{
		{"EDTs run or destroyed", got.EDTRun + got.EDTDestroyed, got.EDTCreated + 1}, // main is not created
		{"events destroyed", got.EventDestroyed, got.EventCreated},
		{"blocks destroyed", got.BlockDestroyed, got.BlockCreated},
	} {
		if count.got != count.want {
			return s, trial.Wrong("", count.what, count.got, count.want)
		}
	}
	if r.check != nil {
		err = r.check(got)
	}
	return s, err
}

// main is the main EDT.
func (r *lanes) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	r.over = c.NewLatch(int64(len(r.all)))
	if r.open != nil {
		r.open(c, r)
	}
	r.next = c.NewTemplate("overhead.round", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		l := r.all[in.Param(0)]
		l.timed = int(r.warm.Load()) == len(r.all)
		l.began = trial.Now()
		r.round(c, l)
		return guid.Null
	})
	last := c.NewTemplate("overhead.last", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		if r.end != nil {
			r.end(c, r)
		}
		return guid.Null
	})
	c.NewEDTAt(c.Bind(0), last, nil, edt.From(r.over, datablock.Null))
	for _, l := range r.all {
		c.NewEDTAt(l.home(c), r.next, l.params())
	}
	return guid.Null
}

// ended is called at the end of a round with the number of its operations, which took elapsed ns. It makes the next
// round.
func (l *lane) ended(c *edt.Ctx, ops int, elapsed int64) {
	r := l.run
	l.rounds++
	l.ops += ops
	if l.timed {
		l.timedOps, l.busy, l.timedRounds = l.timedOps+ops, l.busy+elapsed, l.timedRounds+1
		if l.hasEnough() {
			r.stop.Store(true)
		}
	}
	if l.rounds == warmRounds {
		r.warm.Add(1)
	}
	if l.timed && r.stop.Load() {
		c.Satisfy(r.over, guid.Null)
	} else {
		c.NewEDTAt(l.home(c), r.next, l.params())
	}
}

func (l *lane) hasEnough() bool {
	if b := l.run.bench; b.Rounds == 0 {
		return l.busy >= b.Target.Nanoseconds()
	}
	return l.timedRounds >= l.run.bench.Rounds
}

func (l *lane) home(c *edt.Ctx) edt.Affinity { return c.Bind(l.worker) }

// params are the parameters of EDTs that work for the lane: its number.
func (l *lane) params() []uint64 { return edt.Params(uint64(l.worker)) }

// expect ends the run if a value is not what it must be.
func expect(what string, want, got uint64) {
	if want != got {
		panic(trial.Wrong("", what, got, want))
	}
}
