package par_test

import (
	"errors"
	"fmt"
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
		b, v := task.Make[int](c, 1)
		v[0] = p.Next
		room.Send(c, p.Pipe, b)
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

// TestLargePipe: what is on its way costs, not the room, in check mode too.
func TestLargePipe(t *testing.T) {
	for _, room := range []int{1e7, 1 << 31, 1 << 50} {
		for _, mode := range []runtime.Option{runtime.Check(), runtime.LeakReport()} {
			sum, want := 0, 0
			err := runtime.Run(t.Context(), task.Main(func(c *edt.Ctx) {
				double := par.Through(c, numbers(c, room, 20), room, func(c *edt.Ctx, in []int) task.Block[int] {
					return task.Of(c, 2*in[0])
				})
				par.To(c, double, func(_ *edt.Ctx, in []int) { sum = 3*sum + in[0] }, nil)
			}), runtime.Workers(2), mode)
			for k := range 20 {
				want = 3*want + 2*(k+1)
			}
			if err != nil || sum != want {
				t.Errorf("room for %d: %v, sum %d, want %d", room, err, sum, want)
			}
		}
	}
}

func TestPipe(t *testing.T) {
	for _, room := range [][2]int{{1, 1}, {1, 5}, {3, 2}, {100, 1}} {
		for _, n := range []int{0, 1, 2, 3, 4, 30} {
			t.Run(fmt.Sprint(n, room), func(t *testing.T) {
				conforms(t, line(n, room[0], room[1]), gives([]int{lineOf(n)}))
			})
		}
	}
	for _, room := range [][2]int{{1, 1}, {2, 1}} {
		explore(t, line(3, room[0], room[1]), gives([]int{lineOf(3)}))
	}
}

// greedy does with a Room or an Item, by number, more than it is for.
var greedy = task.Define1("test.greedy", func(c *edt.Ctx, p overuse, slot task.Ref[par.Place[int]]) {
	room, item := par.Room[int]{Ref: slot}, par.Item[int]{}
	for range 3 {
		switch p.What {
		case 0:
			b, _ := task.Make[int](c, 1)
			room.Send(c, p.Pipe, b)
		case 1:
			room.Close(c, p.Pipe)
		case 2:
			item.Keep(c, p.Pipe)
		}
	}
})

type overuse struct {
	Pipe par.Pipe[int]
	What int
}

// TestOverfull: an EDT that sends more than there is room for, or makes more room than there was, is found, and the
// error is about the pipe.
func TestOverfull(t *testing.T) {
	const roomOnce, itemOnce = "a Room slot is for one Send or one Close", "an Item slot is for one Done or one Keep"
	for what, want := range []string{roomOnce, roomOnce, itemOnce} {
		err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
			p := par.NewPipe[int](c, 2)
			greedy.New(c, overuse{p, what}, p.Room())
		}))
		var misuse *edt.Error
		if !errors.As(err, &misuse) || !errors.Is(err, edt.ErrFull) || misuse.File != "pipe_test.go" {
			t.Error(err)
		}
		testrun.Contains(t, fmt.Sprint(err), "it is that of a Pipe, which ", want)
	}
}
