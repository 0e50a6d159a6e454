package pairs_test

import (
	"context"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

var ways = par.DefineReduce("pairs.ways", func(into, from *int) { *into += *from })

var place = task.Declare0[board]("pairs.place")

var _ = place.Body(func(c *edt.Ctx, b board) {
	if b.Row == 3 {
		*ways.Value(c) += b.count()
		return
	}
	for free := b.free(); free != 0; free &= free - 1 {
		place.New(c, b.with(free&-free))
	}
})

func queensTasks(ctx context.Context) (int, error) {
	return task.Run(ctx, runtime.With(), func(c *edt.Ctx, out task.Event[int]) {
		place.New(c, board{}, ways.Group(c, 0, out))
	})
}
