package overhead

import (
	"context"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
)

// latencyLen is how many latencies a round has.
const latencyLen = 20

// settling is how many ns a worker has to begin to look for work, or to have looked
// for long enough to be counted.
const settling = 5 * 1000

func latencyRows() []*Row {
	return []*Row{
		{
			Section: Latency, Name: "latency/of=next-task", MinWorkers: 2,
			What:    "an EDT made ready by a long body while all workers are busy: from the moment another worker is let go to its body there",
			measure: latency{held: true}.measure,
		},
		{
			Section: Latency, Name: "latency/of=barrier", MinWorkers: 2,
			What:    "of that, what the system takes to make another processor that runs execute a memory barrier",
			measure: barrierLatency,
		},
		{
			Section: Latency, Name: "latency/of=priority", MinWorkers: 2,
			What:    "an EDT with a priority, made ready while the others look for work, from its creation to its body",
			measure: latency{hint: edt.Hint{Priority: 1}}.measure,
		},
		{
			Section: Latency, Name: "latency/of=deque", MinWorkers: 2,
			What:    "an EDT made ready while the others look for work, from its creation to its body",
			measure: latency{}.measure,
		},
		{
			Section: Latency, Name: "latency/of=parked", MinWorkers: 2, Wakes: true,
			What:    "the same while the others sleep: the system has to wake a thread",
			measure: latency{sleepy: true}.measure,
		},
	}
}

// A latency is how long a ready EDT lies beside a worker with nothing to run, while
// the body that made it ready goes on.
type latency struct {
	held   bool // the other workers are busy until the EDT is ready
	sleepy bool
	hint   edt.Hint
}

// A scene is what a latency's EDTs share.
type scene struct {
	bench *Bench
	ctx   context.Context
	busy  atomic.Uint64 // EDTs that hold the other workers, those of all times together
	freed atomic.Uint64 // the time up to which those EDTs end
	begun atomic.Int64  // when the EDT began, 0 before
}

func (o latency) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n, others := b.sized(latencyLen, 2), uint64(workers-1)
	r := newTeam(b, Pool{Workers: workers, Sleepy: o.sleepy}, 1)
	var each []float64
	var held, seen *edt.Template
	count := uint64(0) // of the times
	x := &scene{bench: b, ctx: ctx}
	r.begin = func(c *edt.Ctx) {
		held = r.template(c, "overhead.held", 1, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			x.busy.Add(1)
			x.await(func() bool { return x.freed.Load() >= in.Param(0) })
			return guid.Null
		})
		seen = r.template(c, "overhead.seen", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			x.begun.Store(trial.Now())
			return guid.Null
		})
	}
	r.round = func(c *edt.Ctx, l *lane) {
		elapsed := int64(0)
		for range n {
			count++
			x.begun.Store(0)
			switch {
			case o.held:
				for w := range others {
					c.NewEDTAt(c.Bind(int(w)+1), held, edt.Params(count))
				}
				l.own = plus(l.own, ran(others))
				x.await(func() bool { return x.busy.Load() == count*others })
			case o.sleepy:
				spend(napping)
			default:
				spend(settling)
			}
			start := trial.Now()
			c.Spawn(seen, &edt.Spec{Hint: o.hint})
			if o.held {
				start = trial.Now()
				x.freed.Store(count)
			}
			x.await(func() bool { return x.begun.Load() != 0 })
			took := x.begun.Load() - start
			elapsed += took
			if l.warm == 0 {
				each = append(each, float64(took))
			}
		}
		l.own = plus(l.own, ran(uint64(n)))
		l.ended(c, n, elapsed)
	}
	s, err := r.sample(ctx)
	s.Latencies = each
	return s, err
}

// barrierLatency times a barrier on worker 1 while worker 0 is busy.
func barrierLatency(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(latencyLen, 2)
	r := newTeam(b, Pool{Workers: workers}, 1)
	x := &scene{bench: b, ctx: ctx}
	var each []float64
	var barrier *edt.Template
	r.begin = func(c *edt.Ctx) {
		barrier = r.template(c, "overhead.barrier", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
			start := trial.Now()
			b.Barrier()
			x.begun.Store(max(trial.Now()-start, 1))
			return guid.Null
		})
	}
	r.round = func(c *edt.Ctx, l *lane) {
		elapsed := int64(0)
		for range n {
			x.begun.Store(0)
			c.NewEDTAt(c.Bind(1), barrier, nil)
			x.await(func() bool { return x.begun.Load() != 0 })
			elapsed += x.begun.Load()
			if l.warm == 0 {
				each = append(each, float64(x.begun.Load()))
			}
		}
		l.own = plus(l.own, ran(uint64(n)))
		l.ended(c, n, elapsed)
	}
	s, err := r.sample(ctx)
	s.Latencies = each
	return s, err
}

// await polls until something holds, or the run is cancelled.
func (x *scene) await(holds func() bool) {
	for polls := 0; !holds() && x.ctx.Err() == nil; polls++ {
		if polls > patience {
			expect("EDT on another worker", 1, 0)
		}
		x.bench.poll(polls)
	}
}
