package taskbench

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
)

// Floor runs the graphs without a runtime: each worker is a plain loop over its own
// columns, step by step, one graph after the other in each step. Tasks run the same
// kernels, check as many inputs and write the same outputs as the EDT form's; but
// nothing is synchronised, so an input that another worker would make is replaced by
// one of the worker's own. What a run of the EDT form takes longer is its runtime's.
//
// It returns the time from the start of the first loop to the end of the last, and a
// [*trial.VerifyError] if an input was wrong. A cancelled context ends it after the step it
// is at, with the context's cause.
func (c Config) Floor(ctx context.Context, workers int) (time.Duration, error) {
	c = c.numbered()
	loops := make([]*floorLoop, workers)
	for w := range loops {
		loops[w] = newFloorLoop(&c, w, workers)
	}
	return together(ctx, workers, func(w int, stopped *atomic.Bool) error { return loops[w].run(stopped) })
}

// together runs f on so many threads and returns the time that all took. f polls stopped,
// which is set when the context is cancelled: less than to ask the context each step.
func together(ctx context.Context, workers int, f func(worker int, stopped *atomic.Bool) error) (time.Duration, error) {
	var stopped atomic.Bool
	stopped.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { stopped.Store(true) })()
	errs := make([]error, workers)
	var all sync.WaitGroup
	start := trial.Now()
	for w := 1; w < workers; w++ {
		all.Go(func() { errs[w] = f(w, &stopped) })
	}
	errs[0] = f(0, &stopped)
	all.Wait()
	elapsed := time.Duration(trial.Now() - start)
	if stopped.Load() {
		return elapsed, context.Cause(ctx)
	}
	for _, err := range errs {
		if err != nil {
			return elapsed, err
		}
	}
	return elapsed, nil
}

// A floorLoop is one worker's part.
type floorLoop struct {
	verify bool
	steps  int
	graphs []floorGraph
}

// A floorGraph is a worker's columns of one graph.
type floorGraph struct {
	*plan
	low, high int // the columns, high not included
	edges     [][]floorEdges
	rings     [2][]floorOutput // of the columns, for even and odd steps
	scratch   [][]uint64
}

// floorEdges are where a column's inputs come from by one set.
type floorEdges []floorEdge

type floorEdge struct {
	from  int // of the worker's columns, from 0
	there steps
}

// A floorOutput is an output and the step in which it was last written.
type floorOutput struct {
	step  int
	pairs []uint64
}

func newFloorLoop(c *Config, worker, workers int) *floorLoop {
	l := &floorLoop{verify: c.Verify}
	for _, cfg := range c.Graphs {
		g := floorGraph{plan: newPlan(cfg, c.Window)}
		g.low, g.high = share(cfg.Width, worker, workers)
		for i := g.low; i < g.high; i++ {
			g.addColumn(i)
		}
		l.graphs = append(l.graphs, g)
		l.steps = max(l.steps, cfg.Steps)
	}
	return l
}

// share returns the columns of a worker: those that the EDT form places on it.
func share(width, worker, workers int) (low, high int) {
	return (worker*width + workers - 1) / workers, ((worker+1)*width + workers - 1) / workers
}

func (g *floorGraph) addColumn(i int) {
	col, mine := &g.columns[i], g.high-g.low
	bySet := make([]floorEdges, g.period)
	for set := range g.period {
		for _, in := range col.inputs[set] {
			from := in.from
			if from < g.low || from >= g.high {
				from = g.low + from%mine
			}
			bySet[set] = append(bySet[set], floorEdge{from - g.low, in.there})
		}
	}
	g.edges = append(g.edges, bySet)
	for k := range g.rings {
		o := floorOutput{step: -1, pairs: make([]uint64, g.outputWords())}
		fill(o.pairs[:g.pairWords()], -1, source(g.number, i))
		g.rings[k] = append(g.rings[k], o)
	}
	g.scratch = append(g.scratch, newScratch(g.Scratch))
}

func (l *floorLoop) run(stopped *atomic.Bool) error {
	for t := range l.steps {
		if stopped.Load() {
			return nil
		}
		for k := range l.graphs {
			if t < l.graphs[k].Steps {
				if err := l.graphs[k].step(t, l.verify); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// step runs one step of a worker's columns.
func (g *floorGraph) step(t int, verify bool) error {
	offset, width := g.At(t)
	now, size := g.rings[t&1], g.pairWords()
	for i := max(g.low, offset); i < min(g.high, offset+width); i++ {
		k := i - g.low
		if verify {
			if err := g.check(t, i, size); err != nil {
				return fmt.Errorf("floor: %w", err)
			}
		}
		g.Kernel.Run(int64(g.number), int64(t), int64(i), bytesOf(g.scratch[k]))
		fill(now[k].pairs[:size], t, source(g.number, i))
		now[k].step = t
	}
	return nil
}

// check compares the scratch memory and all inputs of a task with what they must be.
func (g *floorGraph) check(t, i, size int) error {
	k, before := i-g.low, g.rings[(t+1)&1]
	if err := g.checkScratch(g.scratch[k], t, i); err != nil {
		return err
	}
	for _, edge := range g.edges[k][g.setOf(t)] {
		if !edge.there.has(t) {
			continue
		}
		from := &before[edge.from]
		if pair := differs(from.pairs[:size], from.step, source(g.number, g.low+edge.from)); pair >= 0 {
			return wrongPair(g.number, t, i, g.low+edge.from, from.pairs, pair)
		}
	}
	return nil
}
