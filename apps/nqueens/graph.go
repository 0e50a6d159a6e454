package nqueens

import (
	"math/bits"

	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

// total is the sum of what the EDTs have counted.
var total = par.DefineReduce("nqueens.total", func(into, from *uint64) { *into += *from })

// place puts a queen into the next row of a board in every way, and leaves each of these boards to an EDT of
// its own; at the cut-off it counts the ways itself.
//
// The boards of the first rows are placed on the workers in turn. The work below each is not known in
// advance, so idle workers steal there.
var place = task.Declare0[board]("nqueens.place")

var _ = place.Body(func(c *edt.Ctx, b board) {
	if b.Left == 0 {
		*total.Value(c) += b.ways()
		return
	}
	turn := bits.Len32(b.Column) // not all boards begin with the same worker
	for free := b.free(); free != 0; free &= free - 1 {
		next := b.with(free & -free)
		if b.Row < dealt {
			place.NewAt(c, c.Place(turn%c.Places()), next)
			turn++
		} else {
			place.New(c, next)
		}
	}
})

// dealt is how many rows are dealt out.
const dealt = 2

// buildGraph makes the EDTs of a search. The sum brings the result, to one slot.
func buildGraph(c *edt.Ctx, empty board, sum task.Event[uint64]) {
	place.NewWith(c, total.Group(c, 0, sum), empty)
}
