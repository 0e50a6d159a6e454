package pairs_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

var found = par.DefineReduce("pairs.found", func(into, from *int) { *into += *from })

var scan = par.DefineFor0("pairs.scan", func(c *edt.Ctx, _ task.Nothing, lo, hi int) {
	*found.Value(c) += primes(lo, hi)
})

// pools has the pools that serve no request: each serves one at a time.
type pools chan *runtime.Pool

func (free pools) Run(ctx context.Context, main edt.Func) error {
	select {
	case pool := <-free:
		defer func() { free <- pool }()
		return pool.Run(ctx, main)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func serveTasks(pool task.Runner) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("n"))
		if err != nil || n < 0 {
			http.Error(w, "n: want a number", http.StatusBadRequest)
			return
		}
		sum, err := task.Run(r.Context(), pool, func(c *edt.Ctx, out task.Event[int]) {
			scan.For(c, task.Nothing{}, 0, n, grain, found.Group(c, 0, out).Output)
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, sum)
	}
}
