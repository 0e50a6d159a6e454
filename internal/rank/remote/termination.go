package remote

import (
	"time"

	"ocr/internal/rank"
)

// README.md, "The end of a run", says how rank 0 finds that a run is over though no call has ended it.

// A waves has the counts of a wave, which asks every rank how many messages it has sent and handled.
//
// Concurrency: the courier lock.
type waves struct {
	number        uint64 // of the present wave, or of the last one
	missing       int    // answers to come
	sent, handled uint64
	before        uint64 // handled in the wave before
	any           bool   // there was a wave before
	compared      bool   // over has compared the last wave with the one before
	begun         time.Time
	patience      time.Duration // how long the next wave may be postponed
}

// maxPatience is the longest time for which a wave is postponed.
const maxPatience = time.Second

// begin begins a wave with these counts, and the number of answers to come.
func (w *waves) begin(missing int, sent, handled uint64) {
	w.number++
	w.missing, w.sent, w.handled, w.compared = missing, sent, handled, false
}

// count adds an answer to the wave.
func (w *waves) count(sent, handled uint64) {
	w.sent += sent
	w.handled += handled
	w.missing--
}

// over compares a complete wave with the one before, and reports whether the run is over.
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

// isOver continues the waves on a passive rank, and reports whether rank 0 has found that the run is over. The caller
// holds the courier lock.
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

// postpones reports whether rank 0 waits before the next wave. While an EDT waits on rank 0, a run is over only if it
// is stuck, which is rare. So each wave is then postponed for twice as long as the wave before.
func (p *Part) postpones() bool {
	s := &p.shutdown
	s.postponed.Store(!s.stopping && time.Since(s.waves.begun) < s.waves.patience && p.courier.Waits())
	return s.postponed.Load()
}

// Postponed reports whether the host must call [edt.Graph.Passive] again soon if no mail comes.
func (p *Part) Postponed() bool { return p.shutdown.postponed.Load() }
