package check_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/check"
	"ocr/runtime"
	"ocr/runtime/finding"
)

// A program is the body of a main EDT that uses only its context.
type program func(c *edt.Ctx)

// job makes a template for a body that returns nothing.
func job(c *edt.Ctx, name string, slots int, body func(c *edt.Ctx, in edt.Args)) *edt.Template {
	return c.NewTemplate(name, 0, slots, func(c *edt.Ctx, in edt.Args) guid.GUID {
		body(c, in)
		return guid.Null
	})
}

// launch creates an EDT with this body and these dependences.
func launch(c *edt.Ctx, name string, body func(c *edt.Ctx, in edt.Args), deps ...edt.Source) guid.GUID {
	t := job(c, name, len(deps), body)
	g := c.NewEDT(t, nil, deps...)
	c.DestroyTemplate(t)
	return g
}

func countsDown(c *edt.Ctx, latch guid.GUID) {
	launch(c, "child", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(latch, guid.Null) })
}

// among makes EDTs use a block in no order, each in its mode. When all have ended, another EDT destroys the block.
func among(c *edt.Ctx, b guid.GUID, template string, body func(in edt.Args, n int), modes ...datablock.Mode) {
	l := after(c, int64(len(modes)), func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
	for n, mode := range modes {
		launch(c, template, func(c *edt.Ctx, in edt.Args) {
			body(in, n)
			done(c, in, l)
		}, edt.From(b, mode))
	}
}

// mark stores the line of its call, which also has a forbidden access.
func mark() (zero int) {
	_, file, n, _ := goruntime.Caller(1)
	marked = fmt.Sprintf("%s:%d", filepath.Base(file), n)
	return 0
}

var marked string

// ends says whether a fault ends the run. A fault in bytes on pages does, at its line.
type ends int

const (
	never   ends = iota
	onPages      // if the block is on pages; if it is copied the fault is found later
	unseen       // if the block is on pages; if it is copied the fault is not found
	always
)

// faulty are programs with one fault each.
var faulty = []struct {
	name     string
	kind     finding.Kind
	template string // of the EDT in the finding
	detail   string // part of the finding
	ends     ends   // whether the fault ends the run
	main     program
}{
	{"a write to a block held in mode RO", finding.ReadOnlyWrite, "reader", "byte 8 of 16 was written, held in mode RO",
		onPages, func(c *edt.Ctx) {
			launch(c, "reader", func(_ *edt.Ctx, in edt.Args) { wordsOf(in, 0)[1+mark()] = 7 }, edt.From(written(c, 16), ro))
		}},
	{"a copy into a block held in mode Const", finding.ReadOnlyWrite, "reader", "held in mode Const", always,
		func(c *edt.Ctx) {
			launch(c, "reader", func(_ *edt.Ctx, in edt.Args) {
				copy(in.Dep(0).Bytes()[5000+mark():], strings.Repeat("text", 500))
			}, edt.From(written(c, 10_000), konst))
		}},
	{"the library writes to a block held in mode RO", finding.ReadOnlyWrite, "reader", "held in mode RO", always,
		func(c *edt.Ctx) {
			launch(c, "reader", func(_ *edt.Ctx, in edt.Args) {
				slices.Reverse(wordsOf(in, 0)[mark():])
			}, edt.From(words(c, 1000, 1), ro))
		}},
	{"a write after the release", finding.LateAccess, "writer", "byte 3 of 8", onPages, func(c *edt.Ctx) {
		launch(c, "writer", func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(8)
			c.Release(b)
			bytes[3+mark()] = 1
		})
	}},
	{"a read of a dependence after its release", finding.LateAccess, "reader", "byte 0 of 8", unseen, func(c *edt.Ctx) {
		b := written(c, 8)
		launch(c, "reader", func(c *edt.Ctx, in edt.Args) {
			bytes := in.Dep(0).Bytes()
			c.DestroyBlock(b)
			if bytes[mark()] == 0xFF {
				c.Shutdown()
			}
		}, edt.From(b, ro))
	}},
	{"a write after a downgrade", finding.ReadOnlyWrite, "writer", "held in mode RO", onPages, func(c *edt.Ctx) {
		launch(c, "writer", func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(8)
			c.Downgrade(b)
			bytes[3+mark()] = 1
		})
	}},
	{"a write to a block that was passed on", finding.LateAccess, "giver", "byte 3 of 8", onPages, func(c *edt.Ctx) {
		b, e := c.NewBlockNoAcquire(8), c.NewEvent(edt.Sticky)
		launch(c, "taker", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(e, rw))
		launch(c, "giver", func(c *edt.Ctx, in edt.Args) {
			bytes := in.Dep(0).Bytes()
			c.Pass(e, 0)
			bytes[3+mark()] = 1
		}, edt.From(b, rw))
	}},
	{"a write that nothing orders before a satisfaction from outside", finding.WriteRace, "satisfied", "bytes 0 to 7",
		never, func(c *edt.Ctx) {
			b := written(c, 8)
			event, x := c.NewExternal(1)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, _ edt.Args) {
				c.DestroyBlock(b)
				c.DestroyEvent(event)
			}, edt.From(done, null))
			write := func(then func()) func(c *edt.Ctx, in edt.Args) {
				return func(c *edt.Ctx, in edt.Args) {
					in.Dep(0).Bytes()[0]++
					c.Release(b)
					then()
					c.Satisfy(done, guid.Null)
				}
			}
			launch(c, "late", write(func() { _ = x.Signal() }), edt.From(b, rw))
			launch(c, "satisfied", write(func() {}), edt.From(b, rw), edt.From(event, null))
		}},
	{"a write that only a dependence that does not trigger an idempotent event orders", finding.WriteRace, "waiter",
		"bytes 0 to 7", never, func(c *edt.Ctx) {
			b, e, other := written(c, 8), c.NewEvent(edt.Idempotent), c.NewEvent(edt.Sticky)
			l := after(c, 2, func(c *edt.Ctx, _ edt.Args) {
				for _, e := range []guid.GUID{e, other} {
					c.DestroyEvent(e)
				}
				c.DestroyBlock(b)
			})
			write := func(then func(c *edt.Ctx)) func(c *edt.Ctx, in edt.Args) {
				return func(c *edt.Ctx, in edt.Args) {
					wordsOf(in, 0)[0]++
					c.Release(b)
					then(c)
					c.Satisfy(l, guid.Null)
				}
			}
			launch(c, "waiter", write(func(*edt.Ctx) {}), edt.From(b, rw), edt.From(e, null))
			launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
			launch(c, "feeder", write(func(c *edt.Ctx) { c.AddDependence(other, e, 0, null) }), edt.From(b, rw))
		}},
	{"a block exposed before its release", finding.EarlyExposure, "producer", "yet to release", never, func(c *edt.Ctx) {
		e := c.NewEvent(edt.Once)
		launch(c, "consumer", func(c *edt.Ctx, in edt.Args) { c.DestroyBlock(in.Dep(0).GUID()) }, edt.From(e, ro))
		launch(c, "producer", func(c *edt.Ctx, _ edt.Args) {
			b, bytes := c.NewBlock(8)
			c.Satisfy(e, b)
			bytes[0] = 1
		})
	}},
	{"unordered writes to one word", finding.WriteRace, "twin", "bytes 8 to 15", never, func(c *edt.Ctx) {
		among(c, written(c, 16), "twin", func(in edt.Args, n int) { datablock.Slice[uint16](in.Dep(0))[6] = uint16(5 + n) },
			rw, rw)
	}},
	{"unordered writes by nodes of a recorded graph", finding.WriteRace, "twin", "bytes 8 to 15", never,
		recordedTwins(false)},
	{"unordered writes by EDTs that nodes of a recorded graph make", finding.WriteRace, "twin", "bytes 8 to 15", never,
		recordedTwins(true)},
	{"unordered writes to one word by EDTs that go on", finding.WriteRace, "twin", "bytes 0 to 7", never,
		func(c *edt.Ctx) {
			b := c.NewBlockNoAcquire(16)
			done := c.NewLatch(2)
			launch(c, "last", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(done, null))
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
				}, edt.From(b, rw))
			}
		}},
	{"a block that stays with an EDT that goes on, destroyed by another", finding.DestroyRace, "killer", "", never,
		func(c *edt.Ctx) {
			b := c.NewBlockNoAcquire(8)
			rounds := 0
			launch(c, "killer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
			launch(c, "goes on", func(c *edt.Ctx, _ edt.Args) {
				if rounds++; rounds < 3 {
					c.Again()
				}
			}, edt.From(b, rw))
		}},
	{"a dependence that races with a once event", finding.OnceRace, "listener", "by luck", never, func(c *edt.Ctx) {
		e := c.NewEvent(edt.Once)
		waiter := job(c, "waiter", 1, func(*edt.Ctx, edt.Args) {})
		// With one worker this EDT runs last, but nothing orders it.
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
		launch(c, "listener", func(c *edt.Ctx, _ edt.Args) {
			c.AddDependence(e, c.NewEDT(waiter, nil), 0, null)
			c.DestroyTemplate(waiter)
		})
	}},
	{"a dependence that races with the last count of a latch", finding.OnceRace, "listener", "by luck", never,
		func(c *edt.Ctx) {
			l := c.NewLatch(2)
			waiter := job(c, "waiter", 1, func(*edt.Ctx, edt.Args) {})
			for range 2 {
				launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(l, guid.Null) })
			}
			launch(c, "listener", func(c *edt.Ctx, _ edt.Args) {
				c.AddDependence(l, c.NewEDT(waiter, nil), 0, null)
				c.DestroyTemplate(waiter)
			})
		}},
	{"a latch that is counted up after what counts it down is created", finding.CountRace, "main", "counted up here",
		never, func(c *edt.Ctx) {
			l := after(c, 1, func(*edt.Ctx, edt.Args) {})
			countsDown(c, l)
			c.SatisfySlot(l, guid.Null, edt.Incr)
			c.Satisfy(l, guid.Null)
		}},
	{"a latch from below zero that is counted down late", finding.CountRace, "main", "counted down here", never,
		func(c *edt.Ctx) {
			l := after(c, -1, func(*edt.Ctx, edt.Args) {})
			for range 2 {
				launch(c, "counter", func(c *edt.Ctx, _ edt.Args) { c.SatisfySlot(l, guid.Null, edt.Incr) })
			}
			c.Satisfy(l, guid.Null)
		}},
	{"a dependence that races with the end of a finish scope", finding.OnceRace, "main", "by luck", never,
		func(c *edt.Ctx) {
			outer := job(c, "outer", 0, func(c *edt.Ctx, _ edt.Args) { launch(c, "inner", func(*edt.Ctx, edt.Args) {}) })
			_, out := c.Spawn(outer, &edt.Spec{Finish: true, Output: true})
			c.DestroyTemplate(outer)
			launch(c, "waiter", func(*edt.Ctx, edt.Args) {}, edt.From(out, null))
		}},
	{"a block exposed before its release to an EDT that is connected after it", finding.EarlyExposure, "producer",
		"yet to release", never, func(c *edt.Ctx) {
			e := c.NewEvent(edt.Sticky)
			launch(c, "connector", func(c *edt.Ctx, _ edt.Args) {
				launch(c, "consumer", func(c *edt.Ctx, in edt.Args) {
					c.DestroyBlock(in.Dep(0).GUID())
					c.DestroyEvent(e)
				}, edt.From(e, ro))
			})
			launch(c, "producer", func(c *edt.Ctx, _ edt.Args) {
				b, bytes := c.NewBlock(8)
				c.Satisfy(e, b)
				bytes[0] = 1
			})
		}},
	{"a destruction that nothing orders with a use", finding.DestroyRace, "destroyer", "by luck", never, func(c *edt.Ctx) {
		b, e := written(c, 8), c.NewEvent(edt.Once)
		launch(c, "reader", func(*edt.Ctx, edt.Args) {}, edt.From(e, null), edt.From(b, ro))
		// With one worker this EDT runs last, but nothing orders it.
		launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(e, guid.Null) })
	}},
	{"a Ctx used on another goroutine", finding.StrayCall, "starter", "on a goroutine started at", never,
		func(c *edt.Ctx) {
			launch(c, "starter", func(c *edt.Ctx, _ edt.Args) {
				e := c.NewEvent(edt.Sticky)
				elsewhere(func() { c.Satisfy(e, guid.Null) })
				c.DestroyEvent(e)
			})
		}},
	{"a Ctx used after the end of its EDT", finding.StrayCall, "later", "on a goroutine started at", never,
		func(c *edt.Ctx) {
			late, over := make(chan bool), make(chan bool)
			e, unused := c.NewEvent(edt.Once), c.NewEvent(edt.Sticky)
			launch(c, "later", func(c *edt.Ctx, _ edt.Args) {
				close(late)
				<-over
				c.DestroyEvent(unused)
			}, edt.From(e, null))
			launch(c, "starter", func(c *edt.Ctx, _ edt.Args) {
				go func() {
					defer close(over)
					<-late
					c.Satisfy(unused, guid.Null)
				}()
				c.Satisfy(e, guid.Null) // edttest could run the other EDT within this call
			})
		}},
	{"a block never destroyed", finding.Undestroyed, "", "data block from faulty_test.go", never, func(c *edt.Ctx) {
		c.NewBlock(8)
	}},
}

