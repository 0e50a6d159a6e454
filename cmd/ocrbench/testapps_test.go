package main

import (
	"context"
	"errors"
	"os"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/command"
	"ocr/internal/measure/bench"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// testApps are apps of the tests alone, for failures, interrupts and reports. An app that a test interrupts by a signal
// makes the file $READY when the test may send it.
var testApps = []*command.Command{
	testApp("test_slow", func(ctx context.Context, run int) error {
		if run == 4 {
			makeReady()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
			return nil
		}
	}),
	testApp("test_deaf", func(context.Context, int) error { // it ignores the interrupt
		makeReady()
		time.Sleep(time.Hour)
		return nil
	}),
	testApp("test_wrong", func(_ context.Context, run int) error {
		if run == 3 {
			return errors.New("corner: expected 7300, got 7299")
		}
		return nil
	}),
	testApp("test_panic", func(context.Context, int) error { panic("out of cheese") }),

	testGraph("test_graph_stuck", isStuck),
	testGraph("test_graph_panic", panics),
	testGraph("test_graph_abort", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.Abort(7)
		return guid.Null
	}),
	testGraph("test_graph_misuse", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		event := c.NewEvent(edt.Sticky)
		c.Satisfy(event, guid.Null)
		c.Satisfy(event, guid.Null)
		return guid.Null
	}),
	// test_held has an EDT that keeps its worker until heldLongEnough, and one that waits for the end of the first.
	testGraph("test_held", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		holder := c.NewTemplate("holder", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID {
			for !heldLongEnough() {
				time.Sleep(time.Millisecond)
			}
			return guid.Null
		})
		first, out := c.Spawn(holder, &edt.Spec{Output: true})
		c.NewEDT(waiting, nil, edt.From(out, 0))
		c.AddDependence(guid.Null, first, 0, 0)
		return guid.Null
	}),
	// test_faulty has an EDT that passes a block on and then writes to it. It leaves two blocks behind.
	testGraph("test_faulty", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewBlock(8)
		e := c.NewEvent(edt.Once)
		c.NewEDT(waiting, nil, edt.From(e, 0))
		late := c.NewTemplate("late", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			b, bytes := c.NewBlock(8)
			c.Satisfy(e, b)
			bytes[0] = 1
			return guid.Null
		})
		c.NewEDT(late, nil)
		return guid.Null
	}),
	// test_noted has three EDTs that satisfy a channel event in no order.
	testGraph("test_noted", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		channel := c.NewChannel(edt.Unbounded)
		sends := c.NewTemplate("sends", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.Satisfy(channel, guid.Null)
			return guid.Null
		})
		ends := c.NewTemplate("ends", 0, 3, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.DestroyEvent(channel)
			return guid.Null
		})
		from := edt.From(channel, datablock.Null)
		c.NewEDT(ends, nil, from, from, from)
		for range 3 {
			c.NewEDT(sends, nil)
		}
		c.DestroyTemplate(sends)
		c.DestroyTemplate(ends)
		return guid.Null
	}),

	testGraphForm("test_long", readyInThird(time.Hour)),

	testGraphForm("test_watched", nothing),
	testGraphForm("test_watched_panic", panics),
	testGraphForm("test_watched_stuck", isStuck),
	testGraphForm("test_watched_endless", func(c *edt.Ctx, _ edt.Args) guid.GUID {
		var endless *edt.Template
		endless = c.NewTemplate("test.endless", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
			n := in.Param(0)
			if n == 5000 {
				interruptWatched()
			}
			c.NewEDT(endless, edt.Params(n+1))
			return guid.Null
		})
		c.NewEDT(endless, edt.Params(0))
		return guid.Null
	}),
}

var (
	heldLongEnough   func() bool
	interruptWatched func() // interrupts the app that never ends, after some thousand EDTs
)

// watchedRuns counts all runs of the apps of testGraphForm, and those of them that are observed.
var watchedRuns struct{ all, observed int }

var waiting = edt.NewTemplate("test.waiting", 0, 1, nothing)

func nothing(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }

func panics(*edt.Ctx, edt.Args) guid.GUID { panic("in a body") }

func isStuck(c *edt.Ctx, _ edt.Args) guid.GUID {
	c.NewEDT(waiting, nil)
	return guid.Null
}

// readyInThird returns the body of an EDT that makes $READY in its third run in the process, and then sleeps.
func readyInThird(sleep time.Duration) edt.Func {
	runs := 0
	return func(*edt.Ctx, edt.Args) guid.GUID {
		if runs++; runs == 3 {
			makeReady()
			time.Sleep(sleep)
		}
		return guid.Null
	}
}

func makeReady() {
	if err := os.WriteFile(os.Getenv("READY"), nil, 0o666); err != nil {
		panic(err)
	}
}

// testCommand returns a command with the flags of an app that measures, or else of an app that runs a graph once.
func testCommand(name string, measures bool, run command.Body) *command.Command {
	has := command.App
	if !measures {
		has &^= command.Samples | command.Documents | command.Observers
	}
	return &command.Command{Name: name, Short: "test", Has: has, Define: func(*command.Flags) command.Body { return run }}
}

// testForm returns an app of one form, which claims that each run takes 20 ms. g is nil if the form is no task graph.
func testForm(name string, g *runtime.Report, once func(context.Context, *testbed.Bed) error) *command.Command {
	return testCommand(name, true, func(ctx context.Context, bed *testbed.Bed) (*report.Document, error) {
		return bed.Measure(ctx, &testbed.Experiment{App: name, Forms: []testbed.Form{{Graph: g, Side: bench.Side{
			Name: name + "/only",
			Once: func(ctx context.Context) (time.Duration, error) {
				return 20 * time.Millisecond, once(ctx, bed)
			},
			Figures: func(time.Duration, int) []bench.Value { return []bench.Value{{Unit: "ns/op", Value: 1}} },
		}}}})
	})
}

func testApp(name string, once func(ctx context.Context, run int) error) *command.Command {
	run := 0
	return testForm(name, nil, func(ctx context.Context, _ *testbed.Bed) error {
		run++
		return once(ctx, run)
	})
}

// testGraphForm returns an app that measures a graph, as synch_p2p does.
func testGraphForm(name string, main edt.Func) *command.Command {
	g := new(runtime.Report)
	return testForm(name, g, func(ctx context.Context, bed *testbed.Bed) error {
		watchedRuns.all++
		if bed.Observing {
			watchedRuns.observed++
		}
		return bed.RunGraph(ctx, main, g, name)
	})
}

// testGraph returns an app that runs a graph once, as hello does.
func testGraph(name string, main edt.Func) *command.Command {
	return testCommand(name, false, func(ctx context.Context, bed *testbed.Bed) (*report.Document, error) {
		return nil, bed.RunGraph(ctx, main, new(runtime.Report), name)
	})
}
