package c2c

import "ocr/datablock/cell"

// sendArrays is A in test Flow: the next array is written once the last one was
// acknowledged.
func (e *end[T]) sendArrays(from, to uint64) uint64 {
	array := e.out[0]
	for k := from; k < to; k += 2 {
		cell.Fill(array, T(k+1))
		if !e.await(e.ack, T(k+2)) {
			return k
		}
	}
	return to
}

// acknowledge is B.
func (e *end[T]) acknowledge(from, to uint64) uint64 {
	array := e.in[1]
	for k := from; k < to; k += 2 {
		if !e.awaitAll(array, T(k+1)) {
			return k
		}
		cell.Store(e.ack, T(k+2))
	}
	return to
}

// sendFlagged is A in test Blocked: the flag says that the whole array is there.
func (e *end[T]) sendFlagged(from, to uint64) uint64 {
	array := e.out[0]
	for k := from; k < to; k += 2 {
		cell.Fill(array, T(k+1))
		cell.Store(e.valid, T(k+1))
		if !e.await(e.ack, T(k+2)) {
			return k
		}
	}
	return to
}

// check is B: it polls the flag alone, then every value must be there.
func (e *end[T]) check(from, to uint64) uint64 {
	array := e.in[1]
	for k := from; k < to; k += 2 {
		if !e.await(e.valid, T(k+1)) {
			return k
		}
		e.wrong += uint64(len(array) - cell.Match(array, T(k+1)))
		cell.Store(e.ack, T(k+2))
	}
	return to
}
