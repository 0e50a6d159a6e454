package runtime

import (
	"context"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"ocr/edt"
)

// A Pool is a set of workers that run graphs, one after the other, so that a run starts no threads. Between two runs
// they are parked and cost only memory. [New] makes one. GOMAXPROCS is as [Run] says from New to Close.
//
// Runs that are to be on at the same time need a pool each, such as one of [Workers](1) and [CPUs] for each processor.
type Pool struct {
	team      *team
	made      string
	waited    func(Stall) // reports a wait, if Watch.Report is nil
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
	p := &Pool{team: t, made: callerSite(), waited: firstTo(stderr)}
	p.forgotten = goruntime.AddCleanup(p, func(made string) {
		fmt.Fprintf(stderr, "runtime: a pool of %d workers, made at %s, was never closed\n", s.workers, made)
		go t.close()
	}, p.made)
	return p, nil
}

// Run runs a program as the function [Run] does, with the same result, on the workers of the pool. Calls wait in a
// queue, first come, first served, each until its ctx is done.
//
// The error is a [*PoolError] after Close, and where a run that is on waits for the caller: in the body of an EDT of
// this pool, in a function that such a body has given to [edt.Blocking], or in one that the run calls, as that of
// [AtEnd]. A goroutine that has yet to satisfy an [edt.External] of the run that is on is not recognised: its call
// waits until ctx is done. Reports of a run without progress, and of a call that waits for long (see [Watch]), name the
// lines of calls that wait.
func (p *Pool) Run(ctx context.Context, main edt.Func) error {
	defer goruntime.KeepAlive(p)
	if err := checkCall(ctx, main); err != nil {
		return err
	}
	leave, err := p.enter(ctx, "run")
	if err != nil {
		return err
	}
	defer leave()
	return p.team.run(ctx, main)
}

// Close ends the workers, when the runs of calls that came before have ended; calls that came later are refused. It
// returns a [*PoolError] where [Pool.Run] would.
func (p *Pool) Close() error {
	defer goruntime.KeepAlive(p)
	leave, err := p.enter(context.Background(), "close")
	if err != nil {
		return err
	}
	defer leave()
	p.forgotten.Stop()
	p.team.queue.close(callerSite())
	p.team.close()
	return nil
}

// A callSite is where the program has called this package, perhaps by package task.
type callSite [16]uintptr

func callerPCs() (s callSite) {
	goruntime.Callers(2, s[:])
	return s
}

func callerSite() string {
	s := callerPCs()
	return s.line()
}

// line returns the line of a call.
func (s *callSite) line() string {
	frames := goruntime.CallersFrames(s[:])
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "ocr/runtime.") || strings.HasPrefix(f.Function, "ocr/task.")
		if !own || strings.HasSuffix(f.File, "_test.go") || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}