// recordedTwins runs a recorded graph with two nodes that write to a block, or whose children do.
func recordedTwins(children bool) program {
	return func(c *edt.Ctx) {
		b, _ := c.NewBlock(16)
		c.Release(b)
		r, done := c.NewRecording(), c.NewEvent(edt.Once)
		twin := job(c, "twin", 1, func(_ *edt.Ctx, in edt.Args) { wordsOf(in, 0)[1]++ })
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
		}, edt.From(done, null))
		run := job(c, "run", 0, func(c *edt.Ctx, _ edt.Args) { r.Run(c, 1, guid.Null) })
		c.Spawn(run, &edt.Spec{Finish: true, OutputEvent: done})
		c.DestroyTemplate(run)
	}
}

// checking are the options of check mode without a limit for the time of an EDT, as the machine may be slow. A run that
// hangs ends the tests.
func checking(t *testing.T) []runtime.Option {
	return []runtime.Option{
		runtime.Check(), runtime.Blocking(time.Hour),
		runtime.Watchdog(runtime.Watch{Still: testrun.HangAfter(), Report: func(s runtime.Stall) {
			testrun.Hangs(t, s)
		}}),
	}
}

// runChecked runs a program in check mode and returns its findings. A single worker runs its newest EDT first.
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

// An EDT that keeps its worker is noted at its end: a note only, as the time depends on the machine.
func TestLongEDTIsNoted(t *testing.T) {
	const blocking = 10 * time.Millisecond
	found, err := runChecked(t, 1, func(c *edt.Ctx) {
		launch(c, "sleeper", func(*edt.Ctx, edt.Args) { time.Sleep(blocking) })
	}, runtime.Blocking(blocking))
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Template != "sleeper" })
	if err != nil || len(found) != 1 || found[0].Kind != finding.Blocking || !found[0].Note {
		t.Fatalf("found %v, error %v", found, err)
	}
	testrun.Contains(t, found[0].ObjectSite, "faulty_test.go:")
}

