package main

import (
	"context"
	"fmt"
	"math/big"

	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

// numbers are those from From up to, not including, To.
type numbers struct{ From, To int }

// count counts the primes among them.
func (p numbers) count() (primes int) {
	for n := p.From; n < p.To; n++ {
		if big.NewInt(int64(n)).ProbablyPrime(0) {
			primes++
		}
	}
	return primes
}

var total = par.DefineReduce("total", func(into, from *int) { *into += *from })

var all = task.Define0("all", func(c *edt.Ctx, n int) {
	for from := 0; from < n; from += 100 {
		some.New(c, numbers{from, min(from+100, n)})
	}
})

var some = task.Define0("some", func(c *edt.Ctx, p numbers) { *total.Value(c) += p.count() })

var _ = some.Label(func(p numbers) string { return fmt.Sprintf("below %d", p.To) })

// serial counts without EDTs.
func (a *App) serial(context.Context, int) error {
	a.Begin()
	a.found = numbers{0, a.N}.count()
	a.End()
	return nil
}
