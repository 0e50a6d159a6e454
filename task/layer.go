package task

import (
	goruntime "runtime"
	"strings"
	"unsafe"

	"ocr/edt"
)

// Slot is the constraint of all slots with elements of type T: [RW] to [After], and structs whose one field embeds such
// a slot.
type Slot[T any] interface{ slot[T] }

// SlotOf returns slot n of an EDT, whose task has declared a slot of type A at n.
func SlotOf[A Slot[T], T any](in edt.Args, n int) A { return at[A](unsafe.Pointer(&in.Deps()[n]), 0) }

// callersToApp counts the functions of packages task and par on the stack, from its caller up to the app's function.
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
