package edt_test

import (
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

func TestBoundEDTsRunOnTheirWorker(t *testing.T) {
	everywhere(t, counting("EDTs", 60, func(tr *trial, c *edt.Ctx, ran *tally) {
		for k := range 60 {
			w := k % c.Workers()
			tmpl := c.NewTemplate("bound", 0, k%2, body(func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				testrun.Equal(tr, w, c.Worker(), "worker")
			}))
			g := c.NewEDTAt(c.Bind(w), tmpl, nil)
			if k%2 == 1 {
				c.AddDependence(guid.Null, g, 0, datablock.RW)
			}
		}
	}))
}

func TestHintsAreInherited(t *testing.T) {
	everywhere(t, counting("EDTs", 4, func(tr *trial, c *edt.Ctx, ran *tally) {
		last := c.Workers() - 1
		hinted := func(worker int) *edt.Template {
			return c.NewTemplate("hinted", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				testrun.Equal(tr, worker, c.Worker(), "worker")
			})).SetHint(edt.Hint{Priority: -3, Affinity: c.Bind(last)})
		}
		own := edt.Hint{Priority: 9, Affinity: c.Bind(0)}
		plain := c.NewEDT(hinted(last), nil)
		inherited, _ := create(c, hinted(last), edt.Spec{})
		overridden, _ := create(c, hinted(0), edt.Spec{Hint: own})
		later := c.NewEDTAt(c.Place(0), hinted(0), nil)
		c.SetHint(later, own)
		for _, g := range []guid.GUID{plain, inherited, overridden, later} {
			c.AddDependence(guid.Null, g, 0, datablock.Null)
		}
	}))
}

func TestAffinities(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		if c.AffinityCount() != tr.workers || c.Workers() != tr.workers {
			tr.Errorf("%d affinities, %d workers, want %d", c.AffinityCount(), c.Workers(), tr.workers)
		}
		if p := c.Places(); p < 1 || p > c.Workers() {
			tr.Errorf("%d places for %d workers", p, c.Workers())
		}
		seen := map[guid.GUID]bool{}
		for w := range c.AffinityCount() {
			g := c.Affinity(w)
			if g.Kind() != guid.KindAffinity || seen[g] || c.AffinityOf(g) != c.Place(w) {
				tr.Errorf("affinity %d: %v of kind %v", w, g, g.Kind())
			}
			seen[g] = true
		}
		testrun.Equal(tr, c.Affinity(c.Worker()), c.CurrentAffinity(), "current affinity on worker %d", c.Worker())
	}))
}

func TestExistsOfOtherGUIDs(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		for _, g := range []guid.GUID{guid.Null, guid.Uninitialized, guid.Error, c.Affinity(0)} {
			if g.Kind() != guid.KindAffinity && c.Exists(g) {
				tr.Errorf("%v exists", g)
			}
		}
		if hi, _ := c.Self().Words(); c.Exists(guid.FromWords(hi, 1<<63|5<<32|9999)) {
			tr.Errorf("a forged EDT exists")
		}
	}))
}

func TestAffinitiesExist(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		if !c.Exists(c.CurrentAffinity()) {
			tr.Errorf("an affinity does not exist")
		}
	}))
}
