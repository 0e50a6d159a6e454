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

type making struct {
	Pipe par.Pipe[int]
	N    int // the last number
	Next int
}

type using struct {
	Pipe par.Pipe[int]
	To   task.Event[int]
}

type passing struct{ From, To par.Pipe[int] }

var (
	make1 = task.Declare1[making, par.Room[int]]("test.make")
	_     = make1.Body(func(c *edt.Ctx, p making, room par.Room[int]) {
		if p.Next > p.N {
			room.Close(c, p.Pipe)
			return
		}
		room.Send(c, p.Pipe, task.Of(c, p.Next))
		p.Next++
		make1.Again(c, p, p.Pipe.Room())
	})
	pass = task.Declare2[passing, par.Item[int], par.Room[int]]("test.pass")
	_    = pass.Body(func(c *edt.Ctx, p passing, item par.Item[int], room par.Room[int]) {
		if item.Ended() {
			room.Close(c, p.To)
			p.From.Destroy(c)
			return
		}
		item.Slice()[0] *= 2
		item.Keep(c, p.From)
		room.Send(c, p.To, item.Block())
		pass.Again(c, p, p.From.From(), p.To.Room())
	})
	use = task.Declare2[using, par.Item[int], task.RW[int]]("test.use")
	_   = use.Body(func(c *edt.Ctx, p using, item par.Item[int], sum task.RW[int]) {
		if item.Ended() {
			p.Pipe.Destroy(c)
			sum.SendTo(c, p.To)
			return
		}
		sum.Slice()[0] = sum.Slice()[0]*3%1000003 + item.Slice()[0]
		item.Done(c, p.Pipe)
		use.Again(c, p, p.Pipe.From(), task.Source[int]{})
	})
)

// line is a pipeline of three, for numbers 1 to n.
func line(n, room1, room2 int) func(c *edt.Ctx) {
	return func(c *edt.Ctx) {
		a, b := par.NewPipe[int](c, room1), par.NewPipe[int](c, room2)
		make1.New(c, making{a, n, 1}, a.Room())
		pass.New(c, passing{a, b}, a.From(), b.Room())
		use.New(c, using{b, taker(c)}, b.From(), task.Reserve[int](c, 1).From())
	}
}

// lineOf is what comes out of it: the numbers come in order.
func lineOf(n int) (sum int) {
	for k := 1; k <= n; k++ {
		sum = sum*3%1000003 + 2*k
	}
	return sum
}

func TestPipe(t *testing.T) {
	for _, room := range [][2]int{{1, 1}, {1, 5}, {3, 2}, {100, 1}} {
		for _, n := range []int{0, 1, 2, 3, 4, 30} {
			t.Run(fmt.Sprint(n, room), func(t *testing.T) { conforms(t, line(n, room[0], room[1]), gives(lineOf(n))) })
		}
	}
	for _, room := range [][2]int{{1, 1}, {2, 1}} {
		explore(t, line(3, room[0], room[1]), gives(lineOf(3)))
	}
}

// What a stage does not send is left out, an empty block is sent, and the last block, which comes with the end, is not:
// a large pipe costs what is on its way, not its room.
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
