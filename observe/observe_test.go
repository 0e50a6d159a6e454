package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/observe"
	"ocr/runtime"
	"ocr/task"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type cell struct{ Row, Col int }

var sweep = task.Declare0[cell]("observe.sweep")

var _ = sweep.Body(func(c *edt.Ctx, p cell) {
	if p.Col < 3 {
		sweep.New(c, cell{p.Row, p.Col + 1})
	}
	if p.Row == 7 {
		panic("row 7")
	}
})

var _ = sweep.Label(func(p cell) string { return fmt.Sprintf("(%d,%d)", p.Row, p.Col) })

// rows sweeps n rows of four cells.
func rows(n int) edt.Func {
	return task.Main(func(c *edt.Ctx) {
		for row := range n {
			sweep.New(c, cell{row, 0})
		}
	})
}

// An observed has one of each observer.
type observed struct {
	trace observe.Trace
	stats observe.Stats
	graph observe.Graph
}

func (o *observed) option() runtime.Option {
	return runtime.Options(o.trace.Option(), o.stats.Option(), o.graph.Option())
}

// text is what an observer writes.
func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	testrun.OK(t, write(&b))
	return b.String()
}

// slices returns the names and labels of a trace's EDTs, and how the run ended.
func (o *observed) slices(t *testing.T) (names []string, ending string) {
	t.Helper()
	var file struct {
		OtherData   struct{ Ending string }
		TraceEvents []struct {
			Ph, Cat, Name string
			Args          struct{ Label string }
		}
	}
	testrun.OK(t, json.Unmarshal([]byte(text(t, o.trace.Write)), &file))
	for _, e := range file.TraceEvents {
		if e.Ph == "X" && e.Cat == "edt" {
			names = append(names, strings.TrimSpace(e.Name+" "+e.Args.Label))
		}
	}
	return names, file.OtherData.Ending
}

// TestRunsOfAPool: observers keep the latest run, however it ended, with the app's labels.
func TestRunsOfAPool(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var o observed
		pool, err := runtime.New(runtime.Workers(workers), o.option())
		testrun.OK(t, err)
		defer pool.Close()
		for _, n := range []int{2, 5} {
			testrun.OK(t, pool.Run(t.Context(), rows(n)))
			names, ending := o.slices(t)
			created, drawn := o.graph.Size()
			if len(names) != 1+4*n || ending != "" || o.stats.Result().EDTs != uint64(len(names)) ||
				len(o.stats.Result().Workers) != workers ||
				created != uint64(4*n+1) || drawn != len(names) {
				t.Errorf("%d rows: %d slices, ending %q; %+v; %d EDTs, %d drawn", n, len(names), ending, o.stats.Result(), created,
					drawn)
			}
			label := fmt.Sprintf("observe.sweep (%d,3)", n-1)
			testrun.Contains(t, strings.Join(names, "\n"), label)
			testrun.Contains(t, text(t, o.graph.WriteDOT), strings.Replace(label, " ", `\n`, 1))
			testrun.Contains(t, text(t, o.stats.WriteText), "average parallelism", "observe.sweep")
		}
		testrun.As[*edt.PanicError](t, pool.Run(t.Context(), rows(8)))
		_, ending := o.slices(t)
		testrun.Contains(t, ending, "row 7")
	}
}

// TestUseByTwoRuns: a second run cannot use an observer that a run uses, and can when the first has ended.
func TestUseByTwoRuns(t *testing.T) {
	var o observed
	for name, option := range map[string]runtime.Option{
		"Trace": o.trace.Option(), "Stats": o.stats.Option(), "Graph": o.graph.Option(),
	} {
		second := func(opts ...runtime.Option) error {
			return runtime.Run(t.Context(), rows(1), append(opts, runtime.Workers(2), option)...)
		}
		want := "runtime: observe." + name + ": another run uses it: give each run its own"
		testrun.OK(t, runtime.Run(t.Context(), task.Main(func(*edt.Ctx) {
			testrun.Equal(t, want, fmt.Sprint(second()))
		}), runtime.Workers(2), option))
		testrun.Equal(t, want, fmt.Sprint(second(option)), "given twice to a run")
		func() {
			defer func() { recover() }() // a function of the program panics before the run begins
			_ = second(runtime.Observe(func(*edt.Worker) edt.Observer { panic(name) }))
		}()
		testrun.OK(t, second(), "%s after other runs", name)
	}
}

// TestBounds: what observers keep is bounded, and they say how much is missing.
func TestBounds(t *testing.T) {
	o := observed{graph: observe.Graph{Limit: 4}}
	main := task.Main(func(c *edt.Ctx) {
		for range 20_000 {
			sweep.New(c, cell{})
		}
	})
	testrun.OK(t, runtime.Run(t.Context(), main, runtime.Workers(1), o.option()))
	if missing := o.trace.Missing(); len(missing) != 1 || missing[0] == 0 {
		t.Errorf("missing %v", missing)
	}
	if names, _ := o.slices(t); len(names) > 1<<16 {
		t.Errorf("%d slices", len(names))
	}
	if created, drawn := o.graph.Size(); created != 80_001 || drawn != 4 {
		t.Errorf("%d EDTs, %d drawn", created, drawn)
	}
}

// TestNoRun: observers have nothing to write before a run, nor after a run that did not begin.
func TestNoRun(t *testing.T) {
	var o observed
	done, cancel := context.WithCancel(t.Context())
	cancel()
	testrun.Is(t, runtime.Run(done, rows(1), o.option()), context.Canceled)
	for name, write := range map[string]func(io.Writer) error{"trace": o.trace.Write, "stats": o.stats.WriteText,
		"graph": o.graph.WriteDOT} {
		testrun.Is(t, write(io.Discard), observe.ErrNoRun, "%s", name)
	}
	if created, drawn := o.graph.Size(); created != 0 || drawn != 0 ||
		o.trace.Missing() != nil || o.stats.Result().EDTs != 0 {
		t.Error("something was found of no run")
	}
}

// TestAnotherHost: a schedule of edttest is observed as a run is.
func TestAnotherHost(t *testing.T) {
	var o observed
	h := edttest.New(7, edt.Config{Workers: 2, Observe: edt.ObserveAll(o.trace.Observe, o.stats.Observe, o.graph.Observe)})
	defer h.Graph.Close()
	err := h.Run(func(c *edt.Ctx, in edt.Args) guid.GUID { return rows(2)(c, in) })
	for _, end := range []func(runtime.Report, error){o.trace.End, o.stats.End, o.graph.End} {
		end(runtime.Report{}, err)
	}
	created, _ := o.graph.Size()
	if names, _ := o.slices(t); err != nil || len(names) != 9 || o.stats.Result().EDTs != 9 || created != 9 {
		t.Errorf("error %v; %d slices, %d EDTs, %d in the graph", err, len(names), o.stats.Result().EDTs, created)
	}
}
