package edt

import (
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
	"ocr/internal/graph/site"
)

// A Host is for hosts: it runs the ready EDTs of a graph. Package runtime does so on a pool of workers, package edttest
// one EDT after the other in an order that it chooses. The graph decides when an EDT is ready, the host where and when
// it runs. These are the calls between them:
//
//   - before the run: [NewGraph] with a [Config], [Graph.NewWorker] for each worker
//     (or [Graph.Enlist], some of them in the run), [Worker.UseNext]
//   - in the run: [Worker.Own], if its goroutine stays the same; [Graph.Begin]; [Host.Ready] and
//     [Host.Stop]; [Worker.Execute], [Worker.Idle] and [Worker.Recovered]; reports to
//     [Worker.Observer]; and Join of the Config
//   - for [External] and [Blocking], from goroutines that are not workers: Bell and Outside of the Config,
//     then [Worker.Receive]; the run is over only when [Graph.Mail] and [Graph.Expects] are false
//   - from outside, during the run: [Graph.Began], [Graph.Running]; while no worker is in a call, [Graph.Snapshot]
//   - with several ranks: [Graph.Passive] before the run is over, [Graph.Leave] after it; [Graph.Deliver] while no
//     worker looks for mail
//   - after the run: [Graph.Ended], [Graph.Cancelled], [Graph.Stuck], [Graph.Leaks], [Graph.Counters]; last
//     [Graph.Close]
type Host interface {
	// Ready takes an EDT that can run now. The [Worker] to which this Host was given calls Ready on the worker's
	// goroutine: inside an EDT, at the EDT's end, and in the calls of the Worker that may make EDTs ready.
	Ready(Ready)
	// Stop ends the run: shutdown, abort or an error. Each worker ends after
	// the EDT that it runs. Any worker may call Stop.
	Stop()
}

// A NextSlot is for hosts: while it is empty, the worker puts an EDT that becomes ready there, and does not call
// [Host.Ready]. The worker does so only with an EDT that may run anywhere and has no priority. An EDT that waited for
// its last block may go to Host.Ready all the same.
type NextSlot struct {
	EDT *word.Uint64 // the slot, 0 if it is empty; only this worker writes to it
	// After storing the EDT, the worker calls Share if Spinning, or the lower half of Parked, is not 0.
	Parked   *word.Uint64
	Spinning *word.Int64
	Share    func()
}

// wanted reports whether other workers search for an EDT, or are parked.
func (n *NextSlot) wanted() bool {
	return uint64(uint32(n.Parked.Load()))|uint64(n.Spinning.Load()) != 0
}

// alwaysFull is the slot of workers without [Worker.UseNext].
var alwaysFull = func() (w word.Uint64) {
	w.Init(1)
	return w
}()

// A Ready is for hosts: an EDT that can run, 0 for none.
type Ready uint64

const (
	readyPlaceShift = 32
	readyPrioShift  = 48
	// Bit 63 is free: a host may use it.
)

func (k Ready) index() uint32 { return uint32(k) }

// Place returns the place hint of the EDT.
func (k Ready) Place() Affinity { return Affinity(k >> readyPlaceShift) }

// Priority returns the EDT's priority hint, 0 by default; higher runs earlier.
func (k Ready) Priority() int8 { return int8(k >> readyPrioShift) }

// Where returns place and priority in one word, 0 if the EDT has neither.
func (k Ready) Where() uint32 { return uint32(k >> readyPlaceShift) }

// Placed reports whether the EDT has a place or a priority.
func (k Ready) Placed() bool { return k.Where() != 0 }

// A Worker is one worker of a run. It is for hosts and observers; programs use the [Ctx] that their bodies get. A host
// makes a Worker with [Graph.NewWorker], runs EDTs on it, and calls its methods from one goroutine at a time.
type Worker struct{ ctx Ctx }

// Ctx returns the Ctx of the bodies that run on this worker. Observers may call its queries.
func (w *Worker) Ctx() *Ctx { return &w.ctx }

// Number returns the worker's number on its rank, from 0; with one rank that is [Ctx.Worker].
func (w *Worker) Number() int { return w.ctx.onRank() }

// onRank returns the worker's number on its rank; the courier's is the number of workers.
func (c *Ctx) onRank() int {
	if r := c.g.ranks; r != nil && c == r.courier {
		return c.g.config.Workers
	}
	return c.worker % c.g.config.Workers
}

// Observed is for observers: it returns the number of observers on this rank. There is one for each worker and, with
// several ranks, one for the courier, which handles the messages of other ranks.
func (w *Worker) Observed() int {
	if g := w.ctx.g; g.ranks != nil {
		return g.config.Workers + 1
	}
	return w.ctx.g.config.Workers
}

