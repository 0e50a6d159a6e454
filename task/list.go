package task

import (
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A List has the slots of a [TaskN]'s EDT behind the first: slots of one type, one for each source in New's list.
type List[S any] struct{ deps []datablock.Dep }

// Len returns how many slots the list has.
func (l List[S]) Len() int { return len(l.deps) }

// At returns slot i of the list.
func (l List[S]) At(i int) S { return at[S](unsafe.Pointer(&l.deps[i]), 0) }

// TaskN is a [Task0] with one slot, and a list of slots whose length each creation chooses.
type TaskN[P any, A slot[T0], B slot[T1], T0, T1 any] struct{ of[P] }

// DeclareN is [Declare0] for a slot and a list.
func DeclareN[P any, A slot[T0], B slot[T1], T0, T1 any](name string) *TaskN[P, A, B, T0, T1] {
	return &TaskN[P, A, B, T0, T1]{declare[P](name, true, slotTypeOf[A, T0](), slotTypeOf[B, T1]())}
}

// DefineN is [Define0] for a slot and a list.
func DefineN[P any, A slot[T0], B slot[T1], T0, T1 any](name string,
	body func(*edt.Ctx, P, A, List[B])) *TaskN[P, A, B, T0, T1] {
	return DeclareN[P, A, B](name).Body(body)
}

// Body is [Task0.Body].
func (t *TaskN[P, A, B, T0, T1]) Body(body func(*edt.Ctx, P, A, List[B])) *TaskN[P, A, B, T0, T1] {
	t.core.template.Define(runN(body), body, callersToApp())
	return t
}

//go:noinline
func runN[P, A, B any](body func(*edt.Ctx, P, A, List[B])) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, paramsOf[P](in), at[A](firstOf(in), 0), List[B]{in.Deps()[1:]})
		return guid.GUID{}
	}
}

// New is [Task1.New]. The EDT has a first slot, and one slot for each source of the list.
func (t *TaskN[P, A, B, T0, T1]) New(c *edt.Ctx, p P, first Source[T0], list []Source[T1], o ...Opt) guid.GUID {
	w, deps := padded[P]{p: p}, t.sources(first, list)
	if len(o) > 0 {
		return t.core.newWith(c, o, w.words(), deps...)
	}
	return c.NewFlat(t.core.template, unsafe.Pointer(&w), deps...)
}

func (t *TaskN[P, A, B, T0, T1]) sources(first Source[T0], list []Source[T1]) []edt.Source {
	deps := append(make([]edt.Source, 0, 1+len(list)), t.core.from(0, first.id()))
	for _, s := range list {
		deps = append(deps, t.core.from(1, s.id()))
	}
	return deps
}

// Again is [Task1.Again]; the EDT keeps its number of slots. If list is shorter than the EDT's list, the other slots
// keep what is on them.
func (t *TaskN[P, A, B, T0, T1]) Again(c *edt.Ctx, p P, first Source[T0], list []Source[T1]) {
	c.CheckRuns(t.core.template)
	w, sources := padded[P]{p: p}, append(make([]Source[Nothing], 0, 8), Source[Nothing](first))
	if slots := len(c.Args().Deps()) - 1; len(list) > slots {
		c.Misuse("go on", edt.ErrCount, c.Self(), "%d sources for a list of %d slots", len(list), slots)
	}
	for _, s := range list {
		sources = append(sources, Source[Nothing](s))
	}
	t.core.again(c, w.words(), sources...)
}

// Add is [Task0.Add].
//
//go:noinline
func (t *TaskN[P, A, B, T0, T1]) Add(g *Graph, p P, first Source[T0], list []Source[T1]) Node {
	w := padded[P]{p: p}
	return g.r.Add(t.core.template, w.words(), t.sources(first, list)...)
}
