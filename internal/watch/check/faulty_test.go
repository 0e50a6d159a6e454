package check_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/check"
	"ocr/runtime"
	"ocr/runtime/finding"
)

// A program is the body of main with what it makes.
type program func(c *edt.Ctx)

// job makes a template for one use.
func job(c *edt.Ctx, name string, slots int, body func(c *edt.Ctx, in edt.Args)) *edt.Template {
	return c.NewTemplate(name, 0, slots, func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, in)
		return guid.Null
	})
}

// launch runs a body with dependences.
func launch(c *edt.Ctx, name string, body func(c *edt.Ctx, in edt.Args), deps ...edt.Source) guid.GUID {
	t := job(c, name, len(deps), body)
	g := c.NewEDT(t, nil, deps...)
	c.DestroyTemplate(t)
	return g
}

func countsDown(c *edt.Ctx, latch guid.GUID) {
	launch(c, "child", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(latch, guid.Null) })
}

// faulty are programs with one fault each.
var faulty = []struct {
	name     string
	kind     finding.Kind
	template string // of the EDT that the finding names
	detail   string // part of the finding
	ends     bool   // the fault ends the run
	main     program
}{
	{"a write to a block held in mode RO", finding.ReadOnlyWrite, "reader", "byte 8 of 16 was written, held in mode RO",
		true, func(c *edt.Ctx) {
			b, _ := c.NewBlock(16)
			c.Release(b)
			launch(c, "reader", func(_ *edt.Ctx, in edt.Args) {
				datablock.Slice[uint64](in.Dep(0))[1] = 7
			}, edt.From(b, datablock.RO))
		}},
	{"a copy into a block held in mode Const", finding.ReadOnlyWrite, "reader", "held in mode Const", true,
		func(c *edt.Ctx) {
			b, _ := c.NewBlock(10_000)
			c.Release(b)
			launch(c, "reader", func(_ *edt.Ctx, in edt.Args) {
				copy(in.Dep(0).Bytes()[5000:], "text")
			}, edt.From(b, datablock.Const))
		}},
	{"a write after the release", finding.LateAccess, "writer", "byte 3 of 8", true, func(c *edt.Ctx) {
		launch(c, "writer", func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(8)
			c.Release(b)
			bytes[3] = 1
		})
	}},
	{"a read of a dependence after its release", finding.LateAccess, "reader", "byte 0 of 8", true, func(c *edt.Ctx) {
		b, bytes := c.NewBlock(8)
		bytes[0] = 1
		c.Release(b)
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
			bytes := in.Dep(0).Bytes()
			c.DestroyBlock(b)
			if bytes[0] == 1 {
				c.Shutdown()
			}
		}, edt.From(b, datablock.RO))
	}},
	{"a write after a downgrade", finding.ReadOnlyWrite, "writer", "held in mode RO", true, func(c *edt.Ctx) {
		launch(c, "writer", func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(8)
			c.Downgrade(b)
			bytes[3] = 1
		})
	}},
	{"a write that nothing orders before a satisfaction from outside", finding.WriteRace, "satisfied", "bytes 0 to 7",
		false, func(c *edt.Ctx) {
			b, _ := c.NewBlock(8)
			c.Release(b)
			event, x := c.NewExternal(1)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, _ edt.Args) {
				c.DestroyBlock(b)
				c.DestroyEvent(event)
			}, edt.From(done, datablock.Null))
			write := func(then func()) func(c *edt.Ctx, in edt.Args) {
				return func(c *edt.Ctx, in edt.Args) {
					in.Dep(0).Bytes()[0]++
					c.Release(b)
					then()
					c.Satisfy(done, guid.Null)
				}
			}
			launch(c, "late", write(func() { _ = x.Signal() }), edt.From(b, datablock.RW))
			launch(c, "satisfied", write(func() {}), edt.From(b, datablock.RW), edt.From(event, datablock.Null))
		}},
	{"a block exposed before its release", finding.EarlyExposure, "producer", "yet to release", false, func(c *edt.Ctx) {
		e := c.NewEvent(edt.Once)
		launch(c, "consumer", func(c *edt.Ctx, in edt.Args) { c.DestroyBlock(in.Dep(0).GUID()) }, edt.From(e, datablock.RO))
		launch(c, "producer", func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(8)
			c.Satisfy(e, b)
			bytes[0] = 1
		})
	}},
	{"a block exposed before its release by a dependence", finding.EarlyExposure, "producer", "yet to release", false,
		func(c *edt.Ctx) {
			launch(c, "producer", func(c *edt.Ctx, _ edt.Args) {
				b, bytes := c.NewBlock(8)
				bytes[0] = 1
				launch(c, "consumer", func(c *edt.Ctx, in edt.Args) { c.DestroyBlock(in.Dep(0).GUID()) }, edt.From(b, datablock.RO))
			})
		}},
	{"unordered writes to one word", finding.WriteRace, "twin", "bytes 8 to 15", false, func(c *edt.Ctx) {
		b, _ := c.NewBlock(16)
		c.Release(b)
		done := c.NewLatch(2)
		launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, datablock.Null))
		for n := range 2 {
			launch(c, "twin", func(c *edt.Ctx, in edt.Args) {
				datablock.Slice[uint16](in.Dep(0))[6] = uint16(5 + n)
				c.Release(b)
				c.Satisfy(done, guid.Null)
			}, edt.From(b, datablock.RW))
		}
	}},
	{"unordered writes by nodes of a recorded graph", finding.WriteRace, "twin", "bytes 8 to 15", false,
		recordedTwins(false)},
	{"unordered writes by EDTs that nodes of a recorded graph make", finding.WriteRace, "twin", "bytes 8 to 15", false,
		recordedTwins(true)},
	{"a write to a block that was passed on", finding.LateAccess, "giver", "byte 3 of 8", true, func(c *edt.Ctx) {
		b, e := c.NewBlockNoAcquire(8), c.NewEvent(edt.Sticky)
		launch(c, "taker", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(e, datablock.RW))
		launch(c, "giver", func(c *edt.Ctx, in edt.Args) {
			bytes := in.Dep(0).Bytes()
			c.Pass(e, 0)
			bytes[3] = 1
		}, edt.From(b, datablock.RW))
	}},
	{"unordered writes to one word by EDTs that go on", finding.WriteRace, "twin", "bytes 0 to 7", false,
		func(c *edt.Ctx) {
			b := c.NewBlockNoAcquire(16)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, datablock.Null))
			for range 2 {
				rounds := 0
				launch(c, "twin", func(c *edt.Ctx, in edt.Args) {
					if rounds++; rounds < 3 {
						c.Again()
						return
					}
					in.Dep(0).Bytes()[0]++
					c.Release(b)
					c.Satisfy(done, guid.Null)
				}, edt.From(b, datablock.RW))
			}
		}},
	{"a block that stays with an EDT that goes on, destroyed by another", finding.DestroyRace, "killer", "", false,
		func(c *edt.Ctx) {
			b := c.NewBlockNoAcquire(8)
			rounds := 0
			launch(c, "killer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
			launch(c, "goes on", func(c *edt.Ctx, _ edt.Args) {
				if rounds++; rounds < 3 {
					c.Again()
				}
			}, edt.From(b, datablock.RW))
		}},
	{"a read of bytes never written", finding.UnwrittenRead, "reader", "bytes 4096 to 8191", false, func(c *edt.Ctx) {
		b, bytes := c.NewBlock(3 * 4096)
		bytes[0], bytes[2*4096] = 1, 1
		c.Release(b)
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
			sum := byte(0)
			for _, v := range in.Dep(0).Bytes() {
				sum += v
			}
			if sum != 2 {
				c.Abort(1)
			}
			c.DestroyBlock(b)
		}, edt.From(b, datablock.RO))
	}},
	{"a dependence that races with a once event", finding.OnceRace, "listener", "by luck", false, func(c *edt.Ctx) {
		e := c.NewEvent(edt.Once)
		waiter := job(c, "waiter", 1, func(*edt.Ctx, edt.Args) {})
		// With one worker this one runs last, but nothing says so.
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		launch(c, "listener", func(c *edt.Ctx, _ edt.Args) {
			c.AddDependence(e, c.NewEDT(waiter, nil), 0, datablock.Null)
			c.DestroyTemplate(waiter)
		})
	}},
	{"a dependence that races with the last count of a latch", finding.OnceRace, "listener", "by luck", false,
		func(c *edt.Ctx) {
			l := c.NewLatch(2)
			waiter := job(c, "waiter", 1, func(*edt.Ctx, edt.Args) {})
			for range 2 {
				launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(l, guid.Null) })
			}
			launch(c, "listener", func(c *edt.Ctx, _ edt.Args) {
				c.AddDependence(l, c.NewEDT(waiter, nil), 0, datablock.Null)
				c.DestroyTemplate(waiter)
			})
		}},
	{"a latch that is counted up after what counts it down is created", finding.CountRace, "main", "counted up here",
		false, func(c *edt.Ctx) {
			l := after(c, 1, func(*edt.Ctx, edt.Args) {})
			countsDown(c, l)
			c.SatisfySlot(l, guid.Null, edt.Incr)
			c.Satisfy(l, guid.Null)
		}},
	{"a latch from zero that is counted up one by one", finding.CountRace, "main", "with EDT", false, func(c *edt.Ctx) {
		l := after(c, 0, func(*edt.Ctx, edt.Args) {})
		for range 3 {
			c.SatisfySlot(l, guid.Null, edt.Incr)
			countsDown(c, l)
		}
	}},
	{"a latch from below zero that is counted down late", finding.CountRace, "main", "counted down here", false,
		func(c *edt.Ctx) {
			l := after(c, -1, func(*edt.Ctx, edt.Args) {})
			for range 2 {
				launch(c, "counter", func(c *edt.Ctx, _ edt.Args) { c.SatisfySlot(l, guid.Null, edt.Incr) })
			}
			c.Satisfy(l, guid.Null)
		}},
	{"a latch that EDTs count up for others while what they count for themselves is down", finding.CountRace, "parent",
		"with EDT", false, func(c *edt.Ctx) {
			l := after(c, 3, func(*edt.Ctx, edt.Args) {})
			countsDown(c, l)
			for range 2 {
				launch(c, "parent", func(c *edt.Ctx, _ edt.Args) {
					c.Satisfy(l, guid.Null)
					c.SatisfySlot(l, guid.Null, edt.Incr)
					countsDown(c, l)
				})
			}
		}},
	{"a dependence that races with the end of a finish scope", finding.OnceRace, "main", "by luck", false,
		func(c *edt.Ctx) {
			outer := job(c, "outer", 0, func(c *edt.Ctx, _ edt.Args) { launch(c, "inner", func(*edt.Ctx, edt.Args) {}) })
			_, out := c.Spawn(outer, &edt.Spec{Finish: true, Output: true})
			c.DestroyTemplate(outer)
			launch(c, "waiter", func(*edt.Ctx, edt.Args) {}, edt.From(out, datablock.Null))
		}},
	{"a block exposed before its release to an EDT that is connected after it", finding.EarlyExposure, "producer",
		"yet to release", false, func(c *edt.Ctx) {
			e := c.NewEvent(edt.Sticky)
			launch(c, "connector", func(c *edt.Ctx, _ edt.Args) {
				launch(c, "consumer", func(c *edt.Ctx, in edt.Args) {
					c.DestroyBlock(in.Dep(0).GUID())
					c.DestroyEvent(e)
				}, edt.From(e, datablock.RO))
			})
			launch(c, "producer", func(c *edt.Ctx, _ edt.Args) {
				b, bytes := c.NewBlock(8)
				c.Satisfy(e, b)
				bytes[0] = 1
			})
		}},
	{"a destruction that nothing orders with a use", finding.DestroyRace, "destroyer", "by luck", false, func(c *edt.Ctx) {
		b, e := written(c, 8), c.NewEvent(edt.Once)
		launch(c, "reader", func(*edt.Ctx, edt.Args) {}, edt.From(e, datablock.Null), edt.From(b, datablock.RO))
		// With one worker this one runs last, but nothing says so.
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
	}},
	{"a Ctx used on another goroutine", finding.StrayCall, "starter", "on a goroutine started at", false,
		func(c *edt.Ctx) {
			launch(c, "starter", func(c *edt.Ctx, _ edt.Args) {
				e := c.NewEvent(edt.Sticky)
				elsewhere(func() { c.Satisfy(e, guid.Null) })
				c.DestroyEvent(e)
			})
		}},
	{"a Ctx used after the end of its EDT", finding.StrayCall, "later", "on a goroutine started at", false,
		func(c *edt.Ctx) {
			late, over := make(chan bool), make(chan bool)
			e, unused := c.NewEvent(edt.Once), c.NewEvent(edt.Sticky)
			launch(c, "later", func(c *edt.Ctx, _ edt.Args) {
				close(late)
				<-over
				c.DestroyEvent(unused)
			}, edt.From(e, datablock.Null))
			launch(c, "starter", func(c *edt.Ctx, _ edt.Args) {
				go func() {
					defer close(over)
					<-late
					c.Satisfy(unused, guid.Null)
				}()
				c.Satisfy(e, guid.Null) // a host may run the other EDT within this call
			})
		}},
	{"a block never destroyed", finding.Undestroyed, "", "data block from faulty_test.go", false, func(c *edt.Ctx) {
		c.NewBlock(8)
	}},
}

