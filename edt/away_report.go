package edt

import (
	"slices"

	"ocr/guid"
	"ocr/internal/graph/record"
)

// The end of a run over ranks: this file is for package internal/rank/remote. Rank 0 collects what the others report,
// and its graph speaks for all.

// A RemoteReport is what a rank has of a run that has ended.
type RemoteReport struct {
	Counters Counters
	Leaks    []Leak
	Stuck    *StuckError
	// Awaited are slots of other ranks that wait for events here: the home of an EDT does not know the state of an
	// event.
	Awaited []WaitingEDT
}

// Report returns the report of this rank. No worker may be running.
func (h Home) Report() RemoteReport {
	g := h.g
	return RemoteReport{g.countersHere(), sortLeaks(g.leaksOnRank()), g.stuckHere(), g.awaitedElsewhere()}
}

// Join takes the report of another rank, or a part of one.
func (h Home) Join(other RemoteReport) { h.g.away.others = append(h.g.away.others, other) }

// addCountersAway adds what the other ranks have counted.
func (g *Graph) addCountersAway(sum *Counters) {
	for k := range g.away.others {
		sum.Add(&g.away.others[k].Counters)
	}
}

// leaksOnRank counts what is left on this rank, whose name it notes.
func (g *Graph) leaksOnRank() map[Leak]int {
	count := make(map[Leak]int)
	for l, n := range g.leaksHere() {
		l.On = g.rankText(guid.Null)
		count[l] = n
	}
	return count
}

// leaksAway counts what is left on all ranks.
func (g *Graph) leaksAway() map[Leak]int {
	count := g.leaksOnRank()
	for _, other := range g.away.others {
		for _, l := range other.Leaks {
			n := l.Count
			l.Count = 0
			count[l] += n
		}
	}
	return count
}

// addStuckAway adds the EDTs that wait on the other ranks, and says of all for what they wait on another rank.
func (g *Graph) addStuckAway(all *StuckError) *StuckError {
	awaited := g.awaitedElsewhere()
	for _, other := range g.away.others {
		awaited = append(awaited, other.Awaited...)
		switch e := other.Stuck; {
		case e == nil:
		case all == nil:
			all = e
		default:
			all.Count += e.Count
			all.Waiting = append(all.Waiting, e.Waiting[:min(len(e.Waiting), stuckShown-len(all.Waiting))]...)
		}
	}
	if all == nil {
		return nil
	}
	for _, w := range all.Waiting {
		for _, a := range awaited {
			for n := range w.Missing {
				if a.EDT == w.EDT && a.Missing[0].Slot == w.Missing[n].Slot {
					w.Missing[n].Lacks = a.Missing[0].Lacks
				}
			}
		}
	}
	return all
}

// awaitedElsewhere lists the slots of other ranks that wait for events of this one, each by itself.
func (g *Graph) awaitedElsewhere() (all []WaitingEDT) {
	sr := g.newWaitReader()
	note := func(event uint64, ref record.Ref) {
		if !ref.IsNode() {
			return
		}
		n := g.nodes.At(ref.Index())
		if dst := guid.FromWords(n.high, n.dst); n.high != 0 && dst.Kind() == guid.KindEDT {
			lacks := MissingSlot{Slot: RemoteSlot(n.slot).Number(), Lacks: sr.source(event)}
			all = append(all, WaitingEDT{EDT: dst, Missing: []MissingSlot{lacks}})
		}
	}
	g.events.Each(func(i uint32, e *event) {
		if e.typ == 0 || e.typ >= scopeEvent {
			return
		}
		if e.typ == Channel {
			for _, ref := range g.channels.Wanting(e.head.Look(), e.index.Get()) {
				note(e.Low(i), ref)
			}
			return
		}
		for ref := e.head.Look().Waiters(); ref != 0; {
			note(e.Low(i), ref)
			ref, _ = sr.next(ref)
		}
	})
	return all
}

// How the run was ended.

// Ending returns how the run was ended on this rank so far: whether by a shutdown or an abort, whose error is abort,
// and the failures.
func (h Home) Ending() (called bool, abort *AbortError, failures []error) {
	e := &h.g.end
	e.mu.Lock()
	defer e.mu.Unlock()
	abort, _ = e.abort.(*AbortError)
	return e.called, abort, slices.Clone(e.failures)
}

// End ends the run as another rank has ended it. The first counts, as everywhere.
func (h Home) End(called bool, abort *AbortError, failures []error) {
	e := &h.g.end
	e.mu.Lock()
	if called && !e.called {
		e.called = true
		if abort != nil {
			e.abort = abort
		}
	}
	if len(e.failures) == 0 {
		e.in, e.failures = guid.Error, failures
	}
	e.mu.Unlock()
	h.Stop()
}

// Stop stops the host: the run ends.
func (h Home) Stop() { h.stopRun(nil) }

// Recovered ends the run with the panic of a message that is handled after the host has stopped.
func (h Home) Recovered(v any) { h.g.away.worker.Recovered(v) }

// Conditions are all conditions, in an order that is the same on all ranks.
func (h Home) Conditions() []*Condition { return conditions }

// earlyRecords are those in which Waits looks for an EDT. A program mostly creates one that takes the result among
// the first.
const earlyRecords = 256

// Waits reports whether an EDT waits in one of the first records. No worker runs.
//
//go:norace
func (h Home) Waits() bool {
	for i := range uint32(earlyRecords) {
		if t := h.g.edts.Find(i + 1); t != nil && t.phase.alive() {
			return true
		}
	}
	return false
}
