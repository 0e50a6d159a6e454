package par

import (
	"hash/fnv"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A Reduce is how one value is made of many: each worker adds to a value of its own, and when all that
// adds has ended, these are added up. [DefineReduce] makes one.
type Reduce[R any] struct {
	id      uint64
	collect *task.Task2[task.Event[R], task.After, task.RW[lanes[R]], task.Nothing, lanes[R]]
}

// lanes is the block of a group: whose it is, and then a value for each worker.
type lanes[R any] = task.Headed[uint64, lane[R]]

// A lane is one worker's value, in cache lines that hold nothing else that workers use: before it may be the value of
// another worker, or whose block it is.
type lane[R any] struct {
	_     [64]byte
	value R
}

// DefineReduce makes a Reduce of a function that adds from to into, under a name that no other
// task has: a variable of the package. In which order values are added is not said, so a sum of floats may differ in
// its last digits from run to run.
func DefineReduce[R any](name string, add func(into, from *R)) *Reduce[R] {
	t := task.Declare2[task.Event[R], task.After, task.RW[lanes[R]]](name)
	define(t.Template(), add == nil, add, func(c *edt.Ctx, in edt.Args) guid.GUID {
		all := task.SlotOf[task.RW[lanes[R]], lanes[R]](in, 1)
		values := task.Rest(all)
		for step := 1; step < len(values); step *= 2 {
			for k := 0; k+step < len(values); k += 2 * step {
				add(&values[k].value, &values[k+step].value)
			}
		}
		sum, v := task.Make[R](c, 1)
		v[0] = values[0].value
		all.Destroy(c)
		task.ParamsOf[task.Event[R]](in).Send(c, sum)
		return guid.Null
	})
	id := fnv.New64()
	id.Write([]byte(name))
	return &Reduce[R]{id.Sum64(), t}
}

// Group makes a group: a finish scope with a value. The options are for the one EDT that is the root of the scope, and
// Output alone for a loop, as its then:
//
//	search.NewWith(c, total.Group(c, 0, then), root)
//	scan.For(c, p, 0, n, grain, total.Group(c, 0, then).Output)
//
// Every worker's value is zero first: to add that must change nothing, so it is 0 for a sum and the largest number for a
// minimum. When the root has ended, and all that was created below it, then is satisfied with a block of the one value.
// Who gets that block destroys it; all else that the group needs goes by itself.
//
// It ends the run if then is the zero Event ([edt.ErrNoSource]). Without a root the run ends as stuck.
func (r *Reduce[R]) Group(c *edt.Ctx, zero R, then task.Event[R]) task.Opt {
	need(c, "group", r.collect != nil, "Reduce")
	needThen(c, "group", then.GUID)
	all, id, values := task.MakeHeaded[uint64, lane[R]](c, c.Workers())
	*id = r.id
	for k := range values {
		values[k].value = zero
	}
	c.Synchronised(all.GUID)
	all.Release(c)
	done := task.Once[task.Nothing](c)
	c.SetScopeMemory(done.GUID, all.GUID)
	r.collect.New(c, then, done.From(), all.From())
	return scopeOf(done)
}

// Value returns what the EDT that calls it may add to: the value of its worker in the innermost group of this Reduce that
// the EDT is in. It is valid until the EDT ends.
//
// It ends the run if the EDT is in no such group ([edt.ErrNoScope]).
func (r *Reduce[R]) Value(c *edt.Ctx) *R {
	all := c.ScopeMemory(r.id)
	if all == nil {
		r.noGroup(c)
	}
	return &datablock.ElementsOf[lane[R]](all[8:])[c.Worker()].value
}

func (r *Reduce[R]) noGroup(c *edt.Ctx) {
	need(c, "value", r.collect != nil, "Reduce")
	c.Misuse("value", edt.ErrNoScope, guid.Null, "make the EDT, or one that it is created below, with the options of Group")
}

// needThen ends the run if nobody would get a result.
func needThen(c *edt.Ctx, op string, then guid.GUID) {
	if then.IsNull() {
		c.Misuse(op, edt.ErrNoSource, guid.Null, "the zero Event to take the result")
	}
}
