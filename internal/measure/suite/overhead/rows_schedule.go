package overhead

import (
	"context"
	goruntime "runtime"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

// Batches of the rows between workers.
const (
	stealLen = 64
	hopLen   = 200
	fewHops  = 20        // of those that take long
	napping  = 20 * 1000 // ns that a hop waits for the other worker to be asleep
)

func scheduleRows() []*Row {
	twoLines := Peer{Name: "two-lines", measure: transfer}
	rows := []*Row{
		{
			Name:    "steal/gap=default",
			What:    "an EDT that other workers steal while its own is busy, from its creation to its end, one of 64 at a time",
			measure: stealing(false),
			Peers:   []Peer{stealGo},
		},
		{
			Name:    "steal/gap=0",
			What:    "the same with no least time between two thefts of a worker",
			measure: stealing(true),
		},
		{
			Name:    "hand-off/to=spinning",
			What:    "an EDT bound to another worker, which looks for work: from the body that makes it ready to its own",
			measure: handOff(hopLen, 0, false),
			Peers:   []Peer{hopPeer("goroutine-channel", hopLen, func(f func()) { go f() }), twoLines},
		},
		{
			Name: "hand-off/to=parked", Wakes: true,
			What:    "the same to a worker that sleeps",
			measure: handOff(fewHops, napping, true),
			Peers: []Peer{hopPeer("locked-goroutine-channel", fewHops, func(f func()) {
				go func() {
					goruntime.LockOSThread()
					f()
				}()
			})},
		},
		{
			Name: "turn/mode=EW",
			What: "an EDT that acquires the block which one on another worker has: from that one's body to its own, " +
				"two workers in turns",
			measure: turns,
			Peers:   []Peer{{Name: "hand-off", measure: handOff(hopLen, 0, false)}, twoLines},
		},
	}
	for _, r := range rows {
		r.MinWorkers = 2
	}
	return rows
}

// stealing times EDTs that worker 0 makes and others take: it does not return until
// they have. One more may be kept from thieves: it is not waited for.
func stealing(greedy bool) measure {
	return func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		n := b.sized(stealLen, 4)
		var loot *edt.Template
		var taken atomic.Uint64 // EDTs that ran on another worker
		s, err := work{
			perRound: ran(n + 1),
			begin: func(r *team, c *edt.Ctx) {
				loot = r.template(c, "overhead.loot", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
					if c.Worker() != 0 {
						taken.Add(1)
					}
					return guid.Null
				})
			},
			round: func(c *edt.Ctx, l *lane) {
				due := taken.Load() + uint64(n)
				start := trial.Now()
				for range n + 1 {
					c.NewEDT(loot, nil)
				}
				await(ctx, "EDTs stolen", func() bool { return taken.Load() >= due })
				l.ended(c, n, trial.Now()-start)
			},
		}.sample(ctx, b, Pool{Workers: workers, Greedy: greedy}, 1)
		if err == nil && s.Counts.Steals < s.All {
			err = wrong("steals", s.Counts.Steals, s.All)
		}
		return s, err
	}
}

// stealGo has the goroutines that one makes taken by other processors: it does not
// return until they have run.
var stealGo = graphPeer("goroutine", stealLen, func() int {
	var ran atomic.Int64
	for range stealLen {
		go func() { ran.Add(1) }()
	}
	for ran.Load() < stealLen {
	}
	return int(ran.Load())
})

// handOff times a chain of EDTs that run on workers 0 and 1 in turn. Before each there is a pause in ns, which is not
// counted.
func handOff(hops int, pause int64, sleepy bool) measure {
	return func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		n := b.sized(hops, 4)
		var next *edt.Template
		paused := int64(0) // written by one EDT after the other
		s, err := work{
			perOp: plus(ran(1), anEvent, satisfied),
			begin: func(r *team, c *edt.Ctx) {
				next = r.template(c, "overhead.hop", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
					expect("worker of a hop", in.Param(0)%2, uint64(c.Worker()))
					paused += spend(pause)
					if left := in.Param(0); left > 0 {
						handOver(c, next, left-1)
					} else {
						l := r.lanes[0]
						l.ended(c, n, trial.Now()-l.began-paused)
					}
					return guid.Null
				})
			},
			round: func(c *edt.Ctx, _ *lane) {
				paused = 0
				handOver(c, next, uint64(n-1))
			},
		}.sample(ctx, b, Pool{Workers: workers, Sleepy: sleepy}, 1)
		if err == nil && s.Counts.Received < s.All {
			err = wrong("EDTs from another worker", s.Counts.Received, s.All)
		}
		if err == nil && sleepy && s.Counts.Parks == 0 {
			err = wrong("workers that parked", 0, s.All)
		}
		return s, err
	}
}

