package taskbench

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"ocr/apps/trial"
)

// Floor runs the graphs without a runtime: each worker is a plain loop over its own columns, step by step, one graph
// after the other in each step. Tasks run the same kernels, check as many inputs and write the same outputs as in the
// EDT form; but nothing is synchronised, so memory of the worker's own replaces an input from another worker. The EDT
// form takes longer by the cost of the runtime.
//
// It returns the time from the start of the first loop to the end of the last, and a [*trial.VerifyError] if an input
// was wrong. A cancelled context ends it after the present step, with the context's cause.
func (c Config) Floor(ctx context.Context, workers int) (time.Duration, error) {
	loops := make([][]loop, workers)
	for _, g := range c.numbered().Graphs {
		p := newPlan(g)
		for w := range loops {
			loops[w] = append(loops[w], newLoop(p, c.Verify, w, workers))
		}
	}
	return together(ctx, loops)
}

// together runs all workers' loops and returns their time.
func together(ctx context.Context, loops [][]loop) (time.Duration, error) {
	var clock trial.Clock
	errs := make([]error, len(loops))
	trial.Gang(len(loops), clock.Begin, func(w int) { errs[w] = run(ctx, loops[w]) })
	clock.End()
	return clock.Elapsed(), cmp.Or(errs...)
}

// run runs all steps of a worker's loops, until an input is wrong or the context is done.
func run(ctx context.Context, loops []loop) error {
	steps := 0
	for k := range loops {
		steps = max(steps, loops[k].Steps)
	}
	done := ctx.Done()
	for t := range steps {
		select {
		case <-done:
			return context.Cause(ctx)
		default:
		}
		for k := range loops {
			if wrong := loops[k].step(t); wrong != nil {
				return fmt.Errorf("floor: %w", wrong)
			}
		}
	}
	return nil
}

// A loop is a worker's columns of one graph, which no other worker uses.
type loop struct {
	*plan
	verify    bool
	low, high int           // the columns, high not included
	outputs   [2][][]uint64 // by parity of the step, of the columns from low on
	other     []uint64      // in place of other workers' outputs: that of step -1 and column 0
	scratch   [][]uint64    // of the columns from low on
}

// newLoop makes the loop of a worker over the columns that the EDT form places on it.
func newLoop(p *plan, verify bool, worker, workers int) loop {
	l := loop{plan: p, verify: verify, other: cut(1, p.outputWords())[0]}
	l.low, l.high = (worker*p.Width+workers-1)/workers, ((worker+1)*p.Width+workers-1)/workers
	l.scratch = cut(l.high-l.low, p.Scratch/wordBytes)
	for _, words := range l.scratch {
		fillScratch(words)
	}
	for parity := range l.outputs {
		l.outputs[parity] = cut(l.high-l.low, p.outputWords())
	}
	fill(l.other[:p.pairs], -1, 0)
	return l
}

// cut returns n parts of memory of one worker, each of this many words.
func cut(n, words int) (parts [][]uint64) {
	all := trial.Own[uint64](n * words)
	for k := range n {
		parts = append(parts, all[k*words:][:words:words])
	}
	return parts
}

// step runs one step of a worker's columns, until an input is wrong.
func (l *loop) step(t int) error {
	for i := l.low; i < l.high; i++ {
		col, scratch := l.columns[i], l.scratch[i-l.low]
		if !col.has(t) {
			continue
		}
		if l.verify {
			if wrong := l.check(col, scratch, t, i); wrong != nil {
				return wrong
			}
		}
		l.Kernel.Run(int64(l.number), int64(t), int64(i), bytesOf(scratch))
		fill(l.outputs[t&1][i-l.low][:l.pairs], t, col.source)
	}
	return nil
}

// check compares the scratch memory and all inputs of a task with what they must be.
func (l *loop) check(col *column, scratch []uint64, t, i int) *trial.VerifyError {
	if err := l.checkScratch(scratch, t, i); err != nil {
		return err
	}
	before, links := l.outputs[(t+1)&1], l.links(col, t)
	for k := range links {
		in := &links[k]
		if !in.has(t-1) || in.times == 0 {
			continue
		}
		output, step, source := l.other, -1, uint64(0)
		if l.low <= in.column && in.column < l.high {
			output, step, source = before[in.column-l.low], t-1, l.columns[in.column].source
		}
		if pair := differs(output[:l.pairs], step, source); pair >= 0 {
			return wrongPair(l.number, t, i, in.column, output, pair)
		}
	}
	return nil
}
