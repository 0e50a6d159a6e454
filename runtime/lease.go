package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// leases lend the places of a pool to runs. A place is what a worker is pinned to. A run of n workers has n places, and
// a team of workers on them. When it ends the places are free again, and the team is kept for the next run of that
// size. Calls that find too few free places wait in a line, and only its head is served: docs/scheduler.md ("Runs
// beside each other") has why no run starves.
//
// Concurrency: all is under mu. A team and its settings belong to the run that has the lease.
type leases struct {
	mu     sync.Mutex
	taken  []bool // by place
	free   int
	on     []*lease  // of runs that are on
	idle   []*lease  // teams that are kept, the oldest first
	kept   int       // their places together: at most those of the pool
	line   []*waiter // calls that wait, in the order in which they came
	closed string    // the line where the pool was closed, "" before

	all      *lease   // of the team that has all places; it is never idle
	inside   insiders // goroutines that report a wait
	report   func(Stall)
	reported sync.Mutex // held during a report
}

// A lease is a team on some places.
type lease struct {
	team   *team // nil until it is made
	places []int
	since  time.Time
}

// A waiter is a call that waits for n places.
type waiter struct {
	n     int
	since time.Time
	got   chan *lease // nil after Close
}

func newLeases(t *team) *leases {
	l := &leases{taken: make([]bool, t.workers), free: t.workers, all: &lease{team: t}, report: t.watch.Report}
	for k := range l.taken {
		l.all.places = append(l.all.places, k)
	}
	if l.report == nil {
		l.report = firstTo(stderr)
	}
	return l
}

// take lends n places, when its caller's turn has come.
func (p *Pool) take(ctx context.Context, op string, n int) (*lease, error) {
	l := p.leases
	l.mu.Lock()
	if why := l.refusal(); why != "" {
		l.mu.Unlock()
		return nil, &PoolError{op, why, callerSite()}
	}
	if len(l.line) == 0 && n <= l.free {
		defer l.mu.Unlock()
		return l.lend(n), nil
	}
	w := &waiter{n, time.Now(), make(chan *lease, 1)}
	l.line = append(l.line, w)
	l.mu.Unlock()
	x, err := p.await(ctx, w)
	if x == nil && err == nil {
		return nil, &PoolError{op, l.refusal(), callerSite()}
	}
	return x, err
}

// refusal says why a call cannot wait for its turn, "" if it can.
func (l *leases) refusal() string {
	if l.closed != "" {
		return "it was closed at " + l.closed
	}
	for _, x := range l.on {
		if x.team != nil {
			if why := x.team.whyInside(); why != "" {
				return why
			}
		}
	}
	if len(l.line) > 0 && l.inside.call() {
		return "called by the report of a run that waits: it would wait for itself"
	}
	return ""
}

// await returns the lease of a call in the line, nil if the pool was closed.
func (p *Pool) await(ctx context.Context, w *waiter) (*lease, error) {
	defer p.team.pool.waiting.add(callerSite())()
	var late <-chan time.Time
	if still := p.base.watch.Still; still > 0 {
		tick := time.NewTicker(still)
		defer tick.Stop()
		late = tick.C
	}
	for {
		select {
		case x := <-w.got:
			return x, nil
		case <-ctx.Done():
			p.leaveLine(w)
			return nil, cancellation(context.Cause(ctx))
		case <-late:
			if wait := p.leases.waitOf(w); wait != "" {
				late = nil
				p.leases.tell(Stall{Worker: -1, For: time.Since(w.since), Line: wait, Waiting: p.team.pool.waiting.list()})
			}
		}
	}
}

// leaveLine takes a call out of the line, or gives back what it has just got.
func (p *Pool) leaveLine(w *waiter) {
	l := p.leases
	l.mu.Lock()
	k := slices.Index(l.line, w)
	if k >= 0 {
		l.line = slices.Delete(l.line, k, k+1)
		l.serve()
	}
	l.mu.Unlock()
	if k < 0 {
		if x := <-w.got; x != nil {
			p.giveBack(x)
		}
	}
}

