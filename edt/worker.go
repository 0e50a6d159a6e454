package edt

import (
	"ocr/internal/core/block"
	"ocr/internal/core/ids"
	"ocr/internal/graph/site"
)

// A Worker is one worker of a run. It is for hosts and observers; programs use the [Ctx]
// that their bodies get. A host makes a Worker with [Graph.NewWorker], runs EDTs on it,
// and calls its methods from one goroutine at a time.
type Worker struct{ ctx Ctx }

// Ctx returns the Ctx of the bodies that run on this worker. Observers may call its
// queries.
func (w *Worker) Ctx() *Ctx { return &w.ctx }

// Number returns the worker's number on its rank, from 0; with one rank that is [Ctx.Worker].
func (w *Worker) Number() int {
	c := &w.ctx
	if r := c.g.away; r != nil && w == r.worker {
		return c.g.config.Workers
	}
	return c.worker % c.g.config.Workers
}

// Observed is for observers: it returns the number of observers on this rank: one for each worker and, with several
// ranks, one for the courier, which handles the messages of other ranks.
func (w *Worker) Observed() int {
	if g := w.ctx.g; g.away != nil {
		return g.config.Workers + 1
	}
	return w.ctx.g.config.Workers
}

// Rank is for observers: the number of this rank, and how many ranks there are.
func (w *Worker) Rank() (me, ranks int) {
	if r := w.ctx.g.away; r != nil {
		return r.Rank, r.Size
	}
	return 0, 1
}

// Own declares that from now on only the calling goroutine uses the worker and its Ctx. The goroutine is locked to
// its thread. A call on another goroutine ends the run ([ErrCtx]), sometimes only at a later call. Without Own the
// host must prevent such calls.
func (w *Worker) Own() { w.ctx.owner = ids.Owning() }

// UseNext gives the worker a next-EDT slot, before the run.
func (w *Worker) UseNext(n NextSlot) { w.ctx.nextSlot = n }

// Idle gives back what other workers may wait for: the worker's tokens of a finish
// scope and its free memory of blocks. The host calls it when the worker has nothing to
// run, before the worker stops searching. It may make EDTs ready.
func (w *Worker) Idle() {
	c := &w.ctx
	if c.tokens > 0 || c.blocks.Asked() {
		c.dropTokens()
		c.blocks.GiveBack()
	}
}

// Recovered ends the run with the panic that ended [Worker.Execute], [Worker.Idle],
// [Worker.Receive] or [Graph.Begin]. v is the value that the host recovered, nil if the body
// called runtime.Goexit. The host calls it in the deferred function that recovered, so that
// the panicking stack is still there.
func (w *Worker) Recovered(v any) {
	c := &w.ctx
	if c.obs != nil {
		c.obs.EDTPanicked(v)
	}
	if u, ok := v.(unwind); ok {
		if u.in != c.g { // this run has not recorded it
			c.fail(c.throughAnother(u.err))
		}
		return
	}
	if v == nil {
		v = errGoexit
	}
	line, call := site.OfPanic()
	c.failBy(c.explain(v, call), line)
}

// Observer returns this worker's observer, nil for none. The host reports to it when the
// worker searches, steals, parks and wakes.
func (w *Worker) Observer() Observer { return w.ctx.obs }

// Relocate gives a dependence of the EDT that is about to run other memory than the
// block's own, of the same length. Observers call it in EDTBegin, and keep the memory
// until the EDT has ended.
func (w *Worker) Relocate(slot int, b []byte) { block.Relocate(&w.ctx.deps[slot], b) }
