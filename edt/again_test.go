package edt_test

import (
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// reusedAndReplaced runs a program everywhere: without sites, so that Again reuses the record of the EDT, and with
// sites, so that the new EDT has a record of its own.
func reusedAndReplaced(t *testing.T, build func(tr *trial) edt.Func) {
	t.Helper()
	for _, sites := range []bool{false, true} {
		everywhere(t, func(tr *trial) edt.Func {
			tr.sites = sites
			return build(tr)
		})
	}
}

// TestAgainIsANewEDT: the new EDT has another GUID, and the old GUID is stale. Template, hint, and the parameters as
// the body has left them are the same.
func TestAgainIsANewEDT(t *testing.T) {
	reusedAndReplaced(t, func(tr *trial) edt.Func {
		const rounds = 20
		ran := tr.times("rounds", rounds)
		tr.after(func() {
			if n := tr.counters; n.EDTCreated != rounds || n.EDTRun != rounds+1 || n.EDTDestroyed != 0 || len(tr.leaks) != 0 {
				tr.Errorf("counted %+v, leaks %v", n, tr.leaks)
			}
		})
		return body(func(c *edt.Ctx, _ edt.Args) {
			var before []guid.GUID
			hint := edt.Hint{Priority: 3, Affinity: c.Bind(c.Workers() - 1)}
			tmpl := c.NewTemplate("round", 5, 0, body(func(c *edt.Ctx, in edt.Args) {
				round := ran.next()
				if in.Param(0) != uint64(round) || in.Param(4) != 7 {
					tr.Errorf("round %d has parameters %v", round, in.Params())
				}
				for _, g := range before {
					if g == c.Self() || c.Exists(g) {
						tr.Errorf("round %d: EDT %v, which has ended, exists; this is %v", round, g, c.Self())
					}
				}
				before = append(before, c.Self())
				if c.Output() != guid.Null || c.Worker() != c.Workers()-1 {
					tr.Errorf("round %d: output %v, on worker %d", round, c.Output(), c.Worker())
				}
				if round < rounds {
					in.Params()[0]++
					c.Again()
					in.Params()[4] = 7
				}
			}))
			c.Spawn(tmpl, &edt.Spec{Params: edt.Params(1, 0, 0, 0, 7), Hint: hint})
			c.DestroyTemplate(tmpl) // its EDTs may still call Again
		})
	})
}

// TestAgainStuck: an EDT of Again that waits for ever is in the report, with the line of the call if sites are
// recorded.
func TestAgainStuck(t *testing.T) {
	for _, sites := range []bool{false, true} {
		stuck(t, sites, func(tr *trial, c *edt.Ctx) func(*edt.StuckError) {
			var site string
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				if site == "" {
					_, file, line, _ := goruntime.Caller(0)
					site = fmt.Sprintf("%s:%d by launched", filepath.Base(file), line+2)
					c.Again(edt.Change{Slot: 1, Source: c.NewEvent(edt.Sticky)})
				}
			}, rw(wordBlock(c, 1)), rw(guid.Null))
			return func(e *edt.StuckError) {
				if e.Count != 1 || len(e.Waiting[0].Missing) != 1 || e.Waiting[0].Missing[0].Slot != 1 {
					tr.Errorf("waiting: %+v", e.Waiting)
				}
				if got := e.Waiting[0].Site; sites && got != site {
					tr.Errorf("created at %s, want %s", got, site)
				}
			}
		})
	}
}

// TestAgainStuckOnOnce: a report names the once event that an EDT of Again waits for, not the event that stands in for
// it. If the once event was destroyed, the report says so.
func TestAgainStuckOnOnce(t *testing.T) {
	for destroyed, want := range map[bool]string{
		false: "once event X, never satisfied", true: "an event given to Again, destroyed before it triggered",
	} {
		var x guid.GUID
		err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
			x = c.NewEvent(edt.Once)
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				c.Again(edt.Change{Source: x})
				if destroyed {
					launch(c, func(c *edt.Ctx, _ edt.Args) { c.DestroyEvent(x) })
				}
			}, rw(guid.Null))
		}))
		w := testrun.As[*edt.StuckError](t, err).Waiting[0]
		testrun.Equal(t, strings.Replace(want, "X", x.String(), 1), w.Missing[0].Lacks, "destroyed %t", destroyed)
	}
}