// recordedTwins runs a graph with two nodes that write a block, or with two whose children do.
func recordedTwins(children bool) program {
	return func(c *edt.Ctx) {
		b, _ := c.NewBlock(16)
		c.Release(b)
		r, done := c.NewRecording(), c.NewEvent(edt.Once)
		twin := job(c, "twin", 1, func(_ *edt.Ctx, in edt.Args) { datablock.Slice[uint64](in.Dep(0))[1]++ })
		parent := job(c, "parent", 0, func(c *edt.Ctx, _ edt.Args) { c.NewEDT(twin, nil, edt.From(b, rw)) })
		for range 2 {
			if children {
				r.Add(parent, nil)
			} else {
				r.Add(twin, nil, edt.From(b, rw))
			}
		}
		launch(c, "end", func(c *edt.Ctx, _ edt.Args) {
			r.Destroy(c)
			c.DestroyBlock(b)
			c.DestroyTemplate(twin)
			c.DestroyTemplate(parent)
		}, edt.From(done, datablock.Null))
		run := job(c, "run", 0, func(c *edt.Ctx, _ edt.Args) { r.Run(c, 1, guid.Null) })
		c.Spawn(run, &edt.Spec{Finish: true, OutputEvent: done})
		c.DestroyTemplate(run)
	}
}

