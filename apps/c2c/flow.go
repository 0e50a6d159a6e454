package c2c

import "ocr/datablock/cell"

// sendArrays is A in tests Flow and Blocked: the next array is written once the last one
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
