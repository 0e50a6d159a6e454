package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	link "ocr/internal/rank"
	"ocr/internal/watch/check"
	"ocr/runtime/finding"
)

// Run runs a program: main and all EDTs that follow from it. Main is the body of an EDT without parameters, whose one
// dependence is the argument block. Each worker is a goroutine of its own, locked to a thread until the run ends; the
// caller's goroutine only waits. Workers use the processors of the caller's affinity mask. A process that a body starts
// is confined to its worker's processor, unless the body lets another goroutine start it, as an [edt.Blocking] does.
//
// Run returns nil after [edt.Ctx.Shutdown], and when no EDT is left to run and none waits. Otherwise it returns:
//
//   - [*OptionError]: an option cannot be used, ctx or main is nil, or a run over [Ranks] that is on waits for the
//     caller; nothing has run
//   - the error of a function given to [AtBegin]; nothing has run
//   - [*edt.Error]: an EDT misused the API
//   - [*edt.PanicError]: the body of an EDT panicked, or left by runtime.Goexit, as testing's FailNow does
//   - [*edt.FailError]: an EDT called fail, or a function that it gave to a Blocking has returned an error, which
//     errors.Is and errors.As find
//   - [*edt.AbortError]: an EDT called abort with a code other than 0
//   - [*edt.StuckError]: nothing can run, but EDTs are waiting
//   - [*finding.Error]: [Check] has found faults; it wraps any other error of the run
//   - an error that wraps the context's cause and [edt.ECANCELED]: ctx was cancelled
//
// EDTs may still run after a shutdown, an abort or a cancellation: if an EDT then fails, Run returns that error. If
// several things went wrong in the body that failed first, or an EDT called abort as well, the error wraps all of them.
//
// When Run returns, all workers have ended, after the EDTs that they were running. The bytes of data blocks must not be
// used any more.
//
// During the run GOMAXPROCS is above the number of workers of all pools: otherwise spinning workers would delay the
// program's other goroutines by tens of milliseconds. The last of several concurrent runs restores the value from
// before the first; if Go followed the limits of the process before, it does again. A value that the program sets
// during a run is kept. (If the program has set the very value that is Go's default, Go counts as having set it.)
func Run(ctx context.Context, main edt.Func, opts ...Option) error {
	s := resolve(opts)
	if err := cmp.Or(s.serveIfRank(), checkCall(ctx, main)); err != nil {
		return err
	}
	p, err := newStarted(s)
	if err != nil {
		return err
	}
	defer p.close() // even if a function of the program panics or calls runtime.Goexit on this goroutine
	return p.Run(ctx, main)
}

// A Runner runs each program on workers of its own, as the function [Run] with these options.
type Runner []Option

// With returns a Runner with these options.
func With(opts ...Option) Runner { return opts }

// Run runs a program with the options of the Runner.
func (r Runner) Run(ctx context.Context, main edt.Func) error { return Run(ctx, main, r...) }

// checkCall returns the error of a call that cannot begin, nil if it can.
func checkCall(ctx context.Context, main edt.Func) error {
	switch {
	case ctx == nil:
		return &OptionError{"ctx", "it is nil; want a context, such as context.Background()"}
	case main == nil:
		return &OptionError{"main", "it is nil; want the body of the main EDT"}
	case ctx.Err() != nil:
		return cancellation(context.Cause(ctx))
	}
	return nil
}

// cancellation is the error of a run whose context was cancelled.
func cancellation(cause error) error {
	return fmt.Errorf("runtime: the run was cancelled: %w [%w]", cause, edt.ECANCELED)
}

// A run is one call of Run, or this rank's part of one.
type run struct {
	*Pool
	graph     *edt.Graph
	observers []func(*edt.Worker) edt.Observer
	report    Report
	checker   *check.Checker // nil if the run is not checked
	refusal   error          // why main must not run
	cancelled bool           // the context has stopped the run
}

// totalMemory is read once: it takes longer than a short run.
var totalMemory = sync.OnceValue(sys.TotalMemory)

// newRun makes the graph of a run, and attaches the workers to it.
func (p *Pool) newRun(ctx context.Context) *run {
	r := &run{Pool: p}
	for _, o := range p.observers {
		r.observers = append(r.observers, o.newObserver)
	}
	memory := p.memory
	if memory == 0 {
		memory = totalMemory() / uint64(p.sharing)
	}
	if p.checked {
		r.checker = check.New(p.blocking)
		r.observers = append(r.observers, r.checker.Observe)
	}
	if p.ranks != nil {
		p.ranks.Report = func() []byte { return link.Encode(r.own()) }
	}
	made := false
	defer func() {
		if !made && r.graph != nil { // newObserver, which is the program's, has panicked
			r.graph.Close()
		}
	}()
	r.graph = edt.NewGraph(edt.Config{
		Workers: p.workers, Places: p.place.places, Memory: memory, Sites: p.sites || p.checked,
		Observe: edt.ObserveAll(r.observers...), Bell: p.pool.ring, Ranks: p.ranks.Ranks(), Outside: p.pool.outside.enter,
		Context: ctx,
	})
	p.pool.attach(r.graph, p.ranks, r.graph.Observed())
	r.report = Report{Workers: p.workers, Placement: p.placement, Warnings: slices.Clip(p.place.warnings)}
	made = true
	return r
}

