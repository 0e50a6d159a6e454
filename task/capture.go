package task

import (
	"fmt"
	"reflect"
	goruntime "runtime"
	"strings"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// capture makes a task of the run: fn calls body, which may be a closure.
func capture[P any](c *edt.Ctx, name string, fn edt.Func, body any, slots ...SlotType) of[P] {
	p := reflect.TypeFor[P]()
	refuse := func(what string) { c.Misuse("create task", edt.ErrPointer, guid.Null, "%s: %s", name, what) }
	if at := datablock.PointerIn(p); at != "" {
		refuse(fmt.Sprintf("parameters %v: %s", p, at))
	}
	t := of[P]{core{template: c.NewCapture(name, wordsOf(p), len(slots), fn, body)}}
	t.core.setSlots(slots, refuse)
	t.Label(fieldsOf[P])
	return t
}

// captureOne is capture for one EDT, which has the closure's name, such as "main.start.func1", and no parameters. done
// destroys the task when the EDT has been created.
func captureOne(c *edt.Ctx, fn edt.Func, body any, slots ...SlotType) (t of[Nothing], done func()) {
	t = capture[Nothing](c, closureName(body), fn, body, slots...)
	return t, func() { c.DestroyTemplate(t.core.template) }
}

// closureName is the name of a closure, "task.Go" for nil.
func closureName(body any) string {
	if f := goruntime.FuncForPC(reflect.ValueOf(body).Pointer()); f != nil {
		return f.Name()[strings.LastIndex(f.Name(), "/")+1:]
	}
	return "task.Go"
}

// Func0 makes a task of a body that may be a closure, for the time of the run: the body may use what its function has
// captured, such as the request that a handler serves. A name may be that of other tasks too. Its EDTs cost as much as
// those of a task that [Define0] has made; to make it takes a few microseconds. A run has room for 524 287 tasks and
// templates at a time: c.DestroyTemplate(t.Template()) frees a task's. The run ends if there is none ([edt.ErrMemory]),
// if P has pointers ([edt.ErrPointer]), if body is nil ([edt.ErrNoBody]), and over several ranks ([edt.ErrTemplate]).
//
// What bodies capture is theirs to synchronise: EDTs run on any worker, and only events order them.
func Func0[P any](c *edt.Ctx, name string, body func(*edt.Ctx, P)) *Task0[P] {
	return &Task0[P]{capture[P](c, name, run0(body), body)}
}

// Func1 is [Func0] for a body with one slot.
func Func1[P any, A slot[T0], T0 any](c *edt.Ctx, name string,
	body func(*edt.Ctx, P, A)) *Task1[P, A, T0] {
	return &Task1[P, A, T0]{capture[P](c, name, run1(body), body, SlotTypeOf[A, T0]())}
}

// Func2 is [Func0] for a body with two slots.
func Func2[P any, A slot[T0], B slot[T1], T0, T1 any](c *edt.Ctx, name string,
	body func(*edt.Ctx, P, A, B)) *Task2[P, A, B, T0, T1] {
	return &Task2[P, A, B, T0, T1]{capture[P](c, name, run2(body), body, SlotTypeOf[A, T0](), SlotTypeOf[B, T1]())}
}

// Func3 is [Func0] for a body with three slots.
func Func3[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](c *edt.Ctx, name string,
	body func(*edt.Ctx, P, A, B, C)) *Task3[P, A, B, C, T0, T1, T2] {
	return &Task3[P, A, B, C, T0, T1, T2]{capture[P](c, name, run3(body), body, SlotTypeOf[A, T0](),
		SlotTypeOf[B, T1](), SlotTypeOf[C, T2]())}
}

// Go0 creates one EDT of a closure. To do so costs about eight times as much as an EDT of a declared task: it is for
// what happens once, such as a start, an end or a join, not for inner loops. It ends the run where [Func0] does.
func Go0(c *edt.Ctx, body func(*edt.Ctx)) guid.GUID {
	t, done := captureOne(c, func(c *edt.Ctx, _ edt.Args) guid.GUID { body(c); return guid.Null }, body)
	defer done()
	return c.NewEDT(t.core.template, nil)
}

// Go1 is [Go0] for a closure with one slot, which gets this source.
func Go1[A slot[T0], T0 any](c *edt.Ctx, s0 Source[T0], body func(*edt.Ctx, A)) EDT1[T0] {
	t, done := captureOne(c, func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, at[A](d, 0))
		return guid.Null
	}, body, SlotTypeOf[A, T0]())
	defer done()
	g := c.NewEDT(t.core.template, nil, t.core.from(0, s0.id()))
	return EDT1[T0]{g, &t.core}
}

// Go2 is [Go0] for a closure with two slots, which gets these sources.
func Go2[A slot[T0], B slot[T1], T0, T1 any](c *edt.Ctx, s0 Source[T0], s1 Source[T1],
	body func(*edt.Ctx, A, B)) EDT2[T0, T1] {
	t, done := captureOne(c, func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, at[A](d, 0), at[B](d, 1))
		return guid.Null
	}, body, SlotTypeOf[A, T0](), SlotTypeOf[B, T1]())
	defer done()
	g := c.NewEDT(t.core.template, nil, t.core.from(0, s0.id()), t.core.from(1, s1.id()))
	return EDT2[T0, T1]{EDT1[T0]{g, &t.core}}
}

// Go3 is [Go0] for a closure with three slots, which gets these sources.
func Go3[A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](c *edt.Ctx, s0 Source[T0], s1 Source[T1],
	s2 Source[T2], body func(*edt.Ctx, A, B, C)) EDT3[T0, T1, T2] {
	t, done := captureOne(c, func(c *edt.Ctx, in edt.Args) guid.GUID {
		d := firstOf(in)
		body(c, at[A](d, 0), at[B](d, 1), at[C](d, 2))
		return guid.Null
	}, body, SlotTypeOf[A, T0](), SlotTypeOf[B, T1](), SlotTypeOf[C, T2]())
	defer done()
	g := c.NewEDT(t.core.template, nil, t.core.from(0, s0.id()), t.core.from(1, s1.id()), t.core.from(2, s2.id()))
	return EDT3[T0, T1, T2]{EDT2[T0, T1]{EDT1[T0]{g, &t.core}}}
}
