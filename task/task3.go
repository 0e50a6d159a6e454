package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task3 is a [Task0] with three slots.
type Task3[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any] struct{ of[P] }

// Declare3 is [Declare0] for three slots.
func Declare3[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](name string) *Task3[P, A, B, C, T0, T1,
	T2] {
	return &Task3[P, A, B, C, T0, T1, T2]{declare[P](name, false, slotTypeOf[A, T0](), slotTypeOf[B, T1](),
		slotTypeOf[C, T2]())}
}

// Define3 is [Define0] for three slots.
func Define3[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](name string,
	body func(*edt.Ctx, P, A, B, C)) *Task3[P, A, B, C, T0, T1, T2] {
	return Declare3[P, A, B, C](name).Body(body)
}

// Body is [Task0.Body].
func (t *Task3[P, A, B, C, T0, T1, T2]) Body(body func(*edt.Ctx, P, A, B, C)) *Task3[P, A, B, C, T0, T1, T2] {
	t.core.template.Define(run3(body), body, callersToApp())
	return t
}

//go:noinline
func run3[P, A, B, C any](body func(*edt.Ctx, P, A, B, C)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, paramsOf[P](in), at[A](d, 0), at[B](d, 1), at[C](d, 2))
		return guid.GUID{}
	}
}

// New is [Task1.New].
func (t *Task3[P, A, B, C, T0, T1, T2]) New(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2],
	o ...Opt) EDT3[T0, T1, T2] {
	w := padded[P]{p: p}
	deps := [...]edt.Source{t.core.from(0, s0.id()), t.core.from(1, s1.id()), t.core.from(2, s2.id())}
	if len(o) == 1 && o[0].isPlace() {
		if at := o[0].At; at != 0 {
			g := c.NewEDTAt(at, t.core.template, w.words(), deps[:]...)
			return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
		}
		o = nil
	}
	if len(o) == 0 {
		g := c.NewFlat(t.core.template, unsafe.Pointer(&w), deps[:]...)
		return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
	}
	g := t.core.newWith(c, o, w.words(), deps[:]...)
	return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
}

// NewOpen is [Task1.NewOpen].
func (t *Task3[P, A, B, C, T0, T1, T2]) NewOpen(c *edt.Ctx, p P) EDT3[T0, T1, T2] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
}

// Again is [Task1.Again].
func (t *Task3[P, A, B, C, T0, T1, T2]) Again(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0), Source[Nothing](s1), Source[Nothing](s2))
}

// AgainLast is [Task1.AgainLast].
func (t *Task3[P, A, B, C, T0, T1, T2]) AgainLast(c *edt.Ctx, s Source[T2]) {
	c.AgainOf(t.core.template, 2, s.notHigh, s.low)
}

// Add is [Task0.Add].
//
//go:noinline
func (t *Task3[P, A, B, C, T0, T1, T2]) Add(g *Graph, p P, s0 Source[T0], s1 Source[T1],
	s2 Source[T2]) Node3[T0, T1, T2] {
	w := padded[P]{p: p}
	n := g.r.Add(t.core.template, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()),
		t.core.from(2, s2.id()))
	return Node3[T0, T1, T2]{Node2[T0, T1]{Node1[T0]{n}}}
}

// EDT3 is an EDT with three slots.
type EDT3[T0, T1, T2 any] struct{ EDT2[T0, T1] }

// Slot2 returns the port of the third slot.
func (e EDT3[T0, T1, T2]) Slot2() Port[T2] { return port[T2](e.GUID, 2, e.task.modes[2]) }

// Node3 is a node with three slots.
type Node3[T0, T1, T2 any] struct{ Node2[T0, T1] }

// Pass2 is [Node1.Pass0] for the third slot.
func (n Node3[T0, T1, T2]) Pass2() Source[T2] { return source[T2](n.Slot(2)) }
