package task

import (
	goruntime "runtime"
	"strings"
	"unsafe"

	"ocr/edt"
	"ocr/guid"
)

// What follows is for packages that put a layer on this one, such as ocr/task/par: they declare
// tasks by [DeclareErased] or by [Declare1] and its kin, and define the templates' bodies themselves.

// Erased is a task with parameters P and up to four slots whose types are not part of its own: the compiler makes its
// methods once for each P. The layer's own types keep those of the slots, and a [Source] of any type may be converted.
type Erased[P any] struct{ of[P] }

// DeclareErased declares a task with these slots, four at most, under a name that no other has.
func DeclareErased[P any](name string, slots ...SlotType) *Erased[P] {
	return &Erased[P]{declare[P](name, false, slots...)}
}

// CaptureErased makes a task of the run without slots, as [Go0] does: fn calls body, which may be a closure and gives
// the task its name, with this ending.
func CaptureErased[P any](c *edt.Ctx, ending string, fn edt.Func, body any) *Erased[P] {
	return &Erased[P]{capture[P](c, closureName(body)+ending, fn, body)}
}

// From is a source for slot n, in the mode that was declared.
func (t *Erased[P]) From(n int, s Source[Nothing]) edt.Source { return t.core.from(n, s.id()) }

// New creates an EDT of the task, which gets these sources: what From returns for each slot.
func (t *Erased[P]) New(c *edt.Ctx, p P, deps ...edt.Source) guid.GUID {
	w := padded[P]{p: p}
	return c.NewFlat(t.core.template, unsafe.Pointer(&w), deps...)
}

// NewWith is New with options.
func (t *Erased[P]) NewWith(c *edt.Ctx, o Opt, p P, deps ...edt.Source) guid.GUID {
	w := padded[P]{p: p}
	return t.core.spawn(c, &o, w.words(), deps...)
}

// Slot is what slots of element type T have in common: a constraint for type parameters. [RW] and
// the others are slots, and structs that have one of these and no other field.
type Slot[T any] interface{ slot[T] }

// ParamsOf returns the parameters of an EDT of a task with parameters P.
func ParamsOf[P any](in edt.Args) P { return paramsOf[P](in) }

// SlotOf returns slot n of an EDT of a task that was declared with slots of type A there.
func SlotOf[A Slot[T], T any](in edt.Args, n int) A { return at[A](firstOf(in), uintptr(n)) }

// SourceAt is what came on slot n, a block or none, as the source of another EDT's slot.
func SourceAt[T any](in edt.Args, n int) Source[T] {
	hi, lo := in.Dep(n).GUID().Words()
	return Source[T]{^hi, lo}
}

// callersToApp is how many functions, from the calling one up, are of this package or a layer on it.
func callersToApp() (n int) {
	var pcs [16]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(2, pcs[:])])
	for more := true; more; n++ {
		var f goruntime.Frame
		f, more = frames.Next()
		if !strings.HasPrefix(f.Function, "ocr/task.") && !strings.HasPrefix(f.Function, "ocr/task/par.") {
			break
		}
	}
	return n
}