// checking is check mode in which an EDT may keep its worker, for however long a slow
// machine makes it. A run that hangs ends the tests.
func checking(t *testing.T) []runtime.Option {
	return []runtime.Option{
		runtime.Check(), runtime.Blocking(time.Hour),
		runtime.Watchdog(runtime.Watch{Still: testrun.HangAfter(), Report: func(s runtime.Stall) {
			testrun.Hangs(t, s)
		}}),
	}
}

// runChecked runs a program in check mode on one worker, if the order of EDTs is the order of creation backwards.
func runChecked(t *testing.T, workers int, main program, opts ...runtime.Option) ([]finding.Finding, error) {
	t.Helper()
	var told runtime.Report
	err := runtime.Run(context.Background(), func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.DestroyBlock(in.Dep(0).GUID())
		main(c)
		return guid.Null
	}, append(append(checking(t), runtime.Workers(workers), runtime.Into(&told)), opts...)...)
	return told.Findings, err
}

// An EDT that waits is found, once those that look for it have been given processor time. It is a note: what depends on
// time says nothing certain of the program.
func TestWaitingEDTIsNoted(t *testing.T) {
	const blocking = 50 * time.Millisecond
	for wait := 4 * blocking; wait < 2*time.Minute; wait *= 2 {
		found, err := runChecked(t, 1, func(c *edt.Ctx) {
			launch(c, "sleeper", func(*edt.Ctx, edt.Args) { time.Sleep(wait) })
		}, runtime.Blocking(blocking))
		for _, got := range found {
			if got.Kind != finding.Blocking || !got.Note || err != nil {
				t.Fatalf("found %v, error %v", found, err)
			}
			if got.Template == "sleeper" && strings.Contains(got.String(), "time.Sleep") {
				if where := got.Site + got.ObjectSite + got.Detail; !strings.Contains(where, "faulty_test.go:") {
					t.Errorf("the finding names no line of the program: %v", got)
				}
				return
			}
		}
	}
	t.Error("an EDT that kept its worker for a minute was not found")
}

