// Package cg solves the problem of the HPCG benchmark by conjugate gradients: the points of a grid are coupled with
// their 26 neighbours, by -1, and with themselves by 26. Preconditioner and multigrid are left out, and the matrix is
// not stored, as its rows are alike.
//
// It shows an iteration whose end depends on its results. The grid is cut into slabs of planes. An EDT computes half an
// iteration of a slab; then another adds up the slabs' sums, and creates the EDTs of the next half or ends the run.
// Sums have one order, so every form gives the same bits.
package cg

import (
	"context"

	"ocr/apps/trial"
	"ocr/edt"
	"ocr/task"
)

const appName = "cg"

// Config describes a problem and how it is cut into slabs.
type Config struct {
	Size       int     `flag:"size" short:"n" usage:"points of the grid along each of its three edges"`
	Planes     int     `flag:"planes" usage:"planes of the grid in a slab, the unit of work"`
	Iterations int     `flag:"iterations" usage:"iterations at most"`
	Tolerance  float64 `flag:"tolerance" usage:"end when the residual is this part of the first one; 0: all iterations"`
}

// Defaults returns a grid of 64 x 64 x 64 points in 8 slabs, and the 50 iterations that HPCG does.
func Defaults() Config { return Config{Size: 64, Planes: 8, Iterations: 50} }

// Validate returns a [*trial.ConfigError] for the first reason for which c cannot run. The largest grid takes 3 GiB.
func (c Config) Validate() error {
	const maxSize = 384
	return trial.First(appName,
		trial.Range("size", c.Size, 1, maxSize),
		trial.Range("planes", c.Planes, 1, maxSize),
		trial.Range("iterations", c.Iterations, 1, 100_000),
		trial.Refuse(!(c.Tolerance >= 0 && c.Tolerance < 1), "tolerance", c.Tolerance, "0 or more, and less than 1"))
}

// slabs returns the number of slabs, and planes the number of planes in a slab.
func (c Config) slabs() int          { return (c.Size + c.Planes - 1) / c.Planes }
func (c Config) planes(slab int) int { return min(c.Planes, c.Size-slab*c.Planes) }

// of returns a slab's part of a vector.
func (c Config) of(v []float64, slab int) []float64 {
	return v[slab*c.Planes*plane(c.Size):][:c.planes(slab)*plane(c.Size)]
}

// An App is a system of equations: a [trial.App].
type App struct {
	trial.Clock
	cfg  Config
	b    []float64 // the right-hand side: the solution is 1 everywhere
	got  solution  // of the latest run
	want *solution // what verification has computed; nil before
}

// A solution is the result of a run.
type solution struct {
	x       []float64
	numbers numbers
}

// New returns an App for a Config that [Config.Validate] has accepted, with its right-hand side.
func New(cfg Config) *App {
	b := cfg.multiply(cfg.ones())
	return &App{cfg: cfg, b: b, got: solution{x: make([]float64, len(b))}}
}

// Work returns the floating-point operations as HPCG counts them: two for each element of the matrix that is not
// zero, and ten for each point, in each iteration.
func (a *App) Work() (amount float64, unit string) {
	n, iterations := float64(a.cfg.Size), a.cfg.Iterations
	if a.Ended() {
		iterations = a.got.numbers.Iterations
	}
	return float64(iterations) * (2*(3*n-2)*(3*n-2)*(3*n-2) + 10*n*n*n), "flop"
}

// Main returns the main EDT: it copies the right-hand side to blocks, creates the graph, and an EDT that copies the
// result.
func (a *App) Main() edt.Func {
	a.Clock = trial.Clock{}
	return task.Main(func(c *edt.Ctx) {
		slabs := make([]slabNames, a.cfg.slabs())
		for i := range slabs {
			vectors, memory := task.Make[float64](c, slabWords(a.cfg.Size, a.cfg.planes(i)))
			begin(memory, a.cfg.of(a.b, i), a.cfg.Size)
			vectors.Release(c)
			at := c.Place(i * c.Places() / len(slabs))
			plane := func() task.Block[float64] { return task.Reserve[float64](c, plane(a.cfg.Size), at) }
			slabs[i] = slabNames{vectors, plane(), plane(), at}
		}
		a.Begin()
		trial.Collect(c, "cg.deliver", &a.Clock, buildGraph(c, a.cfg, slabs), a.deliver)
	})
}

func (a *App) deliver(_ *edt.Ctx, in edt.Args) {
	a.got.numbers = task.Head(task.SlotOf[task.RO[sumBlock]](in, 0)).numbers
	for i := range a.cfg.slabs() {
		vectors := task.SlotOf[task.RO[float64]](in, i+1)
		copy(a.cfg.of(a.got.x, i), slabOf(vectors.Slice(), a.cfg.Size).x)
	}
}

// Forms returns the forms without EDTs: a plain loop, and a goroutine for each worker with neighbouring slabs.
func (a *App) Forms() []trial.Form {
	return trial.Forms(func(ctx context.Context, _ int) error { return a.solve(ctx, 1) }, a.solve)
}

// solve runs each half of an iteration as a round over all slabs.
func (a *App) solve(ctx context.Context, workers int) error {
	slabs, parts, k := make([]slab, a.cfg.slabs()), make([]float64, a.cfg.slabs()), a.cfg.numbers()
	for i := range slabs {
		slabs[i] = begin(make([]float64, slabWords(a.cfg.Size, a.cfg.planes(i))), a.cfg.of(a.b, i), a.cfg.Size)
	}
	a.Begin()
	trial.Rounds(ctx, workers, len(slabs), func(i int) {
		if !k.Direct {
			parts[i] = slabs[i].advance(k.Alpha)
			return
		}
		var below, above []float64
		if i > 0 {
			below = slabs[i-1].last()
		}
		if i < len(slabs)-1 {
			above = slabs[i+1].first()
		}
		parts[i] = slabs[i].direct(k.Beta, below, above)
	}, func() (more bool) {
		total := 0.0
		for _, part := range parts {
			total += part
		}
		k.next(total)
		return !k.Done
	})
	if err := a.EndUnless(ctx); err != nil {
		return err
	}
	a.got.numbers = k
	for i, s := range slabs {
		copy(a.cfg.of(a.got.x, i), s.x)
	}
	return nil
}
