package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func TestMisuseWorker(t *testing.T) {
	for _, worker := range []int{-1, mostWorkers, 1 << 20} {
		checkMisuses(t, []misuse{
			{"place", "place", edt.ErrHint, func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.Place(worker) }) }},
			{"bind", "bind", edt.ErrHint, func(c *edt.Ctx, f *fault) { f.at(c, guid.Null, func() { c.Bind(worker) }) }},
			{"affinity", "affinity", edt.ErrHint, func(c *edt.Ctx, f *fault) {
				f.at(c, guid.Null, func() { c.Affinity(worker) })
			}},
		})
	}
	checkMisuses(t, wrongKinds("affinity", []string{"affinity"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.AffinityOf(g) })
	}))
	checkMisuses(t, []misuse{{"of another run", "affinity", edt.ErrForeign, func(c *edt.Ctx, f *fault) {
		f.at(c, otherRun().affinity, func() { c.AffinityOf(otherRun().affinity) })
	}}})
}

// A placement on a worker that the run does not have, made without a context: a
// program that was written for more workers.
func TestMisusePlacementBeyondTheWorkers(t *testing.T) {
	const beyond = 99
	hint := edt.Hint{Affinity: edt.PlaceOn(beyond)}
	checkMisuses(t, []misuse{
		{"soft", createOp, edt.ErrHint, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			f.at(c, guid.Null, func() { c.NewEDTAt(edt.PlaceOn(beyond), registered, nil, rw(guid.Null)) })
		}},
		{"in a spec", createOp, edt.ErrHint, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			f.at(c, guid.Null, func() { c.Spawn(registered, &edt.Spec{Hint: hint, Deps: []edt.Source{rw(guid.Null)}}) })
		}},
		{"set later", "set hint", edt.ErrHint, func(c *edt.Ctx, f *fault) {
			g := open(c, 1, nothing)
			f.anyTarget = true
			f.at(c, g, func() { c.SetHint(g, hint) })
		}},
	})
}

func TestMisuseHint(t *testing.T) {
	checkMisuses(t, []misuse{
		{"set, of itself", "set hint", edt.ErrRunnable,
			func(c *edt.Ctx, f *fault) { f.at(c, c.Self(), func() { c.SetHint(c.Self(), edt.Hint{}) }) }},
		{"set, waiting for a block only", "set hint", edt.ErrRunnable, func(c *edt.Ctx, f *fault) {
			held, _ := c.NewBlock(8)
			g := launch(c, nothing, edt.From(held, datablock.EW))
			f.at(c, g, func() { c.SetHint(g, edt.Hint{}) })
		}},
		{"set, stale", "set hint", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			g := staleEDT(c)
			f.at(c, g, func() { c.SetHint(g, edt.Hint{}) })
		}},
		{"stale", "hint", edt.ErrStale, func(c *edt.Ctx, f *fault) {
			g := staleEDT(c)
			f.at(c, g, func() { c.HintOf(g) })
		}},
	})
	checkMisuses(t, wrongKinds("set hint", []string{"EDT"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.SetHint(g, edt.Hint{}) })
	}))
	checkMisuses(t, wrongKinds("hint", []string{"EDT"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.at(c, g, func() { c.HintOf(g) })
	}))
}
