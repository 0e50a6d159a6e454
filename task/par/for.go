package par

import (
	"fmt"
	"math"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A For0 is a loop. Its body gets parameters, and a part of the loop's range: the indexes from lo up to, not including,
// hi. [DefineFor0] makes it. EDTs of leaf run the body; EDTs of split create them.
type For0[P any] struct{ leaf, split *task.Task0[part[P]] }

// DefineFor0 makes a loop from its body, for a variable of the package. No other task may have the name, or the name
// with ".split" behind it.
func DefineFor0[P any](name string, body func(c *edt.Ctx, p P, lo, hi int)) *For0[P] {
	f := &For0[P]{task.Declare0[part[P]](name), task.Declare0[part[P]](name + ".split")}
	if body != nil {
		f.leaf.Body(func(c *edt.Ctx, r part[P]) {
			body(c, r.Params, r.Indexes.Lo, r.Indexes.hi())
			r.Indexes.end(c)
		}).Template().StandsAt(body)
	}
	f.split.Body(f.divide).Template().StandsAt(body)
	return f
}

func (f *For0[P]) divide(c *edt.Ctx, r part[P]) {
	r.Indexes.divide(c, func(s span) { f.split.New(c, part[P]{s, r.Params}) },
		func(s span) { f.leaf.New(c, part[P]{s, r.Params}) })
}

// For runs the body for all indexes from lo up to, not including, hi, in EDTs of grain indexes each; the last may have
// fewer. For returns at once. The event in argument then is satisfied, without a block, when all these EDTs, and all
// that their bodies have created, have ended; it may be the zero Event. If lo equals hi no EDT runs the body.
//
// It ends the run if grain is below 1, hi is below lo, or hi-lo is 2^32 or more ([edt.ErrCount]).
func (f *For0[P]) For(c *edt.Ctx, p P, lo, hi, grain int, then task.Event[task.Nothing]) {
	need(c, "for", f.leaf != nil, "For0")
	all := spanOf(c, lo, hi, grain)
	f.split.New(c, part[P]{all, p}, all.scope(c, then))
}

// A For1 is a For0 with a slot: every EDT that runs the body gets the same block on it, in the slot's mode.
type For1[P any, A task.Slot[T0], T0 any] struct {
	leaf  *task.Task1[part[P], A, T0]
	split *task.Task1[part[P], task.Ref[T0], T0]
}

// DefineFor1 is [DefineFor0] for a body with a slot.
func DefineFor1[P any, A task.Slot[T0], T0 any](name string,
	body func(c *edt.Ctx, p P, a A, lo, hi int)) *For1[P, A, T0] {
	f := &For1[P, A, T0]{task.Declare1[part[P], A](name), task.Declare1[part[P], task.Ref[T0]](name + ".split")}
	if body != nil {
		f.leaf.Body(func(c *edt.Ctx, r part[P], a A) {
			body(c, r.Params, a, r.Indexes.Lo, r.Indexes.hi())
			r.Indexes.end(c)
		}).Template().StandsAt(body)
	}
	f.split.Body(f.divide).Template().StandsAt(body)
	return f
}

// divide gets only the block's name: an EDT that holds a block for writing cannot pass it on before the EDT ends.
func (f *For1[P, A, T0]) divide(c *edt.Ctx, r part[P], block task.Ref[T0]) {
	from := task.None[T0]()
	if !block.IsNull() {
		from = block.Block().From()
	}
	r.Indexes.divide(c, func(s span) { f.split.New(c, part[P]{s, r.Params}, from) },
		func(s span) { f.leaf.New(c, part[P]{s, r.Params}, from) })
}

// For is [For0.For]. The loop begins when s0 is satisfied. The loop does not destroy the block: an EDT that waits for
// the end of the loop may.
func (f *For1[P, A, T0]) For(c *edt.Ctx, p P, lo, hi, grain int, then task.Event[task.Nothing], s0 task.Source[T0]) {
	need(c, "for", f.leaf != nil, "For1")
	all := spanOf(c, lo, hi, grain)
	f.split.New(c, part[P]{all, p}, s0, all.scope(c, then))
}

// For is [For0.For] for a body that may be a closure: it may use variables of the function around it, as the body of
// [task.Func0] may. For makes the loop anew, which takes a few microseconds. It ends the run under the conditions of
// For0.For, if body is nil ([edt.ErrNoBody]), and over several ranks ([edt.ErrTemplate]).
func For(c *edt.Ctx, lo, hi, grain int, then task.Event[task.Nothing], body func(c *edt.Ctx, lo, hi int)) {
	if body == nil {
		c.Misuse("for", edt.ErrNoBody, guid.Null, "the body is nil")
	}
	all := spanOf(c, lo, hi, grain)
	var left atomic.Int64 // indexes that no EDT of the body has finished
	left.Store(int64(all.N))
	f := new(For0[task.Nothing])
	destroy := func(c *edt.Ctx) {
		c.DestroyTemplate(f.leaf.Template())
		c.DestroyTemplate(f.split.Template())
	}
	f.leaf = task.Func0(c, "par.For", func(c *edt.Ctx, r part[task.Nothing]) {
		body(c, r.Indexes.Lo, r.Indexes.hi())
		r.Indexes.end(c)
		if left.Add(-int64(r.Indexes.N)) == 0 { // so the EDTs of split create no more
			destroy(c)
		}
	})
	f.split = task.Func0(c, "par.For.split", f.divide)
	f.leaf.Template().StandsAt(body)
	f.split.Template().StandsAt(body)
	f.split.New(c, part[task.Nothing]{Indexes: all}, all.scope(c, then))
	if all.N == 0 {
		destroy(c)
	}
}

// Grain returns a grain for a loop over n indexes that take about the same time each: it makes about 8 EDTs for each
// worker that has a processor. For a sum of floats use [FixedGrain].
func Grain(c *edt.Ctx, n int) int { return max(1, n/(8*c.Places())) }

// FixedGrain returns a grain for a loop over n indexes that does not depend on the workers: it makes at most 256 EDTs.
// A sum of floats by such a loop has the same bits on any number of workers.
func FixedGrain(n int) int { return max(1, (n+255)/256) }

// part is the parameters of an EDT of a loop: its part of the range, and the loop's parameters.
type part[P any] struct {
	Indexes span
	Params  P
}

// A span is the N indexes from Lo on, for EDTs of Grain indexes each. It takes two words, so that the record of an EDT
// holds two words of the loop's parameters beside it.
type span struct {
	Lo       int
	N, Grain uint32
}

// spanOf returns the whole range of a loop.
func spanOf(c *edt.Ctx, lo, hi, grain int) span {
	n := uint(hi) - uint(lo)
	switch {
	case grain < 1:
		c.Misuse("for", edt.ErrCount, guid.Null, "a grain of %d, need at least 1", grain)
	case hi < lo:
		c.Misuse("for", edt.ErrCount, guid.Null, "indexes from %d to %d, need the first to be the lower", lo, hi)
	case n > math.MaxUint32:
		c.Misuse("for", edt.ErrCount, guid.Null, "%d indexes, at most %d", n, uint32(math.MaxUint32))
	}
	return span{lo, uint32(n), uint32(max(1, min(uint(grain), n)))}
}

// putsPart, as the Grain of a span, marks an EDT of the body in a loop that adds up its values in order.
const putsPart = 0

// end ends a call of the body: in a loop that adds up in order it hands in the EDT's value.
func (s *span) end(c *edt.Ctx) {
	if s.Grain == putsPart {
		c.PutPart(s.Lo)
	}
}

// grains returns how many EDTs of the body the span makes.
func (s *span) grains() int { return (int(s.N) + int(s.Grain) - 1) / int(s.Grain) }

func (s *span) hi() int { return s.Lo + int(s.N) }

// scope returns the option of the EDT that splits the whole range.
func (s *span) scope(c *edt.Ctx, then task.Event[task.Nothing]) task.Opt {
	o := scopeOf(then)
	o.Finish = o.Finish || c.OrderedScope() // else its parts would be taken for parts of the loop around this one
	c.OrderScopeMemory(then.GUID, s.Lo, int(s.Grain), s.grains())
	return o
}

// leaves is how many EDTs of the body one EDT of split creates at most.
const leaves = 16

// divide runs in an EDT of split. While its range makes more EDTs of the body than the constant leaves, divide creates
// an EDT of split for the upper half, which idle workers steal; then it creates the EDTs of the body.
func (s *span) divide(c *edt.Ctx, split, leaf func(part span)) {
	for uint64(s.N) > leaves*uint64(s.Grain) {
		split(s.takeHalf())
	}
	ordered := c.OrderedScope()
	for n := s.last(); s.N != 0; n = s.Grain {
		indexes := s.take(n)
		if ordered {
			indexes.Grain = putsPart
		}
		leaf(indexes)
	}
}

// takeHalf cuts off the upper half; the lower half is a multiple of the grain.
func (s *span) takeHalf() span {
	grains := (s.N-1)/s.Grain + 1
	return s.take(s.N - (grains-grains/2)*s.Grain)
}

// last returns how many indexes the EDT of the body with the highest indexes gets.
func (s *span) last() uint32 { return s.N - (max(1, s.N)-1)/s.Grain*s.Grain }

// take cuts off the upper n indexes. divide takes the lowest part last, because the worker first runs the EDT that it
// has created last.
func (s *span) take(n uint32) span {
	s.N -= n
	return span{s.Lo + int(s.N), n, s.Grain}
}

// String describes the span in reports.
func (s span) String() string {
	if s.Grain == putsPart {
		return fmt.Sprintf("%d to %d", s.Lo, s.hi()-1)
	}
	return fmt.Sprintf("%d to %d by %d", s.Lo, s.hi()-1, s.Grain)
}

// scopeOf returns the option that makes a finish EDT with this output event; no finish EDT for the zero Event.
func scopeOf(then task.Event[task.Nothing]) task.Opt {
	return task.Opt{Finish: !then.IsNull(), Output: then}
}

// need ends the run if a loop or sum is the zero value, which no Define function has made.
func need(c *edt.Ctx, op string, made bool, what string) {
	if !made {
		c.Misuse(op, edt.ErrNoBody, guid.Null, "the zero %s, Define%s makes one", what, what)
	}
}
