package overhead

import (
	"cmp"
	"context"
	goruntime "runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
	"ocr/internal/measure/peers"
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
	s.begin()
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
	s.end()
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

// What peers in other runtimes do, and rows beside them: like is compared with like.
const (
	builtOnce  = "graph built once"
	builtEach  = "built each time"
	byHand     = "counters by hand"
	plainLoops = "loop with flags"
	oneMakes   = "one makes tasks"
	inALoop    = "loop makes tasks"
	nextByLast = "task makes next"
	bothCalls  = "both calls tasks"
	oneInline  = "one call inline"
)

// A program is a bench of another runtime's program, as a peer is named, and what it does.
type program struct {
	name    string
	library *peers.Library
	bench   string
	does    string
}

func (p program) peer(m measure) Peer {
	return Peer{Name: p.name, Library: p.library, Does: p.does, measure: m}
}

// asked are peers that do the same in other runtimes. of returns what is asked for, and how many parts a round of that
// has.
func asked(of func(b *Bench) (peers.Request, int), programs ...program) (all []Peer) {
	for _, p := range programs {
		all = append(all, p.peer(func(ctx context.Context, b *Bench, _ int) (Sample, error) {
			request, parts := of(b)
			return b.ask(ctx, p, request, parts)
		}))
	}
	return all
}

// chained is a peer that runs a chain of tasks on each worker, which add up how many
// are to come. As of a chain of EDTs, the times of all workers count.
func chained(p program, steps int) Peer {
	return p.peer(func(ctx context.Context, b *Bench, workers int) (Sample, error) {
		n := b.sized(steps, 4)
		request := peers.Request{Sizes: []int{n}, Want: uint64(workers) * sumTo(n)}
		s, err := b.ask(ctx, p, request, workers*n)
		s.Busy *= time.Duration(workers)
		return s, err
	})
}

// sumTo returns 1 + 2 + ... + n.
func sumTo(n int) uint64 { return uint64(n) * uint64(n+1) / 2 }

// ask has a program take a sample.
func (b *Bench) ask(ctx context.Context, of program, r peers.Request, parts int) (Sample, error) {
	p, err := b.others(ctx, of.library)
	if err != nil {
		return Sample{}, err
	}
	r.Bench, r.Target = of.bench, b.Target
	rounds, err := p.Run(ctx, r)
	if err != nil {
		return Sample{}, err
	}
	ops, elapsed := uint64(parts)*uint64(len(rounds)), peers.Sum(rounds)
	return Sample{Ops: ops, Unaccounted: true, Busy: elapsed, Rate: float64(ops) / elapsed.Seconds()}, nil
}

// peersOf returns the peers of a row that are measured: plain Go, and if the configuration asks for them those of
// other runtimes whose programs can be had here and do what the row needs. Each of these is tried once; what is left
// out is noted.
func (r *run) peersOf(ctx context.Context, b Bench, g group) ([]Peer, error) {
	b.Target = time.Nanosecond
	var there []Peer
	for _, p := range g.row.Peers {
		if p.Library != nil {
			if !r.cfg.Others {
				continue
			}
			_, err := p.Measure(ctx, &b, g.pool.Workers)
			note, fatal := peers.LeftOut(ctx, p.Name+" beside "+g.row.Name, err)
			if fatal != nil {
				return nil, fatal
			}
			if note != "" {
				r.Note(note)
				continue
			}
		}
		there = append(there, p)
	}
	return there, nil
}

// likeFirst sorts the peers of a row: plain Go, then those that do what the row does, then others by what they do.
func (r *Row) likeFirst() {
	slices.SortStableFunc(r.Peers, func(a, b Peer) int {
		return cmp.Or(likeness(r.Does, a.Does)-likeness(r.Does, b.Does), strings.Compare(a.Does, b.Does))
	})
}

func likeness(row, peer string) int {
	switch peer {
	case "":
		return 0
	case row:
		return 1
	}
	return 2
}

// WithOthers returns the rows that have peers in other runtimes.
func WithOthers(rows []*Row) []*Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool {
		return !slices.ContainsFunc(r.Peers, func(p Peer) bool { return p.Library != nil })
	})
}
