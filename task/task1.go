package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task1 is a task with parameters P and one slot: [Declare1] and [Define1] make one.
type Task1[P any, A slot[T0], T0 any] struct{ of[P] }

// Declare1 declares a task with one slot, under a name that no other has; its body follows.
func Declare1[P any, A slot[T0], T0 any](name string) *Task1[P, A, T0] {
	return &Task1[P, A, T0]{declare[P](name, false, SlotTypeOf[A, T0]())}
}

// Define1 declares a task by its body. It is for variables of a package.
//
// If the body names the task itself, or another one that leads back to it, the compiler says "initialization cycle:
// loop refers to itself". Then the two go apart:
//
//	var loop = task.Declare1[...]("loop")
//	var _ = loop.Body(func(c *edt.Ctx, ...) { ... loop.New(c, ...) ... })
func Define1[P any, A slot[T0], T0 any](name string, body func(*edt.Ctx, P, A)) *Task1[P, A, T0] {
	t := &Task1[P, A, T0]{declare[P](name, false, SlotTypeOf[A, T0]())}
	t.core.template.Define(run1(body), body, 1)
	return t
}

// Body gives a declared task its body.
func (t *Task1[P, A, T0]) Body(body func(*edt.Ctx, P, A)) *Task1[P, A, T0] {
	t.core.template.Define(run1(body), body, 1)
	return t
}

//go:noinline
func run1[P, A any](body func(*edt.Ctx, P, A)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, paramsOf[P](in), at[A](d, 0))
		return guid.GUID{}
	}
}

// New creates an EDT of the task, which gets these sources.
func (t *Task1[P, A, T0]) New(c *edt.Ctx, p P, s0 Source[T0]) EDT1[T0] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w), t.core.from(0, s0.id()))
	return EDT1[T0]{g, &t.core}
}

// NewAt is New with a placement; see [edt.Ctx.Place] and [edt.Ctx.Bind].
func (t *Task1[P, A, T0]) NewAt(c *edt.Ctx, at edt.Affinity, p P, s0 Source[T0]) EDT1[T0] {
	w := padded[P]{p: p}
	g := c.NewEDTAt(at, t.core.template, w.words(), t.core.from(0, s0.id()))
	return EDT1[T0]{g, &t.core}
}

// NewWith is New with options.
func (t *Task1[P, A, T0]) NewWith(c *edt.Ctx, o Opt, p P, s0 Source[T0]) EDT1[T0] {
	w := padded[P]{p: p}
	g := t.core.spawn(c, &o, w.words(), t.core.from(0, s0.id()))
	return EDT1[T0]{g, &t.core}
}

// NewOpen is New with all slots open, for their ports to satisfy.
func (t *Task1[P, A, T0]) NewOpen(c *edt.Ctx, p P) EDT1[T0] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT1[T0]{g, &t.core}
}

// Again makes the EDT that runs, one of this task, go on as a new one; see [edt.Ctx.Again]. The zero
// Source keeps what is on a slot.
func (t *Task1[P, A, T0]) Again(c *edt.Ctx, p P, s0 Source[T0]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0))
}

// Again0 is Again with another source for slot 0 only.
func (t *Task1[P, A, T0]) Again0(c *edt.Ctx, s Source[T0]) {
	c.AgainOf(t.core.template, 0, s.notHigh, s.low)
}
