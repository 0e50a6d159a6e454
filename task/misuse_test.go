package task_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
	"ocr/task"
)

var (
	reads  = task.Define1("misuse.reads", func(*edt.Ctx, task.Nothing, task.RO[int]) {})
	wrong  = task.Define1("misuse.again", func(c *edt.Ctx, _ task.Nothing, _ task.RO[int]) { again(c) })
	beyond = task.Define1("misuse.index", func(_ *edt.Ctx, p where, b task.RO[int]) { _ = b.At(p.Col) })
	narrow = task.Define1("misuse.header", func(_ *edt.Ctx, _ task.Nothing, b task.RO[parts]) { _ = task.Rest(b) })
)

var lists = task.DeclareN[task.Nothing, task.After, task.RO[int], task.RO[int]]("misuse.lists")

var _ = lists.Body(func(c *edt.Ctx, _ task.Nothing, _ task.After, _ task.List[task.RO[int]], _ task.List[task.RO[int]]) {
	lists.Again(c, task.Nothing{}, task.Source[task.Nothing]{}, []task.Source[int]{task.None[int]()}, nil)
})

func again(c *edt.Ctx) { reads.Again(c, task.Nothing{}, task.None[int]()) }

// TestMisuse: what is wrong is said with the line of this file, and the condition.
func TestMisuse(t *testing.T) {
	for name, m := range map[string]struct {
		body  func(c *edt.Ctx)
		cause error
		want  string
	}{
		"zero Source":       {func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.Source[int]{}) }, edt.ErrNoSource, "slot 0 (RO int) got the zero Source"},
		"zero Source later": {func(c *edt.Ctx) { reads.NewOpen(c, task.Nothing{}).Slot0().Connect(c, task.Source[int]{}) }, edt.ErrNoSource, "the zero Source, Event"},
		"zero Event":        {func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.Event[int]{}.From()) }, edt.ErrNoSource, "slot 0 (RO int) got the zero Source, Event or Block"},
		"zero Block":        {func(c *edt.Ctx) { reads.New(c, task.Nothing{}, task.Block[int]{}.From()) }, edt.ErrNoSource, "slot 0 (RO int) got the zero Source, Event or Block"},
		"zero Port":         {func(c *edt.Ctx) { task.Port[int]{}.Signal(c) }, edt.ErrKind, "Null"},
		"pointers in block": {func(c *edt.Ctx) { task.Make[[]string](c, 1) }, edt.ErrPointer, "elements []string: []string is or holds a pointer"},
		"field with one":    {func(c *edt.Ctx) { task.Reserve[struct{ A, B *int }](c, 1) }, edt.ErrPointer, "field A: *int"},
		"in a header":       {func(c *edt.Ctx) { task.MakeHeaded[string, int](c, 1) }, edt.ErrPointer, "string is or holds a pointer"},
		"no bytes":          {func(c *edt.Ctx) { task.Make[task.Nothing](c, 1) }, edt.ErrSize, "have no bytes"},
		"no elements":       {func(c *edt.Ctx) { task.Make[int](c, 0) }, edt.ErrSize, "0 bytes"},
		"negative":          {func(c *edt.Ctx) { task.Make[int](c, -1) }, edt.ErrSize, "-1 elements of 8 bytes"},
		"too many":          {func(c *edt.Ctx) { task.Make[int](c, 1<<60) }, edt.ErrSize, "elements of 8 bytes"},
		"another task goes on": {func(c *edt.Ctx) { wrong.New(c, task.Nothing{}, task.None[int]()) },
			edt.ErrKind, "the EDT is not one of template misuse.reads"},
		"more sources than slots": {func(c *edt.Ctx) { lists.New(c, task.Nothing{}, task.None[task.Nothing](), nil, nil) },
			edt.ErrCount, "1 sources for a list of 0 slots"},
		"sent twice": {func(c *edt.Ctx) {
			b, _ := task.Make[int](c, 1)
			task.Sticky[int](c).Send(c, b)
			task.Sticky[int](c).Send(c, b)
		}, edt.ErrNotHeld, "by this EDT"},
	} {
		t.Run(name, func(t *testing.T) {
			err := runtime.Run(t.Context(), program(m.body))
			var misuse *edt.Error
			if !errors.As(err, &misuse) {
				t.Fatalf("run ended with %v", err)
			}
			if !errors.Is(err, m.cause) || !strings.Contains(err.Error(), m.want) || misuse.File != "misuse_test.go" || misuse.Line == 0 {
				t.Errorf("%v\nwant %v, %q, in misuse_test.go", err, m.cause, m.want)
			}
		})
	}
}

// TestPanics: a panic in the layer names the app's line.
func TestPanics(t *testing.T) {
	for want, body := range map[string]func(c *edt.Ctx){
		"index out of range [7] with length 2": func(c *edt.Ctx) {
			b, _ := task.Make[int](c, 2)
			beyond.New(c, where{1, 7}, b.From())
		},
		"the block on the slot is shorter than its head": func(c *edt.Ctx) {
			narrow.New(c, task.Nothing{}, task.Block[parts](task.Reserve[int](c, 1)).From())
		},
	} {
		err := runtime.Run(t.Context(), program(body))
		var panicked *edt.PanicError
		if !errors.As(err, &panicked) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(panicked.Site, "misuse_test.go:") {
			t.Errorf("%v\nwant %q in misuse_test.go", err, want)
		}
	}
}

// faulty declarations end every run of their process, so each is made in a process of its own.
var faulty = map[string]struct {
	declare func()
	want    string
}{
	"no body":        {func() { task.Declare0[where]("fault") }, "edt: declare fault: no body"},
	"two bodies":     {func() { twice().Body(func(*edt.Ctx, where) {}) }, "edt: define fault: a second body"},
	"pointer":        {func() { task.Define0("fault", func(*edt.Ctx, struct{ Name string }) {}) }, "edt: declare fault: not flat data: parameters struct { Name string }: field Name: string is or holds a pointer"},
	"pointer, list":  {func() { task.DeclareN[*int, task.After, task.After, task.After]("fault") }, "parameters *int: *int is or holds a pointer"},
	"element":        {func() { task.Define1("fault", func(*edt.Ctx, int, task.RW[any]) {}) }, "slot 0, RW interface {}: interface {} is or holds a pointer"},
	"empty element":  {func() { task.Define1("fault", func(*edt.Ctx, int, task.Const[task.Nothing]) {}) }, "an element has no bytes"},
	"header element": {func() { task.Define1("fault", func(*edt.Ctx, int, task.RO[task.Headed[int, string]]) {}) }, "string is or holds a pointer"},
}

func twice() *task.Task0[where] { return task.Define0("fault", func(*edt.Ctx, where) {}) }

const faultVariable = "OCR_TASK_TEST_FAULT"

func TestFaultyDeclarations(t *testing.T) {
	if name := os.Getenv(faultVariable); name != "" {
		faulty[name].declare()
		err := runtime.Run(t.Context(), func(*edt.Ctx, edt.Args) guid.GUID { panic("the run began") })
		fmt.Println(err)
		return
	}
	for name, f := range faulty {
		t.Run(name, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=TestFaultyDeclarations")
			child.Env = append(os.Environ(), faultVariable+"="+name)
			out, err := child.Output()
			line, _, _ := strings.Cut(string(out), "\n")
			if err != nil || !strings.Contains(line, f.want) || !strings.Contains(line, "(misuse_test.go:") {
				t.Errorf("%v, %s\nwant %q and the line", err, out, f.want)
			}
		})
	}
}
