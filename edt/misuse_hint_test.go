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
			without("place", "place", edt.ErrHint, func(c *edt.Ctx) { c.Place(worker) }),
			without("bind", "bind", edt.ErrHint, func(c *edt.Ctx) { c.Bind(worker) }),
			without("affinity", "affinity", edt.ErrHint, func(c *edt.Ctx) { c.Affinity(worker) }),
		})
	}
	affinityOf := func(c *edt.Ctx, g guid.GUID) { c.AffinityOf(g) }
	checkMisuses(t, wrongKinds("affinity", []string{"affinity"}, affinityOf))
	checkMisuses(t, []misuse{wrong("of another run", "affinity", edt.ErrForeign,
		func(*edt.Ctx) guid.GUID { return otherRun().affinity }, affinityOf)})
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
	set := func(c *edt.Ctx, g guid.GUID) { c.SetHint(g, edt.Hint{}) }
	checkMisuses(t, wrongKinds("set hint", []string{"EDT"}, set))
	checkMisuses(t, []misuse{
		{"set, of itself", "set hint", edt.ErrRunnable,
			func(c *edt.Ctx, f *fault) { f.at(c, c.Self(), func() { c.SetHint(c.Self(), edt.Hint{}) }) }},
		{"set, waiting for a block only", "set hint", edt.ErrRunnable, func(c *edt.Ctx, f *fault) {
			held, _ := c.NewBlock(8)
			g := launch(c, nothing, edt.From(held, datablock.EW))
			f.at(c, g, func() { c.SetHint(g, edt.Hint{}) })
		}},
		wrong("set, stale", "set hint", edt.ErrStale, staleEDT, set),
	})
}
