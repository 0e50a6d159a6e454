package pgas

import "encoding/binary"

// putGet: put a message, complete it, get it back.
func (r *runner) putGet(first, end int) {
	for i := first; i < end; i++ {
		r.put(i)
		r.pe.Quiet()
		r.pe.Get(r.segment[r.backAt(i):][:r.cfg.Bytes], r.partner, r.destAt(i))
	}
}

// barrier and pairSync are synchronisation second, 0 or 1, of an iteration.
func (r *runner) barrier(second int) {
	if !r.checking || !r.omits(second) {
		r.pe.Barrier()
	}
}

// pairSync is the suite's pairwise synchronisation: count the partner up, wait to be counted up.
func (r *runner) pairSync(second int) {
	if !r.checking || !r.omits(second) {
		r.pe.Notify(r.partner)
		r.pe.Wait(r.partner)
	}
}

// inTurn is put-put or get-get in the suite's form: move, sync, sync; the partner: sync,
// move, sync.
func (r *runner) inTurn(move, sync func(int)) func(first, end int) {
	origin := r.cfg.Origin(r.me)
	return func(first, end int) {
		for i := first; i < end; i++ {
			if origin {
				r.inspect(i, opening)
				move(i)
			}
			sync(0)
			if !origin {
				r.inspect(i, middle)
				move(i)
			}
			sync(1)
			r.inspect(i, closing)
		}
	}
}

func (r *runner) put(i int) { r.pe.Put(r.partner, r.destAt(i), r.message(i)) }

func (r *runner) get(i int) { r.pe.Get(r.arrival(i), r.partner, r.sourceAt(i)) }

// putPutFlag: the message is its own flag; put it, wait for the partner's.
func (r *runner) putPutFlag(first, end int) {
	origin := r.cfg.Origin(r.me)
	for i := first; i < end; i++ {
		r.stampFlagged(i)
		message := r.flagMessage(i)
		if origin {
			r.pe.PutFlag(r.partner, r.destAt(i), message)
		}
		r.pe.WaitFlag(r.me, r.destAt(i), message)
		r.arrivedFlagged(i)
		if !origin {
			r.pe.PutFlag(r.partner, r.destAt(i), message)
		}
	}
}

// flagMessage returns message i with its number as the last word. Both partners' messages
// of an iteration end in the same word.
func (r *runner) flagMessage(i int) []byte {
	message := r.message(i)
	setFlag(message, i)
	return message
}

// getGetFlag: a PE publishes its message in its own segment; the partner polls for the flag
// over there, gets the message, and publishes the next.
func (r *runner) getGetFlag(first, end int) {
	origin := r.cfg.Origin(r.me)
	want := make([]byte, r.cfg.Bytes)
	for i := first; i < end; i++ {
		setFlag(want, i)
		if origin {
			r.publish(i, want)
		}
		r.fetch(i, want)
		if !origin {
			r.publish(i, want)
		}
	}
}

// publish ends the own message with the flag that ends want, by a store that comes after the
// message's.
func (r *runner) publish(i int, want []byte) {
	r.stampFlagged(i)
	width := min(len(want), 8)
	at := r.sourceAt(i) + r.cfg.Bytes - width
	r.pe.PutFlag(r.me, at, want[len(want)-width:])
}

// fetch polls for the flag and gets the message, the flag included.
func (r *runner) fetch(i int, want []byte) {
	r.pe.WaitFlag(r.partner, r.sourceAt(i), want)
	r.get(i)
	r.arrivedFlagged(i)
}

// setFlag ends a message with flag i.
func setFlag(message []byte, i int) {
	if len(message) == 4 {
		binary.LittleEndian.PutUint32(message, uint32(flagOf(i)))
		return
	}
	binary.LittleEndian.PutUint64(message[len(message)-8:], flagOf(i))
}

func (r *runner) barriers(first, end int) {
	for i := first; i < end; i++ {
		r.announce(i)
		r.barrier(0)
		r.meet(i)
	}
}

func (r *runner) pairSyncs(first, end int) {
	for i := first; i < end; i++ {
		r.announce(i)
		r.pairSync(0)
		r.meet(i)
	}
}

// lines is the baseline of latencies: a word in a line of its own goes to and fro.
func (r *runner) lines(first, end int) {
	var word [8]byte
	at, origin := r.destAt(0), r.cfg.Origin(r.me)
	for i := first; i < end; i++ {
		setFlag(word[:], i)
		if origin {
			r.pe.PutFlag(r.partner, at, word[:])
		}
		r.pe.WaitFlag(r.me, at, word[:])
		if !origin {
			r.pe.PutFlag(r.partner, at, word[:])
		}
	}
}