// A block that is left at a shutdown, with no EDT that could destroy it, is a leak.
func TestLeakAtShutdown(t *testing.T) {
	found, _ := runChecked(t, 2, func(c *edt.Ctx) {
		written(c, 8)
		c.Shutdown()
	})
	if len(found) != 1 || found[0].Kind != finding.Undestroyed {
		t.Errorf("found %v", found)
	}
}

// inBothWays runs a test twice: with small blocks on pages, as for the first EDTs of a template, and copied.
func inBothWays(t *testing.T, test func(t *testing.T, copied bool)) {
	t.Run("on pages", func(t *testing.T) { test(t, false) })
	t.Run("copied", func(t *testing.T) {
		defer check.CopySmall()()
		test(t, true)
	})
}

func TestFaultsAreFound(t *testing.T) { inBothWays(t, testFaultsAreFound) }

func testFaultsAreFound(t *testing.T, copied bool) {
	for _, f := range faulty {
		t.Run(f.name, func(t *testing.T) {
			found, err := runChecked(t, 1, f.main)
			if f.ends == unseen && copied {
				testrun.Equal(t, 0, len(found), "findings")
				return
			}
			var faults *finding.Error
			if !errors.As(err, &faults) {
				t.Fatalf("the run ended with %v, want faults; found %v", err, found)
			}
			if f.ends == onPages && copied { // the program does not destroy its objects: on pages it ends before
				faults.Findings = slices.DeleteFunc(faults.Findings, func(f finding.Finding) bool {
					return f.Kind == finding.Undestroyed
				})
			}
			testrun.Equal(t, 1, len(faults.Findings), "faults:\n%v", err)
			got := faults.Findings[0]
			if got.Kind != f.kind || got.Template != f.template || !strings.Contains(got.String(), f.detail) {
				t.Errorf("found\n%v\nwant %v by %q with %q", got, f.kind, f.template, f.detail)
			}
			ends := f.ends == always || f.ends != never && !copied
			testrun.Equal(t, ends, faults.Cause != nil, "the run was ended by the fault: (%v)", faults.Cause)
			if ends {
				testrun.Equal(t, marked, got.Site, "the line of the access")
				testrun.Contains(t, faults.Cause.Error(), marked)
			}
			if where := got.Site + got.ObjectSite + got.Detail; !strings.Contains(where, "_test.go:") {
				t.Errorf("the finding names no line of the program: %v", got)
			}
		})
	}
}

