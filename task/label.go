package task

import (
	"reflect"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
)

// of is what tasks with parameters P have, whatever their slots are.
//
// The core has a name, so that its methods are not those of every task: the compiler would make them for each.
type of[P any] struct{ core core }

// Template returns the template behind the task, for what only package edt can say.
func (t *of[P]) Template() *edt.Template { return t.core.template }

// Label has EDTs of the task described by f, of their parameters, in reports, traces and drawings: "3,7". Without it
// they are described by the fields of the parameters, "row 3, col 7". It belongs beside the task's declaration:
//
//	var _ = tile.Label(func(p Where) string { return fmt.Sprintf("%d,%d", p.Row, p.Col) })
//
// f may be called on any goroutine, during a run and after it. It returns the template behind the task.
func (t *of[P]) Label(f func(P) string) *edt.Template {
	n, flat := wordsOf(reflect.TypeFor[P]()), datablock.PointerIn(reflect.TypeFor[P]()) == ""
	return t.core.template.Describe(func(words []uint64, _ []datablock.Dep) string {
		if !flat || len(words) < n { // a look at an EDT that runs may come too late to read them
			return ""
		}
		var p P
		if n > 0 {
			p = *(*P)(unsafe.Pointer(unsafe.SliceData(words))) // sound as in padded: flat is checked
		}
		return f(p)
	})
}
