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

// beginnings returns the begins of the EDTs whose slices are in the file, by the low words of their GUIDs.
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
	flows      []record // EDTs that it has satisfied and created
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

// A level is the number of ready EDTs from a time on, or its change at this time. Sums are modulo 2^32.
type level struct {
	at    int64
	ready int32
}

// levels returns the number of ready EDTs at each change, in order of time. A worker records the EDTs that it has
// made ready a little late, so the sum of all workers may be too low; it is never shown below 0.
func (r *Recorder) levels() (levels []level) {
	now := int32(0)
	var changes []level
	for _, w := range r.workers {
		before, own := w.changes()
		now, changes = now+before, append(changes, own...)
	}
	slices.SortStableFunc(changes, func(a, b level) int { return cmp.Compare(a.at, b.at) })
	for _, c := range changes {
		now += c.ready
		shown := level{c.at, max(0, now)}
		if last := len(levels) - 1; last < 0 || levels[last].ready != shown.ready {
			levels = append(levels, shown)
		}
	}
	return levels
}

// changes returns the changes at each of the worker's records, and the number before them, for this worker alone.
func (w *worker) changes() (before int32, all []level) {
	records := w.ring.inOrder()
	made, begun := w.made, w.begun
	if len(records) > 0 {
		made = records[0].Made
	}
	for k := range records {
		if records[k].kind() == begins {
			begun--
		}
	}
	before = int32(made - begun)
	for k := range records {
		rec := &records[k]
		change := int32(rec.Made - made)
		made = rec.Made
		if rec.kind() == begins {
			change--
		}
		if change != 0 {
			all = append(all, level{rec.At, change})
		}
	}
	return before, all
}
