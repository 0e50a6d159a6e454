package smithwaterman

import (
	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

// A strip is the block of a row of tiles, which goes through its tiles.
type strip = task.Headed[passing, border]

// passing is what goes with a strip.
type passing struct {
	Row    int32 // of tiles
	Corner int32 // the score above its first border
	Found  outcome
	Below  task.Block[strip] // the strip of the next row, for the first column
	Next   task.Event[strip] // brings that strip, to the others
}

// A column is the block of a column of tiles, with a border for each column of the table.
type column = task.Headed[links, border]

// links is what a column's EDT leaves to the next.
type links struct {
	Found outcome
	Left  task.Event[strip] // brings the next strip, but to the first column
	Right task.Event[strip] // takes the next strip on
}

// A place is what the EDTs of a column of tiles have in common.
type place struct {
	Column  int32 // of tiles
	PerSide int32
	Tile    int32               // rows and columns of a tile
	Cross   bool                // the next column is on another rank
	Result  task.Event[outcome] // for the last column
}

// tile computes a tile, and goes on as the one below it.
var tile = task.Declare2[place, task.RW[column], task.RW[strip]]("smithwaterman.tile")

var _ = tile.Body(func(c *edt.Ctx, p place, own task.RW[column], from task.RW[strip]) {
	s, l := task.Head(from), task.Head(own)
	s.Corner = sweep(int(s.Row*p.Tile), int(p.Column*p.Tile), s.Corner, task.Rest(from), task.Rest(own), &l.Found)
	lastRow, lastColumn := s.Row == p.PerSide-1, p.Column == p.PerSide-1
	if p.Column > 0 {
		l.Left.Destroy(c) // it has brought this strip, and brings no other
	}
	right := l.Right
	if lastRow {
		s.Found.add(l.Found)
		own.Destroy(c)
	} else {
		next := s.Below.From()
		if p.Column > 0 {
			l.Left = s.Next
			next = s.Next.From()
		}
		if !lastColumn {
			l.Right = task.Sticky[strip](c, columnAt(c, p.Column+1, p.PerSide))
			s.Next = l.Right
		}
		tile.Again1(c, next)
	}
	switch {
	case p.Cross: // A block that goes on through ranks costs more messages than one for each.
		block, head, borders := task.MakeHeaded[passing, border](c, len(task.Rest(from)))
		*head = *s
		copy(borders, task.Rest(from))
		from.Destroy(c)
		right.Send(c, block)
	case !lastColumn:
		from.SendTo(c, right)
	case !lastRow:
		from.Destroy(c)
	default:
		result, r := task.Make[outcome](c, 1)
		r[0] = s.Found
		from.Destroy(c)
		p.Result.Send(c, result)
	}
})

// A setup is what Main makes of a column: its block, which Main holds.
type setup struct {
	block task.Block[column]
	links *links
}

// columnAt is the worker that a column of n prefers: each has an equal run of neighbouring columns, so a strip goes
// from worker to worker as few times as can be. A worker that has nothing to do steals from the others.
func columnAt(c *edt.Ctx, k, n int32) edt.Affinity { return c.Place(int(k) * c.Places() / int(n)) }

// buildGraph makes the first EDT of each column of tiles. Only that of the first column can run at once.
func buildGraph(c *edt.Ctx, cfg Config, columns []setup, first task.Block[strip]) task.Event[outcome] {
	n, result := cfg.perSide(), task.Counted[outcome](c, 1)
	source, left := first.From(), task.Event[strip]{}
	for k, t := range columns {
		t.links.Left = left
		if k < n-1 {
			t.links.Right = task.Sticky[strip](c, columnAt(c, int32(k+1), int32(n)))
		}
		right := t.links.Right
		t.block.Release(c)
		p, at := place{int32(k), int32(n), int32(cfg.Tile), false, result}, columnAt(c, int32(k), int32(n))
		p.Cross = k < n-1 && trial.RankOf(c, at) != trial.RankOf(c, columnAt(c, int32(k+1), int32(n)))
		tile.NewAt(c, at, p, t.block.From(), source)
		source, left = right.From(), right
	}
	return result
}
