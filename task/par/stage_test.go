package par_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// numbers makes the blocks 1 to n.
func numbers(c *edt.Ctx, room, n int) par.Pipe[int] {
	next := 0
	return par.From(c, room, func(c *edt.Ctx) (task.Block[int], bool) {
		next++
		return task.Of(c, next), next <= n // the last block, which the stage destroys, is the end
	})
}

// TestStages: blocks come in order whatever the room, also with none, and nothing is left in check mode.
func TestStages(t *testing.T) {
	for _, blocks := range []int{0, 1, 50} {
		for room := 1; room < 4; room++ {
			sum, ended := 0, 0
			err := runtime.Run(t.Context(), task.Main(func(c *edt.Ctx) {
				double := par.Through(c, numbers(c, room, blocks), room, func(c *edt.Ctx, in []int) task.Block[int] {
					return task.Of(c, 2*in[0])
				})
				par.To(c, double, func(_ *edt.Ctx, in []int) { sum = sum*3%1000003 + in[0] },
					func(*edt.Ctx) { ended++ })
			}), runtime.Workers(2), runtime.Check())
			want := 0
			for k := 1; k <= blocks; k++ {
				want = want*3%1000003 + 2*k
			}
			if err != nil || sum != want || ended != 1 {
				t.Errorf("%d blocks, room for %d: %v, sum %d, want %d, ended %d times", blocks, room, err, sum, want, ended)
			}
		}
	}
}

// TestStagesDrop: what a stage does not send is left out, an empty block is sent, and nothing is left in check mode.
func TestStagesDrop(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 30 {
		n, room, dropped, divided := rng.IntN(40), 1+rng.IntN(3), 2+rng.IntN(3), 2+rng.IntN(3)
		var got, want [][]int
		for k := 1; k <= n; k++ {
			if k%dropped != 0 && k%divided != 1 {
				want = append(want, make([]int, k%3))
			}
		}
		next := 0
		err := runtime.Run(t.Context(), task.Main(func(c *edt.Ctx) {
			some := par.From(c, room, func(c *edt.Ctx) (b task.Block[int], more bool) {
				if next++; next <= n && next%dropped != 0 {
					b = task.Of(c, next)
				}
				return b, next <= n
			})
			fewer := par.Through(c, some, room, func(c *edt.Ctx, in []int) (b task.Block[int]) {
				if in[0]%divided != 1 {
					b, _ = task.Make[int](c, in[0]%3)
				}
				return b
			})
			par.To(c, fewer, func(_ *edt.Ctx, in []int) {
				if got = append(got, slices.Clone(in)); len(in) == 0 && in != nil {
					t.Error("an empty block has an address")
				}
			}, nil)
		}), runtime.Workers(2), runtime.Check())
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d items, room %d: %v, %v, want %v", n, room, err, got, want)
		}
	}
}

// TestStagesRefuse: a stage that is not whole, or that returns a block that it does not hold, ends the run, with the
// line of the call.
func TestStagesRefuse(t *testing.T) {
	drop := func(*edt.Ctx, []int) {}
	for name, test := range map[string]struct {
		body func(c *edt.Ctx)
		is   error
	}{
		"no body":      {func(c *edt.Ctx) { par.From[int](c, 1, nil) }, edt.ErrNoBody},
		"no body to":   {func(c *edt.Ctx) { par.To(c, numbers(c, 1, 1), nil, nil) }, edt.ErrNoBody},
		"no room":      {func(c *edt.Ctx) { numbers(c, 0, 1) }, edt.ErrCount},
		"no body thru": {func(c *edt.Ctx) { par.Through[int, int](c, numbers(c, 1, 1), 1, nil) }, edt.ErrNoBody},
		"not held": {func(c *edt.Ctx) {
			none := func(c *edt.Ctx, _ []int) task.Block[int] { return task.Reserve[int](c, 1) }
			par.To(c, par.Through(c, numbers(c, 1, 1), 1, none), drop, nil)
		}, edt.ErrNotHeld},
	} {
		err := runtime.Run(t.Context(), task.Main(test.body), runtime.Workers(1))
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), "(stage_test.go:") {
			t.Errorf("%s: %v, want %v and the line", name, err, test.is)
		}
	}
}
