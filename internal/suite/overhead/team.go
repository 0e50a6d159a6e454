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

// A workerTeam is one run of a row. Each of its lanes works in rounds on its worker: first a few that are not timed;
// when all lanes have had those, the heap's state is noted and the timed ones begin; the first lane that has worked
// long enough ends the rounds of all. So whatever is timed has the others working beside it.
//
// Concurrency: a lane's fields are used by the EDT that runs its round, and the next round is made ready by that EDT;
// stop is polled. What main, begin and last write they pass to each other through the graph.
type workerTeam struct {
	bench *Bench
	pool  Pool
	// round does a round, or starts one, and has ended called when it is over.
	round func(c *edt.Ctx, l *lane)
	hooks

	lanes       []*lane
	stop        atomic.Bool
	own         edt.Counters // of what the team itself made
	spent       spent
	ready, over guid.GUID // latches: all lanes are warm, all are through
	start       guid.GUID
	next        *edt.Template
}

// hooks are what a row does around its rounds, nil for nothing: open readies a lane on its
// worker; begin is the same once for the run, before; last comes after all rounds. They
// count what they create, and what comes of it, in own of the lane or of the team.
type hooks struct {
	begin  func(r *workerTeam, c *edt.Ctx)
	open   func(c *edt.Ctx, l *lane)
	last   func(r *workerTeam, c *edt.Ctx)
	counts edt.Counters // of an operation
}

// A lane is what a worker has in a team.
type lane struct {
	team   *workerTeam
	worker int
	warm   int
	n      int // operations of a batch

	busy   int64  // ns in timed operations
	ops    uint64 // that were timed
	all    uint64 // of all rounds
	rounds int    // that were timed
	warmed uint64 // operations of rounds before
	own    edt.Counters
	began  int64

	objects, targets []guid.GUID // of a call
	templates        []*edt.Template
	block            guid.GUID
	_                [64]byte
}

// newTeam makes a team with these lanes, on the first workers of the pool.
func newTeam(b *Bench, p Pool, lanes int, h hooks) *workerTeam {
	r := &workerTeam{bench: b, pool: p, hooks: h}
	for k := range lanes {
		r.lanes = append(r.lanes, &lane{team: r, worker: k, warm: warmRounds})
	}
	return r
}

// sample runs the team and verifies what it has counted.
func (r *workerTeam) sample(ctx context.Context) (Sample, error) {
	counts, err := r.bench.run(ctx, r.main, r.pool)
	if err != nil {
		return Sample{}, err
	}
	s := Sample{Counts: counts}
	want := r.own
	want.EDTRun++ // main
	for _, l := range r.lanes {
		want = plus(want, l.own, times(r.counts, l.all))
		s.Ops += l.ops
		s.Rounds += l.all - l.warmed
		s.All += l.all
		s.Busy += time.Duration(l.busy)
		if l.busy > 0 {
			s.Rate += float64(l.ops) / float64(l.busy) * 1e9
		}
	}
	s.account(&r.spent)
	return s, r.bench.verify(counts.Counters, want)
}

// main sets the lanes to work.
func (r *workerTeam) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	n := int64(len(r.lanes))
	r.ready, r.over, r.start = c.NewLatch(n), c.NewLatch(n), c.NewEvent(edt.Sticky)
	r.own = plus(edt.Counters{EventCreated: 3}, ran(2))
	if r.begin != nil {
		r.begin(r, c)
	}
	r.next = r.template(c, "overhead.round", 1, 0, r.nextRound)
	first := r.template(c, "overhead.first", 1, 1, r.nextRound)
	begin := r.template(c, "overhead.begin", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		r.spent.begin(r.bench)
		c.Satisfy(r.start, guid.Null)
		r.own.EventSatisfied++
		return guid.Null
	})
	last := r.template(c, "overhead.last", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		r.spent.end(r.bench)
		c.DestroyEvent(r.start)
		r.own.EventDestroyed += 3
		if r.last != nil {
			r.last(r, c)
		}
		return guid.Null
	})
	c.NewEDTAt(c.Bind(0), begin, nil, edt.From(r.ready, datablock.Null))
	c.NewEDTAt(c.Bind(0), last, nil, edt.From(r.over, datablock.Null))
	for k, l := range r.lanes {
		l.own = plus(l.own, ran(2))
		c.NewEDTAt(c.Bind(l.worker), first, edt.Params(uint64(k)), edt.From(r.start, datablock.Null))
		c.NewEDTAt(c.Bind(l.worker), r.next, edt.Params(uint64(k)))
	}
	return guid.Null
}

// template makes a template of the run, which it counts.
func (r *workerTeam) template(c *edt.Ctx, name string, params, slots int, body edt.Func) *edt.Template {
	r.own.TemplateCreated++
	return c.NewTemplate(name, params, slots, body)
}

// nextRound is the body of a round.
func (r *workerTeam) nextRound(c *edt.Ctx, in edt.Args) guid.GUID {
	l := r.lanes[in.Param(0)]
	if l.all == 0 && r.open != nil {
		r.open(c, l)
	}
	l.began = trial.Now()
	r.round(c, l)
	return guid.Null
}

// ended is the end of a round of ops operations, which took elapsed ns.
func (l *lane) ended(c *edt.Ctx, ops int, elapsed int64) {
	r := l.team
	l.all += uint64(ops)
	if l.warm > 0 {
		l.warmed = l.all
		if l.warm--; l.warm == 0 {
			l.own.EventSatisfied++
			c.Satisfy(r.ready, guid.Null)
			return
		}
		l.again(c)
		return
	}
	l.rounds++
	l.ops += uint64(ops)
	l.busy += elapsed
	if r.bench.enough(l.rounds, l.busy) {
		r.stop.Store(true)
	}
	if r.stop.Load() {
		l.own.EventSatisfied++
		c.Satisfy(r.over, guid.Null)
		return
	}
	l.again(c)
}

// again makes the next round.
func (l *lane) again(c *edt.Ctx) {
	l.own = plus(l.own, ran(1))
	c.NewEDTAt(c.Bind(l.worker), l.team.next, edt.Params(l.index()))
}

func (l *lane) index() uint64 { return uint64(l.worker) } // lanes are on the first workers
