package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

func TestMisuseWorker(t *testing.T) {
	for _, worker := range []int{-1, maxWorkers, 1 << 20} {
		checkMisuses(t, []misuse{
			{"place", "place", edt.ErrHint, edt.EINVAL, func(c *edt.Ctx, f *fault) {
				f.next(c, guid.Null)
				c.Place(worker)
			}},
			{"bind", "bind", edt.ErrHint, edt.EINVAL, func(c *edt.Ctx, f *fault) {
				f.next(c, guid.Null)
				c.Bind(worker)
			}},
			{"affinity", "affinity", edt.ErrHint, edt.EINVAL, func(c *edt.Ctx, f *fault) {
				f.next(c, guid.Null)
				c.Affinity(worker)
			}},
		})
	}
	checkMisuses(t, wrongKinds("affinity", []string{"affinity"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.next(c, g)
		c.AffinityOf(g)
	}))
	checkMisuses(t, []misuse{{"of another run", "affinity", edt.ErrForeign, edt.EINVAL, func(c *edt.Ctx, f *fault) {
		f.next(c, otherRun().affinity)
		c.AffinityOf(otherRun().affinity)
	}}})
}

// A placement on a worker that the run does not have, made without a context: a
// program that was written for more workers.
func TestMisusePlacementBeyondTheWorkers(t *testing.T) {
	const beyond = 99
	hint := edt.Hint{Affinity: edt.PlaceOn(beyond)}
	checkMisuses(t, []misuse{
		{"soft", createOp, edt.ErrHint, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			f.next(c, guid.Null)
			c.NewEDTAt(edt.PlaceOn(beyond), registered, nil, rw(guid.Null))
		}},
		{"in a spec", createOp, edt.ErrHint, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			f.anyTarget = true
			f.next(c, guid.Null)
			c.Spawn(registered, &edt.Spec{Hint: hint, Deps: []edt.Source{rw(guid.Null)}})
		}},
		{"set later", "set hint", edt.ErrHint, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := open(c, 1, nothing)
			f.anyTarget = true
			f.next(c, g)
			c.SetHint(g, hint)
		}},
	})
}

func TestMisuseHint(t *testing.T) {
	checkMisuses(t, []misuse{
		{"set, of itself", "set hint", edt.ErrRunnable, edt.EBUSY, func(c *edt.Ctx, f *fault) {
			f.next(c, c.Self())
			c.SetHint(c.Self(), edt.Hint{})
		}},
		{"set, waiting for a block only", "set hint", edt.ErrRunnable, edt.EBUSY, func(c *edt.Ctx, f *fault) {
			held, _ := c.NewBlock(8)
			g := launch(c, nothing, edt.From(held, datablock.EW))
			f.next(c, g)
			c.SetHint(g, edt.Hint{})
		}},
		{"set, stale", "set hint", edt.ErrStale, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := staleEDT(c)
			f.next(c, g)
			c.SetHint(g, edt.Hint{})
		}},
		{"stale", "hint", edt.ErrStale, edt.EINVAL, func(c *edt.Ctx, f *fault) {
			g := staleEDT(c)
			f.next(c, g)
			c.HintOf(g)
		}},
	})
	checkMisuses(t, wrongKinds("set hint", []string{"EDT"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.next(c, g)
		c.SetHint(g, edt.Hint{})
	}))
	checkMisuses(t, wrongKinds("hint", []string{"EDT"}, func(c *edt.Ctx, f *fault, g guid.GUID) {
		f.next(c, g)
		c.HintOf(g)
	}))
}
