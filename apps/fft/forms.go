package fft

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.serial, a.naive, a.pooled) }

// form times work on a copy of the input. The work takes seconds at most, so only form looks at ctx, before it.
func (a *App) form(ctx context.Context, work func()) error {
	a.spectrum = append(a.spectrum[:0], a.input...)
	a.Begin()
	if ctx.Err() == nil {
		work()
	}
	return a.EndUnless(ctx)
}

// serial transforms all points by recursion.
func (a *App) serial(ctx context.Context, _ int) error {
	return a.form(ctx, func() { transform(a.spectrum, a.roots) })
}

// naive is a goroutine a task: the same tasks as EDTs.
func (a *App) naive(ctx context.Context, _ int) error {
	return a.form(ctx, func() { a.naiveTransform(a.spectrum) })
}

func (a *App) naiveTransform(x []complex128) {
	half, chunk := len(x)/2, a.cfg.chunk()
	if len(x) == chunk {
		transform(x, a.roots)
		return
	}
	var wg sync.WaitGroup
	for n := 0; n < half; n += chunk {
		wg.Go(func() { butterflies(x[n:n+chunk], x[half+n:], a.roots[half+n:]) })
	}
	wg.Wait()
	wg.Go(func() { a.naiveTransform(x[:half]) })
	wg.Go(func() { a.naiveTransform(x[half:]) })
	wg.Wait()
}

// pooled is a goroutine a worker. Each has a stack of jobs, of which it takes the last; one that has none takes
// the first of another's.
func (a *App) pooled(ctx context.Context, workers int) error {
	p := pool{app: a, chunk: a.cfg.chunk(), stacks: make([][]job, workers)}
	p.open.Store(int64(a.cfg.chunks()))
	return a.form(ctx, func() {
		begin := func() {
			a.Begin()
			p.stacks[0] = []job{p.transform(a.spectrum)}
		}
		trial.Gang(workers, begin, func(w int) {
			for do := p.take(w); do != nil; do = p.take(w) {
				do(w)
			}
		})
	})
}

// A job is what a worker does.
type job func(worker int)

// A pool is what the workers share. Its jobs take some microseconds, so one lock is enough.
type pool struct {
	app   *App
	chunk int

	open   atomic.Int64 // chunks that have yet to be transformed
	mu     sync.Mutex
	stacks [][]job // under mu
}

// transform transforms a part: the worker that does the last butterflies goes on with both halves.
func (p *pool) transform(x []complex128) job {
	return func(worker int) {
		half, roots := len(x)/2, p.app.roots
		if len(x) == p.chunk {
			transform(x, roots)
			p.open.Add(-1)
			return
		}
		var left atomic.Int64
		var jobs []job
		for n := 0; n < half; n += p.chunk {
			jobs = append(jobs, func(worker int) {
				butterflies(x[n:n+p.chunk], x[half+n:], roots[half+n:])
				if left.Add(-1) == 0 {
					p.push(worker, p.transform(x[:half]), p.transform(x[half:]))
				}
			})
		}
		left.Store(int64(len(jobs)))
		p.push(worker, jobs...)
	}
}

func (p *pool) push(worker int, jobs ...job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stacks[worker] = append(p.stacks[worker], jobs...)
}

// take returns the worker's next job, nil when all is done.
func (p *pool) take(worker int) job {
	for p.open.Load() > 0 {
		if do := p.tryTake(worker); do != nil {
			return do
		}
		goruntime.Gosched()
	}
	return nil
}

func (p *pool) tryTake(worker int) job {
	p.mu.Lock()
	defer p.mu.Unlock()
	if own := p.stacks[worker]; len(own) > 0 {
		last := len(own) - 1
		p.stacks[worker] = own[:last]
		return own[last]
	}
	for other, jobs := range p.stacks {
		if len(jobs) > 0 {
			p.stacks[other] = jobs[1:]
			return jobs[0]
		}
	}
	return nil
}
