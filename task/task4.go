package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task4 is a task with parameters P and four slots: [Declare4] and [Define4] make one.
type Task4[P any, A slot[T0], B slot[T1], C slot[T2], D slot[T3], T0, T1, T2, T3 any] struct{ of[P] }

// Declare4 declares a task with four slots, under a name that no other has; its body follows.
func Declare4[P any, A slot[T0], B slot[T1], C slot[T2], D slot[T3], T0, T1, T2, T3 any](name string) *Task4[P, A, B, C,
	D, T0, T1, T2, T3] {
	return &Task4[P, A, B, C, D, T0, T1, T2, T3]{declare[P](name, false, SlotTypeOf[A, T0](), SlotTypeOf[B, T1](),
		SlotTypeOf[C, T2](), SlotTypeOf[D, T3]())}
}

// Define4 declares a task by its body. It is for variables of a package.
//
// If the body names the task itself, or another one that leads back to it, the compiler says "initialization cycle:
// loop refers to itself". Then the two go apart:
//
//	var loop = task.Declare4[...]("loop")
//	var _ = loop.Body(func(c *edt.Ctx, ...) { ... loop.New(c, ...) ... })
func Define4[P any, A slot[T0], B slot[T1], C slot[T2], D slot[T3], T0, T1, T2, T3 any](name string,
	body func(*edt.Ctx, P, A, B, C, D)) *Task4[P, A, B, C, D, T0, T1, T2, T3] {
	t := &Task4[P, A, B, C, D, T0, T1, T2, T3]{declare[P](name, false, SlotTypeOf[A, T0](), SlotTypeOf[B, T1](),
		SlotTypeOf[C, T2](), SlotTypeOf[D, T3]())}
	t.core.template.Define(run4(body), body, 1)
	return t
}

// Body gives a declared task its body.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Body(body func(*edt.Ctx, P, A, B, C, D)) *Task4[P, A, B, C, D, T0, T1,
	T2, T3] {
	t.core.template.Define(run4(body), body, 1)
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

// New creates an EDT of the task, which gets these sources.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) New(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2],
	s3 Source[T3]) EDT4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w), t.core.from(0, s0.id()), t.core.from(1, s1.id()),
		t.core.from(2, s2.id()), t.core.from(3, s3.id()))
	return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
}

// NewAt is New with a placement; see [edt.Ctx.Place] and [edt.Ctx.Bind].
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) NewAt(c *edt.Ctx, at edt.Affinity, p P, s0 Source[T0], s1 Source[T1],
	s2 Source[T2], s3 Source[T3]) EDT4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	g := c.NewEDTAt(at, t.core.template, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()),
		t.core.from(2, s2.id()), t.core.from(3, s3.id()))
	return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
}

// NewWith is New with options.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) NewWith(c *edt.Ctx, o Opt, p P, s0 Source[T0], s1 Source[T1],
	s2 Source[T2], s3 Source[T3]) EDT4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	g := t.core.spawn(c, &o, w.words(), t.core.from(0, s0.id()), t.core.from(1, s1.id()), t.core.from(2, s2.id()),
		t.core.from(3, s3.id()))
	return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
}

// NewOpen is New with all slots open, for their ports to satisfy.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) NewOpen(c *edt.Ctx, p P) EDT4[T0, T1, T2, T3] {
	w := padded[P]{p: p}
	g := c.NewFlat(t.core.template, unsafe.Pointer(&w))
	return EDT4[T0, T1, T2, T3]{EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}}
}

// Again makes the EDT that runs, one of this task, go on as a new one; see [edt.Ctx.Again]. The zero
// Source keeps what is on a slot.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Again(c *edt.Ctx, p P, s0 Source[T0], s1 Source[T1], s2 Source[T2],
	s3 Source[T3]) {
	w := padded[P]{p: p}
	t.core.again(c, w.words(), Source[Nothing](s0), Source[Nothing](s1), Source[Nothing](s2), Source[Nothing](s3))
}

// Again0 is Again with another source for slot 0 only.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Again0(c *edt.Ctx, s Source[T0]) {
	c.AgainOf(t.core.template, 0, s.notHigh, s.low)
}

// Again1 is Again with another source for slot 1 only.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Again1(c *edt.Ctx, s Source[T1]) {
	c.AgainOf(t.core.template, 1, s.notHigh, s.low)
}

// Again2 is Again with another source for slot 2 only.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Again2(c *edt.Ctx, s Source[T2]) {
	c.AgainOf(t.core.template, 2, s.notHigh, s.low)
}

// Again3 is Again with another source for slot 3 only.
func (t *Task4[P, A, B, C, D, T0, T1, T2, T3]) Again3(c *edt.Ctx, s Source[T3]) {
	c.AgainOf(t.core.template, 3, s.notHigh, s.low)
}
