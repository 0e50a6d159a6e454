package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task3 is a task with parameters P and three slots: [Declare3] and [Define3] make one.
type Task3[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any] struct{ of[P] }

// Declare3 declares a task with three slots, under a name that no other has; its body follows.
func Declare3[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](name string) *Task3[P, A, B, C, T0, T1, T2] {
	return &Task3[P, A, B, C, T0, T1, T2]{declare[P](name, false, SlotTypeOf[A, T0](), SlotTypeOf[B, T1](),
		SlotTypeOf[C, T2]())}
}

// Define3 declares a task by its body. It is for variables of a package.
//
// If the body names the task itself, or another one that leads back to it, the compiler says "initialization cycle:
// loop refers to itself". Then the two go apart:
//
//	var loop = task.Declare3[...]("loop")
//	var _ = loop.Body(func(c *edt.Ctx, ...) { ... loop.New(c, ...) ... })
func Define3[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](name string,
	body func(*edt.Ctx, P, A, B, C)) *Task3[P, A, B, C, T0, T1, T2] {
	t := &Task3[P, A, B, C, T0, T1, T2]{declare[P](name, false, SlotTypeOf[A, T0](), SlotTypeOf[B, T1](),
		SlotTypeOf[C, T2]())}
	t.core.template.Define(run3(body), body, 1)
	return t
}

// Body gives a declared task its body.
func (t *Task3[P, A, B, C, T0, T1, T2]) Body(body func(*edt.Ctx, P, A, B, C)) *Task3[P, A, B, C, T0, T1, T2] {
	t.core.template.Define(run3(body), body, 1)
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

// New creates an EDT of the task, which gets these sources.
func (t *Task3[P, A, B, C, T0, T1, T2]) New(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2]) EDT3[T0, T1,
	T2] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w), t.core.from(0, s0.id()), t.core.from(1, s1.id()),
		t.core.from(2, s2.id()))
	return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
}

// NewAt is New with a placement; see [edt.Ctx.Place] and [edt.Ctx.Bind].
func (t *Task3[P, A, B, C, T0, T1, T2]) NewAt(c *edt.Ctx, at edt.Affinity, p P, s0 Source[T0], s1 Source[T1],
	s2 Source[T2]) EDT3[T0, T1, T2] {
	w := padded[P]{p: p}
	g := c.NewEDTAt(at, t.core.template, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()),
		t.core.from(2, s2.id()))
	return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
}

// NewWith is New with options.
func (t *Task3[P, A, B, C, T0, T1, T2]) NewWith(c *edt.Ctx, o Opt, p P, s0 Source[T0], s1 Source[T1],
	s2 Source[T2]) EDT3[T0, T1, T2] {
	w := padded[P]{p: p}
	g := t.core.spawn(c, &o, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()), t.core.from(2, s2.id()))
	return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
}

// NewOpen is New with all slots open, for their ports to satisfy.
func (t *Task3[P, A, B, C, T0, T1, T2]) NewOpen(c *edt.Ctx, p P) EDT3[T0, T1, T2] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
}

// Again makes the EDT that runs, one of this task, go on as a new one; see [edt.Ctx.Again]. The zero
// Source keeps what is on a slot.
func (t *Task3[P, A, B, C, T0, T1, T2]) Again(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0), Source[Nothing](s1), Source[Nothing](s2))
}

// Again0 is Again with another source for slot 0 only.
func (t *Task3[P, A, B, C, T0, T1, T2]) Again0(c *edt.Ctx, s Source[T0]) {
	c.AgainOf(t.core.template, 0, s.notHigh, s.low)
}

// Again1 is Again with another source for slot 1 only.
func (t *Task3[P, A, B, C, T0, T1, T2]) Again1(c *edt.Ctx, s Source[T1]) {
	c.AgainOf(t.core.template, 1, s.notHigh, s.low)
}

// Again2 is Again with another source for slot 2 only.
func (t *Task3[P, A, B, C, T0, T1, T2]) Again2(c *edt.Ctx, s Source[T2]) {
	c.AgainOf(t.core.template, 2, s.notHigh, s.low)
}
