// Package cholesky factors a symmetric, positive definite matrix by tiles, A = L*L^T: a static graph of four kinds of
// tasks. It shows how a counted event brings a block to many readers, how a block passes from writer to writer, and
// placement with priorities.
package cholesky

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"ocr/apps/trial"
	"ocr/datablock"
	"ocr/edt"
	"ocr/task"
)

const appName = "cholesky"

// Config describes a problem and how it is cut into tasks.
type Config struct {
	Size int `flag:"size" short:"n" usage:"rows and columns of the matrix"`
	Tile int `flag:"tile" short:"t" usage:"rows and columns of a tile"`
}

// Defaults returns a matrix of 2000 x 2000 in tiles of 100 x 100, which is 1540 tasks.
func Defaults() Config { return Config{Size: 2000, Tile: 100} }

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run. The largest matrix takes 4 GiB
// and some hours; with the most tiles a side 1.4 million EDTs exist at once. Dpotrf calls Dgemm with a side of 64: from
// tiles of 321 rows on, Dgemm would start goroutines of its own.
func (c Config) Validate() error {
	const maxSize, maxTile, maxPerSide = 16_384, 320, 200
	return trial.First(appName, trial.Range("size", c.Size, 1, maxSize),
		trial.Tile(c.Tile, c.Size, maxTile, maxPerSide))
}

// perSide returns the number of tiles in a row or column of the matrix. rows returns how many rows of the matrix a row
// of tiles has; the column of tiles with this index has as many columns. The last row of tiles may have fewer.
func (c Config) perSide() int         { return trial.Parts(c.Size, c.Tile) }
func (c Config) rows(tileRow int) int { return min(c.Tile, c.Size-tileRow*c.Tile) }

// A matrix is the tiles of the lower half of a matrix: tile (i, j), j <= i, is m[i][j], by rows. Diagonal tiles are
// whole; in a factor their upper half is undefined.
type matrix [][][]float64

// newMatrix makes a matrix. It calls value for each element of the lower half.
func (c Config) newMatrix(value func(row, column int) float64) matrix {
	m := make(matrix, c.perSide())
	for i := range m {
		m[i] = make([][]float64, i+1)
		for j := range m[i] {
			m[i][j] = make([]float64, c.rows(i)*c.rows(j))
		}
	}
	for row := range c.Size {
		for column := range row + 1 {
			*c.at(m, row, column) = value(row, column)
			if row/c.Tile == column/c.Tile {
				*c.at(m, column, row) = *c.at(m, row, column)
			}
		}
	}
	return m
}

// at returns the element at a row and column of the matrix, which must lie in one of the tiles.
func (c Config) at(m matrix, row, column int) *float64 {
	i, j := row/c.Tile, column/c.Tile
	return &m[i][j][row%c.Tile*c.rows(j)+column%c.Tile]
}

// An App is a matrix to factor: a [trial.App].
type App struct {
	trial.Clock
	cfg    Config
	input  matrix
	factor matrix                 // result of the latest run
	want   func() (matrix, error) // result of the serial form
}

// New returns an App for a Config that [Config.Validate] has accepted. Its matrix has random numbers in -1..1, and a
// diagonal so large that the matrix is positive definite.
func New(cfg Config) *App {
	random := rand.New(rand.NewPCG(1, 2))
	input := cfg.newMatrix(func(row, column int) float64 {
		v := 2*random.Float64() - 1
		if row == column {
			v += float64(cfg.Size)
		}
		return v
	})
	want := sync.OnceValues(func() (matrix, error) {
		serial := &App{cfg: cfg, input: input, factor: cfg.zeros()}
		return serial.factor, cmp.Or(serial.pooled(context.Background(), 1), serial.sound())
	})
	return &App{cfg: cfg, input: input, factor: cfg.zeros(), want: want}
}

func (c Config) zeros() matrix { return c.newMatrix(func(int, int) float64 { return 0 }) }

// Work returns the floating-point operations of a factorisation, n^3/3.
func (a *App) Work() (amount float64, unit string) {
	n := float64(a.cfg.Size)
	return n * n * n / 3, "flop"
}

// Main returns the main EDT: it copies the tiles to blocks, each at the place of the tasks on the tile, and creates
// EDTs that make the graph and copy the factor.
func (a *App) Main() edt.Func {
	return a.Clock.Main(func(c *edt.Ctx) {
		n := len(a.input)
		tiles, loaded := make([]task.Block[float64], 0, n*(n+1)/2), task.NewLatch(c, int64(n*(n+1)/2))
		trial.When(c, "cholesky.begin", []edt.Source{edt.From(loaded.GUID, datablock.Null)}, func(c *edt.Ctx, _ edt.Args) {
			a.Begin()
			trial.Collect(c, "cholesky.deliver", &a.Clock, buildGraph(c, a.cfg, tiles), a.deliver)
		})
		for i, row := range a.input {
			at := c.Place(a.cfg.placeOf(i, c.Places()))
			for _, tile := range row {
				input, own := task.Of(c, tile...), task.Reserve[float64](c, len(tile), at)
				input.Release(c)
				tiles = append(tiles, own) // before the last load, whose end starts the graph
				load.New(c, task.Nothing{}, input.From(), own.From(), task.Opt{At: at, Output: loaded.Event})
			}
		}
	})
}

