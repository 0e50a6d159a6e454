package par_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// A tally of floats has a sum whose bits depend on the order of the additions, and a count.
type floats struct {
	Count int
	Sum   float64
}

var (
	floatSum = par.DefineReduce("test.float-sum", func(into, from *floats) {
		into.Count += from.Count
		into.Sum += from.Sum
	})
	// addFloats has its EDTs add in two loops inside of it too, of which one is in a group of its own.
	addFloats = par.DefineFor0("test.add-floats", func(c *edt.Ctx, nested bool, lo, hi int) {
		add := func(x float64) {
			v := floatSum.Value(c)
			v.Count++
			v.Sum += x
		}
		for k := lo; k < hi; k++ {
			add(numbered[k])
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

// inOrder is the sum of numbers along a binary tree over parts of grain numbers.
func inOrder(x []float64, grain int) float64 {
	var sums []float64
	for part := range slices.Chunk(x, grain) {
		sum := 0.0
		for _, v := range part {
			sum += v
		}
		sums = append(sums, sum)
	}
	for ; len(sums) > 1; sums = halves(sums) {
	}
	return sums[0]
}

// halves adds up each two neighbours; the last of an odd number stays.
func halves(sums []float64) (fewer []float64) {
	for pair := range slices.Chunk(sums, 2) {
		if len(pair) == 2 {
			pair[0] += pair[1]
		}
		fewer = append(fewer, pair[0])
	}
	return fewer
}

// A sum of floats by a loop has the bits that its range and its grain give, on any number of workers, in any order, and
// on a rank among others; what is added in loops inside of it is in it too.
func TestFloatsAreAddedInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	numbered = make([]float64, 5000)
	for k := range numbered {
		numbered[k] = math.Ldexp(rng.Float64()-0.5, rng.IntN(60))
	}
	for range testrun.Sized(8, 20, 100) {
		n, grain, nested := 1+rng.IntN(len(numbered)), 1+rng.IntN(60), rng.IntN(2) == 0
		want := []int{n, int(math.Float64bits(inOrder(numbered[:n], grain)))}
		if nested {
			want[0] += 100
		}
		body := func(c *edt.Ctx) {
			sum := par.Future[floats](c)
			takeSum.New(c, taker(c), sum.From())
			addFloats.For(c, nested, 0, n, grain, floatSum.Group(c, floats{}, sum).Output)
		}
		ended := func(how string, err error) {
			if err == nil {
				err = gives(want)()
			}
			if err != nil {
				t.Errorf("%d by %d, nested: %v, %s: %v", n, grain, nested, how, err)
			}
		}
		for _, workers := range []int{1, 2, 3, 8} {
			for _, mode := range []runtime.Option{runtime.LeakReport(), runtime.Check()} {
				var report runtime.Report
				err := runtime.Run(t.Context(), program(body), runtime.Workers(workers), mode, runtime.Into(&report))
				ended(fmt.Sprint(workers, " workers"), err)
				if len(report.Leaks)+len(report.Findings) != 0 {
					t.Errorf("leaks %v, findings %v", report.Leaks, report.Findings)
				}
			}
			seed := rng.Uint64()
			ended("pretended workers", edttest.Run(seed, workers, program(body)))
			h := edttest.NewApart(seed, 3, edt.Config{Workers: workers})
			ended("on a rank", h.Run(program(body)))
			h.Graph.Close()
		}
	}
}

// In all orders of a few EDTs a sum of floats is the same.
func TestFloatsExplored(t *testing.T) {
	numbered = []float64{1e17, 1, -1e17, 3, 0.1}
	for _, grain := range []int{1, 2, 5} {
		want := []int{5, int(math.Float64bits(inOrder(numbered, grain)))}
		explore(t, func(c *edt.Ctx) {
			sum := par.Future[floats](c)
			takeSum.New(c, taker(c), sum.From())
			addFloats.For(c, false, 0, 5, grain, floatSum.Group(c, floats{}, sum).Output)
		}, gives(want))
	}
}

// BenchmarkSum adds up 10^7 floats on one and on two workers: the ratio says what the second one gains. (go test -run
// '^$' -bench Sum -count 10 ./task/par)
func BenchmarkSum(b *testing.B) {
	numbered = make([]float64, 1e7)
	for k := range numbered {
		numbered[k] = 1 / float64(k+1)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				err := runtime.Run(b.Context(), program(func(c *edt.Ctx) {
					sum := par.Future[floats](c)
					takeSum.New(c, taker(c), sum.From())
					grain := par.FixedGrain(len(numbered))
					addMany.For(c, task.Nothing{}, 0, len(numbered), grain, floatSum.Group(c, floats{}, sum).Output)
				}), runtime.Workers(workers))
				testrun.OK(b, err)
			}
		})
	}
}

var addMany = par.DefineFor0("test.add-many", func(c *edt.Ctx, _ task.Nothing, lo, hi int) {
	sum := 0.0
	for _, x := range numbered[lo:hi] {
		sum += x
	}
	v := floatSum.Value(c)
	v.Count += hi - lo
	v.Sum += sum
})
