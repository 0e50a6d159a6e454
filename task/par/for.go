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
// the loop's range. [DefineFor0] makes one.
type For0[P any] struct{ *loop[P] }

// DefineFor0 makes a loop of its body, under a name that no other task has, nor this name with ".split": a
// variable of the package.
func DefineFor0[P any](name string, body func(c *edt.Ctx, p P, lo, hi int)) *For0[P] {
	return &For0[P]{defineLoop[P](name, body, func(c *edt.Ctx, in edt.Args) guid.GUID {
		r := task.ParamsOf[part[P]](in)
		body(c, r.Params, r.Indexes.Lo, r.Indexes.hi())
		r.Indexes.end(c)
		return guid.Null
	})}
}

// For runs the body for all indexes from lo up to, not including, hi, in EDTs of grain indexes each; the
// last may have fewer. For returns at once. When all these EDTs have ended, and all that their bodies have
// created, then is satisfied, without a block; the zero Event means that no EDT waits. If lo is hi no EDT runs.
//
// The blocks stay: the EDT that waits for then may destroy them.
//
// It ends the run if grain is below 1, or hi below lo, or 2^32 or more indexes away ([edt.ErrCount]).
func (f *For0[P]) For(c *edt.Ctx, p P, lo, hi, grain int, then task.Event[task.Nothing]) {
	need(c, "for", f.loop != nil, "For0")
	f.start(c, p, spanOf(c, lo, hi, grain), then)
}

// For is [For0.For] for a body that may be a closure: it may use what its function has captured, as the body of
// [task.Func0]. To make the loop takes a few microseconds more. It ends the run as For0.For does, if body is nil
// ([edt.ErrNoBody]), and over several ranks ([edt.ErrTemplate]).
func For(c *edt.Ctx, lo, hi, grain int, then task.Event[task.Nothing], body func(c *edt.Ctx, lo, hi int)) {
	needBody(c, "for", body != nil)
	all := spanOf(c, lo, hi, grain)
	var left atomic.Int64 // indexes whose EDT has not ended
	left.Store(int64(all.N))
	l := new(loop[task.Nothing])
	destroy := func(c *edt.Ctx) {
		c.DestroyTemplate(l.leaf.Template())
		c.DestroyTemplate(l.split.Template())
	}
	l.leaf = task.CaptureErased[part[task.Nothing]](c, "", func(c *edt.Ctx, in edt.Args) guid.GUID {
		r := task.ParamsOf[part[task.Nothing]](in).Indexes
		body(c, r.Lo, r.hi())
		r.end(c)
		if left.Add(-int64(r.N)) == 0 { // no EDT that splits is at work any more
			destroy(c)
		}
		return guid.Null
	}, body)
	l.split = task.CaptureErased[part[task.Nothing]](c, splitter, l.divide, body)
	l.start(c, task.Nothing{}, all, then)
	if all.N == 0 {
		destroy(c)
	}
}

// A For1 is a For0 with a slot: every EDT that runs the body has the same block on it, in the mode that the slot says.
type For1[P any, A task.Slot[T0], T0 any] struct{ *loop[P] }

// DefineFor1 is [DefineFor0] for a body with a slot.
func DefineFor1[P any, A task.Slot[T0], T0 any](name string, body func(c *edt.Ctx, p P, a A, lo, hi int)) *For1[P, A,
	T0] {
	return &For1[P, A, T0]{defineLoop[P](name, body, func(c *edt.Ctx, in edt.Args) guid.GUID {
		r := task.ParamsOf[part[P]](in)
		body(c, r.Params, task.SlotOf[A, T0](in, 0), r.Indexes.Lo, r.Indexes.hi())
		r.Indexes.end(c)
		return guid.Null
	}, task.SlotTypeOf[A](), task.SlotTypeOf[task.Ref[T0]]())}
}

// For is [For0.For]. It begins when the slots are satisfied.
func (f *For1[P, A, T0]) For(c *edt.Ctx, p P, lo, hi, grain int, then task.Event[task.Nothing], s0 task.Source[T0]) {
	need(c, "for", f.loop != nil, "For1")
	only := f.split.From(0, task.Source[task.Nothing](s0))
	f.start(c, p, spanOf(c, lo, hi, grain), then, only)
}

// A loop is the tasks of a For: EDTs of leaf run the body, those of split create them.
type loop[P any] struct{ leaf, split *task.Erased[part[P]] }

// defineLoop declares a loop's tasks, and gives them their bodies: run is the leaf's. slots are the leaf's and the
// split's, if the loop has a slot.
func defineLoop[P any](name string, body any, run edt.Func, slots ...task.SlotType) *loop[P] {
	l := new(loop[P])
	l.leaf = task.DeclareErased[part[P]](name, slots[:len(slots)/2]...)
	l.split = task.DeclareErased[part[P]](name+splitter, slots[len(slots)/2:]...)
	define(l.leaf.Template(), body, run)
	define(l.split.Template(), body, l.divide)
	return l
}

// divide is the body of the splitting task. An EDT of it leaves half of its range to another, which idle workers steal,
// as long as that is more than leaves EDTs of the body; then it creates those. It has the block's name only: an
// EDT that writes a block cannot hand it on before it is done.
func (l *loop[P]) divide(c *edt.Ctx, in edt.Args) guid.GUID {
	r, slots := task.ParamsOf[part[P]](in), len(in.Deps())
	var split, leaf [1]edt.Source
	if slots > 0 {
		s := task.SourceAt[task.Nothing](in, 0)
		split[0], leaf[0] = l.split.From(0, s), l.leaf.From(0, s)
	}
	for r.Indexes.isLarge() {
		l.split.New(c, part[P]{r.Indexes.takeHalf(), r.Params}, split[:slots]...)
	}
	ordered := c.OrderedScope()
	for n := r.Indexes.last(); r.Indexes.N != 0; n = r.Indexes.Grain {
		indexes := r.Indexes.take(n)
		if ordered {
			indexes.Grain = putsPart
		}
		l.leaf.New(c, part[P]{indexes, r.Params}, leaf[:slots]...)
	}
	return guid.Null
}

// start creates the EDT that splits the whole range.
func (l *loop[P]) start(c *edt.Ctx, p P, all span, then task.Event[task.Nothing], deps ...edt.Source) {
	o := scopeOf(then)
	o.Finish = o.Finish || c.OrderedScope() // whose parts are those of the loop around this one
	c.OrderScopeMemory(then.GUID, all.Lo, int(all.Grain), all.grains())
	l.split.NewWith(c, o, part[P]{all, p}, deps...)
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

const (
	splitter = ".split" // ends the name of a loop's splitting task
	leaves   = 16       // EDTs of the body that an EDT of it creates at most
)

func (s *span) isLarge() bool { return uint64(s.N) > leaves*uint64(s.Grain) }

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

// define gives a template the body that calls the app's. Without one, no run begins.
func define(t *edt.Template, body any, run edt.Func) { t.Define(run, body, 0) }

// need ends the run if a variable was not made by the function that makes its type.
func need(c *edt.Ctx, op string, made bool, what string) {
	if !made {
		c.Misuse(op, edt.ErrNoBody, guid.Null, "the zero %s, Define%s makes one", what, what)
	}
}