// handOver makes an EDT for the other worker and satisfies what it waits for.
func handOver(c *edt.Ctx, t *edt.Template, left uint64) {
	e := c.NewEvent(edt.Once)
	c.NewEDTAt(c.Bind(int(left%2)), t, edt.Params(left), edt.From(e, datablock.RW))
	c.Satisfy(e, guid.Null)
}

// spend lets at least ns nanoseconds pass, and returns how many did.
func spend(ns int64) int64 {
	if ns == 0 {
		return 0
	}
	start := trial.Now()
	for {
		if passed := trial.Now() - start; passed >= ns {
			return passed
		}
	}
}

// hopPeer passes a count between two goroutines that start has started.
func hopPeer(name string, hops int, start func(func())) Peer {
	return graphPeer(name, hops, func() (got int) {
		ended := make(chan struct{})
		start(func() {
			got = hop(hops, start)
			close(ended)
		})
		<-ended
		return got
	})
}

// turns times EDTs that have one block in mode EW, on workers 0 and 1 in turn. There are two at a time: one has the
// block, and the other is in its queue. The first of a round waits for worker 0, which makes the second one before.
func turns(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := b.sized(hopLen, 4)
	var next *edt.Template
	var block guid.GUID
	return work{
		perOp: ran(1), perRun: aBlock,
		begin: func(r *team, c *edt.Ctx) {
			block = newHeld(c)
			next = r.template(c, "overhead.turn", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
				left := in.Param(0)
				expect("worker of a turn", (left+1)%2, uint64(c.Worker()))
				words := datablock.Slice[uint64](in.Dep(0))
				expect("turns of the round before", uint64(n)-1-left, words[0]%uint64(n))
				words[0]++
				switch {
				case left > 1: // it queues behind the other one
					c.NewEDTAt(c.Bind(c.Worker()), next, edt.Params(left-2), edt.From(block, datablock.EW))
				case left == 0:
					l := r.lanes[0]
					l.ended(c, n, trial.Now()-l.began)
				}
				return guid.Null
			})
		},
		round: func(c *edt.Ctx, _ *lane) {
			for left := n - 1; left >= n-2; left-- {
				c.NewEDTAt(c.Bind((left+1)%2), next, edt.Params(uint64(left)), edt.From(block, datablock.EW))
			}
		},
		last: func(_ *team, c *edt.Ctx) { c.DestroyBlock(block) },
	}.sample(ctx, b, Pool{Workers: workers}, 1)
}

// lines are what two workers hand to each other: a payload, and a flag that holds how often
// it was handed over, in lines of their own and not beside each other.
type lines struct {
	_       [128]byte
	flag    atomic.Uint64
	_       [120]byte
	payload uint64
	_       [120]byte
}

// transfer times a payload that workers 0 and 1 hand to each other, with nothing else: what the processors take.
func transfer(ctx context.Context, b *Bench, workers int) (Sample, error) {
	n := uint64(b.sized(hopLen, 4))
	x := new(lines)
	var other *edt.Template
	given := uint64(1) // what the flag is when it is the other's turn
	return work{
		perRound: ran(1),
		begin: func(r *team, c *edt.Ctx) {
			other = r.template(c, "overhead.other", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
				expect("worker of the other side", 1, uint64(c.Worker()))
				for k := in.Param(0); k <= in.Param(0)+n && x.take(ctx, k); k += 2 {
					x.give(k + 1)
				}
				return guid.Null
			})
		},
		round: func(c *edt.Ctx, l *lane) {
			c.NewEDTAt(c.Bind(1), other, edt.Params(given))
			x.give(given)
			x.take(ctx, given+1) // the other has begun
			start := trial.Now()
			for k := given + 2; k <= given+n; k += 2 {
				x.give(k)
				x.take(ctx, k+1)
			}
			elapsed := trial.Now() - start
			given += n + 2
			l.ended(c, int(n), elapsed)
		},
	}.sample(ctx, b, Pool{Workers: workers}, 1)
}

// give hands the payload over, for the k-th time.
func (x *lines) give(k uint64) {
	x.payload = k
	x.flag.Store(k)
}

// take waits until the payload is handed over for the k-th time. It returns false if the run was cancelled.
func (x *lines) take(ctx context.Context, k uint64) bool {
	for polls := 1; x.flag.Load() != k; polls++ {
		if polls%1024 == 0 {
			if ctx.Err() != nil {
				return false
			}
			sys.Yield()
		}
	}
	expect("payload", k, x.payload)
	return true
}
