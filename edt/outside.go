package edt

import (
	"context"

	"ocr/internal/core/word"
)

// A mailbox takes letters from goroutines that are not workers. A letter is a function that
// a worker carries out on its [Ctx]: it may satisfy events. The sender calls Bell of the
// [Config], and the host then has a worker call [Worker.Receive].
//
// Concurrency: list, over and externals are under mu. waiting is the length of list, for hosts that read it without the
// lock; it is counted up before the bell is rung. Only the worker that holds courier carries out letters, so they keep
// their order. A worker that finds courier held leaves its letter to the holder, so the holder reads waiting again
// after it has released courier. senders counts the open externals. Running EDTs count it up. A worker counts it down
// after the last letter of an external, or when it destroys the event. So while a letter that satisfies an event is
// under way, senders is above 0 and the run is not over.
type mailbox struct {
	bell    func() // nil: the host takes no mail
	outside func() (leave func())
	waiting word.Int64
	senders word.Int64
	courier tryLock

	parent context.Context         // the host's
	ctx    context.Context         // of the run
	stop   context.CancelCauseFunc // of ctx; its first call counts
	used   word.Bool               // the program has used ctx

	mu        word.Mutex
	list      []letter
	over      bool                 // the run has ended
	externals map[uint64]*External // of the events that are alive, by their low GUID words
}

func newMailbox(cfg *Config) *mailbox {
	b := &mailbox{bell: cfg.Bell, outside: cfg.Outside, parent: cfg.Context}
	if b.parent == nil {
		b.parent = context.Background()
	}
	b.ctx, b.stop = context.WithCancelCause(b.parent)
	return b
}

// A tryLock is held by one goroutine at a time; only [Graph.Passive] waits for it.
type tryLock struct{ held word.Uint32 }

func (l *tryLock) take() bool { return l.held.CompareAndSwap(0, 1) }

// leave releases the lock. The caller then reads which work others have left to it, so the store must be a barrier.
func (l *tryLock) leave() { l.held.Store(0) }

// A letter is carried out by a worker, between EDTs.
type letter func(c *Ctx)

// put puts a letter into the box. It returns false if the run has ended. The caller holds the lock, and rings the bell
// after it has released the lock.
func (b *mailbox) put(l letter) bool {
	if b.over {
		return false
	}
	b.list = append(b.list, l)
	b.waiting.Add(1)
	return true
}

// take returns the oldest letter, nil if there is none.
func (b *mailbox) take() letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.list) == 0 {
		return nil
	}
	l := b.list[0]
	b.list[0] = nil
	b.list = b.list[1:]
	b.waiting.Add(-1)
	return l
}

// end drops the letters that wait, and refuses later ones.
func (b *mailbox) end() {
	b.mu.Lock()
	b.over, b.list = true, nil
	b.mu.Unlock()
	b.stop(nil)
}

// done returns the context of the run, for the program.
func (b *mailbox) done() context.Context {
	b.used.Store(true)
	return b.ctx
}

// Cancelled is for hosts: it reports whether the host's context is done, and the program has used [Ctx.Context] or a
// [Blocking]. The program may have ended early for that reason.
func (g *Graph) Cancelled() bool { return g.mail.used.Load() && g.mail.parent.Err() != nil }

// Mail reports whether there is work for [Worker.Receive]: letters from outside, messages of other ranks, or messages
// to them that are held back. Spinning workers call it all the time, so it is inlined.
func (g *Graph) Mail() bool {
	return g.mail.waiting.Load() > 0 || g.ranks != nil && g.hasMessages()
}

// Letters reports whether there are letters from outside that no worker has taken.
func (g *Graph) Letters() bool { return g.mail.waiting.Load() > 0 }

// Expects reports whether letters from outside may still come, or messages to other ranks are held back: the run is not
// over then, even if no EDT is ready. It is exact while no worker runs an EDT and no message is handled.
func (g *Graph) Expects() bool { return g.mail.senders.Load() > 0 || g.ranks != nil && g.ranks.Held() }

// receiveBatch is how many messages of other ranks a worker takes before it looks for EDTs.
const receiveBatch = 64

// Receive carries out messages of other ranks and letters from outside. They may make EDTs ready. The host calls it
// between EDTs, soon after Bell of the [Config] was called. It panics as [Worker.Execute] does.
func (w *Worker) Receive() {
	g := w.ctx.g
	b := g.mail
	if g.ranks != nil {
		g.poll(w.ctx.host, receiveBatch)
	}
	if b.waiting.Load() > 0 && b.courier.take() {
		b.deliver(&w.ctx)
		if b.waiting.Load() > 0 { // also letters that other workers have left to this one
			b.bell()
		}
	}
}

// deliver carries out one letter. The worker then runs the EDT that the letter makes ready, so blocks from outside do
// not pile up if letters come faster than EDTs run.
func (b *mailbox) deliver(c *Ctx) {
	defer b.courier.leave()
	if l := b.take(); l != nil {
		l(c)
	}
}
