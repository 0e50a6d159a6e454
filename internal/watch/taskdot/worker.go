package taskdot

import (
	"slices"
	"time"

	"ocr/edt"
	"ocr/guid"
)

// A worker is the observer of one worker.
type worker struct {
	edt.NopObserver
	graph *Graph
	id    int
	self  *node // the running EDT, if it is drawn

	output guid.GUID // the event that a closed finish scope satisfies next, and its causes
	closed []*node
}

// causes returns the cause of the call: the running EDT, if it is drawn.
func (w *worker) causes() []*node {
	if w.self == nil {
		return nil
	}
	return []*node{w.self}
}

func (w *worker) EDTCreated(e guid.GUID, t *edt.Template, _ int) {
	w.graph.total.Add(1)
	w.graph.record(func(g *Graph) {
		if len(g.nodes) < g.limit {
			g.addNode(e, t.Name(), w.self)
		}
	})
}

func (w *worker) EDTBegin(e guid.GUID, t *edt.Template, in edt.Args) {
	if w.graph.done.Load() {
		return
	}
	about := t.About(in.Params(), in.Deps())
	w.graph.record(func(g *Graph) {
		if w.self = g.byEDT[e]; w.self != nil {
			w.self.about, w.self.worker, w.self.began = about, w.id, w.graph.clock()
		}
	})
}

func (w *worker) EDTReturned(guid.GUID) {
	n := w.self
	if n == nil {
		return
	}
	n.took, n.returned = time.Duration(w.graph.clock()-n.began), true
	w.graph.record(func(*Graph) {
		for s := n.in; s != nil; s = s.around {
			s.last = n
		}
	})
}

func (w *worker) EDTEnded(guid.GUID) {
	if w.self != nil {
		w.self = nil
		w.graph.record((*Graph).ended)
	}
}

func (w *worker) EDTDestroyed(e guid.GUID) {
	w.graph.record(func(g *Graph) {
		if g.byEDT[e] != nil {
			g.ended()
		}
	})
}

func (w *worker) EventCreated(e guid.GUID, t edt.EventType) {
	w.graph.record(func(g *Graph) {
		g.events[e] = &event{name: t.String() + " event " + e.Short(), channel: t == edt.Channel}
	})
}

func (w *worker) EventDestroyed(e guid.GUID) {
	w.graph.record(func(g *Graph) {
		if g.events[e] != nil {
			g.bury(e)
		}
	})
}

func (w *worker) EventSatisfied(e, from, _ guid.GUID, _ int) {
	w.graph.record(func(g *Graph) {
		ev := g.events[e]
		if ev == nil {
			return
		}
		switch before := g.events[from]; {
		case before != nil:
			ev.add(before.pass())
		case e == w.output:
			ev.add(w.closed)
			w.output = guid.Null
		default:
			ev.add(w.causes())
		}
	})
}

func (w *worker) ScopeOpened(opened, e guid.GUID) {
	w.graph.record(func(g *Graph) {
		if n := g.byEDT[e]; n != nil {
			n.opens = &scope{around: n.in, finish: n, last: n}
			g.scopes[opened] = n.opens
		}
	})
}

func (w *worker) ScopeClosed(closed, output guid.GUID) {
	w.graph.record(func(g *Graph) {
		if s := g.scopes[closed]; s != nil {
			delete(g.scopes, closed)
			w.output, w.closed = output, slices.Compact([]*node{s.finish, s.last})
		}
	})
}

func (w *worker) SlotSatisfied(e guid.GUID, slot int, from, _ guid.GUID) {
	w.graph.record(func(g *Graph) {
		var causes []*node
		via := ""
		if ev := g.events[from]; ev != nil {
			causes, via = ev.pass(), ev.name
		} else if from.IsNull() {
			causes = w.causes()
		}
		if to := g.byEDT[e]; to != nil {
			for _, cause := range causes {
				to.into = append(to.into, edge{cause, slot, via})
			}
		}
	})
}
