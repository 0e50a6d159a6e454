package par_test

import (
	"errors"
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/task"
	"ocr/task/par"
)

var (
	total = par.DefineReduce("test.total", func(into, from *int) { *into += *from })
	least = par.DefineReduce("test.least", func(into, from *int) { *into = min(*into, *from) })
	sumUp = par.DefineFor1("test.sum", func(c *edt.Ctx, _ task.Nothing, b task.RO[int], lo, hi int) {
		for _, v := range b.Slice()[lo:hi] {
			*total.Value(c) += v
		}
	})
	minimum = par.DefineFor0("test.minimum", func(c *edt.Ctx, add, lo, _ int) {
		*least.Value(c) = min(*least.Value(c), lo+add)
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
				sumUp.For(c, task.Nothing{}, 0, r.n, r.grain, total.Group(c, 0, sum).Output, b.From())
			}, gives([]int{r.n * (r.n - 1) / 2}))
		})
	}
	conforms(t, func(c *edt.Ctx) {
		minimum.For(c, 7, -10, 100, 3, least.Group(c, 1<<40, taker(c)).Output)
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

var search = task.Declare0[queen]("test.queens")

var _ = search.Body(func(c *edt.Ctx, q queen) {
	if q.Row == 3 {
		*total.Value(c) += q.count()
		return
	}
	for free := q.free(); free != 0; free &= free - 1 {
		search.New(c, q.place(free&-free))
	}
})

// TestGroup: a group has the values of a whole tree.
func TestGroup(t *testing.T) {
	conforms(t, func(c *edt.Ctx) {
		search.NewWith(c, total.Group(c, 0, taker(c)), queen{N: 8})
	}, gives([]int{92}))
	explore(t, func(c *edt.Ctx) {
		search.NewWith(c, total.Group(c, 0, taker(c)), queen{N: 4})
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
	countUp = par.DefineFor0("test.count", func(c *edt.Ctx, _ task.Nothing, lo, hi int) {
		for i := lo; i < hi; i++ {
			counts.Value(c).Counts[i%301]++
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
		countUp.For(c, task.Nothing{}, 0, 5000, 100, counts.Group(c, histogram{}, all).Output)
	}, gives([]int{want}))
}

// A group of one kind within one of another, within one of the first kind: the innermost of a kind counts.
var (
	outermost = task.Define0("test.outermost", func(c *edt.Ctx, _ task.Nothing) {
		*total.Value(c)++
		low := par.Future[int](c)
		addTimes.New(c, 100, low.From())
		within.NewWith(c, least.Group(c, 50, low), task.Nothing{})
	})
	within = task.Define0("test.within", func(c *edt.Ctx, _ task.Nothing) {
		*least.Value(c) = 7
		*total.Value(c) += 10 // of the outermost group
		sum := par.Future[int](c)
		addTimes.New(c, 1000, sum.From())
		innermost.For(c, task.Nothing{}, 3, 9, 1, total.Group(c, 0, sum).Output)
	})
	innermost = par.DefineFor0("test.innermost", func(c *edt.Ctx, _ task.Nothing, lo, _ int) {
		*total.Value(c) += 2
		*least.Value(c) = min(*least.Value(c), lo)
	})
	addTimes = task.Define1("test.add-times", func(c *edt.Ctx, n int, v par.Value[int]) {
		*total.Value(c) += n * v.Take(c)
	})
)

func TestNestedGroups(t *testing.T) {
	body := func(c *edt.Ctx) { outermost.NewWith(c, total.Group(c, 0, taker(c)), task.Nothing{}) }
	right := gives([]int{1 + 10 + 100*3 + 1000*12})
	conforms(t, body, right)
	explore(t, body, right)
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

// TestRootElsewhere: the options of a group are for an EDT that its rank makes. Made by another rank it would not end
// the group with its value.
func TestRootElsewhere(t *testing.T) {
	for name, root := range map[string]func(c *edt.Ctx, opt task.Opt){
		"adds":         func(c *edt.Ctx, opt task.Opt) { outside.NewWith(c, opt, task.Nothing{}) },
		"adds nothing": func(c *edt.Ctx, opt task.Opt) { idle.NewWith(c, opt, task.Nothing{}) },
	} {
		h := edttest.NewRanks(1, 2, edt.Config{Workers: 1})
		err := h.Run(program(func(c *edt.Ctx) {
			opt := total.Group(c, 0, taker(c))
			c.NewEDTAt(c.Bind(1), c.NewTemplate("elsewhere", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				opt.At = c.Bind(1)
				root(c, opt)
				return guid.Null
			}), nil)
		}))
		h.Graph.Close()
		if !errors.Is(err, edt.ErrNoScope) {
			t.Errorf("%s: %v, want that there is no such scope", name, err)
		}
	}
}

var idle = task.Define0("test.idle", func(*edt.Ctx, task.Nothing) {})
