package pgas

import (
	"encoding/binary"

	"ocr/apps/shmem"
)

// putGet: put a message, complete it, get it back.
func (r *runner) putGet(first, end int) {
	for i := first; i < end; i++ {
		r.put(i)
		r.pe.Quiet()
		r.pe.Get(r.segment[r.backAt(i):][:r.cfg.Bytes], r.partner, r.destAt(i))
	}
}

// sync is synchronisation second, 0 or 1, of an iteration: count the partner up, wait to be counted up.
func (r *runner) sync(second int) {
	if !r.checking || !r.omits(second) {
		r.pe.Notify(r.partner)
		r.pe.Wait(r.partner)
	}
}

// inTurn is put-put or get-get: move, sync, sync; the partner: sync, move, sync.
func (r *runner) inTurn(move func(int)) func(first, end int) {
	origin := r.cfg.Origin(r.me)
	return func(first, end int) {
		for i := first; i < end; i++ {
			if origin {
				r.inspect(i, opening)
				move(i)
			}
			r.sync(0)
			if !origin {
				r.inspect(i, middle)
				move(i)
			}
			r.sync(1)
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

// setFlag ends a message with flag i.
func setFlag(message []byte, i int) {
	if len(message) == 4 {
		binary.LittleEndian.PutUint32(message, uint32(flagOf(i)))
		return
	}
	binary.LittleEndian.PutUint64(message[len(message)-8:], flagOf(i))
}

// puts completes each put by itself.
func (r *runner) puts(first, end int) {
	for i := first; i < end; i++ {
		r.put(i)
		r.pe.Quiet()
	}
}

func (r *runner) gets(first, end int) {
	for i := first; i < end; i++ {
		r.get(i)
	}
}

// scattered is strided and random transfers, each put completed by itself.
func (r *runner) scattered(first, end int) {
	get, apart, random := r.isGet(), r.test.Uses.Stride, r.test.Uses.Random
	strides, mask := r.strides(), r.draws-1
	for i := first; i < end; i++ {
		pe, src, dst := r.partner, r.sourceAt(i), r.destAt(i)
		if random {
			d := r.drawn[i&mask]
			if pe = d.pe; get {
				src = d.at
			} else {
				dst = d.at
			}
		}
		switch {
		case get && apart:
			r.pe.GetStrided(r.segment[dst:], pe, src, r.elements, r.width, strides)
		case get:
			r.pe.Get(r.segment[dst:][:r.cfg.Bytes], pe, src)
		case apart:
			r.pe.PutStrided(pe, dst, r.segment[src:], r.elements, r.width, strides)
		default:
			r.pe.Put(pe, dst, r.segment[src:][:r.cfg.Bytes])
		}
		if !get {
			r.pe.Quiet()
		}
	}
}

// reduceSeparate sums slides of the source into one target.
func (r *runner) reduceSeparate(first, end int) {
	n := r.cfg.Bytes / ElementBytes
	for i := first; i < end; i++ {
		r.pe.SumToAll(shmem.Int32, r.destAt(0), r.sourceAt(i), n)
	}
}

// reduceInPlace sums one buffer into itself. Each sum is larger by the number of PEs, so the buffer is set again,
// outside of the timing, before the numbers grow too large.
func (r *runner) reduceInPlace(first, end int) {
	n, at := r.cfg.Bytes/ElementBytes, r.destAt(0)
	renewal := r.renewal()
	for i := first; i < end; i++ {
		if i%renewal == 0 {
			begin := now()
			copy(r.segment[at:][:r.cfg.Bytes], r.message(i/renewal))
			r.pe.Barrier()
			r.exclude(begin)
		}
		r.pe.SumToAll(shmem.Int32, at, at, n)
	}
}

// renewal returns how many reductions in place there are between two settings of the operand: the sums stay below 2^24.
func (p *plan) renewal() int {
	limit, n := 1<<24/operandSum(p.cfg.PEs, operandPeriod-1), 1
	for limit >= p.cfg.PEs && n < 16 {
		limit /= max(p.cfg.PEs, 2)
		n++
	}
	return n
}

// lastOperands returns which slide of the source the last reduction has used, in bytes, and how often its sum is in the
// target.
func (p *plan) lastOperands(iterations int) (shift, times int) {
	last := iterations - 1
	if p.cfg.Test == "reduce" {
		return p.sourceAt(last) - p.source, 1
	}
	times = 1
	for range last % p.renewal() {
		times *= p.cfg.PEs
	}
	return p.sourceAt(last/p.renewal()) - p.source, times
}

// inspect does the PE's part at a moment, in the checking phase.
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

// arrivedFlagged compares message i, whose flag has arrived.
func (r *runner) arrivedFlagged(i int) {
	if r.checking {
		r.note(r.compare(r.segment, r.me, i))
	}
}
