package edt_test

import (
	"math"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A counted event is not used up by dependences alone: the one too many is the mistake.
func TestMisuseCountedTooManyDependences(t *testing.T) {
	make := func(name string, deps int, call func(c *edt.Ctx, f *fault, e guid.GUID)) misuse {
		return misuse{name, "add dependence", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			e := c.NewCounted(deps)
			for range deps {
				launch(c, nothing, rw(e))
			}
			call(c, f, e)
		}}
	}
	checkMisuses(t, []misuse{
		make("of an EDT", 3, func(c *edt.Ctx, f *fault, e guid.GUID) {
			g := open(c, 1, nothing)
			f.at(c, e, func() { c.AddDependence(e, g, 0, datablock.RW) })
		}),
		make("of a new EDT", 1, func(c *edt.Ctx, f *fault, e guid.GUID) {
			tmpl := c.NewTemplate("waits", 0, 1, body(nothing))
			f.at(c, e, func() { c.NewEDT(tmpl, nil, rw(e)) })
		}),
		make("of an event", 2, func(c *edt.Ctx, f *fault, e guid.GUID) {
			g := c.NewEvent(edt.Sticky)
			f.at(c, e, func() { c.AddDependence(e, g, 0, datablock.RW) })
		}),
	})
}

// After the satisfaction the last dependence ends the event: one more is one to an
// object that is gone.
func TestMisuseCountedLateDependence(t *testing.T) {
	checkMisuses(t, []misuse{{"late", "add dependence", edt.ErrStale, func(c *edt.Ctx, f *fault) {
		e := c.NewCounted(1)
		c.Satisfy(e, guid.Null)
		launch(c, nothing, rw(e))
		g := open(c, 1, nothing)
		f.at(c, e, func() { c.AddDependence(e, g, 0, datablock.RW) })
	}}})
}

// Counts that could wrap around are refused where they begin.
func TestMisuseCountLimits(t *testing.T) {
	latch := func(name string, counter int64) misuse {
		return misuse{name, "create latch event", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			f.at(c, guid.Null, func() { c.NewLatch(counter) })
		}}
	}
	counted := func(name string, deps int) misuse {
		return misuse{name, "create counted event", edt.ErrCount, func(c *edt.Ctx, f *fault) {
			f.at(c, guid.Null, func() { c.NewCounted(deps) })
		}}
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

// The largest counts work, and one satisfaction uses up neither a latch nor a counted
// event that has them. The EDT that waits for a latch must not run; the one that waits
// for the counted event may.
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
