package par_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// ranges are sizes around the grain.
var ranges = []struct{ n, grain int }{
	{0, 1}, {1, 1}, {2, 1}, {7, 1}, {1, 7}, {6, 7}, {7, 7}, {8, 7}, {13, 7}, {14, 7}, {15, 7}, {1000, 7}, {1000, 1 << 40},
	{4096, 64},
}

// The loops write the index plus 1 to each element, and check the part that they get.
var (
	number1 = par.DefineFor1("test.number1", func(_ *edt.Ctx, grain int, b task.RW[int], lo, hi int) {
		note(b.Slice(), grain, lo, hi)
	})
	number0 = par.DefineFor0("test.number0", func(c *edt.Ctx, p into, lo, hi int) { // number1 runs in number0's scope
		number1.For(c, p.Grain, lo, hi, p.Grain, task.Event[task.Nothing]{}, p.Block.From())
	})
)

type into struct {
	Block task.Block[int]
	Grain int
}

// note panics unless the part begins at a multiple of the grain, and is a grain long or ends with the range.
func note(values []int, grain, lo, hi int) {
	if lo%grain != 0 || hi-lo > grain || hi-lo < grain && hi != len(values) {
		panic(fmt.Sprint("part ", lo, " to ", hi))
	}
	for i := lo; i < hi; i++ {
		values[i] += i + 1 // not "=": check mode takes a part that changes nothing for one that only reads
	}
}

// numbering runs a loop, of this number of slots, that numbers n elements.
func numbering(slots, n, grain int) func(c *edt.Ctx) {
	return func(c *edt.Ctx) {
		b, to, done := task.Reserve[int](c, max(1, n)), taker(c), par.Future[task.Nothing](c)
		switch slots {
		case 0:
			sendAfter.New(c, to, done.From(), b.From())
			number0.For(c, into{b, grain}, 0, n, grain, done)
		case 1:
			sendAfter.New(c, to, done.From(), b.From())
			late := task.Counted[int](c, 1)
			number1.For(c, grain, 0, n, grain, done, late.From())
			late.Pass(c, b)
		}
	}
}

// A loop runs its body once for each index, in parts of its grain, and ends when all EDTs below it have ended.
func TestFor(t *testing.T) {
	err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		if few, many := par.Grain(c, 3), par.Grain(c, 16000*c.Places()); few != 1 || many != 2000 {
			t.Errorf("grains %d and %d, want 1 and 2000", few, many)
		}
	}))
	testrun.OK(t, err)
	for _, r := range ranges {
		want := make([]int, max(1, r.n)) // the loop's block has an element at least
		for i := range r.n {
			want[i] = i + 1
		}
		for slots := range 2 {
			t.Run(fmt.Sprintf("%d slots, %d by %d", slots, r.n, r.grain), func(t *testing.T) {
				conforms(t, numbering(slots, r.n, r.grain), gives(want...))
			})
		}
	}
	explore(t, numbering(0, 5, 2), gives(1, 2, 3, 4, 5))
}

// A loop of a closure runs each index once, in EDTs of grain indexes, and leaves no template behind. So does such a
// loop in the body of another.
func TestForOfClosure(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all := slices.Clone(ranges)
	for range 20 {
		all = append(all, struct{ n, grain int }{rng.IntN(3000), 1 + rng.IntN(200)})
	}
	for _, r := range all {
		lo, times, counted := rng.IntN(2000)-1000, make([]atomic.Int32, r.n), atomic.Int32{}
		runsHere(t, func(c *edt.Ctx) {
			clear(times)
			counted.Store(0)
			done := par.Future[task.Nothing](c)
			task.Go1(c, done.From(), func(*edt.Ctx, task.After) {
				for k := range times {
					counted.Add(times[k].Load())
				}
			})
			par.For(c, lo, lo+r.n, r.grain, done, func(c *edt.Ctx, from, to int) {
				if (from-lo)%r.grain != 0 || to-from != min(r.grain, lo+r.n-from) {
					t.Errorf("an EDT for %d to %d of %+v from %d", from, to, r, lo)
				}
				par.For(c, from, to, 3, task.Event[task.Nothing]{}, func(_ *edt.Ctx, from, to int) {
					for k := from; k < to; k++ {
						if times[k-lo].Add(1) > 1 {
							t.Errorf("index %d of %+v from %d runs twice", k, r, lo)
						}
					}
				})
			})
		}, func() error {
			if n := int(counted.Load()); n != r.n {
				return fmt.Errorf("%+v: %d of the indexes had run at the end", r, n)
			}
			return nil
		})
	}
}

