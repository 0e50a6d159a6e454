package edt

import (
	"time"

	"ocr/internal/rank"
)

// When a run is over that no call ends: see docs/ranks.md, "The end of a run".

// A waves is what rank 0 knows of the counts of all ranks: four counters, after Mattern. A wave asks every rank, which
// answers as soon as it is passive, how many messages it has sent and handled. A rank adds the answers of those below
// it to its own. If as many were handled in one wave as were sent in the next one, which began after the first was
// complete, nothing was on its way in between, and all were passive.
//
// Concurrency: the courier lock.
type waves struct {
	number        uint64 // of the wave that is on, or of the last one
	missing       int    // answers to it
	sent, handled uint64
	before        uint64 // handled, in the wave before
	any           bool   // there was one before
	compared      bool   // the last wave, which is complete, with that
	begun         time.Time
	patience      time.Duration // until the next one, while it is postponed
}

// maxPatience is the longest time between two waves.
const maxPatience = time.Second

// begin begins a wave with some counts of this rank and so many answers to come.
func (w *waves) begin(missing int, sent, handled uint64) {
	w.number++
	w.missing, w.sent, w.handled, w.compared = missing, sent, handled, false
}

// count takes the counts of a rank.
func (w *waves) count(sent, handled uint64) {
	w.sent += sent
	w.handled += handled
	w.missing--
}

// over looks at a wave that is complete, and reports whether it was the last one.
func (w *waves) over() bool {
	over := w.any && w.before == w.sent
	w.any, w.before, w.compared = true, w.handled, true
	return over
}

// Passive says that nothing is ready and all workers rest, that there is no mail and none is expected: it reports
// whether the run is over. With several ranks it may be over later, and [Host.Stop] is called then; the host waits for
// mail. It calls Passive again when it has handled some and nothing is ready again.
func (g *Graph) Passive() (over bool) {
	r := g.away
	if r == nil {
		return true
	}
	b := g.mail
	if !b.courier.take() {
		return false
	}
	defer b.courier.leave()
	if r.shutdown.stopping || !r.isOver() {
		return false
	}
	r.stopAll()
	r.finish()
	return true
}

// isOver goes on with the waves on a rank that is passive, and reports whether rank 0 has found that the run is over.
// The caller holds the courier lock.
func (r *away) isOver() bool {
	p := &r.shutdown
	r.courier.leave()
	sent, handled := r.Sent(), r.handled
	w := &p.waves
	switch {
	case r.me != 0:
		if p.probe != 0 && w.missing == 0 {
			w.count(sent, handled)
			r.sendUp(&rank.Message{Kind: msgCounts, Count: 3, Words: [7]uint64{p.probe, w.sent, w.handled}})
			p.probe = 0
		}
		return false
	case w.number != 0 && w.missing > 0:
		return false
	case w.number != 0 && !w.compared && w.over():
		return true
	}
	if r.postpones() {
		return false
	}
	w.begun, w.patience = time.Now(), min(max(2*w.patience, r.config.Patience), maxPatience)
	w.begin(len(r.children()), sent, handled)
	r.sendDown(&rank.Message{Kind: msgProbe, Count: 1, Words: [7]uint64{w.number}})
	return false
}

// postpones reports whether rank 0 does not begin a wave yet. While an EDT waits there the run is mostly not over: only
// if it is stuck. So each wave waits twice as long as the one before.
func (r *away) postpones() bool {
	p := &r.shutdown
	p.postponed.Store(!p.stopping && time.Since(p.waves.begun) < p.waves.patience && r.courier.g.waitsEarly())
	return p.postponed.Load()
}

// Postponed reports whether the host must call [Graph.Passive] again soon if no mail comes.
func (g *Graph) Postponed() bool { return g.away != nil && g.away.shutdown.postponed.Load() }

// earlyRecords are those in which waitsEarly looks for an EDT. A program mostly creates one that takes the result among
// the first.
const earlyRecords = 256

// waitsEarly reports whether an EDT waits in one of the first records. No worker runs.
//
//go:norace
func (g *Graph) waitsEarly() bool {
	for i := range uint32(earlyRecords) {
		if t := g.edts.Find(i + 1); t != nil && t.phase.alive() {
			return true
		}
	}
	return false
}
