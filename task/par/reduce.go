package par

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A Reduce is how one value is made of many: each worker adds to a value of its own, and when all that
// adds has ended, these are added up. [DefineReduce] makes one, [Reduce.Group] uses it.
type Reduce[R any] struct {
	collect *task.Task2[task.Event[R], task.After, task.RW[Lane[R]], task.Nothing, Lane[R]]
}

// A Lane is an element of the block of a [Group]: one worker's value, in cache lines that no other has.
type Lane[R any] struct {
	value R
	_     [64]byte
}

// DefineReduce makes a Reduce of a function that adds from to into, under a name that no other
// task has: a variable of the package. In which order it is called is not said, so the sum of float64 may differ in the
// last places from run to run.
func DefineReduce[R any](name string, add func(into, from *R)) *Reduce[R] {
	t := task.Declare2[task.Event[R], task.After, task.RW[Lane[R]]](name)
	define(t.Template(), add == nil, add, func(c *edt.Ctx, in edt.Args) guid.GUID {
		lanes := task.SlotOf[task.RW[Lane[R]], Lane[R]](in, 1)
		values := lanes.Slice()
		for step := 1; step < len(values); step *= 2 {
			for k := 0; k+step < len(values); k += 2 * step {
				add(&values[k].value, &values[k+step].value)
			}
		}
		sum, v := task.Make[R](c, 1)
		v[0] = values[0].value
		lanes.Destroy(c)
		task.ParamsOf[task.Event[R]](in).Send(c, sum)
		return guid.Null
	})
	return &Reduce[R]{t}
}

// A Group is a finish scope with a value: EDTs in it add to the value by a [Partial] slot, and when all
// have ended the sum goes on. It may lie in parameters and in blocks.
type Group[R any] struct {
	lanes task.Block[Lane[R]]
	done  task.Event[task.Nothing]
}

// Group begins a group in which each worker's value is zero first, to which adding changes nothing: 0 for a sum, the largest
// number for a minimum. When the EDT that was created with [Group.Root], or the loop that has [Group.Done] as
// its then, has ended, and with it all that were created below, then is satisfied with a block that has the
// sum. Who gets that block destroys it; the group destroys all else.
//
// It ends the run if then is the zero Event ([edt.ErrNoSource]).
func (r *Reduce[R]) Group(c *edt.Ctx, zero R, then task.Event[R]) Group[R] {
	need(c, "group", r.collect != nil, "Reduce")
	needThen(c, "group", then.GUID)
	lanes, values := task.Make[Lane[R]](c, c.Workers())
	for k := range values {
		values[k].value = zero
	}
	c.Synchronised(lanes.GUID)
	lanes.Release(c)
	done := task.Once[task.Nothing](c)
	r.collect.New(c, then, done.From(), lanes.From())
	return Group[R]{lanes, done}
}

// From is the group's values as the source of a [Partial] slot.
func (g Group[R]) From() task.Source[Lane[R]] { return g.lanes.From() }

// Root makes an EDT the group's root. A group has one.
func (g Group[R]) Root() task.Opt { return scopeOf(g.done) }

// Done makes a loop the group's root, as its then.
func (g Group[R]) Done() task.Event[task.Nothing] { return g.done }

// Partial is a slot for the values of a group.
type Partial[R any] struct{ task.RW[Lane[R]] }

// Value returns the value of the worker that runs the EDT, to add to, valid until the EDT ends.
func (p Partial[R]) Value(c *edt.Ctx) *R { return &p.Slice()[c.Worker()].value }

// From is the group's values for an EDT that this one creates.
func (p Partial[R]) From() task.Source[Lane[R]] { return p.Block().From() }

// needThen ends the run if nobody would get a result.
func needThen(c *edt.Ctx, op string, then guid.GUID) {
	if then.IsNull() {
		c.Misuse(op, edt.ErrNoSource, guid.Null, "the zero Event to take the result")
	}
}