// A count up that may come too late for a latch is found on any number of workers, with its line, also if the latch
// triggers first, so that the count is an error.
func TestLateCountsAreFoundOnAllWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for _, early := range []bool{false, true} {
			if early && workers > 1 && testrun.Race() {
				continue // the program's count races with the latch's end
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
		if f.ends == never {
			all, kinds[f.kind] = append(all, f.main), true
		}
	}
	found, _ := runChecked(t, 1, func(c *edt.Ctx) {
		for _, p := range all {
			launch(c, "part", func(c *edt.Ctx, _ edt.Args) { p(c) })
		}
	})
	for _, f := range found {
		delete(kinds, f.Kind)
	}
	if len(kinds) > 0 {
		t.Errorf("not found: %v, in %v", kinds, found)
	}
}

// unordered are programs whose result depends on which EDT comes first. What a program can allow by an edt.Unordered is
// a fault unless it is allowed; all else is a note.
var unordered = []struct {
	name            string
	kind            finding.Kind
	template, other string
	detail          string
	allows          edt.Unordered // the allowance that makes the program right; 0 for a note
	main            func(allowed edt.Unordered) program
}{
	{"a reader before an unordered writer", finding.ReadRace, "holder", "holder", "bytes 8 to 15",
		edt.ReadsAndWrites, reading(rw, ro)},
	{"a reader after an unordered writer", finding.ReadRace, "holder", "holder", "bytes 8 to 15",
		edt.ReadsAndWrites, reading(ro, rw)},
	{"a reader in mode Const before an unordered exclusive writer", finding.ReadRace, "holder", "holder", "bytes 8 to 15",
		edt.ReadsAndWrites, reading(ew, konst)},
	{"a reader in mode Const after an unordered exclusive writer", finding.ReadRace, "holder", "holder", "bytes 8 to 15",
		edt.ReadsAndWrites, reading(konst, ew)},
	{"exclusive writers in no order", finding.TurnOrder, "writer", "writer", "bytes 8 to 15",
		edt.ExclusiveWriters, writers(ew, ew)},
	{"a writer in no order with an exclusive one", finding.TurnOrder, "writer", "writer", "bytes 8 to 15",
		edt.ExclusiveWriters, writers(rw, ew)},
	{"unordered writes to the halves of a word", finding.SharedWord, "writer", "writer", "bytes 8 to 15", 0,
		noted(func(c *edt.Ctx) {
			among(c, written(c, 32), "writer", func(in edt.Args, n int) { datablock.Slice[uint32](in.Dep(0))[2+n] = 5 }, rw, rw)
		})},
	{"two senders in no order", finding.SendOrder, "sender", "sender", "luck", 0, noted(func(c *edt.Ctx) {
		ch := c.NewChannel(2)
		receive := job(c, "receiver", 1, func(*edt.Ctx, edt.Args) {})
		done := c.NewLatch(2)
		launch(c, "last", func(c *edt.Ctx, _ edt.Args) {
			for range 2 {
				c.NewEDT(receive, nil, edt.From(ch, null))
			}
			c.DestroyEvent(ch)
			c.DestroyTemplate(receive)
		}, edt.From(done, null))
		for range 2 {
			launch(c, "sender", func(c *edt.Ctx, _ edt.Args) {
				c.Satisfy(ch, guid.Null)
				c.Satisfy(done, guid.Null)
			})
		}
	})},
}

