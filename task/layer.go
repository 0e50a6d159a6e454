package task

import (
	goruntime "runtime"
	"strings"

	"ocr/edt"
)

// Slot is what slots of element type T have in common: a constraint for type parameters. [RW] and
// the others are slots, and structs that have one of these and no other field.
type Slot[T any] interface{ slot[T] }

// SlotOf returns slot n of an EDT of a task that was declared with slots of type A there.
func SlotOf[A Slot[T], T any](in edt.Args, n int) A { return at[A](firstOf(in), uintptr(n)) }

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
