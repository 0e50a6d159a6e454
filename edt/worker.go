package edt

import (
	"ocr/internal/core/block"
	"ocr/internal/core/ids"
)

// A Worker is for hosts and observers; programs use the [Ctx] that their bodies are
// given. It is one of the workers of a run: a host makes it with [Graph.NewWorker], runs
// EDTs on it, and calls its methods from one goroutine at a time.
type Worker struct{ ctx Ctx }

// Ctx returns what the bodies that run on this worker are given. Observers may call
// its queries.
func (w *Worker) Ctx() *Ctx { return &w.ctx }

// Number returns the worker's number on its rank, from 0; with one rank that is [Ctx.Worker].
func (w *Worker) Number() int {
	c := &w.ctx
	if r := c.g.away; r != nil && w == r.worker {
		return c.g.config.Workers
	}
	return c.worker % c.g.config.Workers
}

// Observed is for observers: how many there are on this rank. With several ranks that is one more than it has workers:
// the last is that of the courier, which carries out what other ranks say.
func (w *Worker) Observed() int {
	if g := w.ctx.g; g.away != nil {
		return g.config.Workers + 1
	}
	return w.ctx.g.config.Workers
}

// Rank is for observers: the number of this rank, and how many ranks there are.
func (w *Worker) Rank() (me, ranks int) {
	if r := w.ctx.g.away; r != nil {
		return r.me, r.size
	}
	return 0, 1
}

// Own says that from now on only the calling goroutine uses the worker and its Ctx. The goroutine is locked to
// its thread. A call on another one is found, soon if not at once, and ends the run ([ErrCtx]); without Own that is
// for the host to see to.
func (w *Worker) Own() { w.ctx.owner = ids.Owning() }

// UseNext gives the worker a next-task slot, before the run.
func (w *Worker) UseNext(n NextSlot) { w.ctx.nextSlot = n }

// Idle gives back what the worker keeps and others may wait for: tokens of a finish
// scope, free memory of blocks. The host calls it when the worker has nothing to run,
// before it stops searching. It may make EDTs ready.
func (w *Worker) Idle() {
	c := &w.ctx
	if c.tokens > 0 || c.blocks.Asked() {
		c.dropTokens()
		c.blocks.GiveBack()
	}
}

// Recovered records the panic that ended [Worker.Execute], [Worker.Idle], [Worker.Receive] or
// [Graph.Begin] as the end of the run: v is what the host recovered, nil if the body
// left by runtime.Goexit. The host calls it while the panicking stack is still there.
func (w *Worker) Recovered(v any) {
	c := &w.ctx
	if c.obs != nil {
		c.obs.EDTPanicked(v)
	}
	if u, ok := v.(unwind); ok {
		if u.in != c.g { // the run does not know of it yet
			c.fail(c.throughAnother(u.err))
		}
		return
	}
	if v == nil {
		v = errGoexit
	}
	c.failBy(c.explain(v), panicSite())
}

// Observer returns what observes this worker, nil for nothing. The host tells it what
// the worker does.
func (w *Worker) Observer() Observer { return w.ctx.obs }

// Relocate makes a dependence of the EDT that is about to run show other memory than the
// block's own, of the same length. Observers call it in EDTBegin, and keep the memory
// until the EDT has ended.
func (w *Worker) Relocate(slot int, b []byte) { block.Relocate(&w.ctx.deps[slot], b) }
