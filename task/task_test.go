package task_test

import (
	"context"
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
)

// program is a main EDT without arguments.
func program(body func(c *edt.Ctx)) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		body(c)
		return guid.Null
	}
}

// run runs a graph in orders drawn from some seeds, and on two workers.
func run(t *testing.T, body func(c *edt.Ctx)) {
	t.Helper()
	for seed := range uint64(5) {
		h := edttest.New(seed, edt.Config{Workers: 2})
		if err := h.Run(program(body)); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, leak := range h.Graph.Leaks() {
			t.Errorf("seed %d: leak: %v", seed, leak)
		}
		h.Graph.Close()
	}
	testrun.OK(t, runtime.Run(t.Context(), program(body), runtime.Workers(2)))
}

// Bodies receive parameters of all sizes and alignments as they were given.
type (
	odd   struct{ A, B, C byte }
	mixed struct {
		A int16
		B float32
		C bool
		D [3]uint16
	}
	long struct{ Values [9]uint64 }
)

var (
	seen     any
	takeByte = task.Define0("test.byte", func(_ *edt.Ctx, p byte) { seen = p })
	takeOdd  = task.Define0("test.odd", func(_ *edt.Ctx, p odd) { seen = p })
	takeMix  = task.Define0("test.mixed", func(_ *edt.Ctx, p mixed) { seen = p })
	takeLong = task.Define0("test.long", func(_ *edt.Ctx, p long) { seen = p })
	takeNone = task.Define0("test.none", func(_ *edt.Ctx, p task.Nothing) { seen = p })
)

func TestParameters(t *testing.T) {
	mix := mixed{-3, 1.5, true, [3]uint16{7, 8, 9}}
	far := long{[9]uint64{1, 2, 3, 4, 5, 6, 7, 8, 1 << 63}}
	for _, p := range []struct {
		want any
		make func(c *edt.Ctx)
	}{
		{byte(200), func(c *edt.Ctx) { takeByte.New(c, 200) }},
		{odd{1, 2, 3}, func(c *edt.Ctx) { takeOdd.New(c, odd{1, 2, 3}) }},
		{mix, func(c *edt.Ctx) { takeMix.New(c, mix, task.Opt{Priority: 3}) }},
		{far, func(c *edt.Ctx) { takeLong.New(c, far) }},
		{task.Nothing{}, func(c *edt.Ctx) { takeNone.New(c, task.Nothing{}, task.Opt{At: c.Bind(0)}) }},
	} {
		seen = nil
		run(t, p.make)
		testrun.Equal(t, p.want, seen)
	}
}

// Each slot gets its block, with the elements that it was made of, in the mode declared.
type pair struct {
	A int64
	B float32
}

var modes [4]fmt.Stringer

var takeFour = task.Define4("test.four", func(c *edt.Ctx, want int, a task.RW[int], b task.EW[pair],
	r task.RO[byte], k task.Const[int]) {
	modes = [4]fmt.Stringer{c.BlockMode(a.Block().GUID), c.BlockMode(b.Block().GUID), c.BlockMode(r.Block().GUID),
		c.BlockMode(k.Block().GUID)}
	sum := 0
	for i, v := range r.All() {
		sum += i * int(v)
	}
	a.Slice()[1] += int(2 * b.Slice()[0].B)
	if a.Slice()[1] != 11 || sum != want || k.Len() != 3 || k.At(2) != -1 || len(r.Slice()) != 4 || r.IsNull() {
		panic(fmt.Sprint(a.Slice(), b.Slice(), sum, k.Slice()))
	}
	a.Release(c)
	a.Destroy(c)
	b.Destroy(c)
	r.Destroy(c)
	k.Destroy(c)
})

