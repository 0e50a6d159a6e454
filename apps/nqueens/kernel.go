package nqueens

import "iter"

// A board has queens in its first rows. The masks have a bit for each column of the next row that a queen
// attacks: along a column, or along a diagonal that leads to the left or to the right.
type board struct {
	Column, ToLeft, ToRight uint32
	N                       uint8 // columns
	Row                     uint8 // queens on it
	Left                    uint8 // queens to come that are tasks of their own
}

// free returns the columns of the next row that no queen attacks.
func (b *board) free() uint32 { return (1<<b.N - 1) &^ (b.Column | b.ToLeft | b.ToRight) }

// with returns the board with a queen more, in the column of that bit.
func (b *board) with(bit uint32) board {
	return board{b.Column | bit, (b.ToLeft | bit) >> 1, (b.ToRight | bit) << 1, b.N, b.Row + 1, b.Left - 1}
}

// next ranges over the boards with a queen more.
func (b *board) next() iter.Seq[board] {
	return func(yield func(board) bool) {
		for free := b.free(); free != 0; free &= free - 1 {
			if !yield(b.with(free & -free)) {
				return
			}
		}
	}
}

// ways counts in how many ways the other queens can be placed.
func (b *board) ways() uint64 { return ways(1<<b.N-1, b.Column, b.ToLeft, b.ToRight) }

func ways(all, column, toLeft, toRight uint32) uint64 {
	if column == all {
		return 1
	}
	n := uint64(0)
	for free := all &^ (column | toLeft | toRight); free != 0; free &= free - 1 {
		bit := free & -free
		n += ways(all, column|bit, (toLeft|bit)>>1, (toRight|bit)<<1)
	}
	return n
}
