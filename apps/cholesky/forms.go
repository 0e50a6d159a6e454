package cholesky

import (
	"context"
	goruntime "runtime"
	"sync/atomic"

	"ocr/apps/trial"
)

// Forms returns the forms without EDTs.
func (a *App) Forms() []trial.Form { return trial.Forms(a.serial, a.pooled) }

// start begins a run of a form, which works in the factor's place.
func (a *App) start() matrix {
	a.input.copyTo(a.factor)
	a.Begin()
	return a.factor
}

// finish makes a tile a tile of the factor: it has had all updates.
func (a *App) finish(m matrix, i, k int) {
	if i == k {
		potrf(m[k][k], a.cfg.rows(k))
	} else {
		trsm(m[k][k], m[i][k], a.cfg.rows(k))
	}
}

// update updates a tile by column k of the factor.
func (a *App) update(m matrix, i, j, k int) {
	if i == j {
		syrk(m[i][k], m[i][i], a.cfg.rows(k))
	} else {
		gemm(m[i][k], m[j][k], m[i][j], a.cfg.rows(k))
	}
}

// serial does the kernels in the order of a loop. It looks at ctx before each column.
func (a *App) serial(ctx context.Context, _ int) error {
	m := a.start()
	for k := 0; k < len(m) && ctx.Err() == nil; k++ {
		for i := k; i < len(m); i++ {
			a.finish(m, i, k)
		}
		for i := k + 1; i < len(m); i++ {
			for j := k + 1; j <= i; j++ {
				a.update(m, i, j, k)
			}
		}
	}
	return a.EndUnless(ctx)
}

// pooled has a goroutine a worker. Each takes the next tile, column by column, and does all of its updates one after
// the other, so that the tile stays in the cache. A tile needs only tiles that were taken before it, so some worker
// always gets on.
//
// This is PLASMA's static schedule, but for the tiles, which workers take as they need them. There is no queue and no
// lock: a counter, and a flag for each tile of the factor that its worker stores and the others load.
func (a *App) pooled(ctx context.Context, workers int) error {
	var m matrix
	n := len(a.input)
	order := make([][2]int, 0, n*(n+1)/2)
	for j := range n {
		for i := j; i < n; i++ {
			order = append(order, [2]int{i, j})
		}
	}
	ready := make([]atomic.Bool, n*n)
	await := func(i, j int) bool {
		for !ready[i*n+j].Load() {
			if ctx.Err() != nil {
				return false
			}
			goruntime.Gosched()
		}
		return true
	}
	begin := func() int {
		m = a.start()
		return len(order)
	}
	trial.Deal(ctx, workers, begin, func(_, t int) {
		i, j := order[t][0], order[t][1]
		for k := range j {
			if !await(i, k) || !await(j, k) {
				return
			}
			a.update(m, i, j, k)
		}
		if i == j || await(j, j) {
			a.finish(m, i, j)
			ready[i*n+j].Store(true)
		}
	})
	return a.EndUnless(ctx)
}
