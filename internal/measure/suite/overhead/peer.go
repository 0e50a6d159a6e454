package overhead

import (
	"context"
	goruntime "runtime"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
)

// peerLen is how many operations of plain Go are timed at a time.
const peerLen = 1000

// untimed bounds how long a sample of a peer takes, with what is not timed: untimed times its target.
const untimed = 4

// A peerBench is plain Go that goroutines do in rounds, as a team does a row.
type peerBench struct {
	lanes int // goroutines
	n     int // operations of a round
	// open readies a goroutine. Its rounds return how many operations they have seen
	// done, and how long those took: 0 if that is all of the round's time.
	open func() peerRound
}

type peerRound func(n int) (done int, elapsed int64)

// loopPeer is plain Go that every worker does at the same time, a goroutine for each:
// open returns a loop over n operations, which returns how many were done.
func loopPeer(name string, n int, open func() func(n int) int) Peer {
	return Peer{Name: name, measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		return peerBench{workers, b.sized(n, 4), func() peerRound {
			loop := open()
			return func(n int) (int, int64) { return loop(n), 0 }
		}}.measure(ctx, b, workers)
	}}
}

// loop is a loopPeer whose goroutines need nothing of their own.
func loop(name string, n int, f func(n int) int) Peer {
	return loopPeer(name, n, func() func(n int) int { return f })
}

// graphPeer is plain Go that does once what a graph of parts does: run returns
// how many it has seen done.
func graphPeer(name string, parts int, run func() int) Peer {
	return Peer{Name: name, measure: func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		repeat := b.repeats(parts)
		return peerBench{1, repeat * parts, func() peerRound {
			return func(int) (done int, _ int64) {
				for range repeat {
					done += run()
				}
				return done, 0
			}
		}}.measure(ctx, b, workers)
	}}
}

// peerLane is one goroutine of a peer.
type peerLane struct {
	round peerRound
	ops   int
	busy  int64
	err   error
	_     [64]byte
}

// step does a round.
func (l *peerLane) step(n int) {
	start := trial.Now()
	done, elapsed := l.round(n)
	if elapsed == 0 {
		elapsed = trial.Now() - start
	}
	l.ops += n
	l.busy += elapsed
	if done != n {
		l.err = wrong("operations", uint64(done), uint64(n))
	}
}

// measure takes a sample with as many processors for Go as the row has workers.
func (o peerBench) measure(ctx context.Context, b *Bench, processors int) (s Sample, err error) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(processors))
	lanes := make([]peerLane, o.lanes)
	each := func(f func(l *peerLane)) { trial.Gang(o.lanes, func() {}, func(k int) { f(&lanes[k]) }) }
	each(func(l *peerLane) {
		l.round = o.open()
		for range warmRounds {
			l.step(o.n)
		}
		l.ops, l.busy = 0, 0
	})
	var used spent
	used.begin(b)
	var stop atomic.Bool
	target := b.Target.Nanoseconds()
	each(func(l *peerLane) {
		for start := trial.Now(); !stop.Load() && l.err == nil && ctx.Err() == nil; {
			l.step(o.n)
			if l.busy >= target || trial.Now()-start >= untimed*target {
				stop.Store(true)
			}
		}
	})
	used.end(b)
	s.account(&used)
	for k := range lanes {
		l := &lanes[k]
		if l.err != nil {
			return s, l.err
		}
		s.Ops += uint64(l.ops)
		s.Busy += time.Duration(l.busy)
		if l.busy > 0 { // a goroutine may come too late for a short sample
			s.Rate += float64(l.ops) / float64(l.busy) * 1e9
		}
	}
	return s, context.Cause(ctx)
}