func noted(p program) func(edt.Unordered) program { return func(edt.Unordered) program { return p } }

// writers makes two EDTs change a word in no order.
func writers(modes ...datablock.Mode) func(edt.Unordered) program {
	return shared(func(in edt.Args, n int) { wordsOf(in, 0)[1] = uint64(n) }, "writer", modes...)
}

// reading makes an EDT read a block that another EDT changes in no order. A single worker runs its newest EDT first.
func reading(modes ...datablock.Mode) func(edt.Unordered) program {
	return shared(func(in edt.Args, _ int) {
		if mode := in.Dep(0).Mode(); mode == rw || mode == ew {
			in.Dep(0).Bytes()[9] = 1
		} else {
			expect(uint64(in.Dep(0).Bytes()[0]), 0xFF)
		}
	}, "holder", modes...)
}

func shared(body func(in edt.Args, n int), template string, modes ...datablock.Mode) func(edt.Unordered) program {
	return func(allowed edt.Unordered) program {
		return func(c *edt.Ctx) {
			b := written(c, 32)
			c.AllowUnordered(b, allowed)
			among(c, b, template, body, modes...)
		}
	}
}

func TestUnordered(t *testing.T) { inBothWays(t, testUnordered) }

func testUnordered(t *testing.T, _ bool) {
	for _, p := range unordered {
		t.Run(p.name, func(t *testing.T) {
			found, err := runChecked(t, 1, p.main(0))
			note := p.allows == 0
			if len(found) != 1 || note != (err == nil) {
				t.Fatalf("found %v, error %v, want one, and whether it is a note: %v", found, err, note)
			}
			f := found[0]
			if f.Kind != p.kind || f.Note != note || f.Template != p.template || f.OtherTemplate != p.other ||
				!strings.Contains(f.Detail, p.detail) {
				t.Errorf("found %v, want %v by %q and %q with %q", f, p.kind, p.template, p.other, p.detail)
			}
			testrun.Contains(t, f.Site+f.ObjectSite, "_test.go:")
			if p.allows == 0 {
				return
			}
			if found, err := runChecked(t, 1, p.main(p.allows)); err != nil || len(found) > 0 {
				t.Errorf("allowed: found %v, error %v", found, err)
			}
		})
	}
}

