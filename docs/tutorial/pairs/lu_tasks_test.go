package pairs_test

import (
	"context"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

type after = task.Source[task.Nothing]

func luTasks(ctx context.Context, m matrix) error {
	return runtime.Run(ctx, task.Main(func(c *edt.Ctx) {
		var ready [tiles][tiles]after
		step := func(i, j int, f func(), a, b after) {
			done := task.Scoped[task.Nothing](c)
			task.Go3(c, ready[i][j], a, b, func(c *edt.Ctx, _, _, _ task.After) { f(); done.Signal(c) })
			ready[i][j] = done.From()
		}
		for i := range tiles {
			for j := range tiles {
				ready[i][j] = task.None[task.Nothing]()
			}
		}
		for k := range tiles {
			step(k, k, func() { factor(m[k][k]) }, ready[k][k], ready[k][k])
			for i := k + 1; i < tiles; i++ {
				step(i, k, func() { solveColumn(m[i][k], m[k][k]) }, ready[k][k], ready[k][k])
				step(k, i, func() { solveRow(m[k][i], m[k][k]) }, ready[k][k], ready[k][k])
			}
			for i := k + 1; i < tiles; i++ {
				for j := k + 1; j < tiles; j++ {
					step(i, j, func() { update(m[i][j], m[i][k], m[k][j]) }, ready[i][k], ready[k][j])
				}
			}
		}
	}))
}