func (a *App) deliver(_ *edt.Ctx, in edt.Args) {
	for i, row := range a.factor {
		for j, tile := range row {
			copy(tile, task.SlotOf[task.RO[float64]](in, i*(i+1)/2+j).Slice())
		}
	}
}

// Forms returns the forms without EDTs: one goroutine, and one for each worker.
func (a *App) Forms() []trial.Form { return trial.Forms(a.pooled) }

// pooled runs a goroutine for each worker; all work in the memory of the factor. Each takes the next tile, column by
// column, and makes all updates of the tile one after the other, so that it stays in the cache. A tile needs only tiles
// that were taken before it, so at least one worker always advances.
//
// This is PLASMA's static schedule, except that workers take tiles on demand. There is no queue and no lock, only a
// counter, and a flag for each tile of the factor: the tile's worker stores it, and the other workers load it.
func (a *App) pooled(ctx context.Context, workers int) error {
	for i, row := range a.input {
		for j, tile := range row {
			copy(a.factor[i][j], tile)
		}
	}
	var order [][2]int
	for j := range a.factor {
		for i := j; i < len(a.factor); i++ {
			order = append(order, [2]int{i, j})
		}
	}
	var next atomic.Int64
	ready := make([]atomic.Bool, len(a.factor)*len(a.factor))
	await := func(i, j int) bool {
		for !ready[i*len(a.factor)+j].Load() {
			if ctx.Err() != nil {
				return false
			}
			goruntime.Gosched()
		}
		return true
	}
	trial.Gang(workers, a.Begin, func(int) {
		for t := int(next.Add(1)) - 1; t < len(order) && ctx.Err() == nil; t = int(next.Add(1)) - 1 {
			i, j := order[t][0], order[t][1]
			if a.factorTile(i, j, await) {
				ready[i*len(a.factor)+j].Store(true)
			}
		}
	})
	return a.EndUnless(ctx)
}

// factorTile computes a tile of the factor. await waits for another tile, and returns false if the run was cancelled.
func (a *App) factorTile(i, j int, await func(i, j int) bool) bool {
	m, own := a.factor, a.factor[i][j]
	for k := range j {
		switch {
		case !await(i, k) || !await(j, k):
			return false
		case i == j:
			syrk(m[i][k], own, a.cfg.rows(k))
		default:
			gemm(m[i][k], m[j][k], own, a.cfg.rows(k))
		}
	}
	switch {
	case i == j:
		potrf(own, a.cfg.rows(j))
	case !await(j, j):
		return false
	default:
		trsm(m[j][j], own, a.cfg.rows(j))
	}
	return true
}

// Verify compares the latest run's factor, bit for bit, with that of the serial form: all forms make the same updates
// of a tile in the same order. At its first call it computes the serial form's factor, and checks its residual.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	factor, err := a.want()
	if err != nil {
		return err
	}
	for i := range a.cfg.Size {
		for j := range i + 1 {
			got, want := *a.cfg.at(a.factor, i, j), *a.cfg.at(factor, i, j)
			if math.Float64bits(got) != math.Float64bits(want) {
				return trial.Wrong(appName, fmt.Sprintf("L(%d,%d)", i, j), got, want)
			}
		}
	}
	return nil
}

// sound computes the residual of the factor by random vectors x: |A*x - L*(L^T*x)| in units of |A| * |x| * n * epsilon,
// in the maximum norm. It refuses a residual above HPL's bound for a right factor; a wrong tile gives a far larger one.
func (a *App) sound() error {
	const bound = 16
	random := rand.New(rand.NewPCG(3, 4))
	for k := range 3 {
		x := make([]float64, a.cfg.Size)
		for i := range x {
			x[i] = 2*random.Float64() - 1
		}
		if r := a.residual(x); !(r <= bound) {
			where := fmt.Sprintf("the scaled residual of A - L*L^T by random vector %d", k+1)
			return trial.Wrong(appName, where, r, fmt.Sprintf("at most %d", bound))
		}
	}
	return nil
}

// residual computes A*x and L*(L^T*x) without the kernels, element by element, and returns the scaled residual.
func (a *App) residual(x []float64) float64 {
	c, n := a.cfg, a.cfg.Size
	want, y, norm := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range i + 1 {
			v := *c.at(a.input, i, j)
			want[i], norm[i] = want[i]+v*x[j], norm[i]+math.Abs(v)
			if i != j {
				want[j], norm[j] = want[j]+v*x[i], norm[j]+math.Abs(v)
			}
			y[j] += *c.at(a.factor, i, j) * x[i]
		}
	}
	worst, largest, longest := 0.0, 0.0, 0.0
	for i := range n {
		got := 0.0
		for j := range i + 1 {
			got += *c.at(a.factor, i, j) * y[j]
		}
		worst, largest, longest = max(worst, math.Abs(got-want[i])), max(largest, norm[i]), max(longest, math.Abs(x[i]))
	}
	return worst / (largest * longest * float64(n) * 0x1p-53)
}
