package edt_test

import (
	"math"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A counted event is not used up by dependences alone: the one too many is the mistake. After the satisfaction the last
// dependence ends the event: one more is one to an object that is gone.
func TestMisuseCountedTooManyDependences(t *testing.T) {
	const op = "add dependence"
	event := func(c *edt.Ctx, g guid.GUID) { c.AddDependence(g, c.NewEvent(edt.Sticky), 0, datablock.RW) }
	task := func(c *edt.Ctx, g guid.GUID) { c.AddDependence(g, open(c, 1, nothing), 0, datablock.RW) }
	checkMisuses(t, []misuse{
		wrong("of an EDT", op, edt.ErrCount, then(countedFor(3), isAwaited, isAwaited, isAwaited), task),
		wrong("of a new EDT", op, edt.ErrCount, then(countedFor(1), isAwaited),
			func(c *edt.Ctx, g guid.GUID) { c.NewEDT(c.NewTemplate("waits", 0, 1, body(nothing)), nil, rw(g)) }),
		wrong("of an event", op, edt.ErrCount, then(countedFor(2), isAwaited, isAwaited), event),
		wrong("late", op, edt.ErrStale, then(countedFor(1), satisfy, isAwaited), task),
	})
}

// Counts that could wrap around are refused where they begin.
func TestMisuseCountLimits(t *testing.T) {
	latch := func(name string, counter int64) misuse {
		return without(name, "create latch event", edt.ErrCount, func(c *edt.Ctx) { c.NewLatch(counter) })
	}
	counted := func(name string, deps int) misuse {
		return without(name, "create counted event", edt.ErrCount, func(c *edt.Ctx) { c.NewCounted(deps) })
	}
	checkMisuses(t, []misuse{
		latch("latch at the top", math.MaxInt64),
		latch("latch at the bottom", math.MinInt64),
		latch("latch above the limit", 1<<62+1),
		latch("latch below the limit", -1<<62-1),
		counted("counted at the top", math.MaxInt),
		counted("counted above the limit", 1<<62),
	})
}

// The largest counts work, and one satisfaction uses up neither a latch nor a counted event that has them. The EDT
// that waits for a latch must not run; the one that waits for the counted event may.
func TestCountsAtTheirLimits(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		runs := func(*edt.Ctx, edt.Args) { tr.Errorf("an EDT ran whose latch has not triggered") }
		return body(func(c *edt.Ctx, _ edt.Args) {
			lasts := func(e guid.GUID, waiter func(*edt.Ctx, edt.Args)) {
				launch(c, waiter, rw(e))
				c.Satisfy(e, guid.Null)
				if !c.Exists(e) {
					tr.Errorf("the event is gone")
					return
				}
				c.DestroyEvent(e)
			}
			lasts(c.NewLatch(1<<62), runs)
			lasts(c.NewLatch(-1<<62), runs)
			lasts(c.NewCounted(1<<62-1), nothing)
			c.Shutdown()
		})
	})
}
