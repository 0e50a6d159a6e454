package runtime

import (
	"context"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync/atomic"

	"ocr/edt"
)

// A Pool is a set of workers that run one graph after the other: so a run starts no threads. Between two runs they may
// spin for a moment, then park and cost only memory. [New] makes a Pool. From New to Close GOMAXPROCS is as [Run] says.
//
// For two runs at the same time make two pools: for instance one for each processor, with [Workers](1) and [CPUs].
type Pool struct {
	*settings
	pool      *pool
	place     placement
	placement []int  // the processor that each worker ran on after it was pinned
	release   func() // restores GOMAXPROCS
	monitor   *monitor
	queue     queue
	closed    atomic.Pointer[string] // the line where the pool was closed, nil before
	waited    func(Stall)            // reports a call that waits
	job       *job                   // nil if there is one rank
}

// A PoolError says why a call of a [Pool] was refused.
type PoolError struct {
	Op      string // "run", "close"
	Problem string
	Site    string // file:line of the call
}

func (e *PoolError) Error() string {
	return fmt.Sprintf("runtime: %s on a pool: %s (%s)", e.Op, e.Problem, e.Site)
}

// New starts the workers of a pool. The options are those of [Run], and apply to each run of the pool: [Into], for
// instance, has the report of the latest run. The error is an [*OptionError].
//
// The program must close the pool: its workers stay until then.
func New(opts ...Option) (*Pool, error) {
	s := resolve(opts)
	if err := s.serveIfRank(); err != nil {
		return nil, err
	}
	return newStarted(s)
}

// Run runs a program on the workers of the pool; it returns what the function [Run] would. Calls wait in a queue, first
// come, first served. A call leaves the queue when its ctx is done.
//
// The error is a [*PoolError] after Close, and if the run that is on waits for the caller. The caller is then the body
// of an EDT of this pool, a function that a body has given to [edt.Blocking], or a function that the run calls, such as
// one given to [AtEnd]. The pool cannot know of a goroutine that has yet to satisfy an [edt.External] of this run: the
// goroutine's call waits until ctx is done. Reports of a run without progress, and of a call that waits for long (see
// [Watch]), have the lines of the calls that wait.
func (p *Pool) Run(ctx context.Context, main edt.Func) error {
	if err := checkCall(ctx, main); err != nil {
		return err
	}
	leave, err := p.enter(ctx, "run")
	if err != nil {
		return err
	}
	defer leave()
	return p.run(ctx, main)
}

// Close ends the workers when the runs of earlier calls have ended; later calls are refused. It returns a [*PoolError]
// where [Pool.Run] would.
func (p *Pool) Close() error {
	leave, err := p.enter(context.Background(), "close")
	if err != nil {
		return err
	}
	defer leave()
	at := callerPCs()
	line := at.line()
	p.closed.Store(&line) // so later calls, and those behind this one, are refused
	p.close()
	return nil
}

// A callSite is the stack of the program's call of this package, perhaps by way of package task.
type callSite [16]uintptr

func callerPCs() (s callSite) {
	goruntime.Callers(2, s[:])
	return s
}

// line returns the file and line of the program's call.
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
