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

// warmRounds are the rounds of a hand that are not timed.
const warmRounds = 2

// A crew is one run of a row. Each of its hands works in rounds on its worker: first a
// few that are not timed; when all hands have had those, the heap's state is noted and
// the timed ones begin; the first hand that has worked long enough ends the rounds of
// all. So whatever is timed has the others working beside it.
//
// Concurrency: a hand's fields are used by the EDT that runs its round, and the next
// round is made ready by that EDT; stop is polled. What main, begin and last write they
// hand to each other through the graph.
type crew struct {
	bench *Bench
	pool  Pool
	// round does a round, or starts one, and has ended called when it is over.
	round func(c *edt.Ctx, h *hand)
	// open, where not nil, readies a hand on its worker; begin is the same once for
	// the run, before. last comes after all rounds. They count what they create, and
	// what comes of it, in own of the hand or of the crew.
	begin func(c *edt.Ctx)
	open  func(c *edt.Ctx, h *hand)
	last  func(c *edt.Ctx)
	// counts are those of an operation.
	counts edt.Counters

	hands         []*hand
	stop          atomic.Bool
	own           edt.Counters // of what the crew itself made
	before, after heap
	ready, over   guid.GUID // latches: all hands are warm, all are through
	start         guid.GUID
	next          *edt.Template
	shared        guid.GUID // a block of all hands, for rows that have one
}

// A hand is what a worker has in a crew.
type hand struct {
	crew   *crew
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

	events, edts, blocks []guid.GUID
	templates            []*edt.Template
	block                guid.GUID
	_                    [64]byte
}

// newCrew makes a crew of so many hands, on the first workers of the pool.
func newCrew(b *Bench, p Pool, hands int) *crew {
	r := &crew{bench: b, pool: p}
	for k := range hands {
		r.hands = append(r.hands, &hand{crew: r, worker: k, warm: warmRounds})
	}
	return r
}

// sample runs the crew and verifies what it has counted.
func (r *crew) sample(ctx context.Context) (Sample, error) {
	counts, err := r.bench.run(ctx, r.main, r.pool)
	if err != nil {
		return Sample{}, err
	}
	s := Sample{Counts: counts}
	want := r.own
	want.EDTRun++ // main
	for _, h := range r.hands {
		want = plus(want, h.own, times(r.counts, h.all))
		s.Ops += h.ops
		s.Rounds += h.all - h.warmed
		s.All += h.all
		s.Busy += time.Duration(h.busy)
		if h.busy > 0 {
			s.Rate += float64(h.ops) / float64(h.busy) * 1e9
		}
	}
	s.allocated(r.before, r.after)
	return s, r.bench.verify(counts.Counters, want)
}

// main sets the hands to work.
func (r *crew) main(c *edt.Ctx, _ edt.Args) guid.GUID {
	n := int64(len(r.hands))
	r.ready, r.over, r.start = c.NewLatch(n), c.NewLatch(n), c.NewEvent(edt.Sticky)
	r.own = plus(edt.Counters{EventCreated: 3}, ran(2))
	if r.begin != nil {
		r.begin(c)
	}
	r.next = r.template(c, "overhead.round", 1, 0, r.nextRound)
	first := r.template(c, "overhead.first", 1, 1, r.nextRound)
	begin := r.template(c, "overhead.begin", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		r.before = readHeap()
		c.Satisfy(r.start, guid.Null)
		r.own.EventSatisfied++
		return guid.Null
	})
	last := r.template(c, "overhead.last", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		r.after = readHeap()
		c.DestroyEvent(r.start)
		r.own.EventDestroyed += 3
		if r.last != nil {
			r.last(c)
		}
		return guid.Null
	})
	c.NewEDTAt(c.Bind(0), begin, nil, edt.From(r.ready, datablock.Null))
	c.NewEDTAt(c.Bind(0), last, nil, edt.From(r.over, datablock.Null))
	for k, h := range r.hands {
		h.own = plus(h.own, ran(2))
		c.NewEDTAt(c.Bind(h.worker), first, edt.Params(uint64(k)), edt.From(r.start, datablock.Null))
		c.NewEDTAt(c.Bind(h.worker), r.next, edt.Params(uint64(k)))
	}
	return guid.Null
}

// template makes a template of the run, which it counts.
func (r *crew) template(c *edt.Ctx, name string, params, slots int, body edt.Func) *edt.Template {
	r.own.TemplateCreated++
	return c.NewTemplate(name, params, slots, body)
}

// nextRound is the body of a round.
func (r *crew) nextRound(c *edt.Ctx, in edt.Args) guid.GUID {
	h := r.hands[in.Param(0)]
	if h.all == 0 && r.open != nil {
		r.open(c, h)
	}
	h.began = trial.Now()
	r.round(c, h)
	return guid.Null
}

// ended is the end of a round of some operations, which took so many ns.
func (h *hand) ended(c *edt.Ctx, ops int, elapsed int64) {
	r := h.crew
	h.all += uint64(ops)
	if h.warm > 0 {
		h.warmed = h.all
		if h.warm--; h.warm == 0 {
			h.own.EventSatisfied++
			c.Satisfy(r.ready, guid.Null)
			return
		}
		h.again(c)
		return
	}
	h.rounds++
	h.ops += uint64(ops)
	h.busy += elapsed
	if r.bench.enough(h.rounds, h.busy) {
		r.stop.Store(true)
	}
	if r.stop.Load() {
		h.own.EventSatisfied++
		c.Satisfy(r.over, guid.Null)
		return
	}
	h.again(c)
}

// again makes the next round.
func (h *hand) again(c *edt.Ctx) {
	h.own = plus(h.own, ran(1))
	c.NewEDTAt(c.Bind(h.worker), h.crew.next, edt.Params(h.index()))
}

func (h *hand) index() uint64 { return uint64(h.worker) } // hands are on the first workers
