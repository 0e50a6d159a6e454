//go:build ignore

// Command nqueens counts the ways to place queens on a board so that none attacks another.
package main

import (
	"context"
	"fmt"
	"iter"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

const (
	n    = 10 // queens
	rest = 6  // rows that are searched without EDTs
)

// A board has a queen in each of its first rows. Bits are columns: those that queens attack in the next row, straight
// on and along the diagonals.
type board struct{ Rows, Straight, Left, Right uint64 }

// next ranges over the boards with one queen more, in the next row.
func (b board) next() iter.Seq[board] {
	return func(yield func(board) bool) {
		for free := (1<<n - 1) &^ (b.Straight | b.Left | b.Right); free != 0; free &= free - 1 {
			queen := free & -free
			if !yield(board{b.Rows + 1, b.Straight | queen, (b.Left | queen) << 1, (b.Right | queen) >> 1}) {
				return
			}
		}
	}
}

// count counts the ways to place the queens that are left.
func (b board) count() (ways int) {
	if b.Rows == n {
		return 1
	}
	for board := range b.next() {
		ways += board.count()
	}
	return ways
}

var ways = par.DefineReduce("nqueens.ways", func(into, from *int) { *into += *from })

var place = task.Declare0[board]("nqueens.place")

var _ = place.Body(func(c *edt.Ctx, b board) {
	if b.Rows == n-rest {
		*ways.Value(c) += b.count()
		return
	}
	for board := range b.next() {
		place.New(c, board)
	}
})

func main() {
	fmt.Println(task.Run(context.Background(), runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
		place.New(c, board{}, ways.Group(c, 0, out))
	}))
}

// Output:
// 724 <nil>
