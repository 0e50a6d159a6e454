package runtime

import (
	"context"
	"fmt"
	"path/filepath"
	goruntime "runtime"

	"ocr/edt"
)

// A Pool is workers that stay: a program runs one graph after the other on them, without
// starting threads for each. Between two runs its workers are parked and cost nothing but
// memory. [New] makes one.
//
// GOMAXPROCS is held as [Run] says, from New to Close.
type Pool struct {
	team *team
	made string
	// turn holds whose turn it is: a run has it, and Close for good. It says where the pool
	// was closed, "" while it is not.
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

// New starts workers. They take the options that [Run] does, and all runs on the pool have
// those: [Into], for instance, has the facts of the latest run. The error is an [*OptionError].
//
// A pool is to be closed. One that is forgotten is closed when the collector finds it; that
// is reported once on standard error, with the line of New.
func New(opts ...Option) (*Pool, error) {
	s := resolve(opts)
	s.serveIfRank()
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

// Run runs a program as the function [Run] does, and returns what that returns. Runs on one pool come one after the
// other: a call waits for those before it, or until ctx is done. Any goroutine may call it that the run which is on
// does not wait for.
//
// The error is a [*PoolError] if it was called after Close, by the body of an EDT of this pool, by a function that such
// a body has given to [edt.Blocking], or by one that the run calls, as that of [AtEnd]. A goroutine that is to satisfy
// an [edt.External] of the run that is on is not known as such: its call waits until ctx is done. The report of a run
// that does not get on (see [Watch]) names the lines of calls that wait for its end.
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

// takeTurn waits for the end of the run that is on. The caller, which the program has called, gives
// the turn back.
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

// Close ends the workers, after the run that is on. It returns a [*PoolError] if the pool was
// closed before, or if the body of an EDT of this pool calls it.
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

// callerSite returns the line of the function so many frames up.
func callerSite(up int) string {
	_, file, line, _ := goruntime.Caller(up)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}
