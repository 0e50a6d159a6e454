package c2c

import "ocr/datablock/cell"

// A kernel carries out the transfers after from, up to to, at least one, and returns the last that was completed.
// Transfer k carries the value k in every element, modulo the element's width; A sends the odd ones.

// serveWords is A in tests Single and Dual.
func (e *end[T]) serveWords(from, to uint64) uint64 {
	mine, theirs := &e.out[0][0], &e.in[0][0]
	cell.Store(mine, T(from+1))
	for k := from + 2; k < to; k += 2 {
		if !e.reply(theirs, mine, T(k)) {
			return k - 2
		}
	}
	if !e.await(theirs, T(to)) {
		return to - 2
	}
	return to
}

// answerWords is B.
func (e *end[T]) answerWords(from, to uint64) uint64 {
	mine, theirs := &e.out[1][0], &e.in[1][0]
	for k := from; k < to; k += 2 {
		if !e.reply(theirs, mine, T(k+1)) {
			return k
		}
	}
	return to
}

// serveArrays is A in tests Array and DualArray.
func (e *end[T]) serveArrays(from, to uint64) uint64 {
	mine, theirs := e.out[0], e.in[0]
	for k := from; k < to; k += 2 {
		cell.Fill(mine, T(k+1))
		if !e.awaitAll(theirs, T(k+2)) {
			return k
		}
	}
	return to
}

// answerArrays is B.
func (e *end[T]) answerArrays(from, to uint64) uint64 {
	mine, theirs := e.out[1], e.in[1]
	for k := from; k < to; k += 2 {
		if !e.awaitAll(theirs, T(k+1)) {
			return k
		}
		cell.Fill(mine, T(k+2))
	}
	return to
}

// sendArrays is A in tests Flow and Blocked: it writes the next array when the last one
// was acknowledged. In Blocked a flag says that the whole array is there.
func (e *end[T]) sendArrays(from, to uint64) uint64 {
	array, flagged := e.out[0], e.cfg.Test == Blocked
	for k := from; k < to; k += 2 {
		cell.Fill(array, T(k+1))
		if flagged {
			cell.Store(e.valid, T(k+1))
		}
		if !e.await(e.ack, T(k+2)) {
			return k
		}
	}
	return to
}

// acknowledge is B. In Blocked it polls the flag alone, then every value must be there.
func (e *end[T]) acknowledge(from, to uint64) uint64 {
	array, flagged := e.in[1], e.cfg.Test == Blocked
	for k := from; k < to; k += 2 {
		if flagged {
			if !e.await(e.valid, T(k+1)) {
				return k
			}
			e.wrong += uint64(len(array) - cell.Match(array, T(k+1)))
		} else if !e.awaitAll(array, T(k+1)) {
			return k
		}
		cell.Store(e.ack, T(k+2))
	}
	return to
}

// In test Ring transfer k is block k, and all go from A to B. written and freed count blocks from the start of the
// trial; A has Blocks credits, of which written-freed are in use. Each end looks at the other's index only when its
// last view of it does not let it go on.

// produce is A. It ends when all its blocks have been freed.
func (e *end[T]) produce(from, to uint64) uint64 {
	freed := from // all before were freed when the last call returned
	for k := from; k < to; k++ {
		if k-freed == uint64(e.cfg.Blocks) {
			if freed = e.awaitIndex(e.freed, freed); k-freed == uint64(e.cfg.Blocks) {
				return freed
			}
		}
		cell.Fill(e.block(k), T(e.cfg.ringValue(k)))
		cell.Store(e.written, k+1)
	}
	for freed < to {
		next := e.awaitIndex(e.freed, freed)
		if next == freed {
			return freed
		}
		freed = next
	}
	return to
}

// consume is B. A credit goes back with every block.
func (e *end[T]) consume(from, to uint64) uint64 {
	written := from
	for k := from; k < to; k++ {
		if k == written {
			if written = e.awaitIndex(e.written, written); k == written {
				return k
			}
		}
		block := e.block(k)
		e.wrong += uint64(len(block) - cell.Match(block, T(e.cfg.ringValue(k))))
		cell.Store(e.freed, k+1)
	}
	return to
}

// block returns the elements of block k.
func (e *end[T]) block(k uint64) []T {
	at := int(k%uint64(e.cfg.Blocks)) * e.cfg.Length
	return e.ring[at : at+e.cfg.Length]
}

// awaitIndex polls an index until it has moved on from seen. It returns seen if the trial was stopped.
func (e *end[T]) awaitIndex(p *uint64, seen uint64) uint64 {
	for polls := 1; ; polls++ {
		if v := cell.Load(p); v != seen {
			return v
		}
		if polls%(burst*burstBatch) == 0 && !e.goOn() {
			return seen
		}
	}
}
