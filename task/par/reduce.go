package par

import (
	"hash/fnv"
	"reflect"
	"unsafe"

	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A Reduce is how one value is made of many: each worker adds to a value of its own, and when all that
// adds has ended, these are added up. [DefineReduce] makes one.
type Reduce[R any] struct {
	id      uint64
	collect *task.Task2[owed[R], task.After, task.RW[lanes[R]], task.Nothing, lanes[R]]
}

// owed is the event that a group's value is for, and the line of the call.
type owed[R any] struct {
	To   task.Event[R]
	Call edt.Call
}

// lanes is the block of a group: whose it is, and then a value for each worker, and others (see
// [edt.Ctx.NewScopeMemory]).
type lanes[R any] = task.Headed[laneHead, lane[R]]

type laneHead struct {
	Owner uint64
	Parts guid.GUID
}

// A lane is one worker's value, in cache lines that hold no other worker's.
type lane[R any] struct {
	value R
	_     [64]byte
}

// DefineReduce makes a Reduce of a function that adds from to into, under a name that no other
// task has: a variable of the package.
//
// If R has floats, and the EDTs of a loop whose then is that of a group add to its value, the values of the loop are
// added up along a binary tree over its EDTs, which depends on the range and the grain alone: the sum has the same
// bits in every run, on any number of workers. It takes memory for an R an EDT. The order in which other EDTs of a
// group add, such as those of a tree or those that the EDTs of the loop create, is not said.
func DefineReduce[R any](name string, add func(into, from *R)) *Reduce[R] {
	t := task.Declare2[owed[R], task.After, task.RW[lanes[R]]](name)
	if add != nil {
		t.Body(func(c *edt.Ctx, p owed[R], _ task.After, all task.RW[lanes[R]]) {
			c.Blame(p.Call)
			values := task.Rest(all)
			for step := 1; step < len(values); step *= 2 {
				for k := 0; k+step < len(values); k += 2 * step {
					add(&values[k].value, &values[k+step].value)
				}
			}
			sum := task.Of(c, values[0].value)
			if head := task.Head(all); !head.Parts.IsNull() {
				c.DestroyBlock(head.Parts)
			}
			all.Destroy(c)
			p.To.Send(c, sum)
			c.Blame(0)
		})
	}
	hash := fnv.New64()
	hash.Write([]byte(name))
	id := hash.Sum64()
	part := 0
	if hasFloats(reflect.TypeFor[R]()) {
		part = int(unsafe.Sizeof(*new(R)))
	}
	edt.DefineScopeMemory(id, part, func(into, from []byte) { add(valueIn[R](into), valueIn[R](from)) })
	return &Reduce[R]{id, t}
}

// Group makes a group: a finish scope with a value. The options are for the one EDT that is the root of the scope, and
// Output alone for a loop, as its then:
//
//	search.New(c, root, total.Group(c, 0, then))
//	scan.For(c, p, 0, n, grain, total.Group(c, 0, then).Output)
//
// Every worker's value is zero first: to add that must change nothing, so it is 0 for a sum and the largest number for
// a minimum. When the root has ended, and all that was created below it, then is satisfied with a block of the one
// value. The EDT that gets that block destroys it; all other objects of the group are destroyed by the group.
//
// EDTs of the group may run on all ranks. The root is made by the EDT that calls Group, or by another one of its rank:
// else the run ends with [edt.ErrNoScope].
//
// It ends the run if then is the zero Event ([edt.ErrNoSource]). Without a root the run ends as stuck.
func (r *Reduce[R]) Group(c *edt.Ctx, zero R, then task.Event[R]) task.Opt {
	need(c, "group", r.collect != nil, "Reduce")
	needThen(c, "group", then.GUID)
	done := task.Once[task.Nothing](c)
	all := c.NewScopeMemory(done.GUID, r.id, laneSize[R](), func(own []byte) { *valueIn[R](own) = zero })
	r.collect.New(c, owed[R]{then, edt.CallOf()}, done.From(), task.Block[lanes[R]]{GUID: all}.From())
	return scopeOf(done)
}

// Value returns what the EDT that calls it may add to: the value of its worker in the innermost group of this Reduce
// that the EDT is in. It is valid until the EDT ends.
//
// It ends the run if the EDT is in no such group ([edt.ErrNoScope]).
func (r *Reduce[R]) Value(c *edt.Ctx) *R {
	own := c.ScopeMemory(r.id, laneSize[R]())
	if own == nil {
		r.noGroup(c)
	}
	return valueIn[R](own)
}

func laneSize[R any]() int { return int(unsafe.Sizeof(lane[R]{})) }

// valueIn is the value that the memory of a lane, or of a part, begins with.
func valueIn[R any](memory []byte) *R { return (*R)(unsafe.Pointer(unsafe.SliceData(memory))) }

// hasFloats reports whether a flat type has numbers whose sum depends on the order.
func hasFloats(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array:
		return hasFloats(t.Elem())
	case reflect.Struct:
		for k := range t.NumField() {
			if hasFloats(t.Field(k).Type) {
				return true
			}
		}
	}
	return false
}

func (r *Reduce[R]) noGroup(c *edt.Ctx) {
	need(c, "value", r.collect != nil, "Reduce")
	c.Misuse("value", edt.ErrNoScope, guid.Null,
		"make the EDT, or one that it is created below, with the options of Group")
}

// needThen ends the run if no EDT would get the result.
func needThen(c *edt.Ctx, op string, then guid.GUID) {
	if then.IsNull() {
		c.Misuse(op, edt.ErrNoSource, guid.Null, "the zero Event to take the result")
	}
}
