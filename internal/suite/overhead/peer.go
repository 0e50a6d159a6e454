package overhead

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
)

// peerLen is how many operations of plain Go are timed at a time.
const peerLen = 1000

// untimed bounds how long a sample of a peer takes, what is not timed included: so many
// times what it should be.
const untimed = 4

// onProcessors runs f with as many processors for Go as a row has workers.
func onProcessors(n int, f func()) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(n))
	f()
}

// A peerLoop is plain Go that every worker does at the same time: a goroutine for each.
type peerLoop struct {
	n int // operations at a time; 0 for peerLen
	// work returns what does n operations for a goroutine. It returns how long they
	// took, or 0 where that is all of its time.
	work func(worker int) func(n int) (elapsed int64)
	// check returns how many operations were done, of so many; nil where that is all
	// there is to see.
	check func(n uint64) (got uint64)
}

// peerSets makes a fresh peerLoop for a sample, with what its goroutines share.
func peerSets(name string, set func(workers int) peerLoop) Peer {
	return Peer{Name: name, measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		return set(workers).measure(ctx, b, workers)
	}}
}

func (o peerLoop) measure(ctx context.Context, b *Bench, workers int) (s Sample, err error) {
	n := o.n
	if n == 0 {
		n = peerLen
	}
	n = b.sized(n, 4)
	ops, busy, warmed := make([]uint64, workers), make([]int64, workers), make([]uint64, workers)
	var stop atomic.Bool
	var from heap
	onProcessors(workers, func() {
		var warm, begin, ended sync.WaitGroup
		warm.Add(workers)
		begin.Add(1)
		for k := range workers {
			ended.Go(func() {
				work := o.work(k)
				for range warmRounds {
					work(n)
					warmed[k] += uint64(n)
				}
				warm.Done()
				begin.Wait()
				var did uint64
				var took int64
				for start := trial.Now(); !stop.Load() && ctx.Err() == nil; {
					took += timed(work, n)
					did += uint64(n)
					if took >= b.Target.Nanoseconds() || trial.Now()-start >= untimed*b.Target.Nanoseconds() {
						stop.Store(true)
					}
				}
				ops[k], busy[k] = did, took
			})
		}
		warm.Wait()
		from = readHeap()
		begin.Done()
		ended.Wait()
		s.allocated(from, readHeap())
	})
	if ctx.Err() != nil {
		return s, context.Cause(ctx)
	}
	all := uint64(0)
	for k := range workers {
		s.Ops += ops[k]
		s.Busy += time.Duration(busy[k])
		all += ops[k] + warmed[k]
		if ops[k] > 0 { // a goroutine may come too late for a short sample
			s.Rate += float64(ops[k]) / float64(busy[k]) * 1e9
		}
	}
	s.Rounds = s.Ops
	if o.check == nil {
		return s, nil
	}
	if got := o.check(all); got != all {
		return s, wrong("operations", got, all)
	}
	return s, nil
}

func timed(work func(n int) int64, n int) int64 {
	start := trial.Now()
	if own := work(n); own > 0 {
		return own
	}
	return trial.Now() - start
}

// A peerGraph is plain Go that does once what a graph does: run returns how many parts
// it has seen done.
type peerGraph struct {
	parts int
	run   func() (parts uint64)
}

func (o peerGraph) peer(name string) Peer { return Peer{Name: name, measure: o.measure} }

func (o peerGraph) measure(ctx context.Context, b *Bench, workers int) (Sample, error) {
	repeat := 1
	if !b.Tiny {
		repeat = max(1, roundParts/o.parts)
	}
	return peerRounds(ctx, b, workers, repeat*o.parts, func() (elapsed int64, parts uint64) {
		start := trial.Now()
		for range repeat {
			parts += o.run()
		}
		return trial.Now() - start, parts
	})
}

// peerRounds repeats a round of so many operations, which returns how long they took
// and how many it has seen done. The first is not counted.
func peerRounds(ctx context.Context, b *Bench, processors, ops int, round func() (elapsed int64, done uint64)) (s Sample, err error) {
	var from heap
	onProcessors(processors, func() {
		for k := 0; s.Busy < b.Target && ctx.Err() == nil; k++ {
			if k == 1 {
				from = readHeap()
			}
			elapsed, done := round()
			if done != uint64(ops) {
				err = wrong("operations", done, uint64(ops))
				return
			}
			if k > 0 {
				s.Busy += time.Duration(elapsed)
				s.Ops += uint64(ops)
			}
		}
		s.allocated(from, readHeap())
	})
	s.Rounds = s.Ops
	s.Rate = float64(s.Ops) / float64(s.Busy) * 1e9
	if ctx.Err() != nil {
		return s, context.Cause(ctx)
	}
	return s, err
}
