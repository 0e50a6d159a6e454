package par_test

import (
	"testing"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// Loops by this package, and the same written in package task: an EDT for each index.

type handSpan struct {
	Lo       int
	N, Grain uint32
}

var (
	handSplit = task.Declare1[handSpan, task.Ref[int]]("bench.split")
	_         = handSplit.Body(func(c *edt.Ctx, s handSpan, b task.Ref[int]) {
		for s.N > 16*s.Grain {
			upper := (s.N/s.Grain + 1) / 2 * s.Grain
			s.N -= upper
			handSplit.New(c, handSpan{s.Lo + int(s.N), upper, s.Grain}, b.Block().From())
		}
		for s.N != 0 {
			n := min(s.N, s.Grain)
			s.N -= n
			handLeaf.New(c, handSpan{s.Lo + int(s.N), n, s.Grain}, b.Block().From())
		}
	})
	handLeaf = task.Define1("bench.leaf", func(_ *edt.Ctx, s handSpan, b task.RW[int]) { b.Slice()[s.Lo&1023]++ })
	parLeaf  = par.DefineFor1("bench.for", func(_ *edt.Ctx, _ task.Nothing, b task.RW[int], lo, _ int) {
		b.Slice()[lo&1023]++
	})
	parSum = par.DefineFor0("bench.sum", func(c *edt.Ctx, _ task.Nothing, lo, _ int) { *total.Value(c) += lo })
)

func BenchmarkFor(b *testing.B) {
	for _, by := range []struct {
		name  string
		begin func(c *edt.Ctx, n int)
	}{
		{"for/by=task", func(c *edt.Ctx, n int) {
			handSplit.NewWith(c, task.Opt{Finish: true, Output: par.Future[task.Nothing](c)}, handSpan{0, uint32(n), 1},
				task.Reserve[int](c, 1024).From())
		}},
		{"for/by=par", func(c *edt.Ctx, n int) {
			parLeaf.For(c, task.Nothing{}, 0, n, 1, par.Future[task.Nothing](c), task.Reserve[int](c, 1024).From())
		}},
		{"sum/by=par", func(c *edt.Ctx, n int) {
			parSum.For(c, task.Nothing{}, 0, n, 1, total.Group(c, 0, taker(c)).Output)
		}},
	} {
		b.Run(by.name, func(b *testing.B) {
			b.ReportAllocs()
			err := runtime.Run(b.Context(), program(func(c *edt.Ctx) { by.begin(c, b.N) }), runtime.Workers(1))
			if err != nil {
				b.Error(err)
			}
		})
	}
}
