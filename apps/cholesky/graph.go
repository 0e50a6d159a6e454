package cholesky

import (
	"ocr/edt"
	"ocr/task"
)

// A step is one kernel's work: on the tile at Row and Col, for column Step of the factor.
type step struct {
	Row, Col, Step int32
	Width          int32               // columns of the tiles in column Step
	To             task.Event[float64] // takes the tile on
}

// The tiles that are read are in the factor already. The last slot is the tile itself, which goes
// from one task to the next.
var (
	potrfTask = task.Define1("cholesky.potrf", func(c *edt.Ctx, p step, own task.RW[float64]) {
		potrf(own.Slice(), int(p.Width))
		own.SendTo(c, p.To)
	})
	trsmTask = task.Define2("cholesky.trsm", func(c *edt.Ctx, p step, diagonal task.RO[float64], own task.RW[float64]) {
		trsm(diagonal.Slice(), own.Slice(), int(p.Width))
		own.SendTo(c, p.To)
	})
	syrkTask = task.Define2("cholesky.syrk", func(c *edt.Ctx, p step, left task.RO[float64], own task.RW[float64]) {
		syrk(left.Slice(), own.Slice(), int(p.Width))
		own.SendTo(c, p.To)
	})
	gemmTask = task.Define3("cholesky.gemm", func(c *edt.Ctx, p step, left, upper task.RO[float64], own task.RW[float64]) {
		gemm(left.Slice(), upper.Slice(), own.Slice(), int(p.Width))
		own.SendTo(c, p.To)
	})
)

// buildGraph makes all tasks. It returns the events that bring the tiles of the factor, to one slot each.
//
// The tasks of a tile prefer one worker, and neighbours differ in it, so that each worker has an equal
// share of every column. One that has nothing to do steals from the others. What is on the
// critical path comes first: a column of the factor before the updates by the one to its left.
func buildGraph(c *edt.Ctx, cfg Config, tiles [][]task.Block[float64]) [][]task.Event[float64] {
	n := len(tiles)
	factor, now := make([][]task.Event[float64], n), make([][]task.Source[float64], n)
	for i, row := range tiles {
		for _, tile := range row {
			now[i] = append(now[i], tile.From())
		}
	}
	options := func(i, j int, priority int8) task.Opt {
		return task.Opt{At: c.Place((i + j) % c.Places()), Priority: priority}
	}
	for k := range n {
		// update returns what brings a tile now, and takes it on to as many slots.
		update := func(i, j, slots int) (step, task.Source[float64]) {
			to, own := task.Counted[float64](c, slots), now[i][j]
			now[i][j] = to.From()
			return step{int32(i), int32(j), int32(k), int32(cfg.rows(k)), to}, own
		}
		// A tile of column k of the factor goes to the n-k-1 tasks that read it, and out.
		for i := k; i < n; i++ {
			p, own := update(i, k, n-k)
			if i == k {
				potrfTask.NewWith(c, options(i, k, 2), p, own)
			} else {
				trsmTask.NewWith(c, options(i, k, 1), p, now[k][k], own)
			}
			factor[i] = append(factor[i], p.To)
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j <= i; j++ {
				p, own := update(i, j, 1)
				if i == j {
					syrkTask.NewWith(c, options(i, j, 1), p, now[i][k], own)
				} else {
					gemmTask.NewWith(c, options(i, j, 0), p, now[i][k], now[j][k], own)
				}
			}
		}
	}
	return factor
}
