package taskbench

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
)

// Floor runs the graphs without a runtime: each worker is a plain loop over its own columns, step by step, one graph
// after the other in each step. Tasks run the same kernels, check as many inputs and write the same outputs as the EDT
// form's; but nothing is synchronised, so an input from another worker is replaced by one of the worker's own. The
// additional time of the EDT form is its runtime's.
//
// It returns the time from the start of the first loop to the end of the last, and a [*trial.VerifyError] if an input
// was wrong. A cancelled context ends it after the present step, with the context's cause.
func (c Config) Floor(ctx context.Context, workers int) (time.Duration, error) {
	return newTeam(c, workers).together(ctx)
}

// together runs all workers and returns their time. They poll stopped, which is set when the context is cancelled: that
// is cheaper than the context's Err.
func (team *team) together(ctx context.Context) (time.Duration, error) {
	var stopped atomic.Bool
	stopped.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { stopped.Store(true) })()
	errs := make([]error, len(team.parts))
	var all sync.WaitGroup
	start := trial.Now()
	for w := 1; w < len(team.parts); w++ {
		all.Go(func() { errs[w] = team.run(team.parts[w], &stopped) })
	}
	errs[0] = team.run(team.parts[0], &stopped)
	all.Wait()
	elapsed := time.Duration(trial.Now() - start)
	if stopped.Load() {
		return elapsed, context.Cause(ctx)
	}
	return elapsed, cmp.Or(errs...)
}

// A team is the workers of one run and what they share, which they only read.
type team struct {
	verify bool
	steps  int
	parts  [][]part // by worker and graph
}

// A part is a worker's columns of one graph, which no other worker touches.
type part struct {
	*plan
	low, high int             // the columns, high not included
	outputs   [2][]*outBuffer // by parity of the step and column: the worker's own, and those in place of others'
	scratch   [][]uint64      // by column
}

// An outBuffer is an output and what was last written to it.
type outBuffer struct {
	step   int
	source uint64
	words  []uint64
}

// newOutBuffers makes n outputs that one worker writes.
func newOutBuffers(n, words int) []outBuffer {
	buffers, all := trial.Own[outBuffer](n), trial.Own[uint64](n*words)
	for k := range buffers {
		buffers[k].words = all[k*words:][:words:words]
	}
	return buffers
}

func newTeam(c Config, workers int) *team {
	team := &team{verify: c.Verify, parts: make([][]part, workers)}
	for _, g := range c.numbered().Graphs {
		p := newPlan(g)
		team.steps = max(team.steps, g.Steps)
		for w := range team.parts {
			team.parts[w] = append(team.parts[w], newPart(p, w, workers))
		}
	}
	return team
}

// newPart makes the part of a worker. For an output of other workers it has one of its own.
func newPart(p *plan, worker, workers int) part {
	g := part{plan: p, scratch: make([][]uint64, p.Width)}
	g.low, g.high = share(p.Width, worker, workers)
	words := p.Scratch / wordBytes
	scratch := newScratch((g.high - g.low) * words)
	for i := g.low; i < g.high; i++ {
		g.scratch[i] = scratch[(i-g.low)*words:][:words:words]
	}
	for parity := range g.outputs {
		g.outputs[parity] = make([]*outBuffer, p.Width)
		own := newOutBuffers(g.high-g.low, p.outputWords())
		for i := g.low; i < g.high; i++ {
			o := &own[i-g.low]
			o.write(-1, source(p.number, i), p.pairs)
			g.outputs[parity][i] = o
		}
		for i := range p.Width {
			if mine := g.high - g.low; mine > 0 && (i < g.low || i >= g.high) {
				g.outputs[parity][i] = g.outputs[parity][g.low+i%mine]
			}
		}
	}
	return g
}

// share returns the columns of a worker: those that the EDT form places on it.
func share(width, worker, workers int) (low, high int) {
	return (worker*width + workers - 1) / workers, ((worker+1)*width + workers - 1) / workers
}

func (o *outBuffer) write(step int, source uint64, words int) {
	o.step, o.source = step, source
	fill(o.words[:words], step, source)
}

// run goes through all steps, up to a wrong input, unless it is stopped.
func (team *team) run(parts []part, stopped *atomic.Bool) error {
	for t := range team.steps {
		if stopped.Load() {
			return nil
		}
		for k := range parts {
			if t >= parts[k].Steps {
				continue
			}
			if err := team.step(&parts[k], t); err != nil {
				return fmt.Errorf("floor: %w", err)
			}
		}
	}
	return nil
}

// step runs one step of a worker's columns. It returns the first wrong thing.
func (team *team) step(g *part, t int) (first error) {
	now, size := g.outputs[t&1], g.pairs
	for i := g.low; i < g.high; i++ {
		if !g.columns[i].has(t) {
			continue
		}
		if team.verify {
			if wrong := team.check(g, t, i, size); wrong != nil && first == nil {
				first = wrong
			}
		}
		g.Kernel.Run(int64(g.number), int64(t), int64(i), bytesOf(g.scratch[i]))
		now[i].write(t, source(g.number, i), size)
	}
	return first
}

// check compares the scratch memory and all inputs of a task with what they must be. What stands in for another
// worker's output need not be of the step before.
func (team *team) check(g *part, t, i, size int) *trial.VerifyError {
	if err := g.checkScratch(g.scratch[i], t, i); err != nil {
		return err
	}
	before, inputs := g.outputs[(t+1)&1], g.columns[i].sets[g.setOf(t)].in
	for k := range inputs {
		in := &inputs[k]
		if !in.has(t) || in.times == 0 {
			continue
		}
		o := before[in.column]
		if pair := differs(o.words[:size], o.step, o.source); pair >= 0 {
			return wrongPair(g.number, t, i, in.column, o.words, pair)
		}
	}
	return nil
}
