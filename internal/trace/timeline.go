package trace

import (
	"cmp"
	"slices"
)

// A track is that of a worker in the file.
type track struct{ pid, tid int }

// A begin is where an EDT's slice begins.
type begin struct {
	track
	at int64
}

// An edtKey says which EDT a record is about: one of the rank on which it is.
type edtKey struct {
	pid  int
	born bool
	low  uint64
}

func (r *record) key(pid int) edtKey { return edtKey{pid, r.kindAnd&bornBit != 0, r.edt} }

// beginnings lists the EDTs that begin in the file.
func (r *Recorder) beginnings() map[edtKey]begin {
	all := make(map[edtKey]begin)
	for _, p := range r.processes() {
		for k, w := range p.workers {
			for _, rec := range w.ring.inOrder() {
				if rec.kind() == begins {
					all[rec.key(p.pid)] = begin{p.track(k), rec.at}
				}
			}
		}
	}
	return all
}

// start returns the time of the first record, and of the end if there is none.
func (r *Recorder) start() int64 {
	first := r.stopped
	for _, p := range r.processes() {
		for _, w := range p.workers {
			if records := w.ring.inOrder(); len(records) > 0 {
				first = min(first, records[0].at)
			}
		}
	}
	return first
}

// A span is a slice of a track.
type span struct {
	from, to   int64
	edt        *record  // nil if the worker is idle
	flows      []record // what the EDT has satisfied and created
	unfinished bool     // the body has not come to its end
}

// spans calls f for each slice of a worker, in order. The span is f's until it returns.
func (w *worker) spans(stopped int64, f func(*span)) {
	var now span
	open := false
	end := func(at int64, unfinished bool) {
		if open {
			now.to, now.unfinished = at, unfinished && now.edt != nil
			f(&now)
		}
		open = false
	}
	records := w.ring.inOrder()
	for n := range records {
		r := &records[n]
		switch r.kind() {
		case begins, idles:
			end(r.at, false)
			now, open = span{from: r.at, flows: now.flows[:0]}, true
			if r.kind() == begins {
				now.edt = r
			}
		case busies:
			end(r.at, false)
		case satisfies, creates, sends:
			if open && now.edt != nil {
				now.flows = append(now.flows, *r)
			}
		}
	}
	end(stopped, w.inEDT)
}

// A level is what the counters show from a time on, or by how much they change there.
type level struct {
	at    int64
	ready int32 // EDTs, modulo 2^32 in between
	stole int64
	slept int64
}

// levels returns the counters wherever one changes, in order of time. A worker reports
// the EDTs that it has made ready a little late, so that the sum of all workers may
// fall short; it is never shown as less than nothing.
func (p *process) levels() []level {
	var now level
	var changes []level
	for _, w := range p.workers {
		before, own := w.changes()
		now.ready += before.ready
		now.stole += before.stole
		now.slept += before.slept
		changes = append(changes, own...)
	}
	slices.SortStableFunc(changes, func(a, b level) int { return cmp.Compare(a.at, b.at) })
	levels := []level{}
	for _, c := range changes {
		now.at = c.at
		now.ready += c.ready
		now.stole += c.stole
		now.slept += c.slept
		shown := now
		shown.ready = max(0, now.ready)
		if last := len(levels) - 1; last < 0 || !levels[last].same(shown) {
			levels = append(levels, shown)
		}
	}
	return levels
}

func (l level) same(m level) bool {
	l.at = m.at
	return l == m
}

// changes returns by how much each of the worker's records changes the counters, and
// what they were before, of this worker alone.
func (w *worker) changes() (before level, all []level) {
	records := w.ring.inOrder()
	made := w.made
	if len(records) > 0 {
		made = records[0].made
	}
	begun := w.begun
	before.stole, before.slept = int64(w.steals), int64(w.parks)
	for k := range records {
		switch records[k].kind() {
		case begins:
			begun--
		case steals:
			before.stole--
		case parks:
			before.slept--
		}
	}
	before.ready = int32(made - uint32(begun))
	for k := range records {
		rec := &records[k]
		change := level{at: rec.at, ready: int32(rec.made - made)}
		made = rec.made
		switch rec.kind() {
		case begins:
			change.ready--
		case steals:
			change.stole++
		case parks:
			change.slept++
		}
		if change != (level{at: rec.at}) {
			all = append(all, change)
		}
	}
	return before, all
}
