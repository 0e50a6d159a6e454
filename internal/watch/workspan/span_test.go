package workspan_test

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/workspan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A clock advances only where a body works.
type clock struct{ now int64 }

func (k *clock) work(n int64) { k.now += n }

// A lab makes the programs of these tests.
type lab struct {
	*clock
	c *edt.Ctx
}

// body returns a template whose EDTs run the steps: work for a time, or a call.
func (l *lab) body(name string, slots int, steps ...any) *edt.Template {
	return l.c.NewTemplate(name, 0, slots, func(c *edt.Ctx, in edt.Args) guid.GUID {
		for _, step := range steps {
			switch step := step.(type) {
			case int:
				l.work(int64(step))
			case func(c *edt.Ctx):
				step(c)
			}
		}
		return guid.Null
	})
}

// on returns a dependence on an event.
func on(event guid.GUID) edt.Source { return edt.From(event, datablock.RO) }

// satisfy returns a step that satisfies an event.
func satisfy(event guid.GUID) func(*edt.Ctx) {
	return func(c *edt.Ctx) { c.Satisfy(event, guid.Null) }
}

// spans are programs whose span and work are the same for every order of their EDTs. Main takes no time unless it
// works.
var spans = []struct {
	name       string
	work, span int64
	main       func(l *lab)
}{
	{"nothing", 0, 0, func(*lab) {}},
	{"main works", 7, 7, func(l *lab) { l.work(7) }},
	{"chain, each creates the next after 4 of 10", 30, 18, func(l *lab) {
		third := l.body("third", 0, 10)
		second := l.body("second", 0, 4, func(c *edt.Ctx) { c.NewEDT(third, nil) }, 6)
		l.c.NewEDT(l.body("first", 0, 4, func(c *edt.Ctx) { c.NewEDT(second, nil) }, 6), nil)
	}},
	{"independent EDTs, created one after the other", 35, 12, func(l *lab) {
		t := l.body("t", 0, 10)
		for range 3 {
			l.c.NewEDT(t, nil)
			l.work(1)
		}
		l.work(2)
	}},
	{"fork and join by output events", 36, 21, func(l *lab) {
		keep := [3]guid.GUID{}
		var deps []edt.Source
		for k := range keep {
			var end guid.GUID
			keep[k], end = l.c.Spawn(l.body(fmt.Sprint("side", k), 1, 5*(k+1)), &edt.Spec{Output: true})
			deps = append(deps, on(end))
		}
		l.work(1)
		l.c.NewEDT(l.body("join", 3, 5), nil, deps...)
		for _, e := range keep {
			l.c.AddDependence(guid.Null, e, 0, datablock.Null)
		}
	}},
	{"satisfied in mid-body, by a sticky event", 20, 13, func(l *lab) {
		e := l.c.NewEvent(edt.Sticky)
		l.c.NewEDT(l.body("after", 1, 10), nil, on(e))
		l.c.NewEDT(l.body("before", 0, 3, satisfy(e), 7), nil)
	}},
	{"diamond through a latch", 1 + 10 + 20 + 5, 1 + 20 + 5, func(l *lab) {
		latch := l.c.NewLatch(2)
		l.c.NewEDT(l.body("bottom", 1, 5), nil, on(latch))
		left, right := l.body("left", 0, 10, satisfy(latch)), l.body("right", 0, 20, satisfy(latch))
		l.c.NewEDT(l.body("top", 0, 1, func(c *edt.Ctx) {
			c.NewEDT(left, nil)
			c.NewEDT(right, nil)
		}), nil)
	}},
	{"a late dependence on a sticky event", 31, 25, func(l *lab) {
		e := l.c.NewEvent(edt.Sticky)
		after := l.body("after", 1, 5)
		l.c.NewEDT(l.body("satisfies", 0, 20, satisfy(e)), nil)
		l.c.NewEDT(l.body("connects", 0, 6, func(c *edt.Ctx) { c.NewEDT(after, nil, on(e)) }), nil)
	}},
	{"the dependence is added later than the satisfaction", 31, 25, func(l *lab) {
		e := l.c.NewEvent(edt.Sticky)
		after := l.c.NewEDT(l.body("after", 1, 5), nil)
		l.c.NewEDT(l.body("satisfies", 0, 6, satisfy(e)), nil)
		l.c.NewEDT(l.body("connects", 0, 20, func(c *edt.Ctx) { c.AddDependence(e, after, 0, datablock.RO) }), nil)
	}},
	{"idempotent: the first satisfaction alone", 8, 8, func(l *lab) {
		e := l.c.NewEvent(edt.Idempotent)
		l.c.Satisfy(e, guid.Null)
		l.work(3)
		l.c.Satisfy(e, guid.Null)
		l.c.NewEDT(l.body("after", 1, 5), nil, on(e))
	}},
	{"counted event, gone before its last dependence is served", 16, 13, func(l *lab) {
		e := l.c.NewCounted(2)
		l.c.NewEDT(l.body("one", 1, 3), nil, on(e))
		l.c.NewEDT(l.body("two", 1, 3), nil, on(e))
		l.c.NewEDT(l.body("satisfies", 0, 10, satisfy(e)), nil)
	}},
	{"a chain of events of all sorts", 14, 14, func(l *lab) {
		first, last := l.c.NewEvent(edt.Once), l.c.NewEvent(edt.Sticky)
		from := first
		for k := range 10 {
			next := []guid.GUID{l.c.NewEvent(edt.Once), l.c.NewLatch(1), l.c.NewEvent(edt.Idempotent), l.c.NewCounted(1),
				l.c.NewChannel(edt.Unbounded)}[k%5]
			l.c.AddDependence(from, next, 0, datablock.RW)
			from = next
		}
		l.c.AddDependence(from, last, 0, datablock.RW)
		l.c.NewEDT(l.body("after", 1, 4), nil, on(last))
		l.c.NewEDT(l.body("satisfies", 0, 10, satisfy(first)), nil)
	}},
	{"a channel: the k-th dependence has the k-th satisfaction", 30 + 28, 36, func(l *lab) {
		e := l.c.NewChannel(edt.Unbounded)
		for k, took := range []int{26, 1, 1} {
			l.c.NewEDT(l.body(fmt.Sprint("receiver", k), 1, took), nil, on(e))
		}
		l.c.NewEDT(l.body("sender", 0, 10, satisfy(e), 10, satisfy(e), 10, satisfy(e)), nil)
	}},
	{"a channel: satisfactions wait for dependences of shallow EDTs", 30 + 26 + 1, 31, func(l *lab) {
		e := l.c.NewChannel(edt.Unbounded)
		first, second := l.body("first", 1, 26), l.body("second", 1, 1)
		l.c.NewEDT(l.body("sender", 0, satisfy(e), 30, satisfy(e)), nil)
		l.c.NewEDT(l.body("connects", 0, func(c *edt.Ctx) {
			c.NewEDT(first, nil, on(e))
			c.NewEDT(second, nil, on(e))
		}), nil)
	}},
	{"two events are connected later than the satisfaction", 31, 25, func(l *lab) {
		first, second := l.c.NewEvent(edt.Sticky), l.c.NewEvent(edt.Sticky)
		l.c.NewEDT(l.body("after", 1, 5), nil, on(second))
		l.c.NewEDT(l.body("satisfies", 0, 6, satisfy(first)), nil)
		l.c.NewEDT(l.body("connects", 0, 20, func(c *edt.Ctx) { c.AddDependence(first, second, 0, datablock.RW) }), nil)
	}},
	{"a block to write for one at a time, in whatever order", 30, 30, func(l *lab) {
		block, _ := l.c.NewBlock(8)
		l.c.Release(block)
		gate := l.c.NewEvent(edt.Once)
		t := l.body("writer", 2, 10)
		for range 3 {
			l.c.NewEDT(t, nil, edt.From(block, datablock.EW), on(gate))
		}
		l.c.Satisfy(gate, guid.Null)
	}},
	{"two blocks, of which the one that is granted first is released at a greater depth", 160, 150, func(l *lab) {
		low, high := l.c.NewBlockNoAcquire(8), l.c.NewBlockNoAcquire(8)
		if low.Compare(high) > 0 {
			low, high = high, low
		}
		l.c.NewEDT(l.body("deep", 1, 100), nil, edt.From(low, datablock.EW))
		l.c.NewEDT(l.body("flat", 1, 10), nil, edt.From(high, datablock.EW))
		l.c.NewEDT(l.body("both", 2, 50), nil, edt.From(low, datablock.EW), edt.From(high, datablock.EW))
	}},
	{"an EDT that goes on, as its end says", 30, 30, func(l *lab) {
		rounds := 0
		l.c.NewEDT(l.body("round", 0, 4, func(c *edt.Ctx) {
			if rounds++; rounds < 3 {
				c.Again()
			}
		}, 6), nil)
	}},
	{"an EDT that goes on behind an event", 10 + 25 + 10, 25 + 10, func(l *lab) {
		e, first := l.c.NewEvent(edt.Sticky), true
		l.c.NewEDT(l.body("round", 1, 10, func(c *edt.Ctx) {
			if first {
				first = false
				c.Again(edt.Change{Slot: 0, Source: e})
			}
		}), nil, on(guid.Null))
		l.c.NewEDT(l.body("satisfies", 0, 25, satisfy(e)), nil)
	}},
	{"an EDT that goes on keeps its scope open", 3*10 + 5, 3*10 + 5, func(l *lab) {
		rounds := 0
		inside := l.body("round", 0, 10, func(c *edt.Ctx) {
			if rounds++; rounds < 3 {
				c.Again()
			}
		})
		held, end := l.c.Spawn(l.body("finish", 1, func(c *edt.Ctx) {
			c.NewEDT(inside, nil)
		}), &edt.Spec{Finish: true, Output: true})
		l.c.NewEDT(l.body("after", 1, 5), nil, on(end))
		l.c.AddDependence(guid.Null, held, 0, datablock.Null)
	}},
	{"a block passed on in mid-body", 20, 13, func(l *lab) {
		block, e := l.c.NewBlockNoAcquire(8), l.c.NewEvent(edt.Sticky)
		l.c.NewEDT(l.body("after", 1, 10), nil, edt.From(e, datablock.EW))
		l.c.NewEDT(l.body("before", 1, 3, func(c *edt.Ctx) { c.Pass(e, 0) }, 7), nil, edt.From(block, datablock.EW))
	}},
	{"a block released in mid-body", 20, 14, func(l *lab) {
		block, _ := l.c.NewBlock(8)
		l.c.Release(block)
		gate := l.c.NewEvent(edt.Once)
		t := l.body("writer", 2, 4, func(c *edt.Ctx) { c.Release(block) }, 6)
		for range 2 {
			l.c.NewEDT(t, nil, edt.From(block, datablock.EW), on(gate))
		}
		l.c.Satisfy(gate, guid.Null)
	}},
	{"a finish EDT and all that it leads to", 1 + 3 + 20 + 10 + 5, 1 + 3 + 20 + 5, func(l *lab) {
		deep := l.body("deep", 0, 20)
		wide := l.body("wide", 0, 10)
		finish := l.body("finish", 1, 1, func(c *edt.Ctx) {
			c.NewEDT(wide, nil)
		}, 3, func(c *edt.Ctx) { c.NewEDT(deep, nil) })
		held, end := l.c.Spawn(finish, &edt.Spec{Finish: true, Output: true})
		l.c.NewEDT(l.body("after", 1, 5), nil, on(end))
		l.c.NewEDT(l.body("beside", 0), nil)
		l.c.AddDependence(guid.Null, held, 0, datablock.Null)
	}},
	{"finish EDTs in each other", 2 + 8 + 1 + 4 + 30, 2 + 8 + 4, func(l *lab) {
		deep := l.body("deep", 0, 8)
		inner := l.body("inner", 0, 2, func(c *edt.Ctx) { c.NewEDT(deep, nil) })
		outer := l.body("outer", 1, func(c *edt.Ctx) { c.Spawn(inner, &edt.Spec{Finish: true}) }, 1)
		held, end := l.c.Spawn(outer, &edt.Spec{Finish: true, Output: true})
		l.c.NewEDT(l.body("after", 1, 4), nil, on(end))
		for range 10 {
			l.c.NewEDT(l.body("other", 0, 3), nil)
		}
		l.c.AddDependence(guid.Null, held, 0, datablock.Null)
	}},
	{"an EDT of a scope is destroyed from outside, late", 50 + 2, 52, func(l *lab) { destroyed(l, 0, 50) }},
	{"an EDT of a scope is destroyed from outside, early", 40 + 5 + 2, 42, func(l *lab) { destroyed(l, 40, 5) }},
	{"an output event chained to one that is satisfied later", 16, 16, func(l *lab) {
		inner := l.c.NewEvent(edt.Sticky)
		outer := l.c.NewTemplate("outer", 0, 1, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			l.work(1)
			c.NewEDT(l.body("inner", 0, 10, satisfy(inner)), nil)
			return inner
		})
		held, end := l.c.Spawn(outer, &edt.Spec{Output: true})
		l.c.NewEDT(l.body("after", 1, 5), nil, on(end))
		l.c.AddDependence(guid.Null, held, 0, datablock.Null)
	}},
}