// inBothWays runs a test with blocks of a page or less copied, and with all of them shown page by page as larger ones
// are.
func inBothWays(t *testing.T, test func(t *testing.T)) {
	t.Run("copied", test)
	t.Run("shown", func(t *testing.T) {
		defer check.CopyNothing()()
		test(t)
	})
}

func TestFaultsAreFound(t *testing.T) { inBothWays(t, testFaultsAreFound) }

func testFaultsAreFound(t *testing.T) {
	for _, f := range faulty {
		t.Run(f.name, func(t *testing.T) {
			found, err := runChecked(t, 1, f.main, runtime.UnwrittenReads())
			var faults *finding.Error
			if !errors.As(err, &faults) {
				t.Fatalf("the run ended with %v, want faults; found %v", err, found)
			}
			testrun.Equal(t, 1, len(faults.Findings), "faults:\n%v", err)
			got := faults.Findings[0]
			if got.Kind != f.kind || got.Template != f.template || !strings.Contains(got.String(), f.detail) {
				t.Errorf("found\n%v\nwant %v by %q with %q", got, f.kind, f.template, f.detail)
			}
			testrun.Equal(t, f.ends, faults.Cause != nil, "the run was ended by the fault: (%v)", faults.Cause)
			if where := got.Site + got.ObjectSite + got.Detail; !strings.Contains(where, "faulty_test.go:") {
				t.Errorf("the finding names no line of the program: %v", got)
			}
		})
	}
}