// The bits of a sum of floats depend on the order of the additions.
type floats struct {
	Count int
	Sum   float64
}

var (
	floatSum = par.DefineReduce("test.float-sum", func(into, from *floats) {
		into.Count += from.Count
		into.Sum += from.Sum
	})
	// addFloats also adds in two loops inside its EDTs, one of them in a group of its own.
	addFloats = par.DefineFor0("test.add-floats", func(c *edt.Ctx, nested bool, lo, hi int) {
		v := floatSum.Value(c)
		for k := lo; k < hi; k++ {
			v.Count++
			v.Sum += numbered[k]
		}
		if nested && lo == 0 {
			addOnes.For(c, task.Nothing{}, 0, 100, 7, task.Event[task.Nothing]{})
			sum := par.Future[floats](c)
			dropSum.New(c, task.Nothing{}, sum.From())
			addOnes.For(c, task.Nothing{}, 0, 50, 3, floatSum.Group(c, floats{}, sum).Output)
		}
	})
	addOnes = par.DefineFor0("test.add-ones", func(c *edt.Ctx, _ task.Nothing, lo, hi int) {
		floatSum.Value(c).Count += hi - lo
	})
	dropSum = task.Define1("test.drop-sum", func(c *edt.Ctx, _ task.Nothing, v par.Value[floats]) {
		if got := v.Take(c); got.Count != 50 {
			c.Fail(fmt.Errorf("an inner group has added %d ones, want 50", got.Count))
		}
	})
	takeSum = task.Define1("test.take-sum", func(c *edt.Ctx, to task.Event[int], v par.Value[floats]) {
		sum := v.Take(c)
		to.Put(c, sum.Count, int(math.Float64bits(sum.Sum)))
	})
	numbered []float64
)

// adding adds up the first n of the numbers.
func adding(nested bool, n, grain int) func(c *edt.Ctx) {
	return func(c *edt.Ctx) {
		sum := par.Future[floats](c)
		takeSum.New(c, taker(c), sum.From())
		addFloats.For(c, nested, 0, n, grain, floatSum.Group(c, floats{}, sum).Output)
	}
}

// inOrder returns the sum of x along a binary tree over parts of grain numbers.
func inOrder(x []float64, grain int) int {
	var sums []float64
	for part := range slices.Chunk(x, grain) {
		sum := 0.0
		for _, v := range part {
			sum += v
		}
		sums = append(sums, sum)
	}
	for len(sums) > 1 {
		for k := range len(sums) / 2 {
			sums[k] = sums[2*k] + sums[2*k+1]
		}
		if n := len(sums); n%2 == 1 {
			sums[n/2] = sums[n-1]
		}
		sums = sums[:(len(sums)+1)/2]
	}
	return int(math.Float64bits(sums[0]))
}

// The range and the grain alone determine the bits of a loop's sum of floats: on any number of workers, in any order,
// and on one rank of several. The sum includes what loops inside the loop add.
func TestFloatsAreAddedInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	numbered = make([]float64, 5000)
	for k := range numbered {
		numbered[k] = math.Ldexp(rng.Float64()-0.5, rng.IntN(60))
	}
	for range testrun.Sized(8, 20, 100) {
		n, grain, nested := 1+rng.IntN(len(numbered)), 1+rng.IntN(60), rng.IntN(2)
		body, right := adding(nested == 1, n, grain), gives(n+100*nested, inOrder(numbered[:n], grain))
		runsHere(t, body, right)
		h := edttest.NewApart(rng.Uint64(), 3, edt.Config{Workers: 2})
		ended(t, "on a rank", h.Run(program(body)), right)
		h.Graph.Close()
	}
	numbered = []float64{1e17, 1, -1e17, 3, 0.1}
	for _, grain := range []int{1, 2, 5} {
		explore(t, adding(false, 5, grain), gives(5, inOrder(numbered, grain)))
	}
}
