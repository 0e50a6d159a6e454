package runtime

import (
	"context"
	"fmt"
	"path/filepath"
	goruntime "runtime"

	"ocr/edt"
)

// A Pool is a set of workers that run one graph after the other, so that a run starts no threads. Between two runs they
// are parked and cost only memory. [New] makes one. GOMAXPROCS is as [Run] says from New to Close.
type Pool struct {
	team *team
	made string
	// turn holds the token that a run takes and puts back: the line where the pool was closed, "" before.
	turn      chan string
	forgotten goruntime.Cleanup
}

// A PoolError is a call of a [Pool] that cannot be carried out.
type PoolError struct {
	Op      string // "run", "close"
	Problem string
	Site    string // file:line of the call
}

func (e *PoolError) Error() string {
	return fmt.Sprintf("runtime: %s on a pool: %s (%s)", e.Op, e.Problem, e.Site)
}

// New starts workers, with the options of [Run]. They apply to all runs on the pool: [Into], for instance, has the
// facts of the latest run. The error is an [*OptionError].
//
// The program closes the pool. One that the garbage collector finds unclosed is closed and reported on standard error,
// with the line of New.
func New(opts ...Option) (*Pool, error) {
	s := resolve(opts)
	if err := s.serveIfRank(); err != nil {
		return nil, err
	}
	t, err := newWorkers(s)
	if err != nil {
		return nil, err
	}
	p := &Pool{team: t, made: callerSite(2), turn: make(chan string, 1)}
	p.turn <- ""
	p.forgotten = goruntime.AddCleanup(p, func(made string) {
		fmt.Fprintf(stderr, "runtime: a pool of %d workers, made at %s, was never closed\n", t.workers, made)
		go t.close()
	}, p.made)
	return p, nil
}

// Run runs a program as the function [Run] does, with the same result. Runs on one pool come one after the other: a
// call waits for those before it, or until ctx is done.
//
// The error is a [*PoolError] after Close, and where the run that is on waits for the caller: in the body of an EDT of
// this pool, in a function that such a body has given to [edt.Blocking], or in one that the run calls, as that of
// [AtEnd]. A goroutine that has yet to satisfy an [edt.External] of the run that is on is not recognised: its call
// waits until ctx is done. The report of a run without progress (see [Watch]) names the lines of calls that wait for
// its end.
func (p *Pool) Run(ctx context.Context, main edt.Func) error {
	defer goruntime.KeepAlive(p)
	if err := checkCall(ctx, main); err != nil {
		return err
	}
	if err := p.takeTurn(ctx, "run"); err != nil {
		return err
	}
	defer func() { p.turn <- "" }()
	return p.team.run(ctx, main)
}

// takeTurn waits for the end of the run that is on and takes the token, which its caller puts back. Its caller must be
// a function that the program calls: errors name the line of that call.
func (p *Pool) takeTurn(ctx context.Context, op string) error {
	if p == nil || p.turn == nil {
		return &PoolError{op, "the pool is nil or zero: New makes one", callerSite(3)}
	}
	var closed string
	select {
	case closed = <-p.turn:
	default: // a run is on, perhaps the caller's
		site := callerSite(3)
		if why := p.team.whyInside(); why != "" {
			return &PoolError{op, why, site}
		}
		defer p.team.pool.waiting.add(site)()
		select {
		case closed = <-p.turn:
		case <-ctx.Done():
			return cancellation(context.Cause(ctx))
		}
	}
	if closed != "" {
		p.turn <- closed
		return &PoolError{op, "it was closed at " + closed, callerSite(3)}
	}
	return nil
}

// Close ends the workers, after the run that is on. It returns a [*PoolError] where [Pool.Run] would.
func (p *Pool) Close() error {
	defer goruntime.KeepAlive(p)
	if err := p.takeTurn(context.Background(), "close"); err != nil {
		return err
	}
	p.forgotten.Stop()
	err := p.team.close()
	p.turn <- callerSite(2)
	return err
}

// callerSite returns the line of the function up frames above this one.
func callerSite(up int) string {
	_, file, line, _ := goruntime.Caller(up)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}
