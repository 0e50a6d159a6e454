package smithwaterman

import (
	"ocr/edt"
	"ocr/task"
)

// A column is the block of a column of tiles: what was found in its tiles, and a border for each of its columns.
type column = task.Headed[outcome, border]

// A strip is the block of a row of tiles, which goes through its tiles.
type strip = task.Headed[passing, border]

// passing is what goes with a strip.
type passing struct {
	Row    int32 // of tiles
	Corner int32 // the score above its first border
	Found  outcome
}

// A place is what the EDTs of a column of tiles have in common.
type place struct {
	Column  int32 // of tiles
	PerSide int32
	Tile    int32               // rows and columns of a tile
	In, Out task.Event[strip]   // channels: from the column before, to the next one
	Result  task.Event[outcome] // for the last column
}

// tile computes a tile, and goes on as the one below it.
var tile = task.Declare2[place, task.RW[column], task.RW[strip]]("smithwaterman.tile")

var _ = tile.Body(func(c *edt.Ctx, p place, own task.RW[column], from task.RW[strip]) {
	s, found := task.Head(from), task.Head(own)
	s.Corner = sweep(int(s.Row*p.Tile), int(p.Column*p.Tile), s.Corner, task.Rest(from), task.Rest(own), found)
	if s.Row < p.PerSide-1 {
		tile.Again1(c, p.In.From())
	} else {
		s.Found.add(*found)
		own.Destroy(c)
		p.In.Destroy(c)
	}
	switch {
	case p.Column < p.PerSide-1:
		from.SendTo(c, p.Out)
	case s.Row < p.PerSide-1:
		from.Destroy(c)
	default:
		result, r := task.Make[outcome](c, 1)
		r[0] = s.Found
		from.Destroy(c)
		p.Result.Send(c, result)
	}
})

// buildGraph makes the first EDT of each column of tiles, and sends the strips into the first column.
//
// Each worker has an equal run of neighbouring columns: a strip goes from worker to worker as
// few times as can be. One that has nothing to do steals from the others.
func buildGraph(c *edt.Ctx, cfg Config, columns []task.Block[column], strips []task.Block[strip]) task.Event[outcome] {
	n := cfg.perSide()
	result, first := task.Counted[outcome](c, 1), task.Channel[strip](c, n)
	in := first
	for k, own := range columns {
		p := place{Column: int32(k), PerSide: int32(n), Tile: int32(cfg.Tile), In: in, Result: result}
		if k < n-1 {
			p.Out = task.Channel[strip](c, n)
		}
		tile.NewAt(c, c.Place(k*c.Places()/n), p, own.From(), in.From())
		in = p.Out
	}
	for _, s := range strips {
		first.Pass(c, s)
	}
	return result
}
