package task

import (
	"fmt"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A List is several slots of one type.
type List[S any] struct{ deps []datablock.Dep }

// Len returns how many slots the list has.
func (l List[S]) Len() int { return len(l.deps) }

// At returns slot i of the list.
func (l List[S]) At(i int) S {
	return at[S](unsafe.Pointer(&l.deps[i]), 0)
}

// TaskN is a task with parameters P, a slot, and two lists of slots, whose lengths each creation
// says: [DeclareN] and [DefineN] make one. An empty list may be of [After].
type TaskN[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any] struct{ of[P] }

// DeclareN declares a task with lists, under a name that no other has; its body follows.
func DeclareN[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](name string) *TaskN[P, A, B, C, T0, T1, T2] {
	return &TaskN[P, A, B, C, T0, T1, T2]{declareList[P](name, SlotTypeOf[A, T0](), SlotTypeOf[B, T1](),
		SlotTypeOf[C, T2]())}
}

// DefineN declares a task with lists by its body. It is for variables of a package.
//
// If the body names the task itself, or another one that leads back to it, the compiler says "initialization cycle:
// loop refers to itself". Then the two go apart:
//
//	var loop = task.DeclareN[...]("loop")
//	var _ = loop.Body(func(c *edt.Ctx, ...) { ... loop.New(c, ...) ... })
func DefineN[P any, A slot[T0], B slot[T1], C slot[T2], T0, T1, T2 any](name string,
	body func(*edt.Ctx, P, A, List[B], List[C])) *TaskN[P, A, B, C, T0, T1, T2] {
	t := &TaskN[P, A, B, C, T0, T1, T2]{declareList[P](name, SlotTypeOf[A, T0](), SlotTypeOf[B, T1](),
		SlotTypeOf[C, T2]())}
	t.core.template.Define(runN(body), body, 1)
	return t
}

// Body gives a declared task its body.
func (t *TaskN[P, A, B, C, T0, T1, T2]) Body(body func(*edt.Ctx, P, A, List[B], List[C])) *TaskN[P, A, B, C, T0, T1,
	T2] {
	t.core.template.Define(runN(body), body, 1)
	return t
}

// runN finds the length of the first list behind the parameters.
//
//go:noinline
func runN[P, A, B, C any](body func(*edt.Ctx, P, A, List[B], List[C])) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		params, deps := in.Params(), in.Deps()
		n := 1 + int(params[len(params)-1])
		body(c, paramsOf[P](in), at[A](firstOf(in), 0), List[B]{deps[1:n]}, List[C]{deps[n:]})
		return guid.GUID{}
	}
}

// New creates an EDT of the task, which gets these sources.
func (t *TaskN[P, A, B, C, T0, T1, T2]) New(c *edt.Ctx, p P, first Source[T0], list []Source[T1],
	second []Source[T2]) guid.GUID {
	return t.NewWith(c, Opt{}, p, first, list, second)
}

// NewWith is New with options.
func (t *TaskN[P, A, B, C, T0, T1, T2]) NewWith(c *edt.Ctx, o Opt, p P, first Source[T0], list []Source[T1],
	second []Source[T2]) guid.GUID {
	w := padded[P]{p: p}
	params, deps := t.lists(w.words(), first, list, second)
	return t.core.spawn(c, &o, params, deps...)
}

// lists returns the parameters and sources of an EDT: the length of the first list comes behind the parameters.
func (t *TaskN[P, A, B, C, T0, T1, T2]) lists(params []uint64, first Source[T0], list []Source[T1],
	second []Source[T2]) ([]uint64, []edt.Source) {
	deps := []edt.Source{t.core.from(0, first.id())}
	for _, s := range list {
		deps = append(deps, t.core.from(1, s.id()))
	}
	for _, s := range second {
		deps = append(deps, t.core.from(2, s.id()))
	}
	return append(params, uint64(len(list))), deps
}

// Again makes the EDT that runs, one of this task, go on as a new one with as many slots; see
// [edt.Ctx.Again]. The zero Source keeps what is on a slot, and a list that is shorter than the slots
// what is on the others.
func (t *TaskN[P, A, B, C, T0, T1, T2]) Again(c *edt.Ctx, p P, first Source[T0], list []Source[T1],
	second []Source[T2]) {
	c.CheckRuns(t.core.template)
	w, params := padded[P]{p: p}, c.Args().Params()
	n := int(params[len(params)-1])
	if len(list) > n {
		c.Misuse("go on", edt.ErrCount, c.Self(), "%d sources for a list of %d slots", len(list), n)
	}
	changes := changed(make([]edt.Change, 0, 8), 0, []Source[T0]{first})
	changes = changed(changes, 1, list)
	c.Again(changed(changes, 1+n, second)...)
	copy(params, w.words())
}

// changed appends the changes of slots from at on to the sources that do not keep what a slot has.
func changed[T any](changes []edt.Change, at int, sources []Source[T]) []edt.Change {
	for k, s := range sources {
		if !s.keeps() {
			changes = append(changes, edt.Change{Slot: at + k, Source: s.id()})
		}
	}
	return changes
}

// declareList is declare for a slot and two lists.
func declareList[P any](name string, first, list, second SlotType) of[P] {
	t := declare[P](name, true, first, list, second)
	t.core.template.NameSlots(first.String(), fmt.Sprintf("%v, then %v", list, second))
	if list.element != second.element {
		t.core.template.TypeSlots(first.element, nil) // where the second list begins each EDT says
	}
	return t
}
