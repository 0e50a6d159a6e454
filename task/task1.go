package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task1 is a [Task0] with one slot.
type Task1[P any, A slot[T0], T0 any] struct{ of[P] }

// Declare1 is [Declare0] for one slot.
func Declare1[P any, A slot[T0], T0 any](name string) *Task1[P, A, T0] {
	return &Task1[P, A, T0]{declare[P](name, false, slotTypeOf[A, T0]())}
}

// Define1 is [Define0] for one slot.
func Define1[P any, A slot[T0], T0 any](name string, body func(*edt.Ctx, P, A)) *Task1[P, A, T0] {
	return Declare1[P, A](name).Body(body)
}

// Body is [Task0.Body].
func (t *Task1[P, A, T0]) Body(body func(*edt.Ctx, P, A)) *Task1[P, A, T0] {
	t.core.template.Define(run1(body), body, callersToApp())
	return t
}

// Func1 is [Func0] for a body with one slot.
func Func1[P any, A slot[T0], T0 any](c *edt.Ctx, name string, body func(*edt.Ctx, P, A)) *Task1[P, A, T0] {
	return &Task1[P, A, T0]{capture[P](c, name, false, run1(body), body, slotTypeOf[A, T0]())}
}

//go:noinline
func run1[P, A any](body func(*edt.Ctx, P, A)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, paramsOf[P](in), at[A](d, 0))
		return guid.GUID{}
	}
}

// New creates an EDT of the task whose slots get these sources. At most one Opt may set more of it.
func (t *Task1[P, A, T0]) New(c *edt.Ctx, p P, s0 Source[T0], o ...Opt) EDT1[T0] {
	w := padded[P]{p: p}
	deps := [...]edt.Source{t.core.from(0, s0.id())}
	if len(o) == 1 && o[0].isPlace() {
		if at := o[0].At; at != 0 {
			g := c.NewEDTAt(at, t.core.template, w.words(), deps[:]...)
			return EDT1[T0]{g, &t.core}
		}
		o = nil
	}
	if len(o) == 0 {
		g := c.NewFlat(t.core.template, unsafe.Pointer(&w), deps[:]...)
		return EDT1[T0]{g, &t.core}
	}
	g := t.core.newWith(c, o, w.words(), deps[:]...)
	return EDT1[T0]{g, &t.core}
}

// NewOpen is New with all slots open: their ports satisfy them.
func (t *Task1[P, A, T0]) NewOpen(c *edt.Ctx, p P) EDT1[T0] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT1[T0]{g, &t.core}
}

// Again makes the running EDT, which must be one of this task, go on as a new EDT; see [edt.Ctx.Again]. The zero Source
// keeps what is on its slot.
func (t *Task1[P, A, T0]) Again(c *edt.Ctx, p P, s0 Source[T0]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0))
}

// AgainLast is Again with the same parameters, and another source for the last slot alone: it takes less time.
func (t *Task1[P, A, T0]) AgainLast(c *edt.Ctx, s Source[T0]) {
	c.AgainOf(t.core.template, 0, s.notHigh, s.low)
}

// Add is [Task0.Add].
//
//go:noinline
func (t *Task1[P, A, T0]) Add(g *Graph, p P, s0 Source[T0]) Node1[T0] {
	w := padded[P]{p: p}
	n := g.r.Add(t.core.template, w.words(), t.core.from(0, s0.id()))
	return Node1[T0]{n}
}

// EDT1 names a new EDT with one slot, EDT2 to EDT4 one with more, for the ports of slots that were left open.
type EDT1[T0 any] struct {
	guid.GUID
	task *core
}

// Slot0 returns the port of the first slot, Slot1 to Slot3 those of the others.
func (e EDT1[T0]) Slot0() Port[T0] { return port[T0](e.GUID, 0, e.task.modes[0]) }

// Node1 is a node with one slot, Node2 to Node4 have more.
type Node1[T0 any] struct{ Node }

// Pass0 returns the block on the first slot as the source of a slot of another node, which runs after this one; Pass1
// to Pass3 do so for the other slots.
func (n Node1[T0]) Pass0() Source[T0] { return source[T0](n.Slot(0)) }
