package taskbench

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"ocr/apps/trial"
	"ocr/datablock"
)

// Floor runs the graphs without a runtime: each of these processors has a thread ([trial.Pinned]), a plain loop over
// its own columns, step by step, one graph after the other in each step. Tasks run the same kernels, write the same
// outputs and check the inputs that the pattern gives them; EDTs also check that no other input came. But nothing is
// synchronised: memory of the thread's own replaces an input from another thread. The EDT form takes longer by the cost
// of the runtime.
//
// It returns the time from the start of the first loop to the end of the last, and a [*trial.VerifyError] if an input
// was wrong. A cancelled context ends it after the present step, with the context's cause.
func (c Config) Floor(ctx context.Context, pins []int) (time.Duration, error) {
	loops := make([][]loop, len(pins))
	c.Recorded = true // the pattern's edges alone, and two buffers for each column
	for _, g := range c.numbered().Graphs {
		p := newPlan(g)
		p.layOut(len(pins))
		for w := range loops {
			loops[w] = append(loops[w], newLoop(p, c.Verify, w))
		}
	}
	return together(ctx, loops, pins)
}

// together runs all workers' loops and returns the time until the last worker ends: the time in which threads are
// unpinned is not part of it.
func together(ctx context.Context, loops [][]loop, pins []int) (time.Duration, error) {
	var clock trial.Clock
	var ended atomic.Int64
	errs := make([]error, len(loops))
	err := trial.Pinned(pins, clock.Begin, func(w int) {
		errs[w] = run(ctx, loops[w])
		if ended.Add(1) == int64(len(loops)) {
			clock.End()
		}
	})
	return clock.Elapsed(), cmp.Or(err, cmp.Or(errs...))
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

// A loop is a worker's columns of one graph, which no other worker uses. They share a tile, as with PlaceBound.
type loop struct {
	*plan
	verify  bool
	columns []*column
	memory  []uint64 // of the tile
	other   []uint64 // read in place of other workers' outputs: an output of step -1, column 0
}

// newLoop makes the loop of a worker over the columns that the EDT form places on it.
func newLoop(p *plan, verify bool, worker int) loop {
	l := loop{plan: p, verify: verify, memory: trial.Own[uint64](p.tiles[worker]), other: trial.Own[uint64](p.pairs)}
	for _, col := range p.living() {
		if col.tile == worker {
			l.columns = append(l.columns, col)
			fillScratch(col.scratchIn(l.memory))
		}
	}
	fill(l.other, -1, 0)
	return l
}

func (l *loop) step(t int) error {
	for _, col := range l.columns {
		if !col.has(t) {
			continue
		}
		if l.verify {
			if wrong := l.check(col, t); wrong != nil {
				return wrong
			}
		}
		l.Kernel.Run(int64(l.number), int64(t), int64(col.number), bytesOf(col.scratchIn(l.memory)))
		fill(l.output(l.memory, col.outputAt, t), t, col.source)
	}
	return nil
}

// check compares the scratch memory and all inputs of a task with what they must be.
func (l *loop) check(col *column, t int) *trial.VerifyError {
	if err := l.checkScratch(col.scratchIn(l.memory), t, col.number); err != nil {
		return err
	}
	links := l.links(col, t)
	for k := range links {
		in := &links[k]
		if !in.has(t-1) || in.times == 0 {
			continue
		}
		output, step, source := l.other, -1, uint64(0)
		if in.mode != datablock.RO {
			output, step, source = l.output(l.memory, in.at, t-1), t-1, in.source
		}
		if pair := differs(output, step, source); pair >= 0 {
			return wrongPair(l.number, t, col.number, in.column, output, pair)
		}
	}
	return nil
}
