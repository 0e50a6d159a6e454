// Package cg solves the problem of the HPCG benchmark by conjugate gradients: the points of a grid are coupled with
// their 26 neighbours, by -1, and with themselves by 26. Preconditioner and multigrid are left out, and the matrix is
// not stored, as its rows are alike.
//
// It shows an iteration whose end depends on its results. The grid is cut into slabs of planes. An EDT computes half an
// iteration of a slab. Then one EDT adds up the slabs' sums, and creates the EDTs of the next half iteration or ends
// the run. All forms add in the same order, so they give the same bits.
package cg

import (
	"context"
	"sync"

	"ocr/apps/trial"
	"ocr/datablock"
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

// slabs and planes return the number of slabs, and of planes in a slab.
func (c Config) slabs() int          { return trial.Parts(c.Size, c.Planes) }
func (c Config) planes(slab int) int { return min(c.Planes, c.Size-slab*c.Planes) }

// of returns a slab's part of a vector, which has a plane of zeros below the first slab and above the last.
func (c Config) of(v []float64, slab int) []float64 {
	return v[(1+slab*c.Planes)*plane(c.Size):][:c.planes(slab)*plane(c.Size)]
}

// An App is a system of equations: a [trial.App].
type App struct {
	trial.Clock
	cfg  Config
	b    []float64                 // the right-hand side: the solution is 1 everywhere
	got  solution                  // result of the latest run
	want func() (*solution, error) // result of the literal method
}

type solution struct {
	x       []float64
	numbers numbers
}

// New returns an App for a Config that [Config.Validate] has accepted, with its right-hand side.
func New(cfg Config) *App {
	b := cfg.multiply(cfg.ones())
	want := sync.OnceValues(func() (*solution, error) { return cfg.sound(b, cfg.literal(b)) })
	return &App{cfg: cfg, b: b, got: solution{x: make([]float64, len(b))}, want: want}
}

// Work returns the floating-point operations by HPCG's rules: two for each element of the matrix that is not zero, and
// ten for each point, of two dots and three updates, in each iteration.
func (a *App) Work() (amount float64, unit string) {
	n, iterations := float64(a.cfg.Size), a.cfg.Iterations
	if a.Ended() {
		iterations = a.got.numbers.Iterations
	}
	return float64(iterations) * (2*(3*n-2)*(3*n-2)*(3*n-2) + 10*n*n*n), "flop"
}

// Main returns the main EDT: it copies the right-hand side to blocks, starts the first half iteration and its sum, and
// creates an EDT that copies the result.
func (a *App) Main() edt.Func {
	return a.Clock.Main(func(c *edt.Ctx) {
		n := a.cfg.slabs()
		block, k, slabs := task.MakeHeaded[sums, slabNames](c, n+2)
		*k = sums{a.cfg.numbers(), task.Counted[sumBlock](c, 1)}
		results, planes := []edt.Source{edt.From(k.Result.GUID, datablock.RO)}, []edt.Source{}
		reserve := func(at edt.Affinity) task.Source[float64] {
			b := task.Reserve[float64](c, plane(a.cfg.Size), at)
			planes = append(planes, edt.From(b.GUID, datablock.Null)) // so that Collect destroys it
			return b.From()
		}
		for i := range n {
			vectors, memory := task.Make[float64](c, slabWords(a.cfg.Size, a.cfg.planes(i)))
			begin(memory, a.cfg.of(a.b, i), a.cfg.Size)
			vectors.Release(c)
			at := c.Place(i * c.Places() / n)
			slabs[i+1] = slabNames{vectors, reserve(at), reserve(at), at}
			results = append(results, edt.From(vectors.GUID, datablock.RO))
		}
		slabs[0].Last, slabs[n+1].First = task.None[float64](), task.None[float64]() // the border
		a.Begin()
		parts := k.start(c, slabs)
		block.Release(c)
		sum.New(c, task.Nothing{}, block.From(), parts)
		trial.Collect(c, "cg.deliver", &a.Clock, append(results, planes...), func(_ *edt.Ctx, in edt.Args) {
			k := task.Head(task.SlotOf[task.RO[sumBlock]](in, 0)).numbers
			a.take(k, func(i int) slab {
				return slabOf(task.SlotOf[task.RO[float64]](in, i+1).Slice(), a.cfg.Size)
			})
		})
	})
}

// take copies the result of a run.
func (a *App) take(k numbers, of func(i int) slab) {
	a.got.numbers = k
	for i := range a.cfg.slabs() {
		copy(a.cfg.of(a.got.x, i), of(i).x)
	}
}

// Forms returns the forms without EDTs: the slabs one after the other, and a goroutine for each worker with
// neighbouring slabs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.solve) }

// solve runs each half of an iteration as a round over all slabs.
func (a *App) solve(ctx context.Context, workers int) error {
	slabs, parts, k := make([]slab, a.cfg.slabs()), make([]float64, a.cfg.slabs()), a.cfg.numbers()
	first, last := make([][]float64, len(slabs)+2), make([][]float64, len(slabs)+2) // nil at the border
	for i := range slabs {
		slabs[i] = begin(make([]float64, slabWords(a.cfg.Size, a.cfg.planes(i))), a.cfg.of(a.b, i), a.cfg.Size)
		first[i+1], last[i+1] = slabs[i].first(), slabs[i].last()
	}
	a.Begin()
	trial.Rounds(ctx, workers, len(slabs), func(i int) {
		if k.Direct {
			parts[i] = slabs[i].direct(k.Beta, last[i], first[i+2])
		} else {
			parts[i] = slabs[i].advance(k.Alpha)
		}
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
	a.take(k, func(i int) slab { return slabs[i] })
	return nil
}
