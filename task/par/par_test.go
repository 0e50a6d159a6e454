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

// conforms runs a program as runsHere does, and over ranks.
func conforms(t *testing.T, body func(c *edt.Ctx), right func() error) {
	t.Helper()
	runsHere(t, body, right)
	for seed := range uint64(testrun.Sized(1, 4, 4)) {
		for _, ranks := range []int{2, 4} {
			cfg := edt.Config{Workers: 1 + int(seed/2)}
			for how, h := range map[string]*edttest.Host{"": edttest.NewApart(seed, ranks, cfg),
				"any of ": edttest.NewRanks(seed, ranks, cfg)} {
				how = fmt.Sprintf("on %s%d ranks, seed %d", how, ranks, seed)
				ended(t, how, h.Run(program(body)), right)
				for _, leak := range h.Graph.Leaks() {
					t.Errorf("%s: leak: %v", how, leak)
				}
				h.Graph.Close()
			}
		}
	}
}

// runsHere runs a program on pools, also in check mode, and in drawn orders. Each run must end without an error, a
// finding or a leak; then right checks its results.
func runsHere(t *testing.T, body func(c *edt.Ctx), right func() error) {
	t.Helper()
	for _, workers := range []int{1, 2, 3, 8} {
		modes := []runtime.Option{runtime.LeakReport()}
		if workers < 3 {
			modes = append(modes, runtime.Check())
		}
		for _, mode := range modes {
			var report runtime.Report
			err := runtime.Run(t.Context(), program(body), runtime.Workers(workers), mode, runtime.Into(&report))
			ended(t, fmt.Sprint(workers, " workers"), err, right)
			if len(report.Leaks)+len(report.Findings) != 0 {
				t.Errorf("%d workers: leaks %v, findings %v", workers, report.Leaks, report.Findings)
			}
		}
		for seed := range uint64(3) {
			how := fmt.Sprintf("%d pretended workers, seed %d", workers, seed)
			ended(t, how, edttest.Run(seed, workers, program(body)), right)
		}
	}
}

func ended(t *testing.T, how string, err error, right func() error) {
	t.Helper()
	if err == nil {
		err = right()
	}
	if err != nil {
		t.Errorf("%s: %v", how, err)
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

// got is what takers have received: each run has one taker.
var got []int

var (
	take = task.Define1("test.take", func(c *edt.Ctx, _ task.Nothing, b task.RW[int]) {
		got = slices.Clone(b.Slice())
		if !b.IsNull() {
			b.Destroy(c)
		}
	})
	// discard destroys a block when a result has arrived, and sends the result on.
	discard = task.Define2("test.discard", func(c *edt.Ctx, to task.Event[int], b task.Ref[int], sum task.RW[int]) {
		if !b.IsNull() {
			b.Destroy(c)
		}
		if sum.IsNull() {
			to.Signal(c)
			return
		}
		sum.SendTo(c, to)
	})
	// sendAfter sends a block on when a loop has ended.
	sendAfter = task.Define2("test.send-after", func(c *edt.Ctx, to task.Event[int], _ task.After, b task.RW[int]) {
		b.SendTo(c, to)
	})
)

// taker creates an event, and the EDT that receives its result.
func taker(c *edt.Ctx) task.Event[int] {
	got = []int{-1}
	e := par.Future[int](c)
	take.New(c, task.Nothing{}, e.From())
	return e
}

// gives checks what the taker has received.
func gives(want ...int) func() error {
	return func() error {
		if !slices.Equal(got, want) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		return nil
	}
}

// filled makes a block of numbers.
func filled(c *edt.Ctx, numbers ...int) task.Block[int] {
	b := task.Of(c, numbers...)
	b.Release(c)
	return b
}

func TestMistakesDoNotCompile(t *testing.T) { testrun.Mistakes(t, "testdata/wrong", 15) }

// An EDT of chain calls a function that returns a future, and creates the next EDT of chain, which waits for it.
var chain = task.Declare1[int, par.Value[int]]("test.chain")

var _ = chain.Body(func(c *edt.Ctx, left int, v par.Value[int]) {
	next := squareOf(c, v.Take(c))
	if left == 0 {
		drop.New(c, task.Nothing{}, next.From())
		return
	}
	chain.New(c, left-1, next.From())
})

var drop = task.Define1("test.drop", func(c *edt.Ctx, _ task.Nothing, v par.Value[int]) { v.Take(c) })

// TestAllocations: the repeated calls allocate nothing.
func TestAllocations(t *testing.T) {
	for name, graph := range map[string]func(n int) func(c *edt.Ctx){
		"for": func(n int) func(c *edt.Ctx) {
			return func(c *edt.Ctx) {
				b := task.Reserve[int](c, 16*n)
				minimum.For(c, 1, 0, n, 1, least.Group(c, 0, taker(c)).Output)
				number1.For(c, 16, 0, 16*n, 16, task.Event[task.Nothing]{}, b.From())
			}
		},
		"calls": func(n int) func(c *edt.Ctx) {
			return func(c *edt.Ctx) { chain.New(c, n, squareOf(c, 1).From()) }
		},
	} {
		count := func(n int) float64 {
			return testing.AllocsPerRun(5, func() {
				if err := runtime.Run(t.Context(), program(graph(n)), runtime.Workers(1)); err != nil {
					t.Error(err)
				}
			})
		}
		more := testrun.Sized(2000, 20_000, 20_000)
		few, many := count(300), count(more)
		if many > few+100 { // Try again: a loaded machine's timers allocate too. What each call allocates shows twice.
			many = count(more)
		}
		if many > few+100 {
			t.Errorf("%s: %v allocations for 300, %v for %d", name, few, many, more)
		}
	}
}
