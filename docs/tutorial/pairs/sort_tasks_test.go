package pairs_test

import (
	"context"
	"slices"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

var sorts = task.Declare1[task.Port[int], task.RW[int]]("pairs.sort")

var _ = sorts.Body(func(c *edt.Ctx, to task.Port[int], x task.RW[int]) {
	all := x.Slice()
	if len(all) <= cutOff {
		slices.Sort(all)
		to.Send(c, x.Block())
		return
	}
	join, half := joins.NewOpen(c, to), len(all)/2
	sorts.NewOpen(c, join.Slot0()).Slot0().Send(c, task.Of(c, all[:half]...))
	sorts.NewOpen(c, join.Slot1()).Slot0().Send(c, task.Of(c, all[half:]...))
	x.Destroy(c)
})

var joins = task.Define2("pairs.join", func(c *edt.Ctx, to task.Port[int], a, b task.RO[int]) {
	to.Send(c, task.Of(c, merged(a.Slice(), b.Slice())...))
	a.Destroy(c)
	b.Destroy(c)
})

func sortTasks(ctx context.Context, x []int) ([]int, error) {
	return task.RunAll(ctx, runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
		sorts.NewOpen(c, out.Port()).Slot0().Send(c, task.Of(c, x...))
	})
}
