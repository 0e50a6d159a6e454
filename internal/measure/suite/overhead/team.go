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

// work is what the lanes of a team do. Its functions are nil for nothing, but for round.
type work struct {
	begin func(r *team, c *edt.Ctx) // once, before all lanes
	open  func(c *edt.Ctx, l *lane) // before a lane's first round, on its worker
	round func(c *edt.Ctx, l *lane) // does or starts a round; its end is a call of lane.ended
	last  func(r *team, c *edt.Ctx) // once, after all rounds
	// The runtime's counts that come of it: for each operation, round and lane, and once. What a team itself does is
	// not among them.
	perOp, perRound, perLane, perRun edt.Counters
}

// A team is one run of a row. Each of its lanes works in rounds on its own worker. First it
// has warmRounds that are not timed; when all lanes have had those, the heap's state is noted and
// the timed rounds begin; the first lane that has worked long enough ends the rounds of
// all. So all lanes work at the same time while rounds are timed.
//
// Concurrency: a lane's fields are used by the EDT that runs its round, and the next
// round is made ready by that EDT; stop is polled. What main, begin and last write they
// pass to each other through the graph.
type team struct {
	work
	bench       *Bench
	lanes       []*lane
	stop        atomic.Bool
	templates   uint64
	spent       Spent
	ready, over guid.GUID // latches: all lanes are warm, all are through
	start       guid.GUID // sticky event of the timed rounds
	next        *edt.Template
}

// A lane is one worker's part of a team.
type lane struct {
	team   *team
	worker int

	rounds    uint64 // that have ended, the warm ones included
	all, ops  uint64 // operations of all rounds, and of those that were timed
	busy      int64  // ns that ops took
	began     int64  // clock at the beginning of the round
	templates []*edt.Template
	block     guid.GUID

	// Of a call:
	n                int         // operations of a batch
	objects, targets []guid.GUID // n each
	elapsed          int64       // of the batch
	_                [64]byte
}

// ofTeam and ofLane are the counts of a team itself: its main EDT, the beginning and the end with their latches and the
// event between them, and the satisfactions of each lane.
var (
	ofTeam = plus(ran(2), edt.Counters{EDTRun: 1}, times(3, anEvent), satisfied)
	ofLane = times(2, satisfied)
)

// sample runs the work with lanes on the first workers of a pool, and verifies the runtime's counts.
func (w work) sample(ctx context.Context, b *Bench, p Pool, lanes int) (Sample, error) {
	r := &team{work: w, bench: b}
	for k := range lanes {
		r.lanes = append(r.lanes, &lane{team: r, worker: k})
	}
	counts, err := b.run(ctx, r.main, p)
	if err != nil {
		return Sample{}, err
	}
	s := Sample{Counts: counts, Spent: r.spent}
	want := plus(ofTeam, w.perRun, edt.Counters{TemplateCreated: r.templates})
	for _, l := range r.lanes {
		rounds := times(l.rounds, plus(ran(1), w.perRound))
		want = plus(want, ofLane, w.perLane, rounds, times(l.all, w.perOp))
		s.Ops += l.ops
		s.All += l.all
		s.Busy += time.Duration(l.busy)
		if l.busy > 0 {
			s.Rate += float64(l.ops) / float64(l.busy) * 1e9
		}
	}
	return s, b.verify(counts.Counters, want)
}

// main sets the lanes to work.
func (r *team) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	n := int64(len(r.lanes))
	r.ready, r.over, r.start = c.NewLatch(n), c.NewLatch(n), c.NewEvent(edt.Sticky)
	if r.begin != nil {
		r.begin(r, c)
	}
	r.next = r.template(c, "overhead.round", 1, 0, r.nextRound)
	first := r.template(c, "overhead.first", 1, 1, r.nextRound)
	begin := r.template(c, "overhead.begin", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		r.spent.begin()
		c.Satisfy(r.start, guid.Null)
		return guid.Null
	})
	last := r.template(c, "overhead.last", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		r.spent.end()
		c.DestroyEvent(r.start)
		if r.last != nil {
			r.last(r, c)
		}
		return guid.Null
	})
	c.NewEDTAt(c.Bind(0), begin, nil, edt.From(r.ready, datablock.Null))
	c.NewEDTAt(c.Bind(0), last, nil, edt.From(r.over, datablock.Null))
	for _, l := range r.lanes {
		c.NewEDTAt(c.Bind(l.worker), first, l.params(), edt.From(r.start, datablock.Null))
		c.NewEDTAt(c.Bind(l.worker), r.next, l.params())
	}
	return guid.Null
}

// template makes a template of the run.
func (r *team) template(c *edt.Ctx, name string, params, slots int, body edt.Func) *edt.Template {
	r.templates++
	return c.NewTemplate(name, params, slots, body)
}

// nextRound is the body of a round.
func (r *team) nextRound(c *edt.Ctx, in edt.Args) guid.GUID {
	l := r.lanes[in.Param(0)]
	if l.rounds == 0 && r.open != nil {
		r.open(c, l)
	}
	l.began = trial.Now()
	r.round(c, l)
	return guid.Null
}

// ended is called at the end of a round with the number of its operations, which took elapsed ns. It makes the next
// round.
func (l *lane) ended(c *edt.Ctx, ops int, elapsed int64) {
	r, timed := l.team, l.isWarm()
	l.rounds++
	l.all += uint64(ops)
	if timed {
		l.ops += uint64(ops)
		l.busy += elapsed
		if r.bench.enough(l.rounds-warmRounds, l.busy) {
			r.stop.Store(true)
		}
	}
	switch {
	case l.rounds == warmRounds:
		c.Satisfy(r.ready, guid.Null)
	case timed && r.stop.Load():
		c.Satisfy(r.over, guid.Null)
	default:
		c.NewEDTAt(c.Bind(l.worker), r.next, l.params())
	}
}

// isWarm reports whether the rounds of the lane are timed by now.
func (l *lane) isWarm() bool { return l.rounds >= warmRounds }

// params are the parameters of EDTs that work for the lane: its number.
func (l *lane) params() []uint64 { return edt.Params(uint64(l.worker)) }

// What a run is to be counted as is put together from these.
var (
	anEvent    = edt.Counters{EventCreated: 1, EventDestroyed: 1}
	aBlock     = edt.Counters{BlockCreated: 1, BlockDestroyed: 1}
	waitingEDT = edt.Counters{EDTCreated: 1, EDTDestroyed: 1} // destroyed before it has run
	satisfied  = edt.Counters{EventSatisfied: 1}
	dependence = edt.Counters{DependenceAdded: 1}
)

// ran counts n EDTs that are created and run.
func ran(n int) edt.Counters { return edt.Counters{EDTCreated: uint64(n), EDTRun: uint64(n)} }

func plus(all ...edt.Counters) edt.Counters {
	var sum edt.Counters
	for i := range all {
		sum.Add(&all[i])
	}
	return sum
}

// times returns n times the counts, by doubling.
func times(n uint64, c edt.Counters) (product edt.Counters) {
	for ; n > 0; n, c = n/2, plus(c, c) {
		if n%2 == 1 {
			product.Add(&c)
		}
	}
	return product
}
