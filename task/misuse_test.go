package task_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/task"
)

var (
	reads  = task.Define1("misuse.reads", func(*edt.Ctx, task.Nothing, task.RO[int]) {})
	wrong  = task.Define1("misuse.again", func(c *edt.Ctx, _ task.Nothing, _ task.RO[int]) { again(c) })
	beyond = task.Define1("misuse.index", func(_ *edt.Ctx, p where, b task.RO[int]) { _ = b.At(p.Col) })
	narrow = task.Define1("misuse.header", func(_ *edt.Ctx, _ task.Nothing, b task.RO[parts]) { _ = task.Rest(b) })
	many   = task.DefineN("misuse.list", func(*edt.Ctx, where, task.After, task.List[task.RW[int]]) {})
	does   = task.Define1("misuse.does", func(c *edt.Ctx, _ int, b rw) { deed(c, b) })
)

var listed = task.DeclareN[task.Nothing, task.After, task.RO[int]]("misuse.listed")

var _ = listed.Body(func(c *edt.Ctx, _ task.Nothing, _ task.After, _ task.List[task.RO[int]]) {
	listed.Again(c, task.Nothing{}, task.Source[task.Nothing]{}, []task.Source[int]{task.None[int]()})
})

var noPlaces = edt.NewBlocking(0)

// deed is the body of an EDT of the task does.
var deed func(c *edt.Ctx, b rw)

// with returns a program whose EDT runs f with a block on its slot; the EDT of without's program has no block.
func with(f func(c *edt.Ctx, b rw)) func(c *edt.Ctx) {
	return func(c *edt.Ctx) {
		deed = f
		does.New(c, 0, number(c, 0).From())
	}
}

func without(f func(c *edt.Ctx, b rw)) func(c *edt.Ctx) {
	return func(c *edt.Ctx) {
		deed = f
		does.New(c, 0, task.None[int]())
	}
}

func slices1(_ *edt.Ctx, b rw) { _ = b.Slice()[:1] }

func usesReleased(c *edt.Ctx, b rw) {
	b.Release(c)
	b.Slice()[0]++
}

func again(c *edt.Ctx) { reads.Again(c, task.Nothing{}, task.None[int]()) }

