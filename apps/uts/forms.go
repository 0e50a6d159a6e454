package uts

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs: one goroutine, which walks subtrees by recursion, and a goroutine for each
// worker.
func (a *App) Forms() []trial.Form {
	tree := a.cfg.tree()
	plain := tree
	plain.Cutoff = 0
	return []trial.Form{
		{Name: trial.Serial, Run: func(ctx context.Context, _ int) error { return a.search(ctx, 1, plain) }},
		{Name: trial.Pooled, Run: func(ctx context.Context, workers int) error { return a.search(ctx, workers, tree) }},
	}
}

// A counter is the Counts of a worker, on cache lines of their own.
type counter struct {
	Counts
	_ [104]byte
}

// search runs a goroutine for each worker. Each has a stack of nodes, last in first out, and shares nodes if other
// workers have none. It is meant to do the least work for each node.
func (a *App) search(ctx context.Context, workers int, tree Tree) error {
	p := poolSearch{ctx: ctx, tree: tree, workers: workers, counters: make([]counter, workers)}
	trial.Gang(workers, func() {
		a.Begin()
		p.shared = []Node{root(a.cfg.Seed)}
	}, func(w int) { p.work(&p.counters[w].Counts) })
	a.found = Counts{}
	for k := range p.counters {
		a.found.add(p.counters[k].Counts)
	}
	return a.EndUnless(ctx)
}

// A poolSearch is the state that the workers share.
//
// Concurrency: shared and waiting are under mu; each worker has one of the counters. hungry is 1 if workers wait and no
// nodes are shared: the others load it without the lock, and share nodes if it is 1.
type poolSearch struct {
	ctx      context.Context
	tree     Tree
	workers  int
	counters []counter

	mu      sync.Mutex
	shared  []Node
	waiting int
	_       [64]byte
	hungry  atomic.Int64
	_       [56]byte
}

// work searches until no worker has nodes.
func (p *poolSearch) work(c *Counts) {
	tree := p.tree
	for stack := p.take(nil); len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.Depth >= tree.Cutoff {
			tree.walk(p.ctx, n, c)
		} else {
			children := tree.visit(p.ctx, n, c)
			for i := range children {
				stack = append(stack, n.child(i))
			}
			if len(stack) > 1 && p.hungry.Load() > 0 {
				stack = p.share(stack)
			}
		}
		if len(stack) == 0 {
			stack = p.take(stack)
		}
	}
}

// share gives the older half of a stack, which has the larger subtrees, to the waiting workers.
func (p *poolSearch) share(stack []Node) []Node {
	half := len(stack) / 2
	p.mu.Lock()
	p.shared = append(p.shared, stack[:half]...)
	p.hungry.Store(0)
	p.mu.Unlock()
	return stack[:copy(stack, stack[half:])]
}

// take fills an empty stack with a part of the shared nodes. It returns no nodes when all workers wait.
func (p *poolSearch) take(stack []Node) []Node {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting++
	for len(p.shared) == 0 {
		if p.waiting == p.workers {
			return nil
		}
		p.hungry.Store(1)
		p.mu.Unlock()
		goruntime.Gosched()
		p.mu.Lock()
	}
	most := (len(p.shared) + p.waiting - 1) / p.waiting
	rest := len(p.shared) - most
	stack = append(stack, p.shared[rest:]...)
	p.shared = p.shared[:rest]
	p.waiting--
	return stack
}
