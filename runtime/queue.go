package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A queue holds the calls of Run and Close of a pool, or the runs of all pools over ranks, in the order in which they
// were made. The first call has the turn: it runs its program, or ends the workers. The others wait.
//
// Concurrency: calls is under mu. The channel turn of the first call is closed, those of the others are open.
type queue struct {
	mu      sync.Mutex
	calls   []*call
	telling insiders // goroutines that report a wait; telling has a lock of its own
}

// A call is a call of Run or Close.
type call struct {
	pool  *Pool
	at    callSite
	since time.Time // when the call was made; from its turn on, when it got the turn
	turn  chan struct{}
}

// enter returns when the caller has the turn, or with an error; leave gives the turn to the next call.
func (p *Pool) enter(ctx context.Context, op string) (leave func(), err error) {
	at := callerPCs()
	if p == nil || p.pool == nil {
		return nil, &PoolError{op, "the pool is nil or zero: New makes one", at.line()}
	}
	if why := cmp.Or(p.closedAt(), p.queue.whyInside()); why != "" {
		return nil, &PoolError{op, why, at.line()}
	}
	if leave, err = p.queue.enter(ctx, p, at); err != nil {
		return nil, err
	}
	if why := p.closedAt(); why != "" {
		leave()
		return nil, &PoolError{op, why, at.line()}
	}
	return leave, nil
}

// closedAt says where the pool was closed, "" if it is open.
func (p *Pool) closedAt() string {
	if line := p.closed.Load(); line != nil {
		return "it was closed at " + *line
	}
	return ""
}

// waitingCalls returns the lines of the calls that wait for a run of the pool.
func (p *Pool) waitingCalls() []string {
	if p.job == nil {
		return p.queue.waiting()
	}
	return append(p.queue.waiting(), p.job.queue.waiting()...)
}

// whyInside says why the caller may not wait for its turn, "" if it may.
func (q *queue) whyInside() string {
	if q.telling.call() {
		return insideReport
	}
	if on := q.on(); on != nil {
		return on.whyInside()
	}
	return ""
}

// enter returns when its call has the turn, or with an error when ctx is done; leave gives the turn to the next call.
func (q *queue) enter(ctx context.Context, p *Pool, at callSite) (leave func(), err error) {
	c := &call{pool: p, at: at, since: time.Now(), turn: make(chan struct{})}
	q.join(c)
	normal := false
	defer func() {
		if !normal { // even if a report panics
			q.leave(c)
		}
	}()
	if err := q.await(ctx, c); err != nil {
		return nil, err
	}
	normal = true
	return func() { q.leave(c) }, nil
}

// await returns when the call has the turn, or with an error when ctx is done. If the call is the next and has waited
// for Watch.Still, await reports the line of the call that has the turn.
func (q *queue) await(ctx context.Context, c *call) error {
	select {
	case <-c.turn: // the call is the first
		return nil
	default:
	}
	var check <-chan time.Time
	if still := c.pool.watch.Still; still > 0 {
		tick := time.NewTicker(max(still/checksPerStall, time.Millisecond))
		defer tick.Stop()
		check = tick.C
	}
	for checks := 0; ; { // a time in which the process was stopped, as by Ctrl-Z, counts as one check
		select {
		case <-c.turn:
			return nil
		case <-ctx.Done():
			return cancellation(context.Cause(ctx))
		case <-check:
			if checks++; checks < checksPerStall {
				continue
			}
			if stall, is := q.stall(c); is {
				check = nil
				q.tell(c, stall)
			}
		}
	}
}

// tell reports that a call waits.
func (q *queue) tell(c *call, s Stall) {
	defer q.telling.enter()()
	c.pool.waited(s)
}

func (q *queue) join(c *call) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.calls = append(q.calls, c); len(q.calls) == 1 {
		close(c.turn)
	}
}

// leave removes a call. If it had the turn, the next call gets it.
func (q *queue) leave(c *call) {
	q.mu.Lock()
	defer q.mu.Unlock()
	k := slices.Index(q.calls, c)
	if q.calls = slices.Delete(q.calls, k, k+1); k == 0 && len(q.calls) > 0 {
		q.calls[0].since = time.Now()
		close(q.calls[0].turn)
	}
}

// on returns the pool whose call has the turn, nil for none.
func (q *queue) on() *Pool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.calls) == 0 {
		return nil
	}
	return q.calls[0].pool
}

// waiting returns the lines of the calls that wait.
func (q *queue) waiting() (lines []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, c := range q.calls[min(1, len(q.calls)):] {
		lines = append(lines, c.at.line())
	}
	return lines
}

// stall describes how long a call has waited; ok is false unless the call is the next one.
func (q *queue) stall(c *call) (s Stall, ok bool) {
	lines := q.waiting()
	q.mu.Lock()
	defer q.mu.Unlock()
	if slices.Index(q.calls, c) != 1 {
		return Stall{}, false
	}
	on, since := q.calls[0], func(c *call) time.Duration { return time.Since(c.since).Round(time.Millisecond) }
	line := fmt.Sprintf("a call has waited %v for the run of %s, which has had its turn for %v",
		since(c), on.at.line(), since(on))
	return Stall{For: time.Since(c.since), Waiting: lines, Line: line}, true
}
