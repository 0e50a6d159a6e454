//go:build mpi

package task_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank/mpi"
	"ocr/runtime"
	"ocr/task"
)

// home sends the number of its rank.
var home = task.Define1("test.home", func(c *edt.Ctx, out result, x task.RO[int]) {
	out.Put(c, x.At(0)+c.Self().Home())
	x.Destroy(c)
})

// TestOverRanks: a result arrives from another rank; a run over ranks refuses the task of a closure.
func TestOverRanks(t *testing.T) {
	if !mpi.Launched() {
		testrun.AsRanks(t, 2)
		return
	}
	pool, err := runtime.New(runtime.Workers(2), runtime.Ranks(2))
	testrun.OK(t, err)
	defer func() { testrun.OK(t, pool.Close()) }()
	got, err := task.Run(t.Context(), pool, func(c *edt.Ctx, out result) {
		x, last := task.Counted[int](c, 1), c.Place(c.Workers()-1)
		home.New(c, out, x.From(), task.Opt{At: last})
		x.Put(c, 10)
	})
	if got != 11 || err != nil {
		t.Errorf("%d, %v; want 11 from rank 1", got, err)
	}
	for name, call := range map[string]func(c *edt.Ctx){
		"Func0": func(c *edt.Ctx) { task.Func0(c, "far", func(*edt.Ctx, int) {}) },
		"Go0":   func(c *edt.Ctx) { task.Go0(c, func(*edt.Ctx) {}) },
	} {
		err := pool.Run(t.Context(), task.Main(call))
		want := "over ranks a task is declared, as a variable of a package"
		testrun.Is(t, err, edt.ErrTemplate, "%s", name)
		testrun.Contains(t, fmt.Sprint(err), want, "(ranks_test.go:")
	}
}
