package pgas

import "encoding/binary"

// inspect is a moment of the checking phase; nothing in the others.
func (r *runner) inspect(i int, at moment) {
	if r.checking {
		r.note(r.plan.inspect(r.segment, r.me, i, at))
	}
}

// stampFlagged is the opening if the message is its own flag.
func (r *runner) stampFlagged(i int) {
	if r.checking {
		r.dawdle(r.me, i)
		r.stamp(r.segment, r.me, i)
	}
}

// arrivedFlagged looks at message i, whose flag has been seen.
func (r *runner) arrivedFlagged(i int) {
	if r.checking {
		r.note(r.compare(r.segment, r.me, i))
	}
}

// announce and meet are the checks around a synchronisation alone.
func (r *runner) announce(i int) {
	if !r.checking {
		return
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], r.number(r.me, i))
	r.pe.PutFlag(r.me, r.numberAt(), word[:])
}

func (r *runner) meet(i int) {
	if !r.checking {
		return
	}
	for other := range r.cfg.PEs {
		if r.meets(r.me, other) {
			r.note(r.late(other, i, r.pe.Load(other, r.numberAt(), 8)))
		}
	}
}
