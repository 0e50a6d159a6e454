package runtime

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"ocr/edt"
)

// A Pool is a set of workers that run graphs, so that a run starts no threads: one after the other, or, with [Each] or
// [Pool.With], beside each other on some of the workers. Between two runs they are parked and cost only memory. [New]
// makes one. GOMAXPROCS is as [Run] says from New to Close.
type Pool struct {
	team      *team     // of all places
	base      *settings // those of New
	each      *settings // those of a call of Run
	made      string
	leases    *leases
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

// New starts workers, with the options of [Run], and [Each]. They apply to all runs on the pool: [Into], for instance,
// has the facts of the latest run. The error is an [*OptionError].
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
	p := &Pool{team: t, base: s, each: s, made: callerSite(), leases: newLeases(t)}
	if s.each != unset {
		p.each = p.sized(*s, s.each)
	}
	leases := p.leases
	p.forgotten = goruntime.AddCleanup(p, func(made string) {
		fmt.Fprintf(stderr, "runtime: a pool of %d workers, made at %s, was never closed\n", s.workers, made)
		go func() {
			closeTeams(leases.close(made))
			_ = t.close()
		}()
	}, p.made)
	return p, nil
}

// Run runs a program as the function [Run] does, with the same result, on all workers of the pool, or as many as [Each]
// says. A call that finds too few of them free waits in line, until ctx is done; only the head of the line is served,
// so no call waits for those that came later.
//
// The error is a [*PoolError] after Close, and where a run that is on waits for the caller: in the body of an EDT of
// this pool, in a function that such a body has given to [edt.Blocking], or in one that the run calls, as that of
// [AtEnd]. A goroutine that has yet to satisfy an [edt.External] of a run that is on is not recognised: its call
// waits until ctx is done. Reports of a run without progress, and of a call that waits for long (see [Watch]), name the
// lines of calls that wait.
func (p *Pool) Run(ctx context.Context, main edt.Func) error {
	if p == nil || p.leases == nil {
		return cmp.Or(checkCall(ctx, main), poolNotMade("run"))
	}
	return p.run(ctx, main, p.each)
}

func poolNotMade(op string) error {
	return &PoolError{op, "the pool is nil or zero: New makes one", callerSite()}
}

// run runs a program with the settings of one run.
func (p *Pool) run(ctx context.Context, main edt.Func, s *settings) error {
	defer goruntime.KeepAlive(p)
	if err := checkCall(ctx, main); err != nil {
		return err
	}
	x, err := p.take(ctx, "run", s.workers)
	if err != nil {
		return err
	}
	defer p.giveBack(x)
	if x.team == nil {
		p.equip(x, s)
	}
	if of := x.team.settings; of != s {
		x.team.settings = s
		defer func() { x.team.settings = of }()
	}
	return x.team.run(ctx, main)
}

// Close ends the workers, after the runs that are on. It returns a [*PoolError] where [Pool.Run] would.
func (p *Pool) Close() error {
	defer goruntime.KeepAlive(p)
	if p == nil || p.leases == nil {
		return poolNotMade("close")
	}
	x, err := p.take(context.Background(), "close", p.base.workers)
	if err != nil {
		return err
	}
	p.forgotten.Stop()
	closeTeams(p.leases.close(callerSite()))
	p.giveBack(x)
	return p.team.close()
}

// callerSite returns the line of the program that has called this package, perhaps by package task.
func callerSite() string {
	var pcs [32]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "ocr/runtime.") || strings.HasPrefix(f.Function, "ocr/task.")
		if !own || strings.HasSuffix(f.File, "_test.go") || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}