// A finding about an EDT that goes on, or that is a node of a recorded graph, has the line of the call that led to it.
func TestLineOfMadeEDT(t *testing.T) {
	found, _ := runChecked(t, 1, func(c *edt.Ctx) {
		b := written(c, 8)
		l := after(c, 2, func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) })
		again := true
		launch(c, "goes on", func(c *edt.Ctx, in edt.Args) {
			if again {
				again = false
				c.Again()
				return
			}
			done(c, in, l)
		}, edt.From(b, ro))
		r, ended := c.NewRecording(), c.NewEvent(edt.Once)
		look := job(c, "node", 1, func(*edt.Ctx, edt.Args) {})
		r.Add(look, nil, edt.From(b, ro))
		launch(c, "ends", func(c *edt.Ctx, _ edt.Args) {
			r.Destroy(c)
			c.DestroyTemplate(look)
			c.Satisfy(l, guid.Null)
		}, edt.From(ended, null))
		r.Run(c, 1, ended)
		launch(c, "writer", func(_ *edt.Ctx, in edt.Args) { setWord(in, 0, 1) }, edt.From(b, rw))
	})
	lines := map[string]bool{}
	for _, f := range found {
		lines[f.Template] = f.Kind == finding.ReadRace && strings.Contains(f.Site, "faulty_test.go:")
	}
	if !lines["goes on"] || !lines["node"] {
		t.Errorf("found %v", found)
	}
}

// An allowance allows only what it names.
func TestAllowedAlone(t *testing.T) {
	for name, p := range map[string]program{
		"a sum's reader that does not wait": reading(ro, ew)(edt.ExclusiveWriters),
		"turns, where reads are allowed":    writers(ew, ew)(edt.ReadsAndWrites),
		"writers in mode RW":                writers(rw, rw)(edt.ExclusiveWriters | edt.ReadsAndWrites),
	} {
		if found, err := runChecked(t, 1, p); err == nil {
			t.Errorf("%s: found %v, no error", name, found)
		}
	}
}