func TestSlots(t *testing.T) {
	run(t, func(c *edt.Ctx) {
		a, sums := task.Make[int](c, 2)
		b, pairs := task.Make[pair](c, 1)
		r, bytes := task.Make[byte](c, 4)
		k, ints := task.Make[int](c, 3)
		sums[1], pairs[0].B, bytes[3], ints[2] = 4, 3.5, 5, -1
		late := task.Sticky[int](c)
		takeFour.New(c, 15, a.From(), b.From(), r.From(), late.From())
		late.Send(c, k)
		late.Destroy(c)
		for _, b := range []guid.GUID{a.GUID, b.GUID, r.GUID} {
			c.Release(b)
		}
	})
	testrun.Equal(t, "[RW EW RO Const]", fmt.Sprint(modes), "modes")
}

type hops struct{ Next, Used task.Event[int] }

// The tasks that pass a block on, through five events and a port.
var (
	hop = task.Declare1[hops, task.RW[int]]("test.hop")
	_   = hop.Body(func(c *edt.Ctx, p hops, b task.RW[int]) {
		b.Slice()[0]++
		if !p.Used.IsNull() {
			p.Used.Destroy(c)
		}
		b.SendTo(c, p.Next)
	})
	toPort = task.Define2("test.port", func(c *edt.Ctx, to task.Port[int], _ task.After, b task.RW[int]) {
		b.Slice()[0]++
		b.Release(c)
		to.Connect(c, b.Block().From())
	})
	atEnd = task.Define3("test.end", func(c *edt.Ctx, want int, _, _ task.After, b task.RO[int]) {
		if b.At(0) != want {
			panic(fmt.Sprintf("%d, want %d", b.At(0), want))
		}
		b.Destroy(c)
	})
)

func TestEdges(t *testing.T) {
	run(t, func(c *edt.Ctx) {
		end := atEnd.NewOpen(c, 5)
		once, counted, channel := task.Once[int](c), task.Counted[int](c, 1), task.Channel[int](c, edt.Unbounded)
		last, first, latch := task.Counted[int](c, 1), task.Sticky[int](c), task.NewLatch(c, 1)
		toPort.New(c, end.Slot2(), latch.After(), last.From())
		hop.New(c, hops{last, channel}, channel.From())
		hop.New(c, hops{channel, task.Event[int]{}}, counted.From())
		hop.New(c, hops{counted, task.Event[int]{}}, once.From())
		hop.New(c, hops{once, first}, first.From())
		first.Pass(c, number(c, 0))
		latch.Up(c)
		latch.Down(c)
		latch.Down(c)
		end.Slot0().Signal(c)
		end.Slot1().Connect(c, task.None[task.Nothing]())
	})
}

// An EDT goes on with the sources that it changes, and keeps the others.
var (
	countDown = task.Declare3[int, task.RW[int], task.RO[int], task.After]("test.count")
	_         = countDown.Body(func(c *edt.Ctx, left int, sum task.RW[int], step task.RO[int], _ task.After) {
		sum.Slice()[0] += step.At(0)
		switch {
		case left == 0:
			if sum.Slice()[0] != 3*5+2 {
				panic(sum.Slice()[0])
			}
			sum.Destroy(c)
			step.Destroy(c)
		case left == 1: // two sources change
			old := step.Block()
			countDown.Again(c, 0, task.Source[int]{}, number(c, 2).From(), task.None[task.Nothing]())
			old.Destroy(c)
		case left%2 == 0: // only the last source changes
			e := task.Once[int](c)
			countDown.Again(c, left-1, task.Source[int]{}, task.Source[int]{}, e.After())
			e.Signal(c)
		default: // no source changes
			countDown.Again(c, left-1, task.Source[int]{}, task.Source[int]{}, task.Source[task.Nothing]{})
		}
	})
)

func TestAgain(t *testing.T) {
	run(t, func(c *edt.Ctx) {
		countDown.New(c, 5, number(c, 0).From(), number(c, 3).From(), task.None[task.Nothing]())
	})
}

var bound = task.Define0("test.bound", func(c *edt.Ctx, what string8) {
	if c.Worker() != 1 {
		panic(fmt.Sprintf("%s: on worker %d", what[:], c.Worker()))
	}
})

type string8 [8]byte