// A latch that is counted up too late is found on any number of workers, with its line, whether or not it triggers
// too early: if it does, the count is an error.
func TestLateCountsAreFoundOnAllWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for _, early := range []bool{false, true} {
			if early && workers > 1 && testrun.Race() {
				continue // the count races with the latch's end, in this program
			}
			var up atomic.Bool
			_, err := runChecked(t, workers, func(c *edt.Ctx) {
				l := after(c, 1, func(*edt.Ctx, edt.Args) {})
				launch(c, "child", func(c *edt.Ctx, _ edt.Args) {
					if !early {
						until(&up)
					}
					c.Satisfy(l, guid.Null)
				})
				c.SatisfySlot(l, guid.Null, edt.Incr)
				up.Store(true)
				c.Satisfy(l, guid.Null)
			})
			var faults *finding.Error
			found := errors.As(err, &faults) && faults.Findings[0].Kind == finding.CountRace &&
				strings.Contains(faults.Findings[0].Site, "faulty_test.go:")
			if !found && !(early && errors.Is(err, edt.ErrStale) && strings.Contains(err.Error(), "faulty_test.go:")) {
				t.Errorf("%d workers, early %v: the run ended with %v", workers, early, err)
			}
		}
	}
}

func TestSeveralFaultsOfARun(t *testing.T) {
	var all []program
	kinds := map[finding.Kind]bool{}
	for _, f := range faulty {
		if !f.ends {
			all, kinds[f.kind] = append(all, f.main), true
		}
	}
	found, _ := runChecked(t, 1, func(c *edt.Ctx) {
		for _, p := range all {
			launch(c, "part", func(c *edt.Ctx, _ edt.Args) { p(c) })
		}
	}, runtime.UnwrittenReads())
	for _, f := range found {
		delete(kinds, f.Kind)
	}
	if len(kinds) > 0 {
		t.Errorf("not found: %v, in %v", kinds, found)
	}
}

