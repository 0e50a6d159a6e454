package cholesky

import (
	"context"

	"ocr/apps/trial"
)

// Forms returns the forms beside the EDTs.
func (a *App) Forms() []trial.Form {
	return []trial.Form{{Name: trial.Serial, Run: a.serial}, {Name: trial.Naive, Run: a.naive}, {Name: trial.Pooled, Run: a.pooled}}
}

// start begins a run of a form, which works in the factor's place.
func (a *App) start() matrix {
	a.input.copyTo(a.factor)
	a.Begin()
	return a.factor
}

// serial does the kernels in the order of a loop. It looks at ctx before each column.
func (a *App) serial(ctx context.Context, _ int) error {
	m := a.start()
	for k := range m {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		for i := k; i < len(m); i++ {
			a.finish(m, i, k)
		}
		for i := k + 1; i < len(m); i++ {
			for j := k + 1; j <= i; j++ {
				a.update(m, i, j, k)
			}
		}
	}
	a.End()
	return nil
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