// TestOptKeepsHint: a field of Opt that is 0 keeps the template's hint.
func TestOptKeepsHint(t *testing.T) {
	bound.Template().SetHint(edt.Hint{Affinity: edt.BindTo(1)})
	run(t, func(c *edt.Ctx) {
		for range 10 {
			bound.New(c, string8{'n', 'o', 'n', 'e'})
			bound.New(c, string8{'z', 'e', 'r', 'o'}, task.Opt{})
			bound.New(c, string8{'p', 'r', 'i', 'o'}, task.Opt{Priority: 1})
			bound.New(c, string8{'f', 'i', 'n'}, task.Opt{Finish: true})
		}
	})
}

// rounds goes on until its parameter is 0: first it keeps all blocks, then it changes the list, where an event moves
// the second block to the last slot, then it empties the first slot of the list.
var rounds = task.DeclareN[int32, task.RW[int], task.RW[int]]("test.rounds")

var _ = rounds.Body(func(c *edt.Ctx, left int32, sum task.RW[int], list task.List[task.RW[int]]) {
	for k := range list.Len() - 1 {
		if !list.At(k).IsNull() {
			sum.Slice()[0] += list.At(k).Slice()[0]
		}
	}
	last, keep := list.At(2), task.Source[int]{}
	last.Slice()[0]++
	switch old := list.At(1).Block(); left {
	case 3:
		rounds.Again(c, left-1, keep, nil)
	case 2:
		to := task.Once[int](c)
		rounds.Again(c, left-1, keep, []task.Source[int]{keep, number(c, 100).From(), to.From()})
		last.Destroy(c)
		list.At(1).Release(c)
		to.Pass(c, old)
	case 1:
		rounds.Again(c, left-1, keep, []task.Source[int]{task.None[int](), keep})
		list.At(0).Destroy(c)
	default:
		if got := sum.Slice()[0]; got != 3+3+101+100 || last.Slice()[0] != 4 || !list.At(0).IsNull() {
			panic(fmt.Sprint(got, last.Slice(), list.At(0).IsNull()))
		}
		sum.Destroy(c)
		list.At(1).Destroy(c)
		last.Destroy(c)
	}
})

func TestAgainWithLists(t *testing.T) {
	run(t, func(c *edt.Ctx) {
		var of []task.Source[int]
		for _, n := range []int{0, 1, 2, 5} {
			of = append(of, number(c, n).From())
		}
		rounds.New(c, 3, of[0], of[1:])
	})
}

// Lists, headers and options: the output of a finish EDT is satisfied after the EDTs that it creates have ended.
type header struct {
	Of  task.Block[int]
	Add int32
}

type parts = task.Headed[header, int]

var (
	addTo = task.Define1("test.add", func(c *edt.Ctx, n int, b task.RW[parts]) {
		task.Rest(b)[n] += int(task.Head(b).Add)
	})
	spread = task.DefineN("test.spread", func(c *edt.Ctx, n int32, of task.Ref[int], all task.List[task.RW[parts]]) {
		for i := range all.Len() {
			b := all.At(i)
			h := task.Head(b)
			h.Of, h.Add = of.Block(), n
			b.Release(c)
			addTo.New(c, i, b.Block().From())
		}
	})
	gather = task.DefineN("test.gather", func(c *edt.Ctx, want task.Block[int], _ task.After,
		all task.List[task.RO[parts]]) {
		for i := range all.Len() {
			h, rest := task.Head(all.At(i)), task.Rest(all.At(i))
			if h.Of != want || rest[i] != 40 || len(rest) != 3 {
				panic(fmt.Sprint(i, h, rest))
			}
			all.At(i).Destroy(c)
		}
		want.Destroy(c)
	})
)