// TestMisuse: the error of each mistake has its condition, and the line in this file. The tests of package edt have the
// mistakes that the layer passes on.
func TestMisuse(t *testing.T) {
	for name, m := range map[string]struct {
		body  func(c *edt.Ctx)
		cause error
		want  string
	}{
		"zero Source": {func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.Source[int]{}) },
			edt.ErrNoSource, "slot 0 (RO int) got the zero Source"},
		"zero Source later": {
			func(c *edt.Ctx) { reads.NewOpen(c, task.Nothing{}).Slot0().Connect(c, task.Source[int]{}) },
			edt.ErrNoSource, "slot 0 (RO int) got the zero Source, Event or Block"},
		"zero Event": {func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.Event[int]{}.From()) },
			edt.ErrNoSource, "slot 0 (RO int) got the zero Source, Event or Block"},
		"zero Block": {func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.Block[int]{}.From()) },
			edt.ErrNoSource, "slot 0 (RO int) got the zero Source, Event or Block"},
		"pointers in block": {func(c *edt.Ctx) { task.Make[[]string](c, 1) },
			edt.ErrPointer, "elements []string: []string is or holds a pointer"},
		"field with one": {func(c *edt.Ctx) { task.Reserve[struct{ A, B *int }](c, 1) },
			edt.ErrPointer, "field A: *int"},
		"in a header": {func(c *edt.Ctx) { task.MakeHeaded[string, int](c, 1) },
			edt.ErrPointer, "string is or holds a pointer"},
		"no bytes": {func(c *edt.Ctx) { task.Make[task.Nothing](c, 1) }, edt.ErrSize, "have no bytes"},
		"negative": {func(c *edt.Ctx) { task.Make[int](c, -1) }, edt.ErrSize, "-1 elements of 8 bytes"},
		"too many": {func(c *edt.Ctx) { task.Make[int](c, 1<<60) }, edt.ErrSize, "elements of 8 bytes"},
		"no places": {
			func(c *edt.Ctx) { task.Blocking(c, noPlaces, func(context.Context) ([]int, error) { return nil, nil }) },
			edt.ErrCount, "a Blocking of 0 places, made at misuse_test.go:"},
		"result has pointers": {func(c *edt.Ctx) {
			task.Blocking(c, edt.NewBlocking(1), func(context.Context) ([]pointing, error) { return nil, nil })
		},
			edt.ErrPointer, "string is or holds a pointer"},
		"another task goes on": {func(c *edt.Ctx) { wrong.New(c, task.Nothing{}, task.None[int]()) },
			edt.ErrKind, "the EDT is not one of template misuse.reads"},
		"more sources than slots": {
			func(c *edt.Ctx) { listed.New(c, task.Nothing{}, task.None[task.Nothing](), nil) },
			edt.ErrCount, "1 sources for a list of 0 slots"},
		"zero Source in a list": {func(c *edt.Ctx) {
			b, _ := task.Make[int](c, 1)
			many.New(c, where{3, 7}, task.None[task.Nothing](), []task.Source[int]{b.From(), {}})
		}, edt.ErrNoSource, "slot 2 (RW int) got the zero Source"},
		"two options": {
			func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.None[int](), task.Opt{}, task.Opt{}) },
			edt.ErrCount, "2 options, need at most 1"},
		"zero Source, with options": {
			func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.Source[int]{}, task.Opt{Priority: 1}) },
			edt.ErrNoSource, "slot 0 (RO int)"},
		"port twice": {func(c *edt.Ctx) {
			p := waits.NewOpen(c, where{3, 7}).Slot0()
			p.Signal(c)
			p.Signal(c)
		}, edt.ErrSlotTaken, "slot 0"},
		"slot sent, released": {with(func(c *edt.Ctx, b rw) { b.Release(c); b.SendTo(c, task.Sticky[int](c)) }),
			edt.ErrNotHeld, "slot 0 (RW int): released before"},
		"no block sent": {without(func(c *edt.Ctx, b rw) { b.SendTo(c, task.Sticky[int](c)) }),
			edt.ErrKind, "slot 0 (RW int): no block came"},
		"no block released": {without(func(c *edt.Ctx, b rw) { b.Release(c) }),
			edt.ErrKind, "slot 0 (RW int): no block came"},
		"another, by its last slot": {with(func(c *edt.Ctx, b rw) { reads.AgainLast(c, task.None[int]()) }),
			edt.ErrKind, "the EDT is not one of template misuse.reads"},
		"another, by its list": {with(func(c *edt.Ctx, b rw) {
			listed.Again(c, task.Nothing{}, task.Source[task.Nothing]{}, []task.Source[int]{task.None[int]()})
		}), edt.ErrKind, "the EDT is not one of template misuse.listed"},
		"another of the same number": {func(c *edt.Ctx) {
			old := task.Func0(c, "old", func(*edt.Ctx, int) {})
			c.DestroyTemplate(old.Template())
			task.Func0(c, "new", func(c *edt.Ctx, _ int) { old.Again(c, 7) }).New(c, 1)
		}, edt.ErrKind, "the EDT is not one of template old"},
		"another of the same number, by its last slot": {func(c *edt.Ctx) {
			old := task.Func1(c, "old", func(*edt.Ctx, int, rw) {})
			c.DestroyTemplate(old.Template())
			last := func(c *edt.Ctx, _ int, _ rw) { old.AgainLast(c, task.Sticky[int](c).From()) }
			task.Func1(c, "new", last).New(c, 1, task.None[int]())
		}, edt.ErrKind, "the EDT is not one of template old"},
		"goes on, open": {with(func(c *edt.Ctx, b rw) { does.AgainLast(c, task.Open[int]()) }),
			edt.ErrKind, "an open slot, for slot 0"},
		"goes on, zero Source": {with(func(c *edt.Ctx, b rw) { does.AgainLast(c, task.Source[int]{}) }),
			edt.ErrNoSource, "go on: no source: the zero Source"},
		"node gets zero Source": {func(c *edt.Ctx) {
			graph := task.NewGraph(c)
			reads.Add(graph, task.Nothing{}, task.Source[int]{})
			graph.Seal(c)
		}, edt.ErrNoSource, "slot 0: the zero Source"},
		"node gets zero Source in a list": {func(c *edt.Ctx) {
			graph := task.NewGraph(c)
			many.Add(graph, where{3, 7}, task.None[task.Nothing](), []task.Source[int]{{}})
			graph.Seal(c)
		}, edt.ErrNoSource, "slot 1: the zero Source"},
		"nil graph":  {func(c *edt.Ctx) { (*task.Graph)(nil).Seal(c) }, edt.ErrKind, "nil, zero or destroyed"},
		"zero graph": {func(c *edt.Ctx) { new(task.Graph).Destroy(c) }, edt.ErrKind, "nil, zero or destroyed"},
	} {
		t.Run(name, func(t *testing.T) {
			err := runtime.Run(t.Context(), program(m.body), runtime.Workers(1))
			var misuse *edt.Error
			if !errors.As(err, &misuse) {
				t.Fatalf("run ended with %v", err)
			}
			if !errors.Is(err, m.cause) || !strings.Contains(err.Error(), m.want) || misuse.File != "misuse_test.go" ||
				misuse.Line == 0 {
				t.Errorf("%v\nwant %v, %q, in misuse_test.go", err, m.cause, m.want)
			}
		})
	}
}

// declareAgain is a body that declares a task, under a name that is taken.
func declareAgain(*edt.Ctx) {
	task.Define1("misuse.reads", func(*edt.Ctx, task.Nothing, task.RO[int]) {})
}

