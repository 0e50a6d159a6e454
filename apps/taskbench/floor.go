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
// EDT form; but nothing is synchronised, so an output of the worker's own replaces an input from another worker. The
// EDT form takes longer by the cost of the runtime.
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
	low, high int             // the columns, high not included
	outputs   [2][]*outBuffer // by parity of the step and column: the worker's own, and replacements of others'
	scratch   [][]uint64      // of the columns from low on
}

// An outBuffer is an output and what was last written to it.
type outBuffer struct {
	step   int
	source uint64
	words  []uint64
}

// newLoop makes the loop of a worker over the columns that the EDT form places on it.
func newLoop(p *plan, verify bool, worker, workers int) loop {
	l := loop{plan: p, verify: verify}
	l.low, l.high = (worker*p.Width+workers-1)/workers, ((worker+1)*p.Width+workers-1)/workers
	own := l.high - l.low
	l.scratch = cut(own, p.Scratch/wordBytes)
	for _, words := range l.scratch {
		fillScratch(words)
	}
	for parity := 0; parity < 2 && own > 0; parity++ {
		buffers, words := trial.Own[outBuffer](own), cut(own, p.outputWords())
		for k := range buffers {
			buffers[k].words = words[k]
			buffers[k].write(-1, p.columns[l.low+k].source, p.pairs)
		}
		for j := range p.Width {
			k := j - l.low
			if k < 0 || k >= own {
				k = j % own
			}
			l.outputs[parity] = append(l.outputs[parity], &buffers[k])
		}
	}
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

func (o *outBuffer) write(step int, source uint64, words int) {
	o.step, o.source = step, source
	fill(o.words[:words], step, source)
}

// step runs one step of a worker's columns, until an input is wrong.
func (l *loop) step(t int) error {
	for i := l.low; i < l.high; i++ {
		col, scratch := &l.columns[i], l.scratch[i-l.low]
		if !col.has(t) {
			continue
		}
		if l.verify {
			if wrong := l.check(col, scratch, t, i); wrong != nil {
				return wrong
			}
		}
		l.Kernel.Run(int64(l.number), int64(t), int64(i), bytesOf(scratch))
		l.outputs[t&1][i].write(t, col.source, l.pairs)
	}
	return nil
}

// check compares the scratch memory and all inputs of a task with what they must be. The replacement of another
// worker's output may be of an older step.
func (l *loop) check(col *column, scratch []uint64, t, i int) *trial.VerifyError {
	if err := l.checkScratch(scratch, t, i); err != nil {
		return err
	}
	before, inputs := l.outputs[(t+1)&1], col.sets[l.setOf(t)].in
	for k := range inputs {
		in := &inputs[k]
		if !in.has(t) || in.times == 0 {
			continue
		}
		o := before[in.column]
		if pair := differs(o.words[:l.pairs], o.step, o.source); pair >= 0 {
			return wrongPair(l.number, t, i, in.column, o.words, pair)
		}
	}
	return nil
}
