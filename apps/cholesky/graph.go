package cholesky

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

// A step is one kernel's work: on the tile at Row and Col, for column Step of the factor.
type step struct {
	Row, Col, Step int32
	Width          int32               // columns of the tiles in column Step
	To             task.Event[float64] // satisfied with the tile after the step
}

// The tiles that a task reads are already tiles of the factor. The last slot has the tile that the task writes, which
// passes from one task to the next.
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

// load copies a tile of the input to the rank of its tasks.
var load = task.Define2("cholesky.load", func(c *edt.Ctx, _ task.Nothing, input task.RO[float64],
	own task.RW[float64]) {
	copy(own.Slice(), input.Slice())
	input.Destroy(c)
})

// version returns the index of the event that brings the tile in row i and column j after its task for column k. A tile
// has one event for each of the columns 0 to j of the factor.
func version(i, j, k int) int { return i*(i+1)*(i+2)/6 + j*(j+1)/2 + k }

// buildGraph creates the events, and at each place an EDT that creates the place's tasks. It returns the events that
// bring the tiles of the factor, row by row, and the blocks to destroy at the end.
//
// The tasks of a tile prefer one place, that of the tile's row: the other tile of this row that they read is there too.
// An idle worker steals from the other workers.
func buildGraph(c *edt.Ctx, cfg Config, tiles []task.Block[float64]) (results []edt.Source) {
	n := cfg.perSide()
	events, of := task.Make[task.Event[float64]](c, version(n, 0, 0))
	for i := range n {
		for j := range i + 1 {
			for k := range j + 1 {
				slots := 1
				if k == j { // satisfies the n-k-1 tasks that read the tile, and the result
					slots = n - k
				}
				of[version(i, j, k)] = task.Counted[float64](c, slots, c.Place(cfg.placeOf(i, c.Places())))
			}
			results = append(results, edt.From(of[version(i, j, j)].GUID, datablock.RO))
		}
	}
	blocks := task.Of(c, tiles...)
	blocks.Release(c)
	events.Release(c)
	for place := range min(n, c.Places()) {
		build.New(c, building{cfg, place}, blocks.From(), events.From(), task.Opt{At: c.Place(place)})
	}
	return append(results, edt.From(blocks.GUID, datablock.Null), edt.From(events.GUID, datablock.Null))
}

// placeOf deals out the rows, the last row first, as it has the most tasks: to the first place, up to the last, and
// back. So the places have about the same number of tasks, in all and in each column.
func (cfg Config) placeOf(i, places int) int {
	turn := (cfg.perSide() - 1 - i) % (2 * places)
	return min(turn, 2*places-1-turn)
}

// building is the parameters of a build EDT: the configuration, and the place whose tasks the EDT creates.
type building struct {
	Config
	Place int
}

// build creates the tasks on the tiles of a place: for each column of the factor and each row, first the task that
// completes the tile in the column, then the updates by this column of the tiles to its right. Tasks that complete a
// tile, or update one on the diagonal, have a priority above 0: they are on the critical path, or near it.
var build = task.Define2("cholesky.build", func(
	c *edt.Ctx, p building, tiles task.Const[task.Block[float64]], events task.Const[task.Event[float64]],
) {
	n, at := p.perSide(), c.Place(p.Place)
	after := func(i, j, k int) task.Source[float64] { return events.At(version(i, j, k)).From() }
	for k := range n {
		width := int32(p.rows(k))
		for i := k; i < n; i++ {
			for j := k; j <= i && p.placeOf(i, c.Places()) == p.Place; j++ {
				own, to := tiles.At(i*(i+1)/2+j).From(), events.At(version(i, j, k))
				if k > 0 {
					own = after(i, j, k-1)
				}
				do, options := step{int32(i), int32(j), int32(k), width, to}, task.Opt{At: at, Priority: 1}
				switch {
				case i == k:
					options.Priority = 2
					potrfTask.New(c, do, own, options)
				case j == k:
					trsmTask.New(c, do, after(k, k, k), own, options)
				case i == j:
					syrkTask.New(c, do, after(i, k, k), own, options)
				default:
					options.Priority = 0
					gemmTask.New(c, do, after(i, k, k), after(j, k, k), own, options)
				}
			}
		}
	}
})
