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

// core is what tasks of all arities have.
type core struct {
	template *edt.Template
	modes    [maxSlots]datablock.Mode
}

// maxSlots is how many slots a task has, but for its lists.
const maxSlots = 4

// A slotType is what a task knows of a slot that it declares.
type slotType struct {
	slot    string // "RW"
	mode    datablock.Mode
	element reflect.Type
}

// slotTypeOf returns what a task knows of a slot of type A.
func slotTypeOf[A slot[T], T any]() slotType {
	var a A
	name, _, _ := strings.Cut(reflect.TypeFor[A]().Name(), "[")
	return slotType{name, a.mode(), reflect.TypeFor[T]()}
}

// String is the slot as reports name it: "RW int".
func (s slotType) String() string {
	if s.element == reflect.TypeFor[Nothing]() {
		return s.slot
	}
	return fmt.Sprintf("%s %v", s.slot, s.element)
}

// refusal says why a block of such elements cannot come on the slot, "" if it can.
func (s slotType) refusal() string {
	if at := datablock.PointerIn(s.element); at != "" {
		return at
	}
	if s.element.Size() == 0 && s.mode != datablock.Null {
		return "an element has no bytes"
	}
	return ""
}

// declare registers the task's template. list says that the last slot is a list.
func declare[P any](name string, list bool, slots ...slotType) of[P] {
	paramType := reflect.TypeFor[P]()
	paramc, depc, skip := wordsOf(paramType), len(slots), callersToApp()
	if list {
		depc = edt.Unknown
	}
	t := of[P]{core{template: edt.Declare(name, paramc, depc, skip)}}
	t.Label(fieldsOf[P])
	if at := datablock.PointerIn(paramType); at != "" {
		t.core.refuse(skip, fmt.Sprintf("parameters %v: %s", paramType, at))
	}
	t.core.setSlots(slots, func(what string) { t.core.refuse(skip+2, what) })
	return t
}

// setSlots describes the slots, and refuses those on which no block can come.
func (t *core) setSlots(slots []slotType, refuse func(what string)) {
	names, elements := make([]string, len(slots)), make([]reflect.Type, len(slots))
	for n, s := range slots {
		t.modes[n], names[n], elements[n] = s.mode, s.String(), s.element
		if at := s.refusal(); at != "" {
			refuse(fmt.Sprintf("slot %d, %v: %s", n, s, at))
		}
	}
	t.template.NameSlots(names...).TypeSlots(elements...)
}

// refuse makes every run end before it begins.
func (t *core) refuse(skip int, what string) {
	_, file, line, _ := goruntime.Caller(skip + 1)
	t.template.Refuse(&edt.Error{Op: "declare " + t.template.Name(), Cause: edt.ErrPointer, Detail: what,
		File: filepath.Base(file), Line: line})
}

func wordsOf(t reflect.Type) int { return int((t.Size() + 7) / 8) }

// padded is a P and the rest of its last word: the parameters as words.
//
// This is sound because an EDT's parameters are copied from the words and back to a P of the same
// process, or of another one that runs the same program; and a P has no pointers, which declare checks.
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

// firstOf returns where the dependences of an EDT begin.
func firstOf(in edt.Args) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(in.Deps())) }

// at makes slot n of an EDT, whose dependences begin at first.
//
// This is sound because a slot type is a struct whose one field is a pointer to a dependence, and
// the template has made sure that there are as many dependences as the task has slots.
func at[A any](first unsafe.Pointer, n uintptr) A {
	p := unsafe.Add(first, n*unsafe.Sizeof(datablock.Dep{}))
	return *(*A)(unsafe.Pointer(&p))
}

// from is the source of slot n in the mode that was declared.
func (t *core) from(n int, id guid.GUID) edt.Source { return edt.From(id, t.modes[n]) }

// An Opt says more of a new EDT than its parameters and sources.
type Opt struct {
	// Output is satisfied, without a block, when the EDT has ended: of a Finish EDT when
	// every EDT in its scope has.
	Output Event[Nothing]
	// At is where the EDT should run; see [edt.Ctx.Place] and [edt.Ctx.Bind].
	At edt.Affinity
	// Priority: EDTs of a higher one are preferred.
	Priority int8
	// Finish makes a finish EDT; see [edt.Spec].
	Finish bool
}

// isPlace reports whether an option is a placement and nothing else.
func (o *Opt) isPlace() bool { return !o.Finish && o.Priority == 0 && o.Output.IsNull() }

// newWith creates an EDT with options, of which a call has one.
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

// again makes the EDT go on, with other parameters, and the sources that do not keep what the slot has.
func (t *core) again(c *edt.Ctx, params []uint64, sources ...Source[Nothing]) {
	changes := make([]edt.Change, 0, 4)
	for n, s := range sources {
		if !s.keeps() {
			changes = append(changes, edt.Change{Slot: n, Source: s.id()})
		}
	}
	c.CheckRuns(t.template)
	c.Again(changes...)
	copy(c.Args().Params(), params)
}