func TestListsAndHeaders(t *testing.T) {
	run(t, func(c *edt.Ctx) {
		one := task.Reserve[int](c, 1)
		var blocks []task.Source[parts]
		for i := range 3 {
			b := task.ReserveHeaded[header, int](c, 3)
			if i == 1 {
				var h *header
				b.Destroy(c)
				b, h, _ = task.MakeHeaded[header, int](c, 3)
				h.Add = -1
				b.Release(c)
			}
			blocks = append(blocks, b.From())
		}
		done := task.Once[task.Nothing](c)
		gather.New(c, one, done.From(), blocks)
		spread.New(c, 40, one.From(), blocks, task.Opt{Output: done, Finish: true})
	})
}

// Elements may be large.
type tile [256][128]float64

var large = task.Define1("test.large", func(c *edt.Ctx, last float64, b task.RW[task.Headed[header, tile]]) {
	if rest := task.Rest(b); len(rest) != 2 || rest[1][255][127] != last {
		panic(fmt.Sprint(len(rest), " elements"))
	}
	b.Destroy(c)
})

func TestLargeElements(t *testing.T) {
	run(t, func(c *edt.Ctx) {
		b, _, tiles := task.MakeHeaded[header, tile](c, 2)
		tiles[1][255][127] = 7
		b.Release(c)
		large.New(c, 7, b.From())
	})
}

// An EDT of chain makes the next EDT in one of three ways.
var chain = task.Declare2[int, task.RW[int], task.After]("test.chain")

var _ = chain.Body(func(c *edt.Ctx, left int, b task.RW[int], _ task.After) {
	b.Slice()[0]++
	switch {
	case left == 0:
		b.Destroy(c)
	case left%3 == 0:
		chain.Again(c, left-1, task.Source[int]{}, task.None[task.Nothing]())
	case left%3 == 1:
		b.Release(c)
		chain.New(c, left-1, b.Block().From(), task.None[task.Nothing](), task.Opt{Priority: 1})
	default:
		next := task.Once[int](c)
		e := chain.NewOpen(c, left-1)
		e.Slot0().Connect(c, next.From())
		b.SendTo(c, next)
		extra, _ := task.Make[pair](c, 8)
		extra.Destroy(c)
		e.Slot1().Signal(c)
	}
})

// TestAllocations: creating and running typed EDTs allocates nothing.
func TestAllocations(t *testing.T) {
	count := func(n int) float64 {
		return testing.AllocsPerRun(5, func() {
			err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
				chain.New(c, n, number(c, 0).From(), task.None[task.Nothing]())
			}), runtime.Workers(1))
			if err != nil {
				t.Error(err)
			}
		})
	}
	if few, many := count(300), count(30_000); many > few+50 {
		t.Errorf("%v allocations for 300 EDTs, %v for 30000", few, many)
	}
}

// TestBlocking: the event brings the structs that the function returned, or an empty block, also in edttest.Search.
func TestBlocking(t *testing.T) {
	on := edt.NewBlocking(1)
	want := []pair{{1, 2.5}, {-3, 4}}
	body := program(func(c *edt.Ctx) {
		takesPairs.New(c, true, task.Blocking(c, on, func(context.Context) ([]pair, error) { return want, nil }).From())
		takesPairs.New(c, false, task.Blocking(c, on, func(context.Context) ([]pair, error) { return nil, nil }).From())
	})
	pairsWanted, pairsFailed = want, t.Errorf
	testrun.OK(t, runtime.Run(t.Context(), body))
	if r := edttest.Search(func(*edttest.Trial) edt.Func { return body }); r.Failure != nil {
		t.Error(r)
	}
}

var (
	pairsWanted []pair
	pairsFailed func(format string, args ...any)
	takesPairs  = task.Define1("test.pairs", func(c *edt.Ctx, some bool, b task.RO[pair]) {
		if !some {
			if b.IsNull() || b.Slice() != nil {
				pairsFailed("the block %v has %v, want an empty one", b.Block(), b.Slice())
			}
			b.Destroy(c)
			return
		}
		if got := b.Slice(); !slices.Equal(got, pairsWanted) {
			pairsFailed("got %v, want %v", got, pairsWanted)
		}
		b.Destroy(c)
	})
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMistakesDoNotCompile(t *testing.T) { testrun.Mistakes(t, "testdata/wrong", 21) }
