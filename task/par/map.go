package par

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A Map is a function that makes an R of each T of a block. [DefineMap] makes one.
type Map[P, T, R any] struct{ start *task.Erased[mapping[P, R]] }

type mapping[P, R any] struct {
	Then   task.Event[R]
	Grain  int
	Params P
	Call   edt.Call
}

// DefineMap makes a Map of its function, under a name that no other task has, nor this name with ".each": a
// variable of the package.
func DefineMap[P, T, R any](name string, f func(p P, x T) R) *Map[P, T, R] {
	t := task.DeclareErased[mapping[P, R]](name, task.SlotTypeOf[task.RO[T]]())
	each := DefineFor2(name+".each", func(_ *edt.Ctx, p P, to task.RW[R], from task.RO[T], lo, hi int) {
		out := to.Slice()[lo:hi]
		for k, x := range from.Slice()[lo:hi] {
			out[k] = f(p, x)
		}
	})
	define(t.Template(), f, func(c *edt.Ctx, in edt.Args) guid.GUID {
		p, from := task.ParamsOf[mapping[P, R]](in), task.SlotOf[task.RO[T], T](in, 0)
		c.Blame(p.Call)
		defer c.Blame(0)
		if from.IsNull() {
			p.Then.Signal(c)
			return guid.Null
		}
		to, done := task.Reserve[R](c, from.Len()), task.Once[task.Nothing](c)
		deliver.New(c, delivery{p.Then.GUID, p.Call}, done.From(), task.Block[byte](to).From())
		each.For(c, p.Params, 0, from.Len(), p.Grain, done, to.From(), from.Block().From())
		return guid.Null
	})
	return &Map[P, T, R]{t}
}

// Map has the function called for each element of the block that comes from a source, in EDTs of
// grain elements each, and satisfies then with a block of what it returns, in order; without a block if none
// came. The source's block stays: the EDT that gets the result may destroy it.
//
// It ends the run if grain is below 1 ([edt.ErrCount]), or then is the zero Event ([edt.ErrNoSource]).
func (m *Map[P, T, R]) Map(c *edt.Ctx, p P, from task.Source[T], grain int, then task.Event[R]) {
	need(c, "map", m.start != nil, "Map")
	needThen(c, "map", then.GUID)
	spanOf(c, "map", 0, 0, grain)
	m.start.New(c, mapping[P, R]{then, grain, p, edt.CallOf()}, m.start.From(0, source(from)))
}

// A delivery is the event that a block is for.
type delivery struct {
	To   guid.GUID
	Call edt.Call
}

// deliver satisfies an event with a block when all is in it.
var deliver = task.Define2("par.deliver", func(c *edt.Ctx, d delivery, _ task.After, b task.Ref[byte]) {
	c.Blame(d.Call)
	c.Satisfy(d.To, b.Block().GUID)
	c.Blame(0)
})