// destroyed makes a scope whose depth is deep. An EDT outside it works for the time takes, then destroys an EDT in it.
func destroyed(l *lab, deep, takes int) {
	hold, inside := l.body("hold", 1), l.body("inside", 0, deep)
	var kept guid.GUID
	gate := l.c.NewEvent(edt.Once)
	finish := l.body("finish", 1, func(c *edt.Ctx) {
		kept = c.NewEDT(hold, nil)
		c.NewEDT(inside, nil)
		c.Satisfy(gate, guid.Null)
	})
	l.c.NewEDT(l.body("kills", 1, takes, func(c *edt.Ctx) { c.DestroyEDT(kept) }), nil, on(gate))
	held, end := l.c.Spawn(finish, &edt.Spec{Finish: true, Output: true})
	l.c.NewEDT(l.body("after", 1, 2), nil, on(end))
	l.c.AddDependence(guid.Null, held, 0, datablock.Null)
}

func TestSpan(t *testing.T) {
	seeds := testrun.Sized[uint64](3, 12, 100)
	for _, s := range spans {
		for _, workers := range []int{1, 2, 3, 8} {
			for seed := range seeds {
				k := new(clock)
				m := workspan.New(workers, func() int64 { return k.now }, func() float64 { return 1 })
				h := edttest.New(seed, edt.Config{Workers: workers, Observe: m.Observe})
				err := h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
					s.main(&lab{k, c})
					return guid.Null
				})
				testrun.OK(t, err, "%s", s.name)
				r := m.Result()
				if r.Work != s.work || r.Span != s.span || r.EDTs != h.Graph.Counters().EDTRun {
					t.Errorf("%s: %d workers, seed %d: work %d, span %d of %d EDTs, want %d, %d of %d",
						s.name, workers, seed, r.Work, r.Span, r.EDTs, s.work, s.span, h.Graph.Counters().EDTRun)
				}
				h.Graph.Close()
				if t.Failed() {
					break
				}
			}
		}
	}
}
