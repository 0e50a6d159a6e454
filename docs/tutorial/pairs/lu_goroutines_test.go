package pairs_test

import (
	"context"
	"sync"
)

func luGoroutines(ctx context.Context, m matrix) error {
	var ready [tiles][tiles]chan bool
	var all sync.WaitGroup
	step := func(i, j int, f func(), a, b chan bool) {
		before, done := ready[i][j], make(chan bool)
		ready[i][j] = done
		all.Go(func() {
			defer close(done)
			<-before
			<-a
			<-b
			if ctx.Err() == nil {
				f()
			}
		})
	}
	for i := range tiles {
		for j := range tiles {
			ready[i][j] = make(chan bool)
			close(ready[i][j])
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
	all.Wait()
	return ctx.Err()
}
