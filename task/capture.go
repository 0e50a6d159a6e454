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

// capture makes a task for the time of the run: fn calls body, which may be a closure. list is as in declare.
func capture[P any](c *edt.Ctx, name string, list bool, fn edt.Func, body any, slots ...slotType) of[P] {
	p, depc := reflect.TypeFor[P](), len(slots)
	if list {
		depc = edt.Unknown
	}
	refuse := func(cause *edt.Condition, what string) {
		c.Misuse("create task", cause, guid.Null, "%s: %s", name, what)
	}
	if at := datablock.PointerIn(p); at != "" {
		refuse(edt.ErrPointer, fmt.Sprintf("parameters %v: %s", p, at))
	}
	t := of[P]{core{template: c.NewCapture(name, wordsOf(p), depc, fn, body)}}
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
	run := run0(func(c *edt.Ctx, _ Nothing) { body(c) })
	t := &Task0[Nothing]{capture[Nothing](c, closureName(body), false, run, body)}
	defer c.DestroyTemplate(t.core.template)
	return t.New(c, Nothing{})
}

// Go1 is [Go0] for a closure with one slot, which gets this source.
func Go1[A slot[T0], T0 any](c *edt.Ctx, s0 Source[T0], body func(*edt.Ctx, A)) EDT1[T0] {
	run := run1(func(c *edt.Ctx, _ Nothing, a A) { body(c, a) })
	t := &Task1[Nothing, A, T0]{capture[Nothing](c, closureName(body), false, run, body, slotTypeOf[A, T0]())}
	defer c.DestroyTemplate(t.core.template)
	return t.New(c, Nothing{}, s0)
}

// GoN is [Go0] for a closure with a slot and a list, which get these sources.
func GoN[A slot[T0], B slot[T1], T0, T1 any](c *edt.Ctx, first Source[T0], list []Source[T1],
	body func(*edt.Ctx, A, List[B])) guid.GUID {
	run := runN(func(c *edt.Ctx, _ Nothing, a A, b List[B]) { body(c, a, b) })
	t := &TaskN[Nothing, A, B, T0, T1]{
		capture[Nothing](c, closureName(body), true, run, body, slotTypeOf[A, T0](), slotTypeOf[B, T1]()),
	}
	defer c.DestroyTemplate(t.core.template)
	return t.New(c, Nothing{}, first, list)
}
