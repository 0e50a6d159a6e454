package taskdot

import (
	"fmt"

	"ocr/guid"
	"ocr/internal/watch/ranklog"
)

// With several ranks each rank logs what its observers receive. When the run has ended, rank 0 replays all logs to draw
// the graph.

// A message carries a cause from one rank to another.
type message struct {
	by      *node   // the EDT whose body makes the call; nil if it is not drawn
	sources []*node // the EDTs that lead to the call
	via     string  // the event in between
}

// Join makes the graph of a run over several ranks, once that has ended. With one rank it does nothing.
func (g *Graph) Join() {
	if g.log == nil {
		return
	}
	cut := g.log.Replay(func(id int) ranklog.Reader { return &worker{graph: g, id: id} })
	for _, rank := range g.log.Lost() {
		g.missing += fmt.Sprintf(", without those of rank %d, which is lost", rank)
	}
	if cut {
		g.missing += fmt.Sprintf(", as they were when a rank had recorded %d MiB", ranklog.MaxBytes>>20)
	}
}

// lane names a worker.
func (g *Graph) lane(worker int) string {
	name := fmt.Sprintf("worker %d", worker)
	if g.log != nil {
		name = fmt.Sprintf("rank %d, %s", g.log.RankOf(worker), name)
	}
	return name
}

// Now implements [ranklog.Reader].
func (w *worker) Now(r *ranklog.Record) { w.now = r }

// Begins implements [ranklog.Reader].
func (w *worker) Begins(r *ranklog.Record) { w.begins(r.A, r.About) }

// Heard implements [ranklog.Reader].
func (w *worker) Heard(*ranklog.Record) {}

// MessageSent keeps the cause of a message.
func (w *worker) MessageSent(_ int, from, _, _ guid.GUID) []byte {
	w.graph.record(func(g *Graph) {
		m := message{w.creator(), w.causes(), w.message.via}
		if ev := g.events[from]; ev != nil {
			m.sources, m.via = ev.pass(), ev.name
		}
		g.sent.Sent(w.now, m)
	})
	return nil
}

// Came implements [ranklog.Reader].
func (w *worker) Came(from int, sent uint64) { w.message = w.graph.sent.Came(w.now, from, sent) }

// MessageDone ends what follows from the message.
func (w *worker) MessageDone() { w.message = message{} }

// creator returns the EDT that makes the call; nil if it is not drawn.
func (w *worker) creator() *node {
	if w.self != nil {
		return w.self
	}
	return w.message.by
}

// causes returns the EDTs that lead to the call.
func (w *worker) causes() []*node {
	if w.self != nil {
		return []*node{w.self}
	}
	return w.message.sources
}