// TestDestructionBehindTheSameEvent: two EDTs wait for one event; one reads a block and the other destroys it. The
// event may reach either first, so the race must be found in both orders.
func TestDestructionBehindTheSameEvent(t *testing.T) {
	for name, make := range map[string]func(c *edt.Ctx) (waited guid.GUID, trigger func(c *edt.Ctx)){
		"a sticky event": func(c *edt.Ctx) (guid.GUID, func(c *edt.Ctx)) { return satisfied(c, c.NewEvent(edt.Sticky)) },
		"a once event":   func(c *edt.Ctx) (guid.GUID, func(c *edt.Ctx)) { return satisfied(c, c.NewEvent(edt.Once)) },
		"a latch":        func(c *edt.Ctx) (guid.GUID, func(c *edt.Ctx)) { return satisfied(c, c.NewLatch(1)) },
		"a latch of five": func(c *edt.Ctx) (guid.GUID, func(c *edt.Ctx)) {
			l := c.NewLatch(5)
			for range 4 {
				countsDown(c, l)
			}
			return satisfied(c, l)
		},
		"an output event": func(c *edt.Ctx) (guid.GUID, func(c *edt.Ctx)) { return outputOf(c, false) },
		"a finish scope":  func(c *edt.Ctx) (guid.GUID, func(c *edt.Ctx)) { return outputOf(c, true) },
	} {
		for _, workers := range []int{1, 2, 3, 8} {
			for run := range testrun.Sized(10, 20, 200) {
				found, err := runChecked(t, workers, func(c *edt.Ctx) {
					b := written(c, 8)
					event, trigger := make(c)
					read := func() { launch(c, "reader", func(*edt.Ctx, edt.Args) {}, edt.From(b, ro), edt.From(event, null)) }
					if run%2 == 0 {
						read()
					}
					launch(c, "destroyer", func(c *edt.Ctx, _ edt.Args) { c.DestroyBlock(b) }, edt.From(event, null))
					if run%2 == 1 {
						read()
					}
					trigger(c)
				})
				told := slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Kind == finding.DestroyRace })
				if !told && !errors.Is(err, edt.ErrStale) { // the destroyer came first
					t.Fatalf("%s, %d workers: found %v, error %v", name, workers, found, err)
				}
			}
		}
	}
}

func satisfied(_ *edt.Ctx, event guid.GUID) (guid.GUID, func(c *edt.Ctx)) {
	return event, func(c *edt.Ctx) {
		launch(c, "trigger", func(c *edt.Ctx, _ edt.Args) { c.Satisfy(event, guid.Null) })
	}
}

func outputOf(c *edt.Ctx, finish bool) (guid.GUID, func(c *edt.Ctx)) {
	inner := job(c, "inner", 1, func(*edt.Ctx, edt.Args) {})
	g, out := c.Spawn(inner, &edt.Spec{Finish: finish, Output: true})
	c.DestroyTemplate(inner)
	return out, func(c *edt.Ctx) { c.AddDependence(guid.Null, g, 0, null) }
}

// An EDT that uses the Ctx of another worker panics.
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

// A write to pages that many EDTs read is found as that of the EDT that writes.
func TestWriteAmongManyReaders(t *testing.T) {
	const readers = 20
	found, err := runChecked(t, 2, func(c *edt.Ctx) {
		b := written(c, 1<<16)
		var ended atomic.Int32
		write := job(c, "writer", 1, func(c *edt.Ctx, in edt.Args) {
			read := job(c, "reader", 1, func(*edt.Ctx, edt.Args) { ended.Add(1) })
			for range readers {
				c.NewEDTAt(c.Bind(1), read, nil, edt.From(b, ro))
			}
			for ended.Load() < readers {
				goruntime.Gosched()
			}
			in.Dep(0).Bytes()[0] = 1
		})
		c.NewEDTAt(c.Bind(0), write, nil, edt.From(b, ro))
	})
	if err == nil || len(found) != 1 || found[0].Kind != finding.ReadOnlyWrite || found[0].Template != "writer" {
		t.Errorf("found %v, error %v", found, err)
	}
}

// elsewhere calls f on a goroutine of its own, and waits for it.
func elsewhere(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// Bytes of a block that any goroutine reads after the run are zero.
func TestBytesReadAfterTheRun(t *testing.T) {
	var bytes []byte
	_, err := runChecked(t, 2, func(c *edt.Ctx) {
		launch(c, "keeper", func(c *edt.Ctx, in edt.Args) {
			bytes = in.Dep(0).Bytes()
			bytes[7] = 1
			c.DestroyBlock(in.Dep(0).GUID())
		}, edt.From(written(c, 8), rw))
	})
	testrun.OK(t, err)
	elsewhere(func() { testrun.Equal(t, 0, bytes[7], "what is left") })
}
