package task_test

import (
	"fmt"
	"testing"
	"time"

	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
	"ocr/runtime/finding"
	"ocr/task"
)

// Reports show a task's name, the fields of an EDT's parameters, and the mode and type of its slots.
type where struct{ Row, Col int }

var (
	waits = task.Define2("test.waits", func(*edt.Ctx, where, task.RO[int], task.After) {})
	lists = task.DefineN("test.waits-list", func(*edt.Ctx, where, task.EW[pair], task.List[task.RO[byte]]) {})
	// scribbles writes a block that it may only read.
	scribbles = task.Define2("test.scribbles", func(c *edt.Ctx, _ where, _ task.After, b task.RO[int]) {
		b.Slice()[1] = 1
		b.Destroy(c)
	})
)

// TestLabels: a label receives the parameters, whatever their type is, and replaces their fields.
func TestLabels(t *testing.T) {
	number := task.Define0("test.number", func(*edt.Ctx, int) {})
	at := task.Define1("test.at", func(*edt.Ctx, where, task.After) {})
	bare := task.Define0("test.bare", func(*edt.Ctx, struct{}) {})
	list := task.DefineN("test.list", func(*edt.Ctx, [3]byte, task.After, task.List[task.After]) {})
	for _, c := range []struct {
		template     *edt.Template
		params       []uint64
		fields, want string
		label        func()
	}{
		{number.Template(), []uint64{3}, "3", "number 3", func() {
			number.Label(func(n int) string { return fmt.Sprint("number ", n) })
		}},
		{at.Template(), []uint64{3, 7}, "row 3, col 7", "3/7", func() {
			at.Label(func(w where) string { return fmt.Sprintf("%d/%d", w.Row, w.Col) })
		}},
		{bare.Template(), nil, "", "the only one", func() { bare.Label(func(struct{}) string { return "the only one" }) }},
		{list.Template(), []uint64{0x201}, "[1 2 0]", "1+2", func() {
			list.Label(func(p [3]byte) string { return fmt.Sprintf("%d+%d", p[0], p[1]) })
		}},
	} {
		testrun.Equal(t, c.fields, c.template.About(c.params, nil), "%s", c.template.Name())
		if c.label(); c.template.About(c.params, nil) != c.want {
			t.Errorf("%s, with a label: %q, want %q", c.template.Name(), c.template.About(c.params, nil), c.want)
		}
		if len(c.params) > 0 && c.template.About(nil, nil) != "" {
			t.Errorf("%s, without the parameters: %q", c.template.Name(), c.template.About(nil, nil))
		}
	}
}

// owing is parameters that name objects, in exported and in unexported fields.
type owing struct {
	Out   task.Event[int]
	To    task.Port[int]
	none  task.Block[int]
	pair  [2]task.Event[int]
	inner struct {
		after time.Duration
		block task.Block[byte]
	}
	task.Latch
	ID int
	_  int
}

var (
	owes  = task.Define1("test.owes", func(*edt.Ctx, owing, task.After) {})
	owes1 = task.Define1("test.owes-one", func(*edt.Ctx, task.Event[int], task.After) {})
)

// TestParametersThatNameObjects: reports show an object in a parameter by its kind and name, in any field.
func TestParametersThatNameObjects(t *testing.T) {
	var want []string
	err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		join := waits.NewOpen(c, where{})
		p := owing{Out: task.Sticky[int](c), To: join.Slot0(), Latch: task.NewLatch(c, 1), ID: 7}
		p.none, p.pair[1] = task.Block[int]{}, p.Out
		p.inner.after, p.inner.block = time.Second, task.Reserve[byte](c, 1)
		owes.NewOpen(c, p)
		owes1.NewOpen(c, p.Out)
		all := fmt.Sprintf("out event %v, to slot 0 of EDT %v, none none, pair [none event %[1]v], "+
			"inner {after 1s, block data block %[3]v}, event %[4]v, ID 7", p.Out, join, p.inner.block, p.Latch)
		want = []string{"row 0, col 0", all, fmt.Sprintf("event %v", p.Out)}
	}), runtime.Workers(1))
	var got []string
	for _, w := range testrun.As[*edt.StuckError](t, err).Waiting {
		got = append(got, w.About)
	}
	testrun.Same(t, want, got)
}

func TestStuckReportNames(t *testing.T) {
	err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		waits.NewOpen(c, where{3, 7})
		never := task.Sticky[int](c)
		waits.New(c, where{4, 8}, never.From(), task.None[task.Nothing]())
		open := []task.Source[byte]{task.Open[byte](), task.Open[byte]()}
		lists.New(c, where{5, 9}, task.Open[pair](), open)
	}))
	testrun.Contains(t, testrun.As[*edt.StuckError](t, err).Error(),
		"of template test.waits (row 3, col 7)", "slot 0 (RO int): not connected", "slot 1 (After): not connected",
		"of template test.waits (row 4, col 8)", "slot 0 (RO int): sticky event",
		"of template test.waits-list (row 5, col 9)", "slot 0 (EW task_test.pair): not connected",
		"slot 2 (RO uint8): not connected")
}

func TestCheckModeNames(t *testing.T) {
	err := runtime.Run(t.Context(), program(func(c *edt.Ctx) {
		b := task.Of(c, 1, 2)
		b.Release(c)
		scribbles.New(c, where{3, 7}, task.None[task.Nothing](), b.From())
	}), runtime.Check())
	faults := testrun.As[*finding.Error](t, err).Findings
	testrun.Equal(t, 1, len(faults), "faults")
	testrun.Contains(t, faults[0].String(), "of template test.scribbles (row 3, col 7)",
		"held in mode RO on slot 1 (RO int)", "names_test.go:")
}
