package cg

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.serial, a.pooled) }

// A grid is the slabs of a form, which read the planes of their neighbours as they are.
type grid struct {
	slabs []slab
	k     scalars
}

// start begins a run of a form.
func (a *App) start() *grid {
	g := &grid{make([]slab, a.cfg.slabs()), a.cfg.scalars()}
	for i := range g.slabs {
		g.slabs[i] = begin(make([]float64, slabWords(a.cfg.Size, a.cfg.planes(i))), a.of(a.b, i), a.cfg.Size)
	}
	a.Begin()
	return g
}

// finish ends the run.
func (a *App) finish(ctx context.Context, g *grid) error {
	if err := a.EndUnless(ctx); err != nil {
		return err
	}
	a.scalars = g.k
	for i, s := range g.slabs {
		copy(a.of(a.x, i), s.x)
	}
	return nil
}

// advance and direct are the halves of an iteration for a slab.
func (g *grid) advance(i int) float64 { return g.slabs[i].advance(g.k.Alpha) }

func (g *grid) direct(i int) float64 {
	var below, above []float64
	if i > 0 {
		below = g.slabs[i-1].last()
	}
	if i < len(g.slabs)-1 {
		above = g.slabs[i+1].first()
	}
	return g.slabs[i].direct(g.k.Beta, below, above)
}

// solve does the iterations, and looks at ctx before each. over calls a half of an iteration for all slabs, and adds up
// what it returns.
func (a *App) solve(ctx context.Context, g *grid, over func(half func(slab int) float64) float64) error {
	for ctx.Err() == nil {
		if g.k.residual(over(g.advance)); g.k.Done {
			break
		}
		g.k.curvature(over(g.direct))
	}
	return a.finish(ctx, g)
}

// serial does one slab after the other.
func (a *App) serial(ctx context.Context, _ int) error {
	g := a.start()
	return a.solve(ctx, g, func(half func(int) float64) (total float64) {
		for i := range g.slabs {
			total += half(i)
		}
		return total
	})
}

// add adds the slabs' parts in their order.
func add(parts []float64) (total float64) {
	for _, v := range parts {
		total += v
	}
	return total
}

// pooled has a goroutine a worker, for the whole run. Each computes its own share of the slabs, so that they stay in
// its cache, then slabs of the others that are not begun. At the barrier behind that the last one adds the parts.
func (a *App) pooled(ctx context.Context, workers int) error {
	p := &pool{grid: a.start(), shares: make([]share, workers), workers: int32(workers)}
	p.parts, p.passed.L = make([]float64, len(p.slabs)), &p.mu
	p.deal()
	work := func(worker int) {
		for {
			p.compute(worker, p.advance)
			p.barrier(func() {
				p.k.residual(add(p.parts))
				p.k.Done = p.k.Done || ctx.Err() != nil
			})
			if p.k.Done {
				return
			}
			p.compute(worker, p.direct)
			p.barrier(func() { p.k.curvature(add(p.parts)) })
		}
	}
	trial.Gang(workers, func() {}, work)
	return a.finish(ctx, p.grid)
}

// A pool is what the goroutines share.
//
// Concurrency: between two barriers one goroutine writes a field that is not atomic: a slab and its part the one that
// has counted it off a share, the scalars and the shares the last at a barrier.
type pool struct {
	*grid
	parts   []float64
	shares  []share
	workers int32
	arrived atomic.Int32 // at the barrier
	round   atomic.Int32 // how many barriers are passed; written with mu
	mu      sync.Mutex
	passed  sync.Cond // round has changed
}

// A share is the slabs of one goroutine: next to end are not begun. It has a cache line for itself.
type share struct {
	next atomic.Int32
	end  int32
	_    [56]byte
}

func (p *pool) deal() {
	for w := range p.shares {
		p.shares[w].next.Store(int32(w * len(p.slabs) / len(p.shares)))
		p.shares[w].end = int32((w + 1) * len(p.slabs) / len(p.shares))
	}
}

func (p *pool) compute(worker int, f func(int) float64) {
	for w := range p.shares {
		s := &p.shares[(worker+w)%len(p.shares)]
		for s.next.Load() < s.end {
			i := s.next.Add(1) - 1
			if i >= s.end {
				break
			}
			p.parts[i] = f(int(i))
		}
	}
}

// barrier waits for all goroutines; the last one calls f. A goroutine that waits for long parks.
func (p *pool) barrier(f func()) {
	const spins = 1000
	round := p.round.Load()
	if p.arrived.Add(1) == p.workers {
		f()
		p.deal()
		p.arrived.Store(0)
		p.mu.Lock()
		p.round.Add(1)
		p.mu.Unlock()
		p.passed.Broadcast()
		return
	}
	for range spins {
		if p.round.Load() != round {
			return
		}
		goruntime.Gosched()
	}
	p.mu.Lock()
	for p.round.Load() == round {
		p.passed.Wait()
	}
	p.mu.Unlock()
}
