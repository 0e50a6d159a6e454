package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task2 is a task with parameters P and two slots: [Declare2] and [Define2] make one.
type Task2[P any, A slot[T0], B slot[T1], T0, T1 any] struct{ of[P] }

// Declare2 declares a task with two slots, under a name that no other has; its body follows.
func Declare2[P any, A slot[T0], B slot[T1], T0, T1 any](name string) *Task2[P, A, B, T0, T1] {
	return &Task2[P, A, B, T0, T1]{declare[P](name, false, SlotTypeOf[A, T0](), SlotTypeOf[B, T1]())}
}

// Define2 declares a task by its body. It is for variables of a package.
//
// If the body names the task itself, or another one that leads back to it, the compiler says "initialization cycle:
// loop refers to itself". Then the two go apart:
//
//	var loop = task.Declare2[...]("loop")
//	var _ = loop.Body(func(c *edt.Ctx, ...) { ... loop.New(c, ...) ... })
func Define2[P any, A slot[T0], B slot[T1], T0, T1 any](name string, body func(*edt.Ctx, P, A, B)) *Task2[P, A, B, T0,
	T1] {
	t := &Task2[P, A, B, T0, T1]{declare[P](name, false, SlotTypeOf[A, T0](), SlotTypeOf[B, T1]())}
	t.core.template.Define(run2(body), body, 1)
	return t
}

// Body gives a declared task its body.
func (t *Task2[P, A, B, T0, T1]) Body(body func(*edt.Ctx, P, A, B)) *Task2[P, A, B, T0, T1] {
	t.core.template.Define(run2(body), body, 1)
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

// New creates an EDT of the task, which gets these sources.
func (t *Task2[P, A, B, T0, T1]) New(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1]) EDT2[T0, T1] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w), t.core.from(0, s0.id()), t.core.from(1, s1.id()))
	return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
}

// NewAt is New with a placement; see [edt.Ctx.Place] and [edt.Ctx.Bind].
func (t *Task2[P, A, B, T0, T1]) NewAt(c *edt.Ctx, at edt.Affinity, p P, s0 Source[T0], s1 Source[T1]) EDT2[T0, T1] {
	w := padded[P]{p: p}
	g := c.NewEDTAt(at, t.core.template, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()))
	return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
}

// NewWith is New with options.
func (t *Task2[P, A, B, T0, T1]) NewWith(c *edt.Ctx, o Opt, p P, s0 Source[T0], s1 Source[T1]) EDT2[T0, T1] {
	w := padded[P]{p: p}
	g := t.core.spawn(c, &o, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()))
	return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
}

// NewOpen is New with all slots open, for their ports to satisfy.
func (t *Task2[P, A, B, T0, T1]) NewOpen(c *edt.Ctx, p P) EDT2[T0, T1] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
}

// Again makes the EDT that runs, one of this task, go on as a new one; see [edt.Ctx.Again]. The zero
// Source keeps what is on a slot.
func (t *Task2[P, A, B, T0, T1]) Again(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0), Source[Nothing](s1))
}

// Again0 is Again with another source for slot 0 only.
func (t *Task2[P, A, B, T0, T1]) Again0(c *edt.Ctx, s Source[T0]) {
	c.AgainOf(t.core.template, 0, s.notHigh, s.low)
}

// Again1 is Again with another source for slot 1 only.
func (t *Task2[P, A, B, T0, T1]) Again1(c *edt.Ctx, s Source[T1]) {
	c.AgainOf(t.core.template, 1, s.notHigh, s.low)
}
