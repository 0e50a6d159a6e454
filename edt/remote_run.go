package edt

import (
	"cmp"
	"fmt"
	"slices"

	"ocr/guid"
	"ocr/internal/core/word"
)

// A remoteState is what a [Ctx] has for calls to and from other ranks.
type remoteState struct {
	signed   *RemoteCaller // of the courier: the EDT on whose behalf it handles a message, nil for none
	closes   bool          // that message satisfies the output event of a finish scope
	creation RemoteEDT     // memory for an EDT that is created on another rank
}

// A ranks is what a graph knows of the other ranks of its run; nil if there are none.
//
// Concurrency: the courier is a [Ctx] of the graph with no EDT, which carries out messages; the goroutine that holds
// the courier lock of the mailbox uses it. The rest does not change before the run has ended.
type ranks struct {
	Ranks
	Remote
	worker  *Worker
	courier *Ctx // of worker
}

// joinRanks makes the graph one of several.
func (g *Graph) joinRanks() {
	r := &ranks{Ranks: *g.config.Ranks, worker: new(Worker)}
	g.ranks = r
	if r.Beside != nil {
		g.local = r.Beside.local
		g.local.share(g)
	}
	g.workersInAll, g.placesInAll = r.Size*g.config.Workers, r.Size*g.config.Workers
	r.courier = r.worker.Ctx()
	g.setUp(r.courier, 0, noHost{})
	r.courier.joinRanks()
	r.Remote = r.Join(Home{r.courier})
}

// joinRanks prepares the Ctx of a worker.
func (c *Ctx) joinRanks() {
	r := c.g.ranks
	c.nullLink = ^uint64(0)
	switch {
	case r.Spread != nil && c != r.courier:
		c.nearby, c.spread = -1, MaxWorkers
	case r.Rank != 0:
		c.nearby = 0
	}
	c.self = BindTo(c.worker)
	c.worker += r.Rank * c.g.config.Workers
}

// rankText names the rank of an EDT, for Null this rank. It returns "" if there is only one rank.
func (g *Graph) rankText(edt guid.GUID) string {
	if g.ranks == nil {
		return ""
	}
	rank := g.ranks.Rank
	if !edt.IsNull() {
		rank = edt.Home()
	}
	return fmt.Sprintf("rank %d", rank)
}

// hasMessages reports whether messages have arrived or are held back. It is not inlined, as the spinning workers of a
// run on one rank do not need it.
//
//go:noinline
func (g *Graph) hasMessages() bool { return g.ranks.Arrived() || g.ranks.Held() }

// asCourier takes the courier lock, and calls f. It returns false if another goroutine has the lock. EDTs that become
// ready go to h.
func (g *Graph) asCourier(h Host, f func()) (done bool) {
	if !g.mail.courier.take() {
		return false
	}
	defer g.mail.courier.leave()
	if h != nil {
		g.ranks.courier.host = h
	}
	f()
	return true
}

// Passive reports whether the run is over. The host calls it when quiet may be true: no EDT is ready, all workers rest,
// and no mail is there or expected. If the run is not over, the host waits for mail or for [Host.Stop], and calls
// Passive again when it has handled mail. Passive calls quiet under the courier lock. Without the lock no message is
// handled, so the rank is still passive when Passive tells other ranks. Passive waits for the lock, because another
// goroutine that holds the lock may have called quiet too early.
func (g *Graph) Passive(quiet func() bool) (over bool) {
	if g.ranks == nil {
		return quiet()
	}
	for quiet() && !g.asCourier(nil, func() { over = quiet() && g.ranks.Passive() }) {
		word.Pause(1)
	}
	return over
}

// Leave takes the graph out of the run, after its host has stopped and every worker has ended. Leave reports whether
// the graph has left. If not, the host waits for mail and calls Leave again. The graph of rank 0, once it has left,
// answers for all ranks: [Graph.Ended], [Graph.Counters], [Graph.Leaks] and [Graph.Stuck].
func (g *Graph) Leave() (done bool) {
	if g.ranks == nil {
		return true
	}
	g.asCourier(noHost{}, func() { done = g.ranks.Leave() })
	return done
}

// TellEnd tells the other ranks that the host has stopped, while workers may still run EDTs.
func (g *Graph) TellEnd() { g.asCourier(nil, g.ranks.TellEnd) }

// Deliver handles messages of other ranks on a goroutine that is no worker, while workers have no time for it. EDTs
// that the messages make ready go to h. Deliver does nothing if another goroutine handles messages.
func (g *Graph) Deliver(h Host) {
	g.asCourier(h, func() {
		defer func() {
			if v := recover(); v != nil {
				g.ranks.worker.Recovered(v)
				h.Stop()
			}
		}()
		g.ranks.Poll(receiveBatch)
	})
}

// poll handles messages that have arrived, at most budget of them; the EDTs that they make ready go to h. It does
// nothing if another goroutine handles messages. If a message panics, it counts as handled, and the messages behind it
// wait for the next call.
func (g *Graph) poll(h Host, budget int) { g.asCourier(h, func() { g.ranks.Poll(budget) }) }

// The rest of this file, the end of a run over ranks, is for package internal/rank/remote. Rank 0 collects the reports
// of the other ranks, and its graph speaks for all ranks.

// A RemoteReport is what one rank, or all ranks together, report of a run that has ended.
type RemoteReport struct {
	Counters Counters
	Leaks    []Leak
	Stuck    *StuckError
	// Awaited has the slots of other ranks that wait for events of this rank, and what the events lack, which the home
	// of an EDT does not know.
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
	r := RemoteReport{h.g.Counters(), h.g.Leaks(), h.g.Stuck(), nil}
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
	h.g.total = &all
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

// Ending returns how the run was ended on this rank so far: whether a shutdown or an abort was called, the error of the
// abort, the EDT that failed first, and the failures of this EDT.
func (h Home) Ending() (called bool, abort *AbortError, first guid.GUID, failures []error) {
	e := &h.g.end
	e.mu.Lock()
	defer e.mu.Unlock()
	abort, _ = e.abort.(*AbortError)
	return e.called, abort, e.in, slices.Clone(e.failures)
}

// End ends the run as another rank has ended it. The first end counts, as everywhere; if the EDT that failed first has
// failed again since, all its failures count. Argument first is Null for failures outside EDTs.
func (h Home) End(called bool, abort *AbortError, first guid.GUID, failures []error) {
	e := &h.g.end
	e.mu.Lock()
	if called && !e.called {
		e.called = true
		if abort != nil {
			e.abort = abort
		}
	}
	if len(e.failures) == 0 || !first.IsNull() && first == e.in && len(failures) > len(e.failures) {
		e.in, e.failures = first, failures
	}
	e.mu.Unlock()
	h.Stop()
}

// Stop stops the host: the run ends.
func (h Home) Stop() { h.stopRun(nil) }

// Recovered ends the run with the panic of a message that is handled after the host has stopped.
func (h Home) Recovered(v any) { h.g.ranks.worker.Recovered(v) }

// Conditions are all conditions, in an order that is the same on all ranks.
func (h Home) Conditions() []*Condition { return conditions }

// earlyRecords is the number of records in which Waits looks. The EDT that takes a program's result mostly has one of
// these.
const earlyRecords = 256

// Waits reports whether an EDT waits in one of the first records. No worker may run an EDT.
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
