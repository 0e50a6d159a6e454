package c2c

import "ocr/datablock/cell"

// A kernel, one of the functions below, makes transfers from+1 through `to`, at least two, and reports whether it has
// made all. Transfer k writes T(k) to every element; end A sends the odd transfers.

// serveWords is end A of tests Single and Dual.
func (e *end[T]) serveWords(from, to uint64) bool {
	mine, theirs := &e.mine[0], &e.theirs[0]
	cell.Store(mine, T(from+1))
	for k := from + 2; k < to; k += 2 {
		if !e.reply(theirs, mine, T(k)) {
			return false
		}
	}
	return e.await(theirs, T(to))
}

// answerWords is end B of tests Single and Dual.
func (e *end[T]) answerWords(from, to uint64) bool {
	mine, theirs := &e.mine[0], &e.theirs[0]
	for k := from; k < to; k += 2 {
		if !e.reply(theirs, mine, T(k+1)) {
			return false
		}
	}
	return true
}

// serveArrays is end A of test Array.
func (e *end[T]) serveArrays(from, to uint64) bool {
	for k := from; k < to; k += 2 {
		cell.Fill(e.mine, T(k+1))
		if !e.awaitAll(e.theirs, T(k+2)) {
			return false
		}
	}
	return true
}

// answerArrays is end B of test Array.
func (e *end[T]) answerArrays(from, to uint64) bool {
	for k := from; k < to; k += 2 {
		if !e.awaitAll(e.theirs, T(k+1)) {
			return false
		}
		cell.Fill(e.mine, T(k+2))
	}
	return true
}