// TestAgainObserved: observers see an ordinary EDT, which the EDT that called Again creates.
func TestAgainObserved(t *testing.T) {
	log := chronicleOf(t, body(func(c *edt.Ctx, _ edt.Args) {
		first := true
		e := c.NewEvent(edt.Sticky)
		c.Satisfy(e, guid.Null)
		launch(c, func(c *edt.Ctx, _ edt.Args) {
			if first {
				first = false
				c.Again(edt.Change{Slot: 1, Source: e})
			}
		}, rw(wordBlock(c, 1)), rw(guid.Null))
	}))
	testrun.Same(t, []string{
		"launched: begin launched, 2 deps", "launched: returned launched", "launched: release block8 RW false",
		"launched: create launched/2", "launched: depend block8 -> launched/0 RW",
		"launched: slot launched/0 gets block8 from -", "launched: depend sticky -> launched/1 RW",
		"launched: slot launched/1 gets - from sticky", "launched: ready launched", "-: ended launched",
		"launched: begin launched, 2 deps", "launched: returned launched", "launched: release block8 RW false",
		"-: ended launched",
	}, log[max(slices.Index(log, "launched: begin launched, 2 deps"), 0):], "observed")
}

// TestAgainAndShutdown: an EDT that calls Again and Shutdown, in either order, does not run again. The new EDT exists,
// and is reported as a leak.
func TestAgainAndShutdown(t *testing.T) {
	for _, end := range []func(c *edt.Ctx){(*edt.Ctx).Shutdown, func(c *edt.Ctx) { c.Abort(0) }} {
		for _, first := range []bool{false, true} {
			reusedAndReplaced(t, func(tr *trial) edt.Func {
				ran := tr.times("rounds", 1)
				tr.after(func() {
					want := []edt.Leak{{Kind: guid.KindEDT, Template: "round", Count: 1},
						{Kind: guid.KindTemplate, Template: "round", Count: 1}}
					for k := range tr.leaks {
						want[min(k, 1)].Site = tr.leaks[k].Site
					}
					testrun.Same(tr, want, tr.leaks, "leaks")
				})
				return body(func(c *edt.Ctx, in edt.Args) {
					c.DestroyBlock(in.Dep(0).GUID())
					c.NewEDT(c.NewTemplate("round", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
						ran.add()
						if first {
							end(c)
						}
						c.Again()
						if !first {
							end(c)
						}
					})), nil)
				})
			})
		}
	}
}

// TestSnapshotOfAnEDTThatGoesOn: until the body ends, snapshots show an EDT that runs and waits for nothing, without
// the new sources of its slots. Then the new EDT waits.
func TestSnapshotOfAnEDTThatGoesOn(t *testing.T) {
	for _, slots := range []int{2, 9} { // inline, spilled
		looked(t, func(c *edt.Ctx, look func() *edt.Snapshot) {
			var deps []edt.Source
			for k := range slots {
				deps = append(deps, rw(wordBlock(c, uint64(k))))
			}
			e := c.NewEvent(edt.Sticky)
			event := fmt.Sprintf("sticky event %v, never satisfied", e)
			var before guid.GUID
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				before = c.Self()
				c.Again(edt.Change{Slot: slots - 1, Source: e})
				if s := look(); s.Count != 0 || len(s.Waiting) != 0 {
					t.Errorf("%d slots: in the body: %v", slots, s)
				}
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					s := look()
					if s.Count != 1 || s.Waiting[0].EDT == before {
						t.Fatalf("%d slots: after the body: %v", slots, s)
					}
					testrun.Equal(t, event, lackOf(t, s, s.Waiting[0].EDT, slots-1), "%d slots: lacks", slots)
				})
			}, deps...)
		})
	}
}

// TestPassIsObservedAsTwo: observers see the release and then the satisfaction.
func TestPassIsObservedAsTwo(t *testing.T) {
	for _, typ := range []edt.EventType{edt.Sticky, edt.Once} {
		of := func(give func(c *edt.Ctx, event guid.GUID, in edt.Args)) []string {
			return chronicleOf(t, body(func(c *edt.Ctx, in edt.Args) {
				e := c.NewEvent(typ)
				launch(c, nothing, rw(e))
				give(c, e, in)
			}))
		}
		got := of(func(c *edt.Ctx, e guid.GUID, _ edt.Args) { c.Pass(e, 0) })
		want := of(func(c *edt.Ctx, e guid.GUID, in edt.Args) {
			c.Release(in.Dep(0).GUID())
			c.Satisfy(e, in.Dep(0).GUID())
		})
		testrun.Same(t, want, got, "%v event (-Release and Satisfy +Pass)", typ)
	}
}

// TestSnapshotAfterPass: if an EDT got a block by Pass and waits for another block, the snapshot says for which.
func TestSnapshotAfterPass(t *testing.T) {
	for slot := range 2 {
		looked(t, func(c *edt.Ctx, look func() *edt.Snapshot) {
			other, e := wordBlock(c, 1), c.NewEvent(edt.Sticky)
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				launch(c, nothing, edt.From(other, datablock.EW))
				deps := []edt.Source{rw(other), rw(other)}
				deps[slot] = rw(e)
				taker := launch(c, nothing, deps...)
				c.Pass(e, 0)
				testrun.Contains(t, lackOf(t, look(), taker, -1), other.String())
			}, rw(wordBlock(c, 2)))
		})
	}
}
