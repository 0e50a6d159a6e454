package trace

import (
	"cmp"
	"slices"
)

// A begin is the worker and the time at which an EDT's slice begins.
type begin struct {
	worker int
	at     int64
}

// beginnings returns the EDTs that begin in the file, by the low words of their GUIDs.
func (r *Recorder) beginnings() map[uint64]begin {
	all := make(map[uint64]begin)
	for k, w := range r.workers {
		for _, rec := range w.ring.inOrder() {
			if rec.kind() == begins {
				all[rec.EDT] = begin{k, rec.At}
			}
		}
	}
	return all
}

// start returns the time of the first record, or of the end if there is none.
func (r *Recorder) start() int64 {
	first := r.stopped
	for _, w := range r.workers {
		if records := w.ring.inOrder(); len(records) > 0 {
			first = min(first, records[0].At)
		}
	}
	return first
}

// A span is a slice of a track.
type span struct {
	from, to   int64
	edt        *record  // nil if the worker is idle
	flows      []record // what the EDT has satisfied and created
	unfinished bool     // the body did not return
}

// spans calls f for each slice of a worker, in order. f must not keep the span.
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
			end(r.At, false)
			now, open = span{from: r.At, flows: now.flows[:0]}, true
			if r.kind() == begins {
				now.edt = r
			}
		case busies:
			end(r.At, false)
		case satisfies, creates:
			if open && now.edt != nil {
				now.flows = append(now.flows, *r)
			}
		}
	}
	end(stopped, w.inEDT)
}

// A level is the value of the counters from a time on, or their change at that time.
type level struct {
	at    int64
	ready int32 // EDTs, modulo 2^32 in between
	stole int64
	slept int64
}

// levels returns the values of the counters at each change, in order of time. A worker records the EDTs that it has
// made ready a little late, so the sum of all workers may be too low; it is never shown below 0.
func (r *Recorder) levels() []level {
	var now level
	var changes []level
	for _, w := range r.workers {
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

// changes returns the change of the counters by each of the worker's records, and their values before, of this worker
// alone.
func (w *worker) changes() (before level, all []level) {
	records := w.ring.inOrder()
	made := w.made
	if len(records) > 0 {
		made = records[0].Made
	}
	begun := w.EDTs
	before.stole, before.slept = int64(w.Steals), int64(w.Parks)
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
		change := level{at: rec.At, ready: int32(rec.Made - made)}
		made = rec.Made
		switch rec.kind() {
		case begins:
			change.ready--
		case steals:
			change.stole++
		case parks:
			change.slept++
		}
		if change != (level{at: rec.At}) {
			all = append(all, change)
		}
	}
	return before, all
}
