package trace

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
			if rec.Kind == begins {
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
		switch r.Kind {
		case begins, idles:
			end(r.At, false)
			now, open = span{from: r.At, flows: now.flows[:0]}, true
			if r.Kind == begins {
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