// lend takes n free places, of a team that is kept if one of that size has its places free. The caller holds the lock.
func (l *leases) lend(n int) *lease {
	x := l.all
	if n < len(l.taken) {
		k := slices.IndexFunc(l.idle, func(x *lease) bool {
			return len(x.places) == n && !slices.ContainsFunc(x.places, func(at int) bool { return l.taken[at] })
		})
		if k >= 0 {
			x, l.kept = l.idle[k], l.kept-n
			l.idle = slices.Delete(l.idle, k, k+1)
		} else {
			x = &lease{places: l.freePlaces(n)}
		}
	}
	x.since = time.Now()
	for _, at := range x.places {
		l.taken[at] = true
	}
	l.free -= n
	l.on = append(l.on, x)
	return x
}

// freePlaces returns n free places: neighbours, if there are as many that are free.
func (l *leases) freePlaces(n int) []int {
	var near, all []int
	for k, taken := range l.taken {
		if taken {
			near = nil
			continue
		}
		near, all = append(near, k), append(all, k)
		if len(near) == n {
			return near
		}
	}
	return all[:n]
}

// giveBack ends a lease, and serves the line. It closes teams that are too many to be kept.
func (p *Pool) giveBack(x *lease) {
	l := p.leases
	l.mu.Lock()
	for _, at := range x.places {
		l.taken[at] = false
	}
	l.free += len(x.places)
	k := slices.Index(l.on, x)
	l.on = slices.Delete(l.on, k, k+1)
	if x != l.all && x.team != nil {
		l.idle = append(l.idle, x)
		l.kept += len(x.places)
	}
	var old []*lease
	for l.kept > len(l.taken) {
		old, l.kept = append(old, l.idle[0]), l.kept-len(l.idle[0].places)
		l.idle = slices.Delete(l.idle, 0, 1)
	}
	l.serve()
	l.mu.Unlock()
	closeTeams(old)
}

// serve lends places to the calls at the head of the line. The caller holds the lock.
func (l *leases) serve() {
	for len(l.line) > 0 && (l.closed != "" || l.line[0].n <= l.free) {
		w := l.line[0]
		l.line = slices.Delete(l.line, 0, 1)
		if l.closed != "" {
			w.got <- nil
			continue
		}
		w.got <- l.lend(w.n)
	}
}

// close refuses all calls from now on, and returns the teams that were kept. Its caller has all places, and gives them
// back: that refuses the calls in the line.
func (l *leases) close(site string) []*lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = site
	idle := l.idle
	l.idle = nil
	return idle
}

func closeTeams(all []*lease) {
	for _, x := range all {
		_ = x.team.close() // it has no other ranks
	}
}

// waitOf describes the wait of the call at the head of the line, "" for another call.
func (l *leases) waitOf(w *waiter) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) == 0 || l.line[0] != w {
		return ""
	}
	since := func(t time.Time) time.Duration { return time.Since(t).Round(time.Millisecond) }
	var on []string
	for _, x := range l.on {
		on = append(on, fmt.Sprintf("%d workers for %v", len(x.places), since(x.since)))
	}
	return fmt.Sprintf("a run has waited %v for %d of %d workers: %d are free, %d wait, runs that are on have %s",
		since(w.since), w.n, len(l.taken), l.free, len(l.line), strings.Join(on, ", "))
}

// tell reports a wait.
func (l *leases) tell(s Stall) {
	l.reported.Lock()
	defer l.reported.Unlock()
	defer l.inside.enter()()
	l.report(s)
}

// equip makes the team of a lease, pinned to its places as the team of all places is.
func (p *Pool) equip(x *lease, s *settings) {
	own := *s
	place := p.team.place
	place.warnings, place.cpus = slices.Clone(place.warnings), nil
	if all := p.team.place.cpus; len(all) > 0 {
		for _, at := range x.places {
			if cpu := all[at%len(all)]; !slices.Contains(place.cpus, cpu) {
				place.cpus = append(place.cpus, cpu)
			}
		}
		own.cpus = place.cpus
	}
	place.places = min(own.workers, own.numCPUs())
	t := &team{settings: &own, place: place, placement: make([]int, own.workers)}
	t.pool = newPool(&own, len(place.cpus))
	t.pool.waiting = p.team.pool.waiting
	t.monitor = newMonitor(t.pool, own.watch, place.places)
	l := p.leases
	l.mu.Lock()
	t.procs = len(l.taken) + len(l.on) // all workers, and the callers of runs
	l.mu.Unlock()
	t.startWorkers()
	l.mu.Lock()
	x.team = t
	l.mu.Unlock()
}
