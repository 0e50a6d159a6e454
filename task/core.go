package task

import (
	"fmt"
	"path/filepath"
	"reflect"
	goruntime "runtime"
	"strings"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// core holds what tasks with any number of slots need.
type core struct {
	template *edt.Template
	modes    [maxSlots]datablock.Mode
}

// maxSlots is how many slots a task has at most, lists aside.
const maxSlots = 4

// A slotType describes a slot that a task declares.
type slotType struct {
	slot    string // "RW"
	mode    datablock.Mode
	element reflect.Type
	sound   bool // the type is one slot alone, see [at]
}

// slotTypeOf describes a slot of type A.
func slotTypeOf[A slot[T], T any]() slotType {
	var a A
	name, _, _ := strings.Cut(reflect.TypeFor[A]().Name(), "[")
	mode, ok := modeOf[T](a)
	return slotType{name, mode, reflect.TypeFor[T](), ok && unsafe.Sizeof(a) == unsafe.Sizeof(held[T]{})}
}

// modeOf returns the mode of the zero value of a slot type. ok is false if it has none: it is, or holds, a nil pointer
// or interface in place of a slot.
func modeOf[T any](a slot[T]) (m datablock.Mode, ok bool) {
	defer func() { ok = recover() == nil }()
	return a.mode(), true
}

// String returns the slot as reports name it: "RW int".
func (s slotType) String() string {
	if s.element == reflect.TypeFor[Nothing]() {
		return s.slot
	}
	return fmt.Sprintf("%s %v", s.slot, s.element)
}

// refusal says why no block of the slot's elements can be on the slot; cause is nil if one can.
func (s slotType) refusal() (cause *edt.Condition, why string) {
	if at := datablock.PointerIn(s.element); at != "" {
		return edt.ErrPointer, at
	}
	if !s.sound {
		return edt.ErrKind, "a slot type has one field alone: a slot of package task"
	}
	if s.element.Size() == 0 && s.mode != datablock.Null {
		return edt.ErrSize, "an element has no bytes"
	}
	return nil, ""
}

// declare registers the task's template. list says that the last slot type is that of a list.
func declare[P any](name string, list bool, slots ...slotType) of[P] {
	paramType := reflect.TypeFor[P]()
	paramc, depc, skip := wordsOf(paramType), len(slots), callersToApp()
	if list {
		depc = edt.Unknown
	}
	t := of[P]{core{template: edt.Declare(name, paramc, depc, skip)}}
	t.Label(fieldsOf[P])
	if at := datablock.PointerIn(paramType); at != "" {
		t.core.refuse(skip, edt.ErrPointer, fmt.Sprintf("parameters %v: %s", paramType, at))
	}
	t.core.setSlots(slots, func(cause *edt.Condition, what string) { t.core.refuse(skip+2, cause, what) })
	return t
}

// setSlots describes the slots to the template, and refuses those that no block can satisfy.
func (t *core) setSlots(slots []slotType, refuse func(cause *edt.Condition, what string)) {
	names, elements := make([]string, len(slots)), make([]reflect.Type, len(slots))
	for n, s := range slots {
		t.modes[n], names[n], elements[n] = s.mode, s.String(), s.element
		if cause, why := s.refusal(); cause != nil {
			refuse(cause, fmt.Sprintf("slot %d, %v: %s", n, s, why))
		}
	}
	t.template.NameSlots(names...).TypeSlots(elements...)
}

// refuse ends every run before it begins.
func (t *core) refuse(skip int, cause *edt.Condition, what string) {
	_, file, line, _ := goruntime.Caller(skip + 1)
	t.template.Refuse(&edt.Error{Op: "declare " + t.template.Name(), Cause: cause, Detail: what,
		File: filepath.Base(file), Line: line})
}

func wordsOf(t reflect.Type) int { return int((t.Size() + 7) / 8) }

// padded is a P, padded to whole words: the parameters as the words that edt copies.
//
// This is sound because edt copies the words back to a P of the same process, or of another process of the same
// program; and a P has no pointers, as declare checks.
type padded[P any] struct {
	p P
	_ uint64
}

func (w *padded[P]) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(w)), (unsafe.Sizeof(w.p)+7)/8)
}

// paramsOf is the inverse of words.
func paramsOf[P any](in edt.Args) (p P) {
	if unsafe.Sizeof(p) == 0 {
		return p
	}
	return *(*P)(unsafe.Pointer(unsafe.SliceData(in.Params())))
}

// firstOf returns the address of an EDT's first dependence.
func firstOf(in edt.Args) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(in.Deps())) }

// at returns slot n of an EDT whose dependences begin at first.
//
// This is sound because a slot type is a struct whose one field is a pointer to a dependence, and the template ensures
// that the EDT has as many dependences as the task has slots.
func at[A any](first unsafe.Pointer, n uintptr) A {
	p := unsafe.Add(first, n*unsafe.Sizeof(datablock.Dep{}))
	return *(*A)(unsafe.Pointer(&p))
}

// from returns the source of slot n in the declared mode.
func (t *core) from(n int, id guid.GUID) edt.Source { return edt.From(id, t.modes[n]) }

// An Opt sets more of a new EDT than its parameters and sources.
type Opt struct {
	// Output is satisfied, without a block, when the EDT has ended; if Finish is set, when every EDT in its scope has
	// ended.
	Output Event[Nothing]
	// At is the worker on which the EDT should run; see [edt.Ctx.Place] and [edt.Ctx.Bind]. 0 is the template's hint.
	At edt.Affinity
	// Priority: workers prefer EDTs of a higher priority. 0 is the template's hint.
	Priority int8
	// Finish makes a finish EDT; see [edt.Spec].
	Finish bool
}

// isPlace reports whether an option is a placement and nothing else. Most options are of this kind. So each New calls
// isPlace itself: to leave that to a function would take 24 instructions more.
func (o *Opt) isPlace() bool { return !o.Finish && o.Priority == 0 && o.Output.IsNull() }

// newWith creates an EDT with the option of a call. It refuses a call with several options.
func (t *core) newWith(c *edt.Ctx, o []Opt, params []uint64, deps ...edt.Source) guid.GUID {
	if len(o) != 1 {
		c.Misuse("create EDT", edt.ErrCount, guid.Null, "%d options, need at most 1", len(o))
	}
	g, _ := c.Spawn(t.template, &edt.Spec{
		Params: params, Deps: deps, OutputEvent: o[0].Output.GUID, Finish: o[0].Finish,
		Hint: edt.Hint{Priority: o[0].Priority, Affinity: o[0].At},
	})
	return g
}

// again makes the EDT go on with these parameters. The zero Source keeps what is on its slot.
func (t *core) again(c *edt.Ctx, params []uint64, sources ...Source[Nothing]) {
	changes := make([]edt.Change, 0, 8)
	for n, s := range sources {
		if !s.keeps() {
			changes = append(changes, edt.Change{Slot: n, Source: s.id()})
		}
	}
	c.CheckRuns(t.template)
	c.Again(changes...)
	copy(c.Args().Params(), params)
}
