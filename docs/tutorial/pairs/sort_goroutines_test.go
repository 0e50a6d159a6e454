package pairs_test

import (
	"context"
	"slices"
	"sync"
)

func sortGoroutines(ctx context.Context, x []int) ([]int, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(x) <= cutOff {
		x = slices.Clone(x)
		slices.Sort(x)
		return x, nil
	}
	var a, b []int
	var errA, errB error
	var both sync.WaitGroup
	both.Go(func() { a, errA = sortGoroutines(ctx, x[:len(x)/2]) })
	both.Go(func() { b, errB = sortGoroutines(ctx, x[len(x)/2:]) })
	both.Wait()
	if errA != nil {
		return nil, errA
	}
	if errB != nil {
		return nil, errB
	}
	return merged(a, b), nil
}
