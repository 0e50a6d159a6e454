package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task2 is a [Task0] with two slots.
type Task2[P any, A slot[T0], B slot[T1], T0, T1 any] struct{ of[P] }

// Declare2 is [Declare0] for two slots.
func Declare2[P any, A slot[T0], B slot[T1], T0, T1 any](name string) *Task2[P, A, B, T0, T1] {
	return &Task2[P, A, B, T0, T1]{declare[P](name, false, slotTypeOf[A, T0](), slotTypeOf[B, T1]())}
}

// Define2 is [Define0] for two slots.
func Define2[P any, A slot[T0], B slot[T1], T0, T1 any](name string,
	body func(*edt.Ctx, P, A, B)) *Task2[P, A, B, T0, T1] {
	return Declare2[P, A, B](name).Body(body)
}

// Body is [Task0.Body].
func (t *Task2[P, A, B, T0, T1]) Body(body func(*edt.Ctx, P, A, B)) *Task2[P, A, B, T0, T1] {
	t.core.template.Define(run2(body), body, callersToApp())
	return t
}

//go:noinline
func run2[P, A, B any](body func(*edt.Ctx, P, A, B)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, paramsOf[P](in), at[A](d, 0), at[B](d, 1))
		return guid.GUID{}
	}
}

// New is [Task1.New].
func (t *Task2[P, A, B, T0, T1]) New(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], o ...Opt) EDT2[T0, T1] {
	w := padded[P]{p: p}
	deps := [...]edt.Source{t.core.from(0, s0.id()), t.core.from(1, s1.id())}
	if len(o) == 1 && o[0].isPlace() {
		if at := o[0].At; at != 0 {
			g := c.NewEDTAt(at, t.core.template, w.words(), deps[:]...)
			return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
		}
		o = nil
	}
	if len(o) == 0 {
		g := c.NewFlat(t.core.template, unsafe.Pointer(&w), deps[:]...)
		return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
	}
	g := t.core.newWith(c, o, w.words(), deps[:]...)
	return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
}

// NewOpen is [Task1.NewOpen].
func (t *Task2[P, A, B, T0, T1]) NewOpen(c *edt.Ctx, p P) EDT2[T0, T1] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
}

// Again is [Task1.Again].
func (t *Task2[P, A, B, T0, T1]) Again(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0), Source[Nothing](s1))
}

// AgainLast is [Task1.AgainLast].
func (t *Task2[P, A, B, T0, T1]) AgainLast(c *edt.Ctx, s Source[T1]) {
	c.AgainOf(t.core.template, 1, s.notHigh, s.low)
}

// Add is [Task0.Add].
//
//go:noinline
func (t *Task2[P, A, B, T0, T1]) Add(g *Graph, p P, s0 Source[T0], s1 Source[T1]) Node2[T0, T1] {
	w := padded[P]{p: p}
	n := g.r.Add(t.core.template, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()))
	return Node2[T0, T1]{Node1[T0]{n}}
}

// EDT2 is an EDT with two slots.
type EDT2[T0, T1 any] struct{ EDT1[T0] }

// Slot1 returns the port of the second slot.
func (e EDT2[T0, T1]) Slot1() Port[T1] { return port[T1](e.GUID, 1, e.task.modes[1]) }

// Node2 is a node with two slots.
type Node2[T0, T1 any] struct{ Node1[T0] }

// Pass1 is [Node1.Pass0] for the second slot.
func (n Node2[T0, T1]) Pass1() Source[T1] { return source[T1](n.Slot(1)) }
