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

// capture makes a task for the time of the run: fn calls body, which may be a closure.
func capture[P any](c *edt.Ctx, name string, fn edt.Func, body any, slots ...slotType) of[P] {
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

// closureName returns the name of a closure, "task.Go" for nil.
func closureName(body any) string {
	if f := goruntime.FuncForPC(reflect.ValueOf(body).Pointer()); f != nil {
		return f.Name()[strings.LastIndex(f.Name(), "/")+1:]
	}
	return "task.Go"
}

// Go0 creates one EDT of a closure and names it by the closure, such as "main.start.func1". It costs about eight times
// as much as an EDT of a declared task: use it for what a run does once, such as a start, an end or a join, not in
// inner loops. It ends the run under the conditions of [Func0].
func Go0(c *edt.Ctx, body func(*edt.Ctx)) guid.GUID {
	t := &Task0[Nothing]{captureOne(c, run0(func(c *edt.Ctx, _ Nothing) { body(c) }), body)}
	defer c.DestroyTemplate(t.core.template)
	return t.New(c, Nothing{})
}

// Go1 is [Go0] for a closure with one slot, which gets this source.
func Go1[A slot[T0], T0 any](c *edt.Ctx, s0 Source[T0], body func(*edt.Ctx, A)) EDT1[T0] {
	run := run1(func(c *edt.Ctx, _ Nothing, a A) { body(c, a) })
	t := &Task1[Nothing, A, T0]{captureOne(c, run, body, slotTypeOf[A, T0]())}
	defer c.DestroyTemplate(t.core.template)
	return t.New(c, Nothing{}, s0)
}

// Go2 is [Go0] for a closure with two slots, which gets these sources.
func Go2[A slot[T0], B slot[T1], T0, T1 any](c *edt.Ctx, s0 Source[T0], s1 Source[T1],
	body func(*edt.Ctx, A, B)) EDT2[T0, T1] {
	run := run2(func(c *edt.Ctx, _ Nothing, a A, b B) { body(c, a, b) })
	t := &Task2[Nothing, A, B, T0, T1]{captureOne(c, run, body, slotTypeOf[A, T0](), slotTypeOf[B, T1]())}
	defer c.DestroyTemplate(t.core.template)
	return t.New(c, Nothing{}, s0, s1)
}

// Go3 is [Go0] for a closure with three slots, which gets these sources.
func Go3[A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](c *edt.Ctx, s0 Source[T0], s1 Source[T1],
	s2 Source[T2], body func(*edt.Ctx, A, B, C)) EDT3[T0, T1, T2] {
	run := run3(func(c *edt.Ctx, _ Nothing, a A, b B, d C) { body(c, a, b, d) })
	t := &Task3[Nothing, A, B, C, T0, T1, T2]{captureOne(c, run, body, slotTypeOf[A, T0](), slotTypeOf[B, T1](),
		slotTypeOf[C, T2]())}
	defer c.DestroyTemplate(t.core.template)
	return t.New(c, Nothing{}, s0, s1, s2)
}

func captureOne(c *edt.Ctx, fn edt.Func, body any, slots ...slotType) of[Nothing] {
	return capture[Nothing](c, closureName(body), fn, body, slots...)
}
