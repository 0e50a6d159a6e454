package overhead

import (
	"context"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// warmRounds are the rounds of a lane that are not timed.
const warmRounds = 2

// A work is the rounds of a form with EDTs: a lane of rounds on each worker, or one lane whose graphs run on all
// workers.
type work struct {
	ops   int  // of a round
	alone bool // one lane, on worker 0
	// open creates the objects of a lane, and returns the function that begins a round. The round ends when this function,
	// or an EDT that it has created, calls l.end or l.ended.
	open func(c *edt.Ctx, l *lane) (round func(c *edt.Ctx))
}

// as makes the work a form of a row. The text becomes the form's Does; it is "" for rows without other runtimes.
func (w work) as(does string) Form { return Form{Does: does, Once: w.once} }

// lanes are the lanes of one run.
//
// Concurrency: the EDTs of a lane's rounds, which run one after the other, use the lane's fields. All lanes read the
// words warm and stop: rounds are timed from when all lanes are warm until the first lane has timed enough, so all
// workers work during the timed part.
type lanes struct {
	work
	ctx   context.Context
	bench *Bench
	all   []lane
	warm  atomic.Int32
	stop  atomic.Bool
}

// A lane is one worker's sequence of rounds.
type lane struct {
	*lanes
	worker        int
	round         *edt.Template
	rounds, timed int
	isTimed       bool  // this round is timed
	began         int64 // clock at the beginning of the round
	busy          int64 // ns of the timed rounds
	_             [64]byte
}

func (w work) once(ctx context.Context, b *Bench) (s Sample, err error) {
	r := &lanes{work: w, ctx: ctx, bench: b, all: make([]lane, b.Workers)}
	if w.alone {
		r.all = r.all[:1]
	}
	got, err := b.Run(ctx, r.main)
	if err != nil {
		return s, err
	}
	for k := range r.all {
		s.Ops, s.Elapsed = s.Ops+w.ops*r.all[k].timed, s.Elapsed+time.Duration(r.all[k].busy)
	}
	for _, n := range []struct {
		what      string
		got, want uint64
	}{
		{"EDTs run or destroyed", got.EDTRun + got.EDTDestroyed, got.EDTCreated + 1}, // main is not created
		{"events destroyed", got.EventDestroyed, got.EventCreated},
		{"blocks destroyed", got.BlockDestroyed, got.BlockCreated},
	} {
		if n.got != n.want {
			return s, trial.Wrong("", n.what, n.got, n.want)
		}
	}
	return s, nil
}

func (r *lanes) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	for k := range r.all {
		l := &r.all[k]
		l.lanes, l.worker = r, k
		round := r.open(c, l)
		l.round = template(c, "overhead.round", 0, func(c *edt.Ctx) {
			l.isTimed = int(r.warm.Load()) == len(r.all)
			l.began = trial.Now()
			round(c)
		})
		c.NewEDTAt(l.home(c), l.round, nil)
	}
	return guid.Null
}

// end ends a round that took from its beginning until now.
func (l *lane) end(c *edt.Ctx) { l.ended(c, trial.Now()-l.began) }

// ended ends a round whose operations took this many ns. It begins the next, unless the lanes stop.
func (l *lane) ended(c *edt.Ctx, took int64) {
	l.rounds++
	if l.isTimed {
		l.timed, l.busy = l.timed+1, l.busy+took
		if b := l.bench; b.Rounds == 0 && l.busy >= b.Target.Nanoseconds() || b.Rounds != 0 && l.timed >= b.Rounds {
			l.stop.Store(true)
		}
		if l.stop.Load() {
			return
		}
	}
	if l.rounds == warmRounds {
		l.warm.Add(1)
	}
	c.NewEDTAt(l.home(c), l.round, nil)
}

func (l *lane) home(c *edt.Ctx) edt.Affinity { return c.Bind(l.worker) }

// spawn returns a function that creates two EDTs: one calls the first function, the other calls the second function
// after the end of the first EDT, or, if finish is set, of all EDTs in the scope of the first.
func spawn(c *edt.Ctx, at edt.Affinity, finish bool, do, then func(c *edt.Ctx)) (round func(c *edt.Ctx)) {
	first, last := template(c, "overhead.do", 0, do), template(c, "overhead.then", 1, then)
	return func(c *edt.Ctx) {
		done := c.NewEvent(edt.Once)
		c.NewEDTAt(at, last, nil, edt.From(done, datablock.Null))
		c.Spawn(first, &edt.Spec{Finish: finish, OutputEvent: done, Hint: edt.Hint{Affinity: at}})
	}
}

// scoped returns a work of rounds that each build and run a graph in a finish scope, on all workers.
func scoped(ops int, build func(c *edt.Ctx)) work {
	return work{ops: ops, alone: true, open: func(c *edt.Ctx, l *lane) func(*edt.Ctx) {
		return spawn(c, 0, true, build, l.end)
	}}
}

// template makes a template of EDTs without parameters.
func template(c *edt.Ctx, name string, slots int, do func(c *edt.Ctx)) *edt.Template {
	return c.NewTemplate(name, 0, slots, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		do(c)
		return guid.Null
	})
}

// expect ends the run if a value is not what it must be.
func expect(what string, want, got uint64) {
	if want != got {
		panic(trial.Wrong("", what, got, want))
	}
}
