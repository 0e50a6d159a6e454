package par_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

// elements are what the package does with blocks of elements E, of which of makes one for each index: of 0 it is zero.
type elements[E comparable] struct {
	of     func(i int) E
	got    []E
	take   *task.Task2[task.Nothing, task.After, task.RW[E], task.Nothing, E]
	share  *par.For1[task.Nothing, task.RW[E], E]
	turns  *par.For1[task.Nothing, task.EW[E], E]
	copies *par.For2[task.Nothing, task.RO[E], task.RW[E], E, E]
	same   *par.Map[task.Nothing, E, E]
	call   *par.Func[int, E]
	latest *par.Reduce[E]
	offer  *par.For1[task.Nothing, task.RO[E], E]
	put    *task.Task1[par.Pipe[E], par.Room[E], par.Place[E]]
	move   *task.Task2[par.Pipe[E], par.Item[E], task.RW[E], E, E]
}

func elementsOf[E comparable](of func(i int) E) *elements[E] {
	var zero E
	name := fmt.Sprintf("test.%T.", zero)
	x := &elements[E]{of: of}
	fill := func(b []E, lo, hi int) {
		for i := lo; i < hi; i++ {
			b[i] = of(i)
		}
	}
	x.take = task.Define2(name+"take", func(c *edt.Ctx, _ task.Nothing, _ task.After, b task.RW[E]) {
		x.got = slices.Clone(b.Slice())
		b.Destroy(c)
	})
	x.share = par.DefineFor1(name+"share", func(_ *edt.Ctx, _ task.Nothing, b task.RW[E], lo, hi int) {
		fill(b.Slice(), lo, hi)
	})
	x.turns = par.DefineFor1(name+"turns", func(_ *edt.Ctx, _ task.Nothing, b task.EW[E], lo, hi int) {
		fill(b.Slice(), lo, hi)
	})
	x.copies = par.DefineFor2(name+"copies", func(_ *edt.Ctx, _ task.Nothing, from task.RO[E], to task.RW[E], lo, hi int) {
		copy(to.Slice()[lo:hi], from.Slice()[lo:hi])
	})
	x.same = par.DefineMap(name+"same", func(_ task.Nothing, e E) E { return e })
	x.call = par.DefineFunc(name+"call", func(_ *edt.Ctx, i int) E { return of(i) })
	x.latest = par.DefineReduce(name+"latest", func(into, from *E) {
		if *from != zero {
			*into = *from
		}
	})
	x.offer = par.DefineFor1(name+"offer", func(c *edt.Ctx, _ task.Nothing, b task.RO[E], lo, hi int) {
		if v := b.At(hi - 1); hi == b.Len() {
			*x.latest.Value(c) = v
		}
	})
	x.put = task.Define1(name+"put", func(c *edt.Ctx, p par.Pipe[E], room par.Room[E]) {
		b, v := task.Make[E](c, 5)
		fill(v, 0, len(v))
		room.Send(c, p, b)
	})
	x.move = task.Define2(name+"move", func(c *edt.Ctx, p par.Pipe[E], item par.Item[E], to task.RW[E]) {
		copy(to.Slice(), item.Slice())
		item.Done(c, p)
		p.Destroy(c)
	})
	return x
}