// unordered are programs in which it is luck what comes first. Some they may mean as they are: what they can allow is a
// fault if they do not, the rest a note.
var unordered = []struct {
	name            string
	kind            finding.Kind
	template, other string
	detail          string
	allows          edt.Unordered // makes them right; 0 for a note
	// a note if blocks are copied: a copy does not say whether an EDT that may write has read
	unseen bool
	main   func(allowed edt.Unordered) program
}{
	{"a reader before an unordered writer", finding.ReadRace, "reader", "writer", "bytes 8 to 15",
		edt.ReadsAndWrites, false, shared(datablock.RO, datablock.RW, false)},
	{"a reader after an unordered writer", finding.ReadRace, "reader", "writer", "bytes 8 to 15",
		edt.ReadsAndWrites, false, shared(datablock.RO, datablock.RW, true)},
	{"a reader in mode RW before an unordered writer", finding.ReadRace, "reader", "writer", "bytes 8 to 15",
		edt.ReadsAndWrites, true, shared(datablock.RW, datablock.RW, false)},
	{"a reader in mode RW after an unordered writer", finding.ReadRace, "reader", "writer", "bytes 8 to 15",
		edt.ReadsAndWrites, true, shared(datablock.RW, datablock.RW, true)},
	{"a reader in mode Const before an unordered exclusive writer", finding.ReadRace, "reader", "writer", "bytes 8 to 15",
		edt.ReadsAndWrites, false, shared(datablock.Const, datablock.EW, false)},
	{"a reader in mode Const after an unordered exclusive writer", finding.ReadRace, "reader", "writer", "bytes 8 to 15",
		edt.ReadsAndWrites, false, shared(datablock.Const, datablock.EW, true)},
	{"exclusive writers in no order", finding.TurnOrder, "writer", "writer", "bytes 8 to 15",
		edt.ExclusiveWriters, false, writers(datablock.EW, datablock.EW)},
	{"a writer in no order with an exclusive one", finding.TurnOrder, "writer", "writer", "bytes 8 to 15",
		edt.ExclusiveWriters, false, writers(datablock.RW, datablock.EW)},
	{"an exclusive reader in no order with an exclusive writer", finding.ReadRace, "reader", "writer", "bytes 8 to 15",
		edt.ExclusiveWriters, true, shared(datablock.EW, datablock.EW, true)},
	{"unordered writes to the halves of a word", finding.SharedWord, "writer", "writer", "bytes 8 to 15", 0, false,
		noted(func(c *edt.Ctx) {
			b := written(c, 32)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, datablock.Null))
			for n := range 2 {
				launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
					datablock.Slice[uint32](in.Dep(0))[2+n] = 5
					c.Release(b)
					c.Satisfy(done, guid.Null)
				}, edt.From(b, datablock.RW))
			}
		})},
	{"two senders in no order", finding.SendOrder, "sender", "sender", "luck", 0, false, noted(func(c *edt.Ctx) {
		ch := c.NewChannel(2)
		receive := job(c, "receiver", 1, func(*edt.Ctx, edt.Args) {})
		done := c.NewLatch(2)
		launch(c, "last", func(c *edt.Ctx, _ edt.Args) {
			for range 2 {
				c.NewEDT(receive, nil, edt.From(ch, datablock.Null))
			}
			c.DestroyEvent(ch)
			c.DestroyTemplate(receive)
		}, edt.From(done, datablock.Null))
		for range 2 {
			launch(c, "sender", func(c *edt.Ctx, _ edt.Args) {
				c.Satisfy(ch, guid.Null)
				c.Satisfy(done, guid.Null)
			})
		}
	})},
}

func noted(p program) func(edt.Unordered) program { return func(edt.Unordered) program { return p } }

// writers has two EDTs change a word in no order.
func writers(modes ...datablock.Mode) func(edt.Unordered) program {
	return func(allowed edt.Unordered) program {
		return func(c *edt.Ctx) {
			b := written(c, 32)
			c.AllowUnordered(b, allowed)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, datablock.Null))
			for n, mode := range modes {
				launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
					datablock.Slice[uint64](in.Dep(0))[1] = uint64(n)
					c.Release(b)
					c.Satisfy(done, guid.Null)
				}, edt.From(b, mode))
			}
		}
	}
}

// shared has two EDTs hold a block, one of which changes it, in no order.
func shared(reading, writing datablock.Mode, late bool) func(edt.Unordered) program {
	return func(allowed edt.Unordered) program {
		return func(c *edt.Ctx) { share(c, reading, writing, late, allowed) }
	}
}

func share(c *edt.Ctx, reading, writing datablock.Mode, late bool, allowed edt.Unordered) {
	b := written(c, 32)
	c.AllowUnordered(b, allowed)
	done := c.NewLatch(2)
	launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, datablock.Null))
	write := func() {
		launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
			in.Dep(0).Bytes()[9] = 1
			c.Release(b)
			c.Satisfy(done, guid.Null)
		}, edt.From(b, writing))
	}
	if !late { // one worker runs what was created last first
		write()
	}
	launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
		if in.Dep(0).Bytes()[0] == 0xFF {
			c.Release(b)
		}
		c.Satisfy(done, guid.Null)
	}, edt.From(b, reading))
	if late {
		write()
	}
}

func TestUnordered(t *testing.T) {
	t.Run("copied", func(t *testing.T) { testUnordered(t, true) })
	defer check.CopyNothing()()
	t.Run("shown", func(t *testing.T) { testUnordered(t, false) })
}