// Rank is for observers: it returns the number of this rank, and the number of ranks.
func (w *Worker) Rank() (me, ranks int) {
	if r := w.ctx.g.ranks; r != nil {
		return r.Rank, r.Size
	}
	return 0, 1
}

// Own declares that from now on only the calling goroutine, which must be locked to its thread, uses the worker and its
// Ctx. A call on another goroutine ends the run ([ErrCtx]), sometimes only at a later call. Without Own the host must
// prevent such calls.
func (w *Worker) Own() { w.ctx.owner = ids.Owning() }

// UseNext gives the worker a next-EDT slot, before the run.
func (w *Worker) UseNext(n NextSlot) { w.ctx.nextSlot = n }

// Idle gives back what other workers may wait for: the worker's tokens of a finish scope, and its free block memory if
// the store has asked for it. The host calls it when the worker has nothing to run, before the worker stops searching.
// It may make EDTs ready.
func (w *Worker) Idle() {
	c := &w.ctx
	if c.tokens > 0 || c.blocks.Asked() {
		c.dropTokens()
		c.blocks.GiveBack()
	}
}

// Recovered ends the run with the panic that ended [Worker.Execute], [Worker.Idle], [Worker.Receive] or [Graph.Begin].
// v is the value that the host recovered, nil if the body called runtime.Goexit. The host calls it in the deferred
// function that recovered, so that the panicking stack is still there.
func (w *Worker) Recovered(v any) {
	c := &w.ctx
	if c.obs != nil {
		c.obs.EDTPanicked(v)
	}
	if u, ok := v.(unwind); ok {
		if u.in != c.g { // this run has not recorded the error: the call was made through another Ctx
			err := *u.err
			if err.Cause != ErrCtx {
				err.addDetail("the Ctx is that of another run")
			}
			err.Who = c.who()
			c.fail(&err)
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

// Relocate makes a dependence show the memory of b in place of the block's own, which has the same length. Observers
// call it in EDTBegin, and keep the memory until the EDT has ended.
func (w *Worker) Relocate(slot int, b []byte) { block.Relocate(&w.ctx.deps[slot], b) }

// Counters count what EDT code did in a run, each worker for itself.
type Counters struct {
	EDTCreated, EDTRun, EDTDestroyed   uint64 // destroyed: by a call, never run
	EventCreated, EventDestroyed       uint64 // destroyed: by a call or by itself
	EventSatisfied                     uint64 // by Satisfy, SatisfySlot, Pass, an External, or the end of a Recording.Run
	BlockCreated, BlockDestroyed       uint64
	TemplateCreated, TemplateDestroyed uint64 // templates of the run
	DependenceAdded                    uint64 // calls of AddDependence
}

// Add adds the counts of d to c.
func (c *Counters) Add(d *Counters) {
	c.EDTCreated += d.EDTCreated
	c.EDTRun += d.EDTRun
	c.EDTDestroyed += d.EDTDestroyed
	c.EventCreated += d.EventCreated
	c.EventDestroyed += d.EventDestroyed
	c.EventSatisfied += d.EventSatisfied
	c.BlockCreated += d.BlockCreated
	c.BlockDestroyed += d.BlockDestroyed
	c.TemplateCreated += d.TemplateCreated
	c.TemplateDestroyed += d.TemplateDestroyed
	c.DependenceAdded += d.DependenceAdded
}

// Map returns the counts by name, as reports print them.
func (c Counters) Map() map[string]uint64 {
	return map[string]uint64{
		"edt.created":        c.EDTCreated,
		"edt.run":            c.EDTRun,
		"edt.destroyed":      c.EDTDestroyed,
		"event.created":      c.EventCreated,
		"event.destroyed":    c.EventDestroyed,
		"event.satisfied":    c.EventSatisfied,
		"block.created":      c.BlockCreated,
		"block.destroyed":    c.BlockDestroyed,
		"template.created":   c.TemplateCreated,
		"template.destroyed": c.TemplateDestroyed,
		"dependence.added":   c.DependenceAdded,
	}
}

// The methods below read single words that workers write meanwhile, without synchronisation, so what they return may be
// out of date. The race detector does not look at them.

// Began returns how many EDTs a worker has begun. Any goroutine may call it and [Graph.Running] until [Graph.Close] is
// called.
//
//go:norace
func (g *Graph) Began(worker int) uint64 {
	if c := g.ctxs[worker].Load(); c != nil {
		return c.n.EDTRun
	}
	return 0
}

// Running returns the EDT that a worker runs, and the name of its template; Null if it runs none.
//
//go:norace
func (g *Graph) Running(worker int) (id guid.GUID, template string) {
	c := g.ctxs[worker].Load()
	if c == nil || c.current == 0 {
		return guid.Null, ""
	}
	r := c.running()
	var t edtRecord
	t.Header, t.code = r.Header, r.code
	return g.edtGUID(c.current, &t), g.template(&t).nameOr("")
}
