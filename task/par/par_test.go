package par_test

import (
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// program is a main EDT without arguments.
func program(body func(c *edt.Ctx)) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		body(c)
		return guid.Null
	}
}

// conforms runs a program on pools, on one of them in check mode too, and in drawn orders: it must come to its end
// without a fault, a note or a leak, and then be right.
func conforms(t *testing.T, body func(c *edt.Ctx), right func() error) {
	t.Helper()
	ended := func(how string, err error) {
		t.Helper()
		if err == nil {
			err = right()
		}
		if err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
	for _, workers := range []int{1, 2, 3, 8} {
		modes := []runtime.Option{runtime.LeakReport()}
		if workers == 2 {
			modes = append(modes, runtime.Check())
		}
		for _, mode := range modes {
			var report runtime.Report
			err := runtime.Run(t.Context(), program(body), runtime.Workers(workers), mode, runtime.Into(&report))
			ended(fmt.Sprint(workers, " workers"), err)
			if len(report.Leaks)+len(report.Findings) != 0 {
				t.Errorf("%d workers: leaks %v, findings %v", workers, report.Leaks, report.Findings)
			}
		}
		for seed := range uint64(3) {
			ended(fmt.Sprintf("%d pretended workers, seed %d", workers, seed), edttest.Run(seed, workers, program(body)))
		}
	}
	for seed := range uint64(testrun.Sized(1, 4, 4)) {
		for _, ranks := range []int{2, 4} {
			cfg := edt.Config{Workers: 1 + int(seed/2)}
			for how, h := range map[string]*edttest.Host{"": edttest.NewApart(seed, ranks, cfg),
				"any of ": edttest.NewRanks(seed, ranks, cfg)} {
				how = fmt.Sprintf("on %s%d ranks, seed %d", how, ranks, seed)
				ended(how, h.Run(program(body)))
				for _, leak := range h.Graph.Leaks() {
					t.Errorf("%s: leak: %v", how, leak)
				}
				h.Graph.Close()
			}
		}
	}
}

// explore searches the orders of a small program.
func explore(t *testing.T, body func(c *edt.Ctx), right func() error) {
	t.Helper()
	for _, how := range [][]edttest.Option{{edttest.MaxSchedules(400), edttest.Seeds(20)},
		{edttest.Pruned(), edttest.MaxSchedules(300)}} {
		edttest.Explore(t, func(trial *edttest.Trial) edt.Func {
			trial.Check(right)
			return program(body)
		}, append(how, edttest.NoLeaks())...)
	}
}

// got is what the graph under test has come to; takers write it, one a run.
var got []int

// take gets the result of a graph.
var take = task.Define1("test.take", func(c *edt.Ctx, _ task.Nothing, b task.RO[int]) {
	got = slices.Clone(b.Slice())
	if !b.IsNull() {
		b.Destroy(c)
	}
})

// taker makes an event for a result.
func taker(c *edt.Ctx) task.Event[int] {
	got = []int{-1}
	e := par.Future[int](c)
	take.New(c, task.Nothing{}, e.From())
	return e
}

// gives checks what a taker got.
func gives(want []int) func() error {
	return func() error {
		if !slices.Equal(got, want) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		return nil
	}
}

// ranges are sizes around the grain.
var ranges = []struct{ n, grain int }{
	{0, 1}, {1, 1}, {2, 1}, {7, 1}, {1, 7}, {6, 7}, {7, 7}, {8, 7}, {13, 7}, {14, 7}, {15, 7}, {1000, 7}, {1000, 1 << 40},
	{4096, 64},
}

// number writes what the index is, and how far the part of the loop goes that it is in.
var (
	number1 = par.DefineFor1("test.number1", func(_ *edt.Ctx, grain int, b task.RW[int], lo, hi int) {
		note(b.Slice(), grain, lo, hi)
	})
	number2 = par.DefineFor2("test.number2", func(_ *edt.Ctx, grain int, _ task.After, b task.RW[int], lo, hi int) {
		note(b.Slice(), grain, lo, hi)
	})
	number3 = par.DefineFor3("test.number3", func(_ *edt.Ctx, grain int, add task.Const[int], _ task.After, b task.RW[int],
		lo, hi int) {
		note(b.Slice(), grain, lo-add.At(0), hi-add.At(0))
	})
	number0 = par.DefineFor0("test.number0", func(c *edt.Ctx, p into, lo, hi int) { // its EDTs are in the loop's scope
		number1.For(c, p.Grain, lo, hi, p.Grain, task.Event[task.Nothing]{}, p.Block.From())
	})
	unwrap = task.Define2("test.unwrap", func(c *edt.Ctx, p into, _ task.After, b task.RW[int]) {
		if p.Add.GUID != (guid.GUID{}) {
			p.Add.Destroy(c)
		}
		b.SendTo(c, p.To)
	})
)

type into struct {
	Block, Add task.Block[int]
	To         task.Event[int]
	Grain      int
}

// note panics if the part is not one that begins at a multiple of the grain and is as long, or goes to the end.
func note(values []int, grain, lo, hi int) {
	if lo%grain != 0 || hi-lo > grain || hi-lo < grain && hi != len(values) {
		panic(fmt.Sprint("part ", lo, " to ", hi))
	}
	for i := lo; i < hi; i++ {
		values[i] += i + 1 // check mode takes a part that changes nothing for one that may have read
	}
}

func TestFor(t *testing.T) {
	for _, r := range ranges {
		var want []int
		for i := range r.n {
			want = append(want, i+1)
		}
		if r.n == 0 {
			want = []int{0} // a block has an element at least
		}
		graph := func(slots int) func(c *edt.Ctx) {
			return func(c *edt.Ctx) {
				p := into{Block: task.Reserve[int](c, max(1, r.n)), To: taker(c), Grain: r.grain}
				done := task.Counted[task.Nothing](c, 1)
				if slots == 3 {
					add, v := task.Make[int](c, 1)
					v[0] = 5
					add.Release(c)
					p.Add = add
				}
				unwrap.New(c, p, done.From(), p.Block.From())
				switch slots {
				case 0:
					number0.For(c, p, 0, r.n, r.grain, done)
				case 1:
					number1.For(c, r.grain, 0, r.n, r.grain, done, p.Block.From())
				case 2:
					begin, late := task.Sticky[task.Nothing](c), task.Sticky[int](c)
					number2.For(c, r.grain, 0, r.n, r.grain, done, begin.After(), late.From())
					begin.Signal(c)
					late.Pass(c, p.Block)
					begin.Destroy(c)
					late.Destroy(c)
				case 3:
					number3.For(c, r.grain, 5, 5+r.n, r.grain, done, p.Add.From(), task.None[task.Nothing](), p.Block.From())
				}
			}
		}
		for slots := range 4 {
			if slots == 3 && r.n < 1000 {
				continue
			}
			t.Run(fmt.Sprintf("%d slots, %d by %d", slots, r.n, r.grain), func(t *testing.T) {
				conforms(t, graph(slots), gives(want))
			})
		}
	}
}

func TestMistakesDoNotCompile(t *testing.T) { testrun.Mistakes(t, "testdata/wrong", 25) }
