package edt_test

import (
	"fmt"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestAgainOfMain: the main EDT may go on, with its block of arguments.
func TestAgainOfMain(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		tr.argv = []string{"program", "argument"}
		ran := tr.times("rounds", 3)
		return body(func(c *edt.Ctx, in edt.Args) {
			if got := edt.Argv(in.Dep(0)); len(got) != 2 || got[1] != "argument" {
				tr.Errorf("argv %q", got)
			}
			if ran.next() < 3 {
				c.Again()
			}
		})
	})
}

// TestAgainAndShutdown: an EDT that goes on after the end of the run does not run again, whichever of
// the two calls comes first. The new EDT exists, and is reported as left over.
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

// TestSnapshotOfAnEDTThatGoesOn: until the body ends it runs and waits for nothing, and does not hold for the new EDT
// what it is asked to give to it. Then the new EDT waits.
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

// TestSnapshotAfterPass: an EDT that was handed a block and waits for another says for which.
func TestSnapshotAfterPass(t *testing.T) {
	for slot := range 2 {
		looked(t, func(c *edt.Ctx, look func() *edt.Snapshot) {
			other, e := wordBlock(c, 1), c.NewEvent(edt.Sticky)
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				holder := launch(c, nothing, edt.From(other, datablock.EW))
				deps := []edt.Source{rw(other), rw(other)}
				deps[slot] = rw(e)
				taker := launch(c, nothing, deps...)
				c.Pass(e, 0)
				if got := lackOf(t, look(), taker, -1); !strings.Contains(got, other.String()) ||
					!strings.Contains(got, holder.String()) {
					t.Errorf("slot %d: waits for %q, want block %v, which %v has", slot, got, other, holder)
				}
			}, rw(wordBlock(c, 2)))
		})
	}
}
