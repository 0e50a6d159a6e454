package task

import (
	"reflect"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
)

// of holds what tasks with parameters P need, whatever their slots are.
//
// The core is a named field, not embedded: so the compiler does not generate its methods for every task type.
type of[P any] struct{ core core }

// Template returns the template behind the task, for what only package edt offers.
func (t *of[P]) Template() *edt.Template { return t.core.template }

// Label sets how reports, traces and drawings describe an EDT of the task: f makes the text from the parameters, such
// as "3,7". Without a label they show the fields of the parameters, "row 3, col 7". Call Label beside the declaration:
//
//	var _ = tile.Label(func(p Where) string { return fmt.Sprintf("%d,%d", p.Row, p.Col) })
//
// Any goroutine may call f, during a run and after it. Label returns the template behind the task.
func (t *of[P]) Label(f func(P) string) *edt.Template {
	n, flat := wordsOf(reflect.TypeFor[P]()), datablock.PointerIn(reflect.TypeFor[P]()) == ""
	return t.core.template.Describe(func(words []uint64, _ []datablock.Dep) string {
		if !flat || len(words) < n { // an observer of a running EDT may come too late to read its words
			return ""
		}
		var p P
		if n > 0 {
			p = *(*P)(unsafe.Pointer(unsafe.SliceData(words))) // sound as in padded: flat is checked
		}
		return f(p)
	})
}
