package par_test

import (
	"testing"

	"ocr/edt"
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
)

// One loop computes the sum of the numbers in a block, another the minimum of its indexes, plus 7.
func TestReduce(t *testing.T) {
	for _, r := range ranges {
		numbers := make([]int, max(1, r.n))
		for i := range numbers {
			numbers[i] = i
		}
		conforms(t, func(c *edt.Ctx) {
			b, sum := filled(c, numbers...), par.Future[int](c)
			discard.New(c, taker(c), b.From(), sum.From())
			sumUp.For(c, task.Nothing{}, 0, r.n, r.grain, total.Group(c, 0, sum).Output, b.From())
		}, gives(r.n*(r.n-1)/2))
	}
	conforms(t, func(c *edt.Ctx) {
		minimum.For(c, 7, -10, 100, 3, least.Group(c, 1<<40, taker(c)).Output)
	}, gives(-3))
}

// The size of a value may be large, and no multiple of a word.
type histogram [301]uint16

var (
	counts = par.DefineReduce("test.histogram", func(into, from *histogram) {
		for k, n := range from {
			into[k] += n
		}
	})
	countUp = par.DefineFor0("test.count", func(c *edt.Ctx, _ task.Nothing, lo, hi int) {
		for i := lo; i < hi; i++ {
			counts.Value(c)[i%301]++
		}
	})
	flatten = task.Define1("test.flatten", func(c *edt.Ctx, to task.Event[int], h par.Value[histogram]) {
		sum := 0
		for k, n := range h.Take(c) {
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
	}, gives(want))
}

// A group of one Reduce is inside a group of another, which is inside a group of the first, over a tree.
var (
	outermost = task.Declare0[int]("test.outermost")
	_         = outermost.Body(func(c *edt.Ctx, below int) {
		*total.Value(c)++
		if below > 0 {
			outermost.New(c, below-1)
			outermost.New(c, below-1)
			return
		}
		low := par.Future[int](c)
		addTimes.New(c, 100, low.From())
		within.New(c, task.Nothing{}, least.Group(c, 50, low))
	})
	within = task.Define0("test.within", func(c *edt.Ctx, _ task.Nothing) {
		*least.Value(c) = 7
		*total.Value(c) += 10 // to the outermost group
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

// An EDT adds to the innermost group of a Reduce, and belongs to the group of its creator.
func TestNestedGroups(t *testing.T) {
	for below := range 5 {
		body := func(c *edt.Ctx) { outermost.New(c, below, total.Group(c, 0, taker(c))) }
		right := gives(2<<below - 1 + 1<<below*(10+100*3+1000*12))
		conforms(t, body, right)
		if below == 0 {
			explore(t, body, right)
		}
	}
}

var (
	square = task.Define0("test.square", func(c *edt.Ctx, p squaring) { par.Set(c, p.To, p.N*p.N) })
	adds   = task.Define2("test.adds", func(c *edt.Ctx, to task.Event[int], a, b par.Value[int]) {
		par.Set(c, to, a.Take(c)+b.Take(c))
	})
)

type squaring struct {
	To task.Event[int]
	N  int
}

// squareOf creates an EDT that computes a square.
func squareOf(c *edt.Ctx, n int) task.Event[int] {
	e := par.Future[int](c)
	square.New(c, squaring{e, n})
	return e
}

// Futures bring the values of two calls.
func TestFutures(t *testing.T) {
	body := func(c *edt.Ctx) { adds.New(c, taker(c), squareOf(c, 3).From(), squareOf(c, 4).From()) }
	conforms(t, body, gives(25))
	explore(t, body, gives(25))
}
