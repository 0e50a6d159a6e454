package pairs_test

import (
	"context"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

func pipeTasks(ctx context.Context, n int) (int, error) {
	return task.Run(ctx, runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
		next, sum := 0, 0
		numbers := par.From(c, 4, func(c *edt.Ctx) (b task.Block[int], more bool) {
			if next++; next > n {
				return b, false
			}
			return task.Of(c, next), true
		})
		squares := par.Through(c, numbers, 4, func(c *edt.Ctx, x []int) task.Block[int] { return task.Of(c, x[0]*x[0]) })
		par.To(c, squares, func(_ *edt.Ctx, x []int) { sum += x[0] }, func(c *edt.Ctx) { out.Put(c, sum) })
	})
}
