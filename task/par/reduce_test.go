package par_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

var (
	total = par.DefineReduce("test.total", func(into, from *int) { *into += *from })
	least = par.DefineReduce("test.least", func(into, from *int) { *into = min(*into, *from) })
	sumUp = par.DefineFor2("test.sum", func(c *edt.Ctx, _ task.Nothing, sum par.Partial[int], b task.RO[int], lo, hi int) {
		for _, v := range b.Slice()[lo:hi] {
			*sum.Value(c) += v
		}
	})
	minimum = par.DefineFor1("test.minimum", func(c *edt.Ctx, add int, low par.Partial[int], lo, _ int) {
		*low.Value(c) = min(*low.Value(c), lo+add)
	})
	discard = task.Define2("test.discard", func(c *edt.Ctx, to task.Event[int], b task.Ref[int], sum task.RW[int]) {
		b.Destroy(c)
		sum.SendTo(c, to)
	})
)

func TestReduce(t *testing.T) {
	for _, r := range ranges {
		t.Run(fmt.Sprintf("%d by %d", r.n, r.grain), func(t *testing.T) {
			conforms(t, func(c *edt.Ctx) {
				b, v := task.Make[int](c, max(1, r.n))
				for i := range v {
					v[i] = i
				}
				b.Release(c)
				sum := par.Future[int](c)
				discard.New(c, taker(c), b.From(), sum.From())
				g := total.Group(c, 0, sum)
				sumUp.For(c, task.Nothing{}, 0, r.n, r.grain, g.Done(), g.From(), b.From())
			}, gives([]int{r.n * (r.n - 1) / 2}))
		})
	}
	conforms(t, func(c *edt.Ctx) {
		g := least.Group(c, 1<<40, taker(c))
		minimum.For(c, 7, -10, 100, 3, g.Done(), g.From())
	}, gives([]int{-3}))
}

// queen is the upper rows of a board: which columns and diagonals are taken.
type queen struct{ N, Row, Columns, Left, Right uint32 }

func (q queen) free() uint32 { return (1<<q.N - 1) &^ (q.Columns | q.Left | q.Right) }

func (q queen) place(bit uint32) queen {
	return queen{q.N, q.Row + 1, q.Columns | bit, (q.Left | bit) << 1, (q.Right | bit) >> 1}
}

func (q queen) count() (n int) {
	if q.Row == q.N {
		return 1
	}
	for free := q.free(); free != 0; free &= free - 1 {
		n += q.place(free & -free).count()
	}
	return n
}

var queens = task.Declare1[queen, par.Partial[int]]("test.queens")

var _ = queens.Body(func(c *edt.Ctx, q queen, count par.Partial[int]) {
	if q.Row == 3 {
		*count.Value(c) += q.count()
		return
	}
	for free := q.free(); free != 0; free &= free - 1 {
		queens.New(c, q.place(free&-free), count.From())
	}
})

// TestGroup: a group has the values of a whole tree.
func TestGroup(t *testing.T) {
	conforms(t, func(c *edt.Ctx) {
		g := total.Group(c, 0, taker(c))
		queens.NewWith(c, g.Root(), queen{N: 8}, g.From())
	}, gives([]int{92}))
	explore(t, func(c *edt.Ctx) {
		g := total.Group(c, 0, taker(c))
		queens.NewWith(c, g.Root(), queen{N: 4}, g.From())
	}, gives([]int{2}))
}

// TestLargeValue: a value may have many bytes, and a type whose size is no multiple of a word.
type histogram struct{ Counts [301]uint16 }

var (
	counts = par.DefineReduce("test.histogram", func(into, from *histogram) {
		for k, n := range from.Counts {
			into.Counts[k] += n
		}
	})
	countUp = par.DefineFor1("test.count", func(c *edt.Ctx, _ task.Nothing, h par.Partial[histogram], lo, hi int) {
		for i := lo; i < hi; i++ {
			h.Value(c).Counts[i%301]++
		}
	})
	flatten = task.Define1("test.flatten", func(c *edt.Ctx, to task.Event[int], h par.Value[histogram]) {
		sum := 0
		for k, n := range h.Take(c).Counts {
			sum += int(n) << (k % 7)
		}
		par.Set(c, to, sum)
	})
)

func TestLargeValue(t *testing.T) {
	want := 0
	for i := range 5000 {
		want += 1 << (i % 301 % 7)
	}
	conforms(t, func(c *edt.Ctx) {
		all := par.Future[histogram](c)
		flatten.New(c, taker(c), all.From())
		g := counts.Group(c, histogram{}, all)
		countUp.For(c, task.Nothing{}, 0, 5000, 100, g.Done(), g.From())
	}, gives([]int{want}))
}

// TestForExplored: a small loop, and one in another, in all kinds of orders.
func TestForExplored(t *testing.T) {
	explore(t, func(c *edt.Ctx) {
		p := into{Block: task.Reserve[int](c, 5), To: taker(c), Grain: 2}
		done := task.Counted[task.Nothing](c, 1)
		unwrap.New(c, p, done.From(), p.Block.From())
		number0.For(c, p, 0, 5, 2, done)
	}, gives([]int{1, 2, 3, 4, 5}))
}