// run runs a program. The caller has the turn of the pool; over ranks run waits for a turn among all pools.
func (p *Pool) run(ctx context.Context, main edt.Func) error {
	defer p.pool.outside.end()
	defer p.pool.inside.enter()()
	for _, begin := range p.atBegin {
		end, err := begin()
		if err != nil {
			return err
		}
		if end != nil {
			defer end()
		}
	}
	var refusal error
	if p.numRanks > 1 {
		if why := p.job.queue.whyInside(); why != "" {
			return ranksError(p.numRanks, why)
		}
		leave, err := p.job.queue.enter(ctx, p, callerPCs())
		if err != nil {
			return err
		}
		defer leave()
		if p.job.inRun.Load() {
			return ranksError(p.numRanks,
				"rank 0 has left an earlier run by a panic or runtime.Goexit, in which the other ranks wait")
		}
		p.ranks, refusal = p.job.begin(p.settings)
	}
	return p.runHere(ctx, main, refusal)
}

// runHere runs a program in this process, or this rank's part of a program.
func (p *Pool) runHere(ctx context.Context, main edt.Func, refusal error) error {
	p.pool.call(p.placement[0])
	r := p.newRun(ctx)
	defer r.graph.Close()
	r.refusal = refusal
	if entry := r.logger.Check(zap.InfoLevel, "run started"); entry != nil {
		entry.Write(zap.Int("workers", r.workers), zap.Ints("placement", r.report.Placement))
	}
	for _, w := range r.report.Warnings {
		r.logger.Warn(w)
	}
	r.take(ctx, main)
	err := r.findings(r.outcome(ctx))
	r.complete(err)
	r.tell(err)
	r.logEnd(err)
	return err
}

// take starts the run on the workers, and returns when all of them have left the run.
func (r *run) take(ctx context.Context, main edt.Func) {
	r.monitor.begin(r.graph)
	if r.prepare != nil {
		r.prepare(r.pool)
	}
	var start int64
	r.pool.start(func() {
		start = sys.Nanotime()
		if !r.serves() && r.refusal == nil {
			r.graph.Begin(main, r.argv)
		}
	})
	stop := r.startPoller()
	if ctx.Done() == nil {
		r.pool.awaitEnd()
	} else {
		r.awaitEndOr(ctx)
	}
	stop()
	r.monitor.end()
	r.leave()
	if start != 0 {
		r.report.Elapsed = time.Duration(r.pool.endedAt - start)
	}
}

// awaitEndOr waits for the end of the run, and stops the run if ctx is cancelled.
func (r *run) awaitEndOr(ctx context.Context) {
	cancelled := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		defer close(cancelled)
		r.cancelled = r.pool.stop()
	})
	r.pool.awaitEnd()
	if !unwatch() {
		<-cancelled // else the watcher's stop could hit the next run
	}
}

// outcome is the error of the run, without the faults that [Check] has found.
func (r *run) outcome(ctx context.Context) error {
	if r.refusal != nil {
		return r.refusal
	}
	if end := r.graph.Ended(); end != nil {
		return end.Err
	}
	if r.cancelled || r.graph.Cancelled() {
		return cancellation(context.Cause(ctx))
	}
	if r.serves() {
		return nil
	}
	if stuck := r.graph.Stuck(); stuck != nil {
		return stuck
	}
	return nil
}

// findings ends the checks of a run in check mode. It returns the run's error: the faults found, which wrap the error
// end, or end alone if no faults were found.
func (r *run) findings(end error) error {
	if r.checker == nil {
		return end
	}
	var leaks []edt.Leak
	if end == nil {
		leaks = r.graph.Leaks()
	}
	if slices.ContainsFunc(leaks, func(l edt.Leak) bool { return l.Kind == guid.KindEDT }) {
		leaks = nil // a Shutdown has left EDTs, which might have destroyed the rest
	}
	r.report.Findings = r.checker.Finish(leaks)
	r.report.Warnings = append(r.report.Warnings, r.checker.Warnings()...)
	if faults := check.Faults(r.report.Findings); len(faults) > 0 {
		return &finding.Error{Findings: faults, Cause: end}
	}
	return end
}

// complete fills the rest of the report.
func (r *run) complete(err error) {
	r.report = r.own()
	r.report.Counters.Counters = r.graph.Counters()
	if r.ranks != nil && !r.serves() {
		r.joinReports()
	}
	if r.leaks && err == nil && len(r.atEnd) > 0 {
		r.report.Leaks = r.graph.Leaks()
	}
}

// tell calls the functions of [AtEnd].
func (r *run) tell(err error) {
	for _, f := range r.atEnd {
		told := r.report
		told.Placement, told.Warnings = slices.Clone(told.Placement), slices.Clone(told.Warnings)
		f(told, err)
	}
}

func (r *run) logEnd(err error) {
	level, text, failed := zap.InfoLevel, "run ended", zap.Skip()
	if err != nil {
		level, text, failed = zap.ErrorLevel, "run failed", zap.String("error", err.Error()) // not its verbose form
	}
	if entry := r.logger.Check(level, text); entry != nil {
		entry.Write(failed, zap.Duration("elapsed", r.report.Elapsed), zap.Any("counters", r.report.Counters.Map()))
	}
}

// guarded calls work. If work panics or calls runtime.Goexit, the run ends with that as its error.
func (w *worker) guarded(work func()) {
	normal := false
	defer func() {
		if !normal {
			defer w.pool.stop() // even if Recovered ends the goroutine: it calls the program's function that describes the EDT
			w.core.Recovered(recover())
		}
	}()
	work()
	normal = true
}
