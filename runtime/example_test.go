package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
	"ocr/runtime/finding"
)

// An EDT writes a block and passes it on by an event, whose GUID is in two parameters, to the EDT that reads it.
func Example_pass() {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		write := c.NewTemplate("write", 2, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			copy(in.Dep(0).Bytes(), "hello")
			c.Pass(guid.FromWords(in.Param(0), in.Param(1)), 0) // releases the block, and satisfies the event with it
			return guid.Null
		})
		read := c.NewTemplate("read", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			fmt.Printf("%s\n", in.Dep(0).Bytes())
			c.DestroyBlock(in.Dep(0).GUID())
			return guid.Null
		})
		block, _ := c.NewBlock(5)
		c.Release(block)
		written := c.NewEvent(edt.Sticky)
		c.NewEDT(read, nil, edt.From(written, datablock.RW))
		c.NewEDT(write, edt.Params(written.Words()), edt.From(block, datablock.RW))
		return guid.Null
	})
	fmt.Println(err)
	// Output:
	// hello
	// <nil>
}

// hello is a program of one EDT.
func hello(*edt.Ctx, edt.Args) guid.GUID {
	fmt.Println("hello")
	return guid.Null
}

// A program is its main EDT, and the EDTs that it creates.
func ExampleRun() {
	err := runtime.Run(context.Background(), hello)
	fmt.Println(err)
	// Output:
	// hello
	// <nil>
}

// This Runner runs each program with these options, on workers of its own.
func ExampleWith() {
	checked := runtime.With(runtime.Workers(2), runtime.Check())
	fmt.Println(checked.Run(context.Background(), hello))
	// Output:
	// hello
	// <nil>
}

// Processors that the process may not use are refused.
func ExampleCPUs() {
	err := runtime.Run(context.Background(), hello, runtime.CPUs([]int{-1}))
	var refused *runtime.OptionError
	fmt.Println(errors.As(err, &refused))
	// Output: true
}

// Several options under one name: three workers that are not pinned, and park at once if they have nothing to do; the
// program's arguments; a log of the run; and what is called or written at its end.
func ExampleOptions() {
	core, logs := observer.New(zap.InfoLevel)
	var report runtime.Report
	shy := runtime.Options(runtime.Workers(3), runtime.Bind(runtime.BindNone), runtime.Spin(0),
		runtime.Argv("program", "one", "two"), runtime.Logger(zap.New(core)), runtime.Into(&report),
		runtime.AtEnd(func(told runtime.Report, err error) { fmt.Println(told.Counters.EDTRun, "EDT, error", err) }))
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, in edt.Args) guid.GUID {
		fmt.Println(c.Workers(), edt.Argv(in.Dep(0))[1:])
		return guid.Null
	}, shy)
	fmt.Println(report.Workers, "workers,", logs.FilterMessage("run ended").Len(), "end in the log")
	// Output:
	// 3 [one two]
	// 1 EDT, error <nil>
	// 3 workers, 1 end in the log
}

// The report lists objects that the program has not destroyed, each with the line that created it. The second program's
// block does not fit into the memory of data blocks, which ends the run.
func ExampleLeakReport() {
	var report runtime.Report
	leaks := runtime.Options(runtime.LeakReport(), runtime.TrackSites(), runtime.Memory(1<<20), runtime.Into(&report))
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEvent(edt.Sticky)
		return guid.Null
	}, leaks)
	for _, leak := range report.Leaks {
		fmt.Println(leak.Kind, leak.Template, strings.HasPrefix(leak.Site, "example_test.go:"))
	}
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewBlockNoAcquire(1 << 30)
		return guid.Null
	}, leaks)
	fmt.Println(errors.Is(err, edt.ErrMemory))
	// Output:
	// event sticky true
	// true
}

// A function that is called before a run begins may refuse the run.
func ExampleAtBegin() {
	left := 1
	once := runtime.AtBegin(func() (end func(), err error) {
		if left--; left < 0 {
			return nil, errors.New("once is enough")
		}
		return func() { fmt.Println("over") }, nil
	})
	for range 2 {
		fmt.Println(runtime.Run(context.Background(), hello, once))
	}
	// Output:
	// hello
	// over
	// <nil>
	// once is enough
}

// Check mode finds a write to a block that the EDT may only read.
func ExampleCheck() {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, _ := c.NewBlock(8)
		c.Release(block)
		c.NewEDT(c.NewTemplate("reader", 0, 1, func(_ *edt.Ctx, in edt.Args) guid.GUID {
			in.Dep(0).Bytes()[3] = 1
			return guid.Null
		}), nil, edt.From(block, datablock.RO))
		return guid.Null
	}, runtime.Check(), runtime.Blocking(time.Minute)) // and note each body that takes a minute
	var found *finding.Error
	fmt.Println(errors.As(err, &found), found.Findings[0].Kind)
	// Output: true write to a block held for reading
}

// Each of several ranks gets a window of 1 MiB. A run of one rank has no window: its EDTs share blocks.
func ExampleWindow() {
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		fmt.Println(c.Window() == nil)
		return guid.Null
	}, runtime.Window(1<<20))
	fmt.Println(err)
	err = runtime.Run(context.Background(), hello, runtime.Window(-1))
	fmt.Println(err)
	// Output:
	// true
	// <nil>
	// runtime: Window(-1): want 0 bytes or more
}

// An observer counts EDTs by template.
func ExampleObserve() {
	begun := make(map[string]int)
	_ = runtime.Run(context.Background(), hello, runtime.Workers(1), runtime.Observe(func(*edt.Worker) edt.Observer {
		return names{begun: begun}
	}))
	fmt.Println(begun)
	// Output:
	// hello
	// map[main:1]
}

type names struct {
	edt.NopObserver
	begun map[string]int
}

func (n names) EDTBegin(_ guid.GUID, t *edt.Template, _ edt.Args) { n.begun[t.Name()]++ }

// A run reports that it makes no progress. This one waits for a goroutine.
func ExampleWatchdog() {
	stalled := make(chan bool, 1)
	watch := runtime.Watch{Still: time.Millisecond, Report: func(s runtime.Stall) { stalled <- s.For > 0 }}
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		_, outside := c.NewExternal(1)
		go func() {
			fmt.Println(<-stalled)
			_ = outside.Signal()
		}()
		return guid.Null
	}, runtime.Watchdog(watch))
	// Output: true
}

// counting counts EDTs. Each rank of a run has such a counter.
type counting struct {
	edt.NopObserver
	edts *int
}

func (c counting) EDTEnded(guid.GUID) { *c.edts++ }

var countingKind = runtime.NewObserverKind("example.counting", countingElsewhere)

func countingElsewhere(string) (observe func(*edt.Worker) edt.Observer, end func(runtime.Report, error)) {
	edts := new(int)
	observe = func(*edt.Worker) edt.Observer { return counting{edts: edts} }
	return observe, func(runtime.Report, error) { fmt.Println(*edts) }
}

func ExampleNewObserverKind() {
	edts := 0
	observe := countingKind.Observe("", func(*edt.Worker) edt.Observer { return counting{edts: &edts} })
	err := runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDT(c.NewTemplate("second", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }), nil)
		return guid.Null
	}, runtime.Workers(1), observe)
	fmt.Println(edts, err)
	// Output: 2 <nil>
}
