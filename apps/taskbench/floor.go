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

// together runs all workers' loops and returns their time. The loops poll stopped, which is set when the context is
// cancelled: a poll is cheaper than the context's Err.
func together(ctx context.Context, loops [][]loop) (time.Duration, error) {
	var stopped atomic.Bool
	stopped.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { stopped.Store(true) })()
	errs := make([]error, len(loops))
	var all sync.WaitGroup
	start := trial.Now()
	for w := 1; w < len(loops); w++ {
		all.Go(func() { errs[w] = run(loops[w], &stopped) })
	}
	errs[0] = run(loops[0], &stopped)
	all.Wait()
	elapsed := time.Duration(trial.Now() - start)
	if stopped.Load() {
		return elapsed, context.Cause(ctx)
	}
	return elapsed, cmp.Or(errs...)
}

// run runs all steps of a worker's loops, until an input is wrong or stopped is set.
func run(loops []loop, stopped *atomic.Bool) error {
	for t, ended := 0, false; !ended && !stopped.Load(); t++ {
		ended = true
		for k := range loops {
			if t >= loops[k].Steps {
				continue
			}
			ended = false
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
	scratch := trial.Own[uint64](own * p.Scratch / wordBytes) // its pages are touched here, not while the clock runs
	fillScratch(scratch)
	for k := range own {
		n := p.Scratch / wordBytes
		l.scratch = append(l.scratch, scratch[k*n:][:n:n])
	}
	for parity := 0; parity < 2 && own > 0; parity++ {
		buffers, words, n := trial.Own[outBuffer](own), trial.Own[uint64](own*p.outputWords()), p.outputWords()
		for k := range buffers {
			buffers[k].words = words[k*n:][:n:n]
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
