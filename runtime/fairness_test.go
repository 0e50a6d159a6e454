package runtime

import (
	"fmt"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A hog creates another EDT like itself again and again, so that its worker always has an EDT to run.
type hog struct {
	name string
	hint func(c *edt.Ctx) edt.Hint
	// A chained hog becomes ready at the end of the previous one.
	chained bool
	count   int
	goesOn  bool // it runs again, in place of creating another EDT
}

func noHint(*edt.Ctx) edt.Hint { return edt.Hint{} }

var hogs = []hog{
	{"plain", noHint, false, 1, false},
	{"chained", noHint, true, 1, false},
	{"two plain", noHint, false, 2, false},
	{"bound", func(c *edt.Ctx) edt.Hint { return edt.Hint{Affinity: c.Bind(0)} }, false, 1, false},
	{"bound chained", func(c *edt.Ctx) edt.Hint { return edt.Hint{Affinity: c.Bind(0)} }, true, 1, false},
	{"placed", func(c *edt.Ctx) edt.Hint { return edt.Hint{Affinity: c.Place(0)} }, false, 2, false},
	{"with priority", func(*edt.Ctx) edt.Hint { return edt.Hint{Priority: 1} }, false, 1, false},
	{"two with priority", func(*edt.Ctx) edt.Hint { return edt.Hint{Priority: 1} }, false, 2, false},
	{"bound, priority", func(c *edt.Ctx) edt.Hint { return edt.Hint{Priority: 1, Affinity: c.Bind(0)} }, true, 2, false},
	{"goes on", noHint, false, 1, true},
	{"two go on", noHint, false, 2, true},
	{"bound, goes on", func(c *edt.Ctx) edt.Hint { return edt.Hint{Affinity: c.Bind(0)} }, false, 1, true},
	{"placed, two go on", func(c *edt.Ctx) edt.Hint { return edt.Hint{Affinity: c.Place(0)} }, false, 2, true},
	{"with priority, goes on", func(*edt.Ctx) edt.Hint { return edt.Hint{Priority: 1} }, false, 1, true},
}

// others are the EDTs that hogs could starve. Even an EDT with a low priority must run at some time.
var others = []struct {
	name string
	hint func(c *edt.Ctx) edt.Hint
}{
	{"plain", noHint},
	{"bound", func(c *edt.Ctx) edt.Hint { return edt.Hint{Affinity: c.Bind(0)} }},
	{"placed", func(c *edt.Ctx) edt.Hint { return edt.Hint{Affinity: c.Place(0)} }},
	{"with priority", func(*edt.Ctx) edt.Hint { return edt.Hint{Priority: 1} }},
	{"bound with priority", func(c *edt.Ctx) edt.Hint { return edt.Hint{Priority: 1, Affinity: c.Bind(0)} }},
	{"low", func(*edt.Ctx) edt.Hint { return edt.Hint{Priority: -1} }},
	{"bound low", func(c *edt.Ctx) edt.Hint { return edt.Hint{Priority: -1, Affinity: c.Bind(0)} }},
}

// start starts the hogs. When more than limit of them have run while counted is true, they call gaveUp and end the run.
func (h *hog) start(c *edt.Ctx, counted func() bool, limit int, gaveUp func()) {
	var n atomic.Int64
	var tm *edt.Template
	tm = c.NewTemplate("hog", 0, 1, does(func(c *edt.Ctx, _ edt.Args) {
		if counted() && n.Add(1) > int64(limit) {
			gaveUp()
			c.Shutdown()
			return
		}
		if h.goesOn {
			c.Again()
			return
		}
		from := edt.From(guid.Null, datablock.RW)
		if h.chained {
			// This EDT holds the block to its end, so the next one becomes ready then.
			g, _ := c.NewBlock(8)
			from = edt.From(g, datablock.EW)
		}
		c.Spawn(tm, &edt.Spec{Deps: []edt.Source{from}, Hint: h.hint(c)})
	}))
	for range h.count {
		c.Spawn(tm, &edt.Spec{Deps: []edt.Source{edt.From(guid.Null, datablock.RW)}, Hint: h.hint(c)})
	}
}

// TestFairness: EDTs that make EDTs like themselves ready for ever do not starve others.
func TestFairness(t *testing.T) {
	const limit = 30_000 // many times the wait of a fair scheduler
	for _, h := range hogs {
		for _, o := range others {
			t.Run(fmt.Sprintf("%s/%s", h.name, o.name), func(t *testing.T) {
				mustRun(t, starting(func(c *edt.Ctx) {
					h.start(c, func() bool { return true }, limit, func() { t.Errorf("did not run beside %d hogs", limit) })
					c.Spawn(body(c, func(c *edt.Ctx) { c.Shutdown() }), &edt.Spec{Hint: o.hint(c)})
				}), Workers(1))
			})
		}
	}
}

// TestFairnessToTheInbox: EDTs that another worker places on a busy worker run too.
func TestFairnessToTheInbox(t *testing.T) {
	for _, h := range hogs {
		mustRun(t, starting(func(c *edt.Ctx) {
			var sent atomic.Bool
			h.start(c, sent.Load, 1_000_000, func() { t.Errorf("%s: the EDT in the inbox did not run", h.name) })
			c.NewEDTAt(c.Bind(1), body(c, func(c *edt.Ctx) {
				c.NewEDTAt(c.Bind(0), body(c, func(c *edt.Ctx) { c.Shutdown() }), nil)
				sent.Store(true)
			}), nil)
		}), Workers(2))
	}
}
