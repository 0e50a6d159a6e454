package remote

import (
	"time"

	"ocr/internal/rank"
)

// When a run is over that no call ends: see README.md, "The end of a run".

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

// Passive implements [edt.Remote].
func (p *Part) Passive() (over bool) {
	if p.shutdown.stopping || !p.isOver() {
		return false
	}
	p.stopAll()
	p.finish()
	return true
}

// isOver goes on with the waves on a rank that is passive, and reports whether rank 0 has found that the run is over.
// The caller holds the courier lock.
func (p *Part) isOver() bool {
	s := &p.shutdown
	p.freeDestroyed()
	sent, handled := p.order.Sent(), p.handled
	w := &s.waves
	switch {
	case p.me != 0:
		if s.probe != 0 && w.missing == 0 {
			w.count(sent, handled)
			p.sendUp(&rank.Message{Kind: msgCounts, Count: 3, Words: [7]uint64{s.probe, w.sent, w.handled}})
			s.probe = 0
		}
		return false
	case w.number != 0 && w.missing > 0:
		return false
	case w.number != 0 && !w.compared && w.over():
		return true
	}
	if p.postpones() {
		return false
	}
	w.begun, w.patience = time.Now(), min(max(2*w.patience, p.Patience), maxPatience)
	w.begin(len(p.children()), sent, handled)
	p.sendDown(&rank.Message{Kind: msgProbe, Count: 1, Words: [7]uint64{w.number}})
	return false
}

// postpones reports whether rank 0 does not begin a wave yet. While an EDT waits there the run is mostly not over: only
// if it is stuck. So each wave waits twice as long as the one before.
func (p *Part) postpones() bool {
	s := &p.shutdown
	s.postponed.Store(!s.stopping && time.Since(s.waves.begun) < s.waves.patience && p.courier.Waits())
	return s.postponed.Load()
}

// Postponed reports whether the host must call [edt.Graph.Passive] again soon if no mail comes.
func (p *Part) Postponed() bool { return p.shutdown.postponed.Load() }
