package par

import (
	"hash/fnv"
	"reflect"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A Reduce computes one value from many: each worker adds to a value of its own, and when all EDTs that add have ended,
// the workers' values are added up. [DefineReduce] makes it.
type Reduce[R any] struct {
	id      uint64
	collect *task.Task2[owed[R], task.After, task.RW[lanes], task.Nothing, lanes]
}

// owed is the event that receives a group's value, and the line of the call of Group.
type owed[R any] struct {
	_    [0]R // so that the declaration refuses an R with pointers
	To   task.Event[R]
	Call edt.Call
}

// lanes is the block of scope memory that a group has: a head (laneHead), a few lanes for package edt, then one lane
// for each worker. [edt.Ctx.NewScopeMemory] makes it. The lanes are bytes to package task: so all Reduces have one type
// of block.
type lanes = task.Headed[laneHead, byte]

type laneHead struct {
	Owner uint64
	Parts guid.GUID
}

// A lane is one worker's value, in cache lines that hold no other worker's.
type lane[R any] struct {
	value R
	_     [64]byte
}

// DefineReduce makes a Reduce of a function that adds *from to *into, for a variable of the package. No other task may
// have the name.
//
// The order of the additions is not defined, with one exception. If R has floats, and the Output of a group is the
// event that a loop satisfies, the values that the EDTs of the loop add are summed along a binary tree over these EDTs.
// The tree depends on the range and the grain alone: the sum has the same bits in every run, on any number of workers.
// That takes memory for one R for each EDT. What EDTs below those of the loop add comes in any order.
func DefineReduce[R any](name string, add func(into, from *R)) *Reduce[R] {
	t := task.Declare2[owed[R], task.After, task.RW[lanes]](name)
	if add != nil {
		t.Body(func(c *edt.Ctx, p owed[R], _ task.After, all task.RW[lanes]) {
			c.Blame(p.Call)
			values := datablock.ElementsOf[lane[R]](task.Rest(all))
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

// Group makes a group: a finish scope with a value. The result is the option of the one EDT that is the root of the
// scope; a loop takes the option's Output as the event that it satisfies:
//
//	search.New(c, root, total.Group(c, 0, then))
//	scan.For(c, p, 0, n, grain, total.Group(c, 0, then).Output)
//
// Every worker's value begins with the argument zero, which must be neutral: 0 for a sum, the largest int for a
// minimum. When the root, and all EDTs created below it, have ended, the group satisfies the event in argument then
// with a block of the one value. The EDT that gets this block destroys it; the group destroys its other objects.
//
// EDTs of the group may run on all ranks. The EDT that calls Group, or another one on its rank, creates the root: else
// the run ends with [edt.ErrNoScope].
//
// It ends the run if argument then is the zero Event ([edt.ErrNoSource]). Without a root the run ends as stuck.
func (r *Reduce[R]) Group(c *edt.Ctx, zero R, then task.Event[R]) task.Opt {
	need(c, "group", r.collect != nil, "Reduce")
	if then.IsNull() {
		c.Misuse("group", edt.ErrNoSource, guid.Null, "the zero Event to take the result")
	}
	done := task.Once[task.Nothing](c)
	all := c.NewScopeMemory(done.GUID, r.id, laneSize[R](), func(own []byte) { *valueIn[R](own) = zero })
	r.collect.New(c, owed[R]{To: then, Call: edt.CallOf()}, done.From(), task.Block[lanes]{GUID: all}.From())
	return scopeOf(done)
}

// Value returns the value to which the calling EDT may add: that of its worker, in the innermost group of this Reduce
// around the EDT. The pointer is valid until the EDT ends.
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

// valueIn returns the value at the beginning of the memory of a lane, or of a part.
func valueIn[R any](memory []byte) *R { return (*R)(unsafe.Pointer(unsafe.SliceData(memory))) }

// hasFloats reports whether a flat type has floats, whose sum depends on the order of the additions.
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
