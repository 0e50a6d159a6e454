//go:build ignore

// Command smithwaterman aligns two texts: a tile of the table of scores waits for those above it and to its left.
package main

import (
	"context"
	"fmt"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

const (
	a, b  = "event-driven tasks run when", "even a drive in the sun"
	n     = 6 // rows and columns of a tile; the last tiles may have fewer
	match = 3 // the score of two equal letters; different letters, and a letter left out, score -1
)

// A tile begins at a row and a column, and sends its last row and column to the tiles below and to the right.
type tile struct {
	Row, Col    int
	Down, Right task.Event[int]
}

var best = par.DefineReduce("smithwaterman.best", func(into, from *int) { *into = max(*into, *from) })

var score = task.Define2("smithwaterman.score", func(c *edt.Ctx, p tile, above, left task.RW[int]) {
	row, col, top := above.Slice(), left.Slice(), best.Value(c) // row begins with the corner
	for i := range col {
		corner := row[0]
		row[0] = col[i]
		for j := 1; j < len(row); j++ {
			s := corner - 1
			if a[p.Row+i] == b[p.Col+j-1] {
				s = corner + match
			}
			corner, row[j] = row[j], max(0, s, row[j]-1, row[j-1]-1)
			*top = max(*top, row[j])
		}
		col[i] = row[len(row)-1]
	}
	above.SendTo(c, p.Down)
	left.SendTo(c, p.Right)
})

// drop destroys a row or column that leaves the table.
var drop = task.Define1("smithwaterman.drop", func(c *edt.Ctx, _ task.Nothing, x task.Ref[int]) { x.Destroy(c) })

// tiles makes all tiles, row by row. Outside of the table scores are 0.
var tiles = task.Define0("smithwaterman.tiles", func(c *edt.Ctx, _ task.Nothing) {
	down, right := make([]task.Source[int], (len(b)+n-1)/n), task.Source[int]{}
	for col := range down {
		down[col] = task.Reserve[int](c, min(n, len(b)-col*n)+1).From()
	}
	for row := 0; row < len(a); row += n {
		right = task.Reserve[int](c, min(n, len(a)-row)).From()
		for col := range down {
			p := tile{row, col * n, par.Future[int](c), par.Future[int](c)}
			score.New(c, p, down[col], right)
			down[col], right = p.Down.From(), p.Right.From()
		}
		drop.New(c, task.Nothing{}, right)
	}
	for _, last := range down {
		drop.New(c, task.Nothing{}, last)
	}
})

func main() {
	fmt.Println(task.Run(context.Background(), runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
		tiles.New(c, task.Nothing{}, best.Group(c, 0, out))
	}))
}

// Output:
// 35 <nil>
