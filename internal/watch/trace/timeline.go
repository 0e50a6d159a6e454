package trace

// A span is a slice of a track.
type span struct {
	pause      string // "idle", or "parked" in an idle slice; "" for an EDT
	edt        *record
	from, to   int64
	flows      []*record // records of the EDTs that it has satisfied and created
	unfinished bool      // the body did not return
}

// spans returns the slices of a worker, in the order of their beginnings.
func (w *worker) spans(stopped int64) (all []span) {
	open, parked := -1, -1 // places of spans that have not ended; -1 for none
	end := func(place int, at int64) {
		if place >= 0 {
			all[place].to = at
		}
	}
	add := func(s span) int {
		s.to = stopped
		all = append(all, s)
		return len(all) - 1
	}
	records := w.ring.inOrder()
	for n := range records {
		r := &records[n]
		switch r.Kind {
		case begins:
			end(open, r.At)
			open = add(span{edt: r, from: r.At})
		case idles:
			end(open, r.At)
			open = add(span{pause: "idle", from: r.At})
		case busies:
			end(open, r.At)
			open = -1
		case parks:
			parked = add(span{pause: "parked", from: r.At})
		case wakes:
			end(parked, r.At)
			parked = -1
		case satisfies, creates:
			if open >= 0 {
				all[open].flows = append(all[open].flows, r)
			}
		}
	}
	if open >= 0 {
		all[open].unfinished = w.inEDT && all[open].edt != nil
	}
	return all
}
