package nqueens

import (
	"math/bits"

	"ocr/edt"
	"ocr/task"
)

// A tally is what the EDTs on one worker have counted, on a cache line of its own.
type tally struct {
	Ways uint64
	_    [56]byte
}

// place puts a queen into the next row of a board in every way, and leaves each of these boards to an EDT of
// its own; at the cut-off it counts the ways itself.
//
// The boards of the first rows are dealt out to the workers by column. Nobody knows how much there is
// to do below: EDTs are stolen there.
var place = task.Declare1[board, task.RW[tally]]("nqueens.place")

var _ = place.Body(func(c *edt.Ctx, b board, tallies task.RW[tally]) {
	if b.Left == 0 {
		tallies.Slice()[c.Worker()].Ways += b.ways()
		return
	}
	for free := b.free(); free != 0; free &= free - 1 {
		next := b.with(free & -free)
		if b.Row < dealt {
			place.NewAt(c, c.Place(bits.TrailingZeros32(free)%c.Places()), next, tallies.Block().From())
		} else {
			place.New(c, next, tallies.Block().From())
		}
	}
})

// dealt is how many rows are dealt out.
const dealt = 2

// add adds up what the workers have counted.
var add = task.Define2("nqueens.add", func(c *edt.Ctx, sum task.Event[uint64], _ task.After, tallies task.RO[tally]) {
	block, ways := task.Make[uint64](c, 1)
	for _, t := range tallies.Slice() {
		ways[0] += t.Ways
	}
	tallies.Destroy(c)
	sum.Send(c, block)
})

// buildGraph makes the EDTs of a search. The sum brings the result, to one slot.
func buildGraph(c *edt.Ctx, b board, sum task.Event[uint64]) {
	tallies, _ := task.Make[tally](c, c.Workers())
	c.Synchronised(tallies.GUID) // each worker has an element
	tallies.Release(c)
	all := task.Once[task.Nothing](c)
	add.New(c, sum, all.From(), tallies.From())
	place.NewWith(c, task.Opt{Output: all, Finish: true}, b, tallies.From())
}
