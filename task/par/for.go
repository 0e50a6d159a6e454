package par

import (
	"fmt"
	"math"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A For0 is a loop whose body gets parameters, and indexes from lo up to, not including, hi: part of
// the loop's range. [DefineFor0] makes one. EDTs of leaf run the body, those of split create them.
type For0[P any] struct{ leaf, split *task.Task0[part[P]] }

// DefineFor0 makes a loop of its body, under a name that no other task has, nor this name with ".split": a
// variable of the package.
func DefineFor0[P any](name string, body func(c *edt.Ctx, p P, lo, hi int)) *For0[P] {
	f := &For0[P]{task.Declare0[part[P]](name), task.Declare0[part[P]](name + ".split")}
	if body != nil {
		f.leaf.Body(func(c *edt.Ctx, r part[P]) {
			body(c, r.Params, r.Indexes.Lo, r.Indexes.hi())
			r.Indexes.end(c)
		})
	}
	f.split.Body(f.divide)
	return f
}

func (f *For0[P]) divide(c *edt.Ctx, r part[P]) {
	r.Indexes.divide(c, func(s span) { f.split.New(c, part[P]{s, r.Params}) },
		func(s span) { f.leaf.New(c, part[P]{s, r.Params}) })
}

// For runs the body for all indexes from lo up to, not including, hi, in EDTs of grain indexes each; the
// last may have fewer. For returns at once. When all these EDTs have ended, and all that their bodies have
// created, then is satisfied, without a block; the zero Event means that no EDT waits. If lo is hi no EDT runs.
//
// It ends the run if grain is below 1, or hi below lo, or 2^32 or more indexes away ([edt.ErrCount]).
func (f *For0[P]) For(c *edt.Ctx, p P, lo, hi, grain int, then task.Event[task.Nothing]) {
	need(c, "for", f.leaf != nil, "For0")
	all := spanOf(c, lo, hi, grain)
	f.split.New(c, part[P]{all, p}, all.scope(c, then))
}

// A For1 is a For0 with a slot: every EDT that runs the body has the same block on it, in the mode that the slot says.
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
		})
	}
	f.split.Body(f.divide)
	return f
}

// divide has the block's name only: an EDT that writes a block cannot hand it on before it is done.
func (f *For1[P, A, T0]) divide(c *edt.Ctx, r part[P], block task.Ref[T0]) {
	from := task.None[T0]()
	if !block.IsNull() {
		from = block.Block().From()
	}
	r.Indexes.divide(c, func(s span) { f.split.New(c, part[P]{s, r.Params}, from) },
		func(s span) { f.leaf.New(c, part[P]{s, r.Params}, from) })
}

// For is [For0.For]. It begins when the slot is satisfied. The block stays: the EDT that waits for then may destroy it.
func (f *For1[P, A, T0]) For(c *edt.Ctx, p P, lo, hi, grain int, then task.Event[task.Nothing], s0 task.Source[T0]) {
	need(c, "for", f.leaf != nil, "For1")
	all := spanOf(c, lo, hi, grain)
	f.split.New(c, part[P]{all, p}, s0, all.scope(c, then))
}

// For is [For0.For] for a body that may be a closure: it may use what its function has captured, as the body of
// [task.Func0]. To make the loop takes a few microseconds more. It ends the run as For0.For does, if body is nil
// ([edt.ErrNoBody]), and over several ranks ([edt.ErrTemplate]).
func For(c *edt.Ctx, lo, hi, grain int, then task.Event[task.Nothing], body func(c *edt.Ctx, lo, hi int)) {
	needBody(c, "for", body != nil)
	all := spanOf(c, lo, hi, grain)
	var left atomic.Int64 // indexes whose EDT has not ended
	left.Store(int64(all.N))
	f := new(For0[task.Nothing])
	destroy := func(c *edt.Ctx) {
		c.DestroyTemplate(f.leaf.Template())
		c.DestroyTemplate(f.split.Template())
	}
	f.leaf = task.Func0(c, "par.For", func(c *edt.Ctx, r part[task.Nothing]) {
		body(c, r.Indexes.Lo, r.Indexes.hi())
		r.Indexes.end(c)
		if left.Add(-int64(r.Indexes.N)) == 0 { // no EDT that splits is at work any more
			destroy(c)
		}
	})
	f.split = task.Func0(c, "par.For.split", f.divide)
	f.split.New(c, part[task.Nothing]{Indexes: all}, all.scope(c, then))
	if all.N == 0 {
		destroy(c)
	}
}

// Grain is a grain for a loop over n indexes that take about the same time: 8 EDTs for each worker that has
// a processor. For a sum of floats take [FixedGrain].
func Grain(c *edt.Ctx, n int) int { return max(1, n/(8*c.Places())) }

// FixedGrain is a grain for a loop over n indexes that does not depend on the workers: 256 EDTs. A sum of floats by
// such a loop has the same bits on any number of workers.
func FixedGrain(n int) int { return max(1, (n+255)/256) }

// part is what an EDT of a loop is given: its part of the range, and the loop's parameters.
type part[P any] struct {
	Indexes span
	Params  P
}

// A span is N indexes from Lo on, for EDTs of Grain indexes each. It is two words, so that parameters of two more lie
// in the record of an EDT.
type span struct {
	Lo       int
	N, Grain uint32
}

// spanOf is the whole range of a loop.
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

// putsPart is the Grain of an EDT of the body whose loop adds up in order.
const putsPart = 0

// end ends an EDT of the body.
func (s *span) end(c *edt.Ctx) {
	if s.Grain == putsPart {
		c.PutPart(s.Lo)
	}
}

// grains is how many EDTs of the body there are.
func (s *span) grains() int { return (int(s.N) + int(s.Grain) - 1) / int(s.Grain) }

func (s *span) hi() int { return s.Lo + int(s.N) }

// scope is the option of the EDT that splits the whole range.
func (s *span) scope(c *edt.Ctx, then task.Event[task.Nothing]) task.Opt {
	o := scopeOf(then)
	o.Finish = o.Finish || c.OrderedScope() // whose parts are those of the loop around this one
	c.OrderScopeMemory(then.GUID, s.Lo, int(s.Grain), s.grains())
	return o
}

// leaves is how many EDTs of the body an EDT that splits creates at most.
const leaves = 16

// divide is the work of an EDT that splits. It leaves half of its range to another, which idle workers steal, as long
// as that is more than leaves EDTs of the body; then it creates those.
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

// takeHalf takes the upper half off; the lower is a multiple of the grain.
func (s *span) takeHalf() span {
	grains := (s.N-1)/s.Grain + 1
	return s.take(s.N - (grains-grains/2)*s.Grain)
}

// last is how many indexes the last EDT has.
func (s *span) last() uint32 { return s.N - (max(1, s.N)-1)/s.Grain*s.Grain }

// take takes the upper n indexes off. The first part is taken last, so that the worker that splits runs it next.
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

// scopeOf makes a finish EDT, if an EDT waits for its scope.
func scopeOf(then task.Event[task.Nothing]) task.Opt {
	return task.Opt{Finish: !then.IsNull(), Output: then}
}

// need ends the run if a variable was not made by the function that makes its type.
func need(c *edt.Ctx, op string, made bool, what string) {
	if !made {
		c.Misuse(op, edt.ErrNoBody, guid.Null, "the zero %s, Define%s makes one", what, what)
	}
}