// TestPanics: a panic in the layer names the app's line.
func TestPanics(t *testing.T) {
	for want, body := range map[string]func(c *edt.Ctx){
		"index out of range [7] with length 0: slot 0 (RO int) brought no block": func(c *edt.Ctx) {
			beyond.New(c, where{1, 7}, task.None[int]())
		},
		"slot 0 (RW int) taken already, or sent":                                                       with(usesReleased),
		"[:1] with capacity 0: slot 0 (RW int)":                                                        without(slices1),
		`"misuse.reads": the name is taken (misuse_test.go:18). Templates and tasks are declared once`: declareAgain,
		"is a task or template of its run: task.Func1 or Ctx.NewTemplate makes one":                    declareAgain,
		"task.Task1.Add was called on a nil or zero value, or given one": func(c *edt.Ctx) {
			reads.Add(nil, task.Nothing{}, task.None[int]())
		},
		"no recorded graph": func(c *edt.Ctx) { reads.Add(new(task.Graph), task.Nothing{}, task.None[int]()) },
		"a recorded graph was changed after Seal or Run": func(c *edt.Ctx) {
			graph := task.NewGraph(c)
			n := reads.Add(graph, task.Nothing{}, task.None[int]())
			graph.Run(c, 1, task.Event[task.Nothing]{})
			n.Pass0()
		},
		"index out of range [7] with length 2": func(c *edt.Ctx) {
			b, _ := task.Make[int](c, 2)
			beyond.New(c, where{1, 7}, b.From())
		},
		"the block on the slot is shorter than its head": func(c *edt.Ctx) {
			narrow.New(c, task.Nothing{}, task.Block[parts](task.Reserve[int](c, 1)).From())
		},
	} {
		err := runtime.Run(t.Context(), program(body))
		testrun.Contains(t, fmt.Sprint(err), want)
		testrun.Contains(t, testrun.As[*edt.PanicError](t, err).Site, "misuse_test.go:")
	}
}

// pointing is a type of elements that have pointers. The tests share it: to compile each type of elements takes long.
type pointing = task.Headed[int, string]

// Faulty declarations end every run of their process, so each is tried in its own process.
var faulty = map[string]testrun.Faulty{
	"no body":    {func() { task.Declare0[where]("fault") }, "edt: declare fault: no body"},
	"two bodies": {func() { twice().Body(func(*edt.Ctx, where) {}) }, "edt: define fault: a second body"},
	"pointer": {func() {
		task.Define0("fault", func(*edt.Ctx, struct{ Name string }) {})
	}, "edt: declare fault: not flat data: parameters struct { Name string }: field Name: string is or holds a pointer"},
	"pointer, list": {func() {
		task.DeclareN[*int, task.After, task.After]("fault")
	}, "parameters *int: *int is or holds a pointer"},
	"no body, list": {func() {
		task.DeclareN[where, task.After, task.After]("fault")
	}, "edt: declare fault: no body"},
	"list element": {func() {
		task.DefineN("fault", func(*edt.Ctx, int, task.After, task.List[task.RO[pointing]]) {})
	}, "slot 1, RO task.Headed[int,string]: field _: string is or holds a pointer"},
	"empty element": {func() {
		task.Define1("fault", func(*edt.Ctx, int, task.Const[task.Nothing]) {})
	}, "size out of range: slot 0, Const: an element has no bytes"},
	"two fields": {func() {
		task.Define1("fault", func(*edt.Ctx, int, twoFields) {})
	}, "wrong kind of object: slot 0, twoFields int: a slot type has one field alone: a slot of package task"},
	"pointer to a slot": {func() {
		task.Define1("fault", func(*edt.Ctx, int, *task.RW[int]) {})
	}, "a slot type has one field alone"},
	"embedded pointer": {func() {
		task.Define1("fault", func(*edt.Ctx, int, struct{ *task.RW[int] }) {})
	}, "a slot type has one field alone"},
	"interface": {func() {
		task.Define1("fault", func(*edt.Ctx, int, task.Slot[int]) {})
	}, "slot 0, Slot int: a slot type has one field alone"},
	"element": {func() {
		task.Define1("fault", func(*edt.Ctx, int, task.RO[pointing]) {})
	}, "slot 0, RO task.Headed[int,string]: field _: string is or holds a pointer"},
}

type twoFields struct {
	task.RW[int]
	_ int
}

func twice() *task.Task0[where] { return task.Define0("fault", func(*edt.Ctx, where) {}) }

func TestFaultyDeclarations(t *testing.T) {
	testrun.FaultyDeclarations(t, "TestFaultyDeclarations", "misuse_test.go", faulty, func() error {
		return runtime.Run(t.Context(), func(*edt.Ctx, edt.Args) guid.GUID { panic("the run began") })
	})
}
