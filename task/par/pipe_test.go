package par_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// line is a pipe of three stages for the numbers 1 to n.
func line(n, room1, room2 int) func(c *edt.Ctx) {
	return func(c *edt.Ctx) {
		next, sum, to := 0, 0, taker(c)
		numbers := par.From(c, room1, func(c *edt.Ctx) (task.Block[int], bool) {
			next++
			return task.Of(c, next), next <= n
		})
		doubles := par.Through(c, numbers, room2, func(c *edt.Ctx, in []int) task.Block[int] { return task.Of(c, 2*in[0]) })
		par.To(c, doubles, func(_ *edt.Ctx, in []int) { sum = sum*3%1000003 + in[0] },
			func(c *edt.Ctx) { to.Put(c, sum) })
	}
}

// lineOf is the result of line: the numbers arrive in order.
func lineOf(n int) (sum int) {
	for k := 1; k <= n; k++ {
		sum = sum*3%1000003 + 2*k
	}
	return sum
}

func TestPipe(t *testing.T) {
	for _, room := range [][2]int{{1, 1}, {1, 5}, {3, 2}, {100, 1}} {
		for _, n := range []int{0, 1, 2, 3, 4, 30} {
			t.Run(fmt.Sprint(n, room), func(t *testing.T) { runsHere(t, line(n, room[0], room[1]), gives(lineOf(n))) })
		}
	}
	for _, room := range [][2]int{{1, 1}, {2, 1}} {
		explore(t, line(3, room[0], room[1]), gives(lineOf(3)))
	}
}

// A stage may send nothing for an item, or an empty block; the block that comes with the end is not sent. A pipe with
// much room costs only the blocks in it.
func TestStages(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	rooms := []int{1, 2, 3, 1e7, 1 << 50}
	for k := range testrun.Sized(30, 60, 60) {
		n, room, dropped, divided := rng.IntN(40), rooms[k%len(rooms)], 2+rng.IntN(3), 2+rng.IntN(3)
		var got, want [][]int
		for k := 1; k <= n; k++ {
			if k%dropped != 0 && k%divided != 1 {
				want = append(want, make([]int, k%3))
			}
		}
		next, ends := 0, 0
		err := runtime.Run(t.Context(), task.Main(func(c *edt.Ctx) {
			some := par.From(c, room, func(c *edt.Ctx) (b task.Block[int], more bool) {
				if next++; next%dropped != 0 {
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
			}, func(*edt.Ctx) { ends++ })
		}), runtime.Workers(2), runtime.Check())
		if err != nil || ends != 1 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d items, room %d: %v, %d ends, %v, want %v", n, room, err, ends, got, want)
		}
	}
}
