package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task4 is a [Task0] with four slots.
type Task4[P any, A slot[T0], B slot[T1], C slot[T2], D slot[T3], T0, T1, T2, T3 any] struct{ of[P] }

// Declare4 is [Declare0] for four slots.
func Declare4[P any, A slot[T0], B slot[T1], C slot[T2], D slot[T3], T0, T1, T2, T3 any](name string) *Task4[P, A,
	B, C, D, T0, T1, T2, T3] {
	return &Task4[P, A, B, C, D, T0, T1, T2, T3]{declare[P](name, false, slotTypeOf[A, T0](), slotTypeOf[B, T1](),
		slotTypeOf[C, T2](), slotTypeOf[D, T3]())}
}

// Define4 is [Define0] for four slots.
func Define4[P any, A slot[T0], B slot[T1], C slot[T2], D slot[T3], T0, T1, T2, T3 any](name string,
	body func(*edt.Ctx, P, A, B, C, D)) *Task4[P, A, B, C, D, T0, T1, T2, T3] {
	return Declare4[P, A, B, C, D](name).Body(body)
}

// Body is [Task0.Body].
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Body(body func(*edt.Ctx, P, A, B, C, D)) *Task4[P, A, B, C, D, T0,
	T1, T2, T3] {
	t.core.template.Define(run4(body), body, callersToApp())
	return t
}

//go:noinline
func run4[P, A, B, C, D any](body func(*edt.Ctx, P, A, B, C, D)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, paramsOf[P](in), at[A](d, 0), at[B](d, 1), at[C](d, 2), at[D](d, 3))
		return guid.GUID{}
	}
}

// New is [Task1.New].
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) New(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2],
	s3 Source[T3], o ...Opt) EDT4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	deps := [...]edt.Source{t.core.from(0, s0.id()), t.core.from(1, s1.id()), t.core.from(2, s2.id()),
		t.core.from(3, s3.id())}
	if len(o) == 1 && o[0].isPlace() {
		if at := o[0].At; at != 0 {
			g := c.NewEDTAt(at, t.core.template, w.words(), deps[:]...)
			return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
		}
		o = nil
	}
	if len(o) == 0 {
		g := c.NewFlat(t.core.template, unsafe.Pointer(&w), deps[:]...)
		return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
	}
	g := t.core.newWith(c, o, w.words(), deps[:]...)
	return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
}

// NewOpen is [Task1.NewOpen].
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) NewOpen(c *edt.Ctx, p P) EDT4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
}

// Again is [Task1.Again].
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Again(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2],
	s3 Source[T3]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0), Source[Nothing](s1), Source[Nothing](s2), Source[Nothing](s3))
}

// AgainLast is [Task1.AgainLast].
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) AgainLast(c *edt.Ctx, s Source[T3]) {
	c.AgainOf(t.core.template, 3, s.notHigh, s.low)
}

// Add is [Task0.Add].
//
//go:noinline
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Add(g *Graph, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2],
	s3 Source[T3]) Node4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	n := g.r.Add(t.core.template, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()),
		t.core.from(2, s2.id()), t.core.from(3, s3.id()))
	return Node4[T0, T1, T2, T3]{Node3[T0, T1, T2]{Node2[T0, T1]{Node1[T0]{n}}}}
}

// EDT4 is an EDT with four slots.
type EDT4[T0, T1, T2, T3 any] struct{ EDT3[T0, T1, T2] }

// Slot3 returns the port of the fourth slot.
func (e EDT4[T0, T1, T2, T3]) Slot3() Port[T3] { return port[T3](e.GUID, 3, e.task.modes[3]) }

// Node4 is a node with four slots.
type Node4[T0, T1, T2, T3 any] struct{ Node3[T0, T1, T2] }

// Pass3 is [Node1.Pass0] for the fourth slot.
func (n Node4[T0, T1, T2, T3]) Pass3() Source[T3] { return source[T3](n.Slot(3)) }
