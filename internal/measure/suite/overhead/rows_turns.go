package overhead

import (
	"context"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
)

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
