package task

import (
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// Task0 is a task with parameters P and no slot. [Declare0] and [Define0] make one; so does [Func0], for one run.
type Task0[P any] struct{ of[P] }

// Declare0 declares a task, under a name that no other task has. [Task0.Body] gives it its body.
func Declare0[P any](name string) *Task0[P] { return &Task0[P]{declare[P](name, false)} }

// Define0 declares a task with its body, as a variable of a package.
//
// If the body names the task itself, or another task that leads back to it, the compiler reports "initialization cycle:
// loop refers to itself". Then the declaration and the body are two variables:
//
//	var loop = task.Declare0[...]("loop")
//	var _ = loop.Body(func(c *edt.Ctx, ...) { ... loop.New(c, ...) ... })
func Define0[P any](name string, body func(*edt.Ctx, P)) *Task0[P] {
	return Declare0[P](name).Body(body)
}

// Body gives a declared task its body.
func (t *Task0[P]) Body(body func(*edt.Ctx, P)) *Task0[P] {
	t.core.template.Define(run0(body), body, callersToApp())
	return t
}

// Func0 makes a task for the time of the run. Its body may be a closure: it may use variables of the function around
// it, such as the request that a handler serves. The name may be that of other tasks too. An EDT costs as much as one
// of a task of [Define0]; to make the task takes a few microseconds. A run has room for 524 288 tasks, templates and
// recordings at a time: c.DestroyTemplate(t.Template()) frees the place of a task. The run ends if there is no place
// ([edt.ErrMemory]), if P has pointers ([edt.ErrPointer]), if body is nil ([edt.ErrNoBody]), and over several ranks
// ([edt.ErrTemplate]).
//
// The program synchronises what bodies capture: EDTs run on any worker, and only events order them.
func Func0[P any](c *edt.Ctx, name string, body func(*edt.Ctx, P)) *Task0[P] {
	return &Task0[P]{capture[P](c, name, false, run0(body), body)}
}

//go:noinline
func run0[P any](body func(*edt.Ctx, P)) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, paramsOf[P](in))
		return guid.GUID{}
	}
}

// New creates an EDT of the task. At most one Opt may set more of it.
func (t *Task0[P]) New(c *edt.Ctx, p P, o ...Opt) guid.GUID {
	w := padded[P]{p: p}
	if len(o) == 1 && o[0].isPlace() {
		if at := o[0].At; at != 0 {
			return c.NewEDTAt(at, t.core.template, w.words())
		}
		o = nil
	}
	if len(o) == 0 {
		return c.NewFlat(t.core.template, unsafe.Pointer(&w))
	}
	return t.core.newWith(c, o, w.words())
}

// Again makes the running EDT, which must be one of this task, go on as a new EDT; see [edt.Ctx.Again].
func (t *Task0[P]) Again(c *edt.Ctx, p P) {
	w := padded[P]{p: p}
	t.core.again(c, w.words())
}

// Add adds a node of the task to a graph.
//
//go:noinline
func (t *Task0[P]) Add(g *Graph, p P) Node {
	w := padded[P]{p: p}
	return g.r.Add(t.core.template, w.words())
}