func testUnordered(t *testing.T, copied bool) {
	for _, p := range unordered {
		t.Run(p.name, func(t *testing.T) {
			found, err := runChecked(t, 1, p.main(0))
			note := p.allows == 0 || copied && p.unseen
			if len(found) != 1 || note != (err == nil) {
				t.Fatalf("found %v, error %v, want one, and whether it is a note: %v", found, err, note)
			}
			f := found[0]
			if f.Kind != p.kind || f.Note != note || f.Template != p.template || f.OtherTemplate != p.other ||
				!strings.Contains(f.Detail, p.detail) {
				t.Errorf("found %v, want %v by %q and %q with %q", f, p.kind, p.template, p.other, p.detail)
			}
			testrun.Contains(t, f.Site+f.ObjectSite, "faulty_test.go:")
			if p.allows == 0 {
				return
			}
			if found, err := runChecked(t, 1, p.main(p.allows)); err != nil || len(found) > 0 {
				t.Errorf("allowed: found %v, error %v", found, err)
			}
		})
	}
}

// An allowance is for what it names alone.
func TestAllowedAlone(t *testing.T) {
	for name, p := range map[string]program{
		"a sum's reader that does not wait": shared(datablock.RO, datablock.EW, true)(edt.ExclusiveWriters),
		"turns, where reads are allowed":    writers(datablock.EW, datablock.EW)(edt.ReadsAndWrites),
		"writers in mode RW":                writers(datablock.RW, datablock.RW)(edt.ExclusiveWriters | edt.ReadsAndWrites),
	} {
		if found, err := runChecked(t, 1, p); err == nil {
			t.Errorf("%s: found %v, no error", name, found)
		}
	}
}

// What an EDT reads is known by runs of pages: it is a fault only if one that it has read was changed, whichever it is.
// That several blocks are used alike is one finding, a fault if it is one of any.
func TestReadsOfSeveralPages(t *testing.T) {
	const pages = 8
	for _, changes := range [][]int{{1}, {pages}, {1, pages}, {pages, 1}} {
		for _, late := range []bool{false, true} {
			found, err := runChecked(t, 1, func(c *edt.Ctx) {
				for _, changed := range changes {
					readOfPages(c, pages, changed, late)
				}
			})
			if fails := len(changes) > 1 || changes[0] == pages; fails != (err != nil) || len(found) > 1 {
				t.Errorf("pages changed %v, late %v: found %v, error %v", changes, late, found, err)
			}
		}
	}
}

// readOfPages has an EDT read a page of a block of which another changes some, in no order.
func readOfPages(c *edt.Ctx, pages, changed int, late bool) {
	b, done := written(c, pages*sys.Page), c.NewLatch(2)
	launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, datablock.Null))
	write := func() {
		launch(c, "writer", func(c *edt.Ctx, in edt.Args) {
			for page := range changed {
				in.Dep(0).Bytes()[page*sys.Page] = 1
			}
			c.Release(b)
			c.Satisfy(done, guid.Null)
		}, edt.From(b, datablock.RW))
	}
	if !late {
		write()
	}
	launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
		if in.Dep(0).Bytes()[5*sys.Page] != 0xFE {
			c.Release(b)
		}
		c.Satisfy(done, guid.Null)
	}, edt.From(b, datablock.RO))
	if late {
		write()
	}
}

// An EDT that uses the Ctx of another worker is stopped.
func TestCtxOfAnotherWorker(t *testing.T) {
	found, err := runChecked(t, 2, func(c *edt.Ctx) {
		e, other, done := c.NewEvent(edt.Sticky), make(chan *edt.Ctx), make(chan bool)
		give := job(c, "giver", 0, func(c *edt.Ctx, _ edt.Args) {
			other <- c
			<-done
		})
		take := job(c, "taker", 0, func(*edt.Ctx, edt.Args) {
			defer close(done)
			(<-other).Satisfy(e, guid.Null)
		})
		c.NewEDTAt(c.Bind(0), give, nil)
		c.NewEDTAt(c.Bind(1), take, nil)
	})
	var p *edt.PanicError
	if !errors.As(err, &p) || p.Template != "taker" || !strings.Contains(p.Error(), "faulty_test.go:") {
		t.Errorf("the run ended with %v", err)
	}
	if len(found) != 1 || found[0].Kind != finding.StrayCall || !strings.Contains(found[0].Site, "faulty_test.go:") {
		t.Errorf("found %v", found)
	}
}
