package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task0 is a task with parameters P and no slot: [Declare0] and [Define0] make one.
type Task0[P any] struct{ of[P] }

// Declare0 declares a task with no slot, under a name that no other has; its body follows.
func Declare0[P any](name string) *Task0[P] {
	return &Task0[P]{declare[P](name, false)}
}

// Define0 declares a task by its body. It is for variables of a package.
//
// If the body names the task itself, or another one that leads back to it, the compiler says "initialization cycle:
// loop refers to itself". Then the two go apart:
//
//	var loop = task.Declare0[...]("loop")
//	var _ = loop.Body(func(c *edt.Ctx, ...) { ... loop.New(c, ...) ... })
func Define0[P any](name string, body func(*edt.Ctx, P)) *Task0[P] {
	t := &Task0[P]{declare[P](name, false)}
	t.core.template.Define(run0(body), body, 1)
	return t
}

// Body gives a declared task its body.
func (t *Task0[P]) Body(body func(*edt.Ctx, P)) *Task0[P] {
	t.core.template.Define(run0(body), body, 1)
	return t
}

//go:noinline
func run0[P any](body func(*edt.Ctx, P)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, paramsOf[P](in))
		return guid.GUID{}
	}
}

// New creates an EDT of the task.
func (t *Task0[P]) New(c *edt.Ctx, p P) guid.GUID {
	w := padded[P]{p: p}
	return c.NewFlat(t.core.template, unsafe.Pointer(&w))
}

// NewAt is New with a placement; see [edt.Ctx.Place] and [edt.Ctx.Bind].
func (t *Task0[P]) NewAt(c *edt.Ctx, at edt.Affinity, p P) guid.GUID {
	w := padded[P]{p: p}
	return c.NewEDTAt(at, t.core.template, w.words())
}

// NewWith is New with options.
func (t *Task0[P]) NewWith(c *edt.Ctx, o Opt, p P) guid.GUID {
	w := padded[P]{p: p}
	return t.core.spawn(c, &o, w.words())
}

// Again makes the EDT that runs, one of this task, go on as a new one; see [edt.Ctx.Again].
func (t *Task0[P]) Again(c *edt.Ctx, p P) {
	w := padded[P]{p: p}
	t.core.again(c, w.words())
}
