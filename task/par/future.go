package par

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// Future creates an event for one value, which one slot waits for; both go with that. [Set] gives it the value, and
// a slot of type [Value] gets it. It is [task.Counted] of 1.
func Future[T any](c *edt.Ctx) task.Event[T] { return task.Counted[T](c, 1) }

// Set satisfies an event with a value, in a block of its own.
func Set[T any](c *edt.Ctx, e task.Event[T], value T) {
	b, v := task.Make[T](c, 1)
	v[0] = value
	e.Send(c, b)
}

// Value is a slot for a value that an EDT uses up.
type Value[T any] struct{ task.RW[T] }

// Take returns the value, and destroys its block. A body calls it once: a second call panics, as does one on a slot
// without a block.
func (v Value[T]) Take(c *edt.Ctx) T {
	value := v.Slice()[0]
	v.Destroy(c)
	return value
}

// A Func is a function of parameters P that is called in an EDT. [DefineFunc] makes one.
type Func[P, R any] struct{ task *task.Erased[call[P, R]] }

type call[P, R any] struct {
	To     task.Event[R]
	Params P
}

// DefineFunc makes a Func of its body, under a name that no other task has: a variable of the package. If the body
// calls the Func itself the compiler says "initialization cycle: f refers to itself": then an init function makes it.
func DefineFunc[P, R any](name string, body func(c *edt.Ctx, p P) R) *Func[P, R] {
	t := task.DeclareErased[call[P, R]](name)
	define(t.Template(), body, func(c *edt.Ctx, in edt.Args) guid.GUID {
		p := task.ParamsOf[call[P, R]](in)
		Set(c, p.To, body(c, p.Params))
		return guid.Null
	})
	return &Func[P, R]{t}
}

// Call has the function called, and returns a [Future] of what it returns.
func (f *Func[P, R]) Call(c *edt.Ctx, p P) task.Event[R] {
	need(c, "call", f.task != nil, "Func")
	e := Future[R](c)
	f.task.New(c, call[P, R]{e, p})
	return e
}

// All satisfies then when all these events have been satisfied, with one block: the elements that they have
// brought, in the order of the events; without a block if no event has brought one. It destroys their blocks, so each
// must bring one of its own, or none. An event that goes when it is satisfied, as one of [task.Once], must not be
// satisfied before the call.
//
// It ends the run if then or one of the events is the zero Event ([edt.ErrNoSource]).
func All[T any](c *edt.Ctx, then task.Event[T], of ...task.Event[T]) {
	needThen(c, "all", then.GUID)
	if len(of) == 0 {
		then.Signal(c)
		return
	}
	for _, e := range of {
		needSource(c, "all", e.GUID)
	}
	hi, lo := then.Words()
	params := [3]uint64{hi, lo, uint64(edt.CallOf())}
	g, _ := c.Spawn(join, &edt.Spec{Params: params[:], DepCount: len(of)})
	for n, e := range of {
		c.AddDependence(e.GUID, g, n, datablock.RO)
	}
}

// join makes one block of those on its slots. It is a template of package edt, as it cares for no type.
var join = edt.NewTemplate("par.all", 3, edt.Unknown, func(c *edt.Ctx, in edt.Args) guid.GUID {
	c.Blame(edt.Call(in.Param(2)))
	size, came, deps := 0, false, in.Deps()
	for n := range deps {
		size += deps[n].Size()
		came = came || !deps[n].IsNull()
	}
	block := guid.Null
	if came {
		var bytes []byte
		block, bytes = c.NewBlock(size)
		for n := range deps {
			bytes = bytes[copy(bytes, deps[n].Bytes()):]
		}
		c.Release(block)
	}
	for n := range deps {
		if !deps[n].IsNull() {
			c.DestroyBlock(deps[n].GUID())
		}
	}
	c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), block)
	c.Blame(0)
	return guid.Null
})

// Any satisfies then when the first of these events has been satisfied, with the block that it has brought, if
// any. It destroys the blocks of the others, when they come: each must be satisfied in the end, and
// bring a block of its own, or none.
//
// It ends the run if there is no event ([edt.ErrCount]), or one that is the zero Event ([edt.ErrNoSource]).
func Any[T any](c *edt.Ctx, then task.Event[T], of ...task.Event[T]) {
	needThen(c, "any", then.GUID)
	if len(of) == 0 {
		c.Misuse("any", edt.ErrCount, guid.Null, "no events, need at least 1")
	}
	for _, e := range of {
		needSource(c, "any", e.GUID)
	}
	state, s := task.Make[arrivals](c, 1)
	s[0].left = len(of)
	c.Synchronised(state.GUID)
	state.Release(c)
	p := arrival{then.GUID, edt.CallOf()}
	for _, e := range of {
		arrive.New(c, p, task.Source[byte](e.From()), state.From())
	}
}

// arrivals is what the EDTs of an Any know of each other.
type arrivals struct {
	left int
	won  bool
}

// An arrival is what an EDT of an Any is for, and the line of the call.
type arrival struct {
	Then guid.GUID
	Call edt.Call
}

// arrive is an EDT for each event of an Any.
var arrive = task.Define2("par.any", func(c *edt.Ctx, p arrival, came task.Ref[byte], state task.EW[arrivals]) {
	c.Blame(p.Call)
	s := &state.Slice()[0]
	switch {
	case !s.won:
		s.won = true
		c.Satisfy(p.Then, came.Block().GUID)
	case !came.IsNull():
		came.Destroy(c)
	}
	if s.left--; s.left == 0 {
		state.Destroy(c)
	}
	c.Blame(0)
})

// needSource ends the run if an event is the zero Event.
func needSource(c *edt.Ctx, op string, e guid.GUID) {
	if e.IsNull() {
		c.Misuse(op, edt.ErrNoSource, guid.Null, "the zero Event to wait for")
	}
}
