package edt

import (
	"cmp"
	"slices"

	"ocr/guid"
)

// The end of a run over ranks: this file is for package internal/rank/remote. Rank 0 collects what the others report,
// and its graph speaks for all.

// A RemoteReport is what a rank has of a run that has ended, or what all have.
type RemoteReport struct {
	Counters Counters
	Leaks    []Leak
	Stuck    *StuckError
	// Awaited has, for slots of other ranks that wait for events here, what these lack: an EDT's home does not know.
	Awaited []AwaitedSlot
}

// An AwaitedSlot is a slot of an EDT of another rank.
type AwaitedSlot struct {
	EDT   guid.GUID
	Slot  int
	Lacks string
}

// Report returns the report of this rank. No worker may be running.
func (h Home) Report() RemoteReport {
	r := RemoteReport{h.g.countersHere(), h.g.leaksHere(), h.g.stuckHere(), nil}
	sr := h.g.newWaitReader()
	for _, w := range sr.remote {
		r.Awaited = append(r.Awaited, AwaitedSlot{w.edt, w.slot, sr.source(w.event)})
	}
	return r
}

// ReportAll makes the graph report what all ranks have.
func (h Home) ReportAll(all RemoteReport) {
	if all.Stuck != nil {
		lacks := make(map[AwaitedSlot]string)
		for _, a := range all.Awaited {
			lacks[AwaitedSlot{EDT: a.EDT, Slot: a.Slot}] = a.Lacks
		}
		for _, w := range all.Stuck.Waiting {
			for n := range w.Missing {
				m := &w.Missing[n]
				m.Lacks = cmp.Or(lacks[AwaitedSlot{EDT: w.EDT, Slot: m.Slot}], m.Lacks)
			}
		}
	}
	h.g.away.total = &all
}

// Add adds the report of another rank.
func (r *RemoteReport) Add(other RemoteReport) {
	r.Counters.Add(&other.Counters)
	r.Leaks = sumLeaks(append(r.Leaks, other.Leaks...))
	r.Awaited = append(r.Awaited, other.Awaited...)
	switch e := other.Stuck; {
	case e == nil:
	case r.Stuck == nil:
		r.Stuck = e
	default:
		r.Stuck.Count += e.Count
		r.Stuck.Waiting = append(r.Stuck.Waiting, e.Waiting[:min(len(e.Waiting), stuckShown-len(r.Stuck.Waiting))]...)
	}
}

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
