package edt

import (
	"fmt"
	"path/filepath"
	"reflect"
	goruntime "runtime"
	"unsafe"

	"ocr/guid"
	"ocr/internal/core/word"
)

// The calls in this file are for packages with a layer on this one, such as ocr/task.

// faults counts the registered templates with a fault. No run begins while there is one.
var faults word.Int32

// Declare registers a template whose body is set later by [Template.Define], so that bodies can name
// each other's templates. skip is the number of callers between Declare and the app's line, which errors
// name. A run does not begin while a template has no body ([ErrNoBody]).
func Declare(name string, paramc, depc, skip int) *Template {
	t := NewTemplate(name, paramc, depc, func(c *Ctx, _ Args) guid.GUID {
		c.misuse("run", ErrNoBody, c.Self(), "")
		return guid.Null
	})
	_, file, line, _ := goruntime.Caller(skip + 1)
	t.Refuse(&Error{Op: "declare " + name, Cause: ErrNoBody, File: filepath.Base(file), Line: line})
	return t
}

// Refuse makes every run end with err before it begins: the template was declared wrong.
// The first error counts, except that any error replaces [ErrNoBody].
func (t *Template) Refuse(err *Error) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if t.fault == nil {
		faults.Add(1)
	} else if t.fault.Cause != ErrNoBody {
		return
	}
	t.fault = err
}

// Define gives a declared template its body: fn, which calls body, a function of the app. skip is as for [Declare]. A
// second body is refused ([ErrBodies]); nil counts as no body.
func (t *Template) Define(fn Func, body any, skip int) {
	if reflect.ValueOf(body).IsNil() {
		return
	}
	if t.body != nil {
		_, file, line, _ := goruntime.Caller(skip + 1)
		t.Refuse(&Error{Op: "define " + t.name, Cause: ErrBodies, File: filepath.Base(file), Line: line})
		return
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	t.fn, t.body = fn, body
	if t.fault != nil && t.fault.Cause == ErrNoBody {
		t.fault = nil
		faults.Add(-1)
	}
}

// StandsAt makes errors name the place of body, a function of the app, instead of that of the template's own body, a
// layer's function. Call it before the template's first use in a run.
func (t *Template) StandsAt(body any) { t.body = body }

// refused returns the error of a registered template with a fault, nil if there is none.
func refused() *Error {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, t := range *registry.all.Load() {
		if t.fault != nil {
			return t.fault
		}
	}
	return nil
}

// NewCapture is [Ctx.NewTemplate] for fn that calls body, a function of the app which may be a closure. The template
// lasts until the run ends, if it is not destroyed before. The run ends with an error if it has several ranks
// ([ErrTemplate]), or if body is nil ([ErrNoBody]).
func (c *Ctx) NewCapture(name string, paramc, depc int, fn Func, body any) *Template {
	c.needRun("create task")
	switch {
	case reflect.ValueOf(body).IsNil():
		c.misuse("create task", ErrNoBody, guid.Null, "%s", name)
	case c.Ranks() > 1:
		c.misuse("create task", ErrTemplate, guid.Null, "%s: over ranks a task is declared, as a variable of a package", name)
	}
	t := c.NewTemplate(name, paramc, depc, fn)
	t.body, t.lasts = body, true
	return t
}

// NameSlots sets the name of each slot for reports, such as "RO float64". Slots beyond the list have the last name. It
// returns the template.
func (t *Template) NameSlots(names ...string) *Template {
	t.slotNames = names
	return t
}

// TypeSlots sets the element type of the block on each slot, for observers: nil for unknown. Slots beyond the list have
// the last type. It returns the template.
func (t *Template) TypeSlots(elements ...reflect.Type) *Template {
	t.slotTypes = elements
	return t
}

// SlotType returns the element type of the block on a slot, nil if that is not known.
func (t *Template) SlotType(n int) reflect.Type {
	if len(t.slotTypes) == 0 {
		return nil
	}
	return t.slotTypes[min(n, len(t.slotTypes)-1)]
}

// SlotName returns the name of a slot, "" if that is not known.
func (t *Template) SlotName(n int) string {
	if len(t.slotNames) == 0 {
		return ""
	}
	return t.slotNames[min(n, len(t.slotNames)-1)]
}

// slotName returns the name of an EDT's slot, "" if that is not known.
func (g *Graph) slotName(t *edtRecord, n int) string {
	if tmpl := g.template(t); tmpl != nil {
		return tmpl.SlotName(n)
	}
	return ""
}

// Misuse ends the run with an error about the calling EDT, as misuses of this package do.
func (c *Ctx) Misuse(op string, cause *Condition, target guid.GUID, format string, args ...any) {
	c.misuse(op, cause, target, "%s", fmt.Sprintf(format, args...))
}

// A Call is the position at which the app called a layer: a word that EDTs of this process may have as a parameter, for
// [Ctx.Blame].
type Call uint64

// CallOf returns the position at which CallOf's caller was called.
func CallOf() Call {
	var pc [1]uintptr
	goruntime.Callers(3, pc[:])
	return Call(pc[0])
}

// Blame makes errors of the running EDT name a call of the app, until Blame is called with 0. It is for bodies of a
// layer, which carry out that call.
func (c *Ctx) Blame(call Call) { c.blamed = uintptr(call) }

// NewFlat is [Ctx.NewEDT] for a registered template. params points to the parameters, as many words as the template
// says.
func (c *Ctx) NewFlat(t *Template, params unsafe.Pointer, deps ...Source) guid.GUID {
	return c.NewEDTAt(t.hint.Affinity, t, (*[MaxDeps]uint64)(params)[:t.paramc:t.paramc], deps...)
}

// Args returns the parameters and dependences of the running EDT.
func (c *Ctx) Args() Args { return Args{c} }