// clean runs all that there is on n elements, grain by grain, in check mode: nothing is found.
func (x *elements[E]) clean(t *testing.T, n, grain, workers int) {
	var want []E
	for i := range n {
		want = append(want, x.of(i))
	}
	filled := func(c *edt.Ctx) task.Block[E] {
		b, v := task.Make[E](c, n)
		copy(v, want)
		b.Release(c)
		return b
	}
	for _, run := range []struct {
		name string
		want []E
		body func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E])
	}{
		{"a loop that shares a block", want, func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			b := task.Reserve[E](c, n)
			result.Pass(c, b)
			x.share.For(c, task.Nothing{}, 0, n, grain, done, b.From())
		}},
		{"a loop that takes turns at a block", want, func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			b := task.Reserve[E](c, n)
			result.Pass(c, b)
			x.turns.For(c, task.Nothing{}, 0, n, grain, done, b.From())
		}},
		{"a loop that copies a block", want, func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			from, to := filled(c), task.Reserve[E](c, n)
			result.Pass(c, to)
			over := task.Counted[task.Nothing](c, 1)
			discardAfter.New(c, done, over.From(), task.Block[byte](from).From())
			x.copies.For(c, task.Nothing{}, 0, n, grain, over, from.From(), to.From())
		}},
		{"a map", want, func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			from, to := filled(c), task.Counted[E](c, 1)
			forward.New(c, ends[E](done, result), task.Source[byte](to.From()), task.Block[byte](from).From())
			x.same.Map(c, task.Nothing{}, from.From(), grain, to)
		}},
		{"calls", want, func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			var of []task.Event[E]
			for i := range n {
				of = append(of, x.call.Call(c, i))
			}
			done.Signal(c)
			par.All(c, result, of...)
		}},
		{"a call of several", want[:1], func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			done.Signal(c)
			par.Any(c, result, x.call.Call(c, 0), x.call.Call(c, 0), x.call.Call(c, 0))
		}},
		{"a reduction", want[n-1:], func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			var zero E
			from, to := filled(c), task.Counted[E](c, 1)
			forward.New(c, ends[E](done, result), task.Source[byte](to.From()), task.Block[byte](from).From())
			x.offer.For(c, task.Nothing{}, 0, n, grain, x.latest.Group(c, zero, to).Output, from.From())
		}},
		{"a pipe", nil, func(c *edt.Ctx, done task.Event[task.Nothing], result task.Event[E]) {
			p, b := par.NewPipe[E](c, 1), task.Reserve[E](c, 5)
			result.Pass(c, b)
			x.move.NewWith(c, task.Opt{Output: done}, p, p.From(), b.From())
			x.put.New(c, p, p.Room())
		}},
	} {
		if run.want == nil {
			for i := range 5 {
				run.want = append(run.want, x.of(i))
			}
		}
		var report runtime.Report
		err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
			done, result := task.Counted[task.Nothing](c, 1), task.Counted[E](c, 1)
			x.take.New(c, task.Nothing{}, done.From(), result.From())
			run.body(c, done, result)
		}), runtime.Workers(workers), runtime.Check(), runtime.Into(&report))
		if err != nil || len(report.Findings) > 0 || !slices.Equal(x.got, run.want) {
			t.Errorf("%s, %d elements by %d, %d workers: got %v, want %v; found %v, error %v", run.name, n, grain, workers,
				x.got, run.want, report.Findings, err)
		}
	}
}

// end is where a block goes, and what is satisfied when another is destroyed.
type end struct{ Done, Result task.Event[task.Nothing] }

func ends[E any](done task.Event[task.Nothing], result task.Event[E]) end {
	return end{done, task.Event[task.Nothing](result)}
}

var (
	discardAfter = task.Define2("test.discardAfter",
		func(c *edt.Ctx, done task.Event[task.Nothing], _ task.After, b task.Ref[byte]) {
			b.Destroy(c)
			done.Signal(c)
		})
	forward = task.Define2("test.forward", func(c *edt.Ctx, to end, came, b task.Ref[byte]) {
		b.Destroy(c)
		c.Satisfy(to.Result.GUID, came.Block().GUID)
		to.Done.Signal(c)
	})
)

// byteElements and the others have elements of 1, 3 and 12 bytes, which share words with their neighbours.
var (
	byteElements = elementsOf(func(i int) byte { return byte(7 * i) })
	rgbElements  = elementsOf(func(i int) [3]byte { return [3]byte{byte(i), byte(2 * i), byte(i / 3)} })
	tripleOf     = elementsOf(func(i int) [3]int32 { return [3]int32{int32(i), int32(1e7 * i), 0} })
)

// TestElementsOfAllSizes: EDTs that each write elements of their own are right, whatever words their elements share.
func TestElementsOfAllSizes(t *testing.T) {
	for _, cut := range [][2]int{{13, 1}, {13, 3}, {20, 5}, {40, 7}, {9, 8}} {
		for _, workers := range []int{1, 2, 3} {
			byteElements.clean(t, cut[0], cut[1], workers)
			rgbElements.clean(t, cut[0], cut[1], workers)
			tripleOf.clean(t, cut[0], cut[1], workers)
		}
	}
}
