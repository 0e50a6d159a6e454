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
	"ocr/runtime"
)

func workerRows() []*Row {
	rows := []*Row{
		{
			Name:  "steal/gap=default",
			What:  "an EDT that other workers steal while its own is busy, from its creation to its end, one of 64 at a time",
			Forms: []Form{{Once: steal}, whole("goroutine", thefts, taken)},
		},
		{
			Name: "hand-off/to=spinning",
			What: "an EDT bound to another worker, which looks for work: from the body that makes it ready to its own",
			Forms: []Form{{Once: handOff{hops: 200}.once},
				whole("goroutine-channel", 200, func(n int) int { return hop(n, func(f func()) { go f() }) })},
		},
		{
			Name:  "hand-off/to=parked",
			What:  "the same to a worker that sleeps",
			Forms: []Form{{Once: handOff{hops: 20, sleepy: true}.once}, whole("locked-goroutine-channel", 20, hopLocked)},
		},
	}
	for _, r := range rows {
		r.MinWorkers = 2
	}
	return rows
}

// patience is the number of polls after which await gives up.
const patience = 1 << 32

// await polls until a condition holds, or the run is cancelled. Now and then it gives the processor to another thread.
func await(ctx context.Context, what string, holds func() bool) {
	for polls := 1; !holds() && ctx.Err() == nil; polls++ {
		if polls > patience {
			expect(what, 1, 0)
		}
		if polls%1024 == 0 {
			sys.Yield()
		}
	}
}

// spend lets at least ns nanoseconds pass, and returns how many did.
func spend(ns int64) (passed int64) {
	for start := trial.Now(); passed < ns; {
		passed = trial.Now() - start
	}
	return passed
}

// thefts is how many EDTs are to be stolen at a time.
const thefts = 64

// steal times EDTs that worker 0 makes and others take: it does not return until they have. One more may be kept from
// thieves: it is not waited for.
func steal(ctx context.Context, b *Bench) (Sample, error) {
	var loot *edt.Template
	var taken atomic.Uint64 // EDTs that ran on another worker
	stolen := uint64(0)
	return work{
		open: func(c *edt.Ctx, _ *lanes) {
			loot = c.NewTemplate("overhead.loot", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				if c.Worker() != 0 {
					taken.Add(1)
				}
				return guid.Null
			})
		},
		round: func(c *edt.Ctx, l *lane) {
			due := taken.Load() + thefts
			start := trial.Now()
			for range thefts + 1 {
				c.NewEDT(loot, nil)
			}
			await(ctx, "EDTs stolen", func() bool { return taken.Load() >= due })
			stolen += thefts
			l.ended(c, thefts, trial.Now()-start)
		},
		check: func(got runtime.Counters) error { return atLeast("steals", got.Steals, stolen) },
	}.Once(ctx, b)
}

func atLeast(what string, got, want uint64) error {
	if got < want {
		return trial.Wrong("", what, got, want)
	}
	return nil
}

// taken has the goroutines that one makes taken by other processors: it does not return until they have run.
func taken(n int) int {
	var ran atomic.Int64
	for range n {
		go func() { ran.Add(1) }()
	}
	for int(ran.Load()) < n {
	}
	return int(ran.Load())
}

// hopLocked passes a count between two threads by channels.
func hopLocked(n int) (got int) {
	start := func(f func()) {
		go func() {
			goruntime.LockOSThread()
			f()
		}()
	}
	ended := make(chan struct{})
	start(func() {
		got = hop(n, start)
		close(ended)
	})
	<-ended
	return got
}

// napping is for how many ns a hop waits for the other worker to be asleep: that is not counted.
const napping = 20_000

// A handOff times a chain of EDTs that run on workers 0 and 1 in turn.
type handOff struct {
	hops   int
	sleepy bool // workers sleep as soon as they have nothing to do
}

func (h handOff) once(ctx context.Context, b *Bench) (Sample, error) {
	var next *edt.Template
	paused, pause := int64(0), int64(0) // paused is written by one EDT after the other
	w := work{}
	if h.sleepy {
		pause, w.options = napping, []runtime.Option{runtime.Spin(0)}
	}
	w.open = func(c *edt.Ctx, r *lanes) {
		next = c.NewTemplate("overhead.hop", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			expect("worker of a hop", in.Param(0)%2, uint64(c.Worker()))
			if pause > 0 {
				paused += spend(pause)
			}
			if left := in.Param(0); left > 0 {
				handOver(c, next, left-1)
			} else {
				l := r.all[0]
				l.ended(c, h.hops, trial.Now()-l.began-paused)
			}
			return guid.Null
		})
	}
	w.round = func(c *edt.Ctx, _ *lane) {
		paused = 0
		handOver(c, next, uint64(h.hops-1))
	}
	w.check = func(got runtime.Counters) error {
		if h.sleepy {
			return atLeast("workers that parked", got.Parks, 1)
		}
		return nil
	}
	return w.Once(ctx, b)
}

// handOver makes an EDT for the other worker and satisfies what it waits for.
func handOver(c *edt.Ctx, t *edt.Template, left uint64) {
	e := c.NewEvent(edt.Once)
	c.NewEDTAt(c.Bind(int(left%2)), t, edt.Params(left), edt.From(e, datablock.RW))
	c.Satisfy(e, guid.Null)
}
