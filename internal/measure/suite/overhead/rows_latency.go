package overhead

import (
	"context"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// latencyLen is how many latencies a round has.
const latencyLen = 20

// settling is how many ns a worker has to begin to look for work, or to have looked
// for long enough to be counted.
const settling = 5 * 1000

func latencyRows() (rows []*Row) {
	for _, x := range []struct {
		of, what string
		measure  latency
	}{
		{"next-task", "an EDT made ready by a long body while all workers are busy: " +
			"from the moment another worker is let go to its body there", latency{holds: true, of: heldLatency}},
		{"barrier", "of that, what the system takes to make another processor that runs execute a memory barrier",
			latency{of: barrierLatency}},
		{"priority", "an EDT with a priority, made ready while the others look for work, from its creation to its body",
			latency{of: readyLatency(settling, edt.Hint{Priority: 1})}},
		{"deque", "an EDT made ready while the others look for work, from its creation to its body",
			latency{of: readyLatency(settling, edt.Hint{})}},
		{"hand-off", "an EDT bound to another worker, which looks for work, from its creation to its body",
			latency{of: readyLatency(settling, edt.Hint{Affinity: edt.BindTo(1)})}},
		{"parked", "the same while the others sleep: the system has to wake a thread",
			latency{sleepy: true, of: readyLatency(napping, edt.Hint{})}},
	} {
		rows = append(rows, &Row{
			Name: "latency/of=" + x.of, What: x.what, MinWorkers: 2, Wakes: x.measure.sleepy, measure: x.measure.measure,
		})
	}
	return rows
}

// A latency is a row that times single EDTs on another worker while the body that made
// them goes on.
type latency struct {
	sleepy bool
	holds  bool                             // each latency has an EDT more on every other worker
	of     func(c *edt.Ctx, x *scene) int64 // one latency, in ns
}

// A scene is what a latency's EDTs share.
type scene struct {
	ctx                 context.Context
	others              uint64 // workers beside the one that measures
	seen, held, barrier *edt.Template

	count    uint64        // of the latencies begun
	busy     atomic.Uint64 // EDTs that hold the other workers, those of all latencies together
	freed    atomic.Uint64 // the latency up to which those EDTs end
	reported atomic.Int64  // by an EDT: when it began, or what it has measured; 0 before
}

func (o latency) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(latencyLen, 2)
	x := &scene{ctx: ctx, others: uint64(workers - 1)}
	edts := 1
	if o.holds {
		edts = workers
	}
	var each []float64
	s, err := work{
		perOp: ran(edts),
		begin: x.begin,
		round: func(c *edt.Ctx, l *lane) {
			elapsed := int64(0)
			for range n {
				x.count++
				x.reported.Store(0)
				took := o.of(c, x)
				elapsed += took
				if l.isWarm() {
					each = append(each, float64(took))
				}
			}
			l.ended(c, n, elapsed)
		},
	}.sample(ctx, b, Pool{Workers: workers, Sleepy: o.sleepy}, 1)
	s.Latencies = each
	return s, err
}

func (x *scene) begin(r *team, c *edt.Ctx) {
	x.held = r.template(c, "overhead.held", 1, 0, func(_ *edt.Ctx, in edt.Args) guid.GUID {
		x.busy.Add(1)
		await(x.ctx, "EDT on another worker", func() bool { return x.freed.Load() >= in.Param(0) })
		return guid.Null
	})
	x.seen = r.template(c, "overhead.seen", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
		x.reported.Store(trial.Now())
		return guid.Null
	})
	x.barrier = r.template(c, "overhead.barrier", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
		start := trial.Now()
		if sys.HasProcessBarrier() {
			sys.ProcessBarrier()
		}
		x.reported.Store(max(trial.Now()-start, 1))
		return guid.Null
	})
}

// answer waits for the report of an EDT.
func (x *scene) answer() int64 {
	await(x.ctx, "EDT on another worker", func() bool { return x.reported.Load() != 0 })
	return x.reported.Load()
}

// readyLatency is of an EDT made ready after a pause, in ns, in which the others run nothing.
func readyLatency(pause int64, hint edt.Hint) func(c *edt.Ctx, x *scene) int64 {
	return func(c *edt.Ctx, x *scene) int64 {
		spend(pause)
		start := trial.Now()
		c.Spawn(x.seen, &edt.Spec{Hint: hint})
		return x.answer() - start
	}
}

// heldLatency has the other workers busy until the EDT is ready.
func heldLatency(c *edt.Ctx, x *scene) int64 {
	for w := range x.others {
		c.NewEDTAt(c.Bind(int(w)+1), x.held, edt.Params(x.count))
	}
	await(x.ctx, "EDT on another worker", func() bool { return x.busy.Load() == x.count*x.others })
	c.NewEDT(x.seen, nil)
	start := trial.Now()
	x.freed.Store(x.count)
	return x.answer() - start
}

// barrierLatency is of a barrier on worker 1 while worker 0 is busy.
func barrierLatency(c *edt.Ctx, x *scene) int64 {
	c.NewEDTAt(c.Bind(1), x.barrier, nil)
	return x.answer()
}
