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
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		hint := edt.Hint{Priority: -3, Affinity: c.Place(c.Workers() - 1)}
		tmpl := c.NewTemplate("hinted", 0, 1, body(nothing)).SetHint(hint)
		own := edt.Hint{Priority: 9}
		plain := c.NewEDT(tmpl, nil)
		inherited, _ := create(c, tmpl, edt.Spec{})
		overridden, _ := create(c, tmpl, edt.Spec{Hint: own})
		later := c.NewEDT(tmpl, nil)
		c.SetHint(later, own)
		for _, tc := range []struct {
			g    guid.GUID
			want edt.Hint
		}{{plain, hint}, {inherited, hint}, {overridden, own}, {later, own}} {
			testrun.Equal(tr, tc.want, c.HintOf(tc.g), "hint")
			c.DestroyEDT(tc.g)
		}
	}))
}

func TestDisperseGoesRound(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		hint := edt.Hint{Disperse: true}
		tmpl := c.NewTemplate("dispersed", 0, 1, body(nothing)).SetHint(hint)
		plain := c.NewTemplate("plain", 0, 1, body(nothing))
		seen := make([]int, c.Workers())
		for range c.Workers() {
			a := c.NewEDT(tmpl, nil)
			b, _ := create(c, plain, edt.Spec{Hint: hint})
			var d guid.GUID
			if tr.ranks != 0 { // an EDT stays on its rank, whatever its hint is set to
				d = c.NewEDT(tmpl, nil)
			} else {
				d = c.NewEDT(plain, nil)
				c.SetHint(d, hint)
			}
			for _, g := range []guid.GUID{a, b, d} {
				seen[c.HintOf(g).Affinity.Worker()]++
				c.DestroyEDT(g)
			}
		}
		for w, n := range seen {
			testrun.Equal(tr, 3, n, "choices of worker %d", w)
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
		near := c.NewBlockNear(8, c.Place(tr.workers-1))
		testrun.Equal(tr, tr.workers-1, c.BlockAffinity(near).Worker(), "worker that the block is near")
		if a := c.BlockAffinity(c.NewBlockNoAcquire(8)); a != 0 || a.Worker() != -1 {
			tr.Errorf("affinity %v of a block that has none", a)
		}
	}))
}

func TestAffinityValues(t *testing.T) {
	for _, tc := range []struct {
		a      edt.Affinity
		worker int
		strict bool
	}{{0, -1, false}, {edt.PlaceOn(0), 0, false}, {edt.BindTo(0), 0, true}, {edt.PlaceOn(4095), 4095, false},
		{edt.BindTo(edt.MaxWorkers - 1), edt.MaxWorkers - 1, true}} {
		if tc.a.Worker() != tc.worker || tc.a.Strict() != tc.strict {
			t.Errorf("worker %d, strict %v, want %+v", tc.a.Worker(), tc.a.Strict(), tc)
		}
	}
}

func TestLocalStorageIsTheEDTs(t *testing.T) {
	everywhere(t, counting("EDTs", 50, func(tr *trial, c *edt.Ctx, ran *tally) {
		for k := range uint64(50) {
			launch(c, func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				for i := range 8 {
					testrun.Equal(tr, 0, c.ELS(i), "word %d when the EDT starts", i)
					c.SetELS(i, k+1)
					testrun.Equal(tr, k+1, c.ELS(i), "word %d", i)
				}
			})
		}
	}))
}

func TestSelf(t *testing.T) {
	everywhere(t, counting("EDTs", 20, func(tr *trial, c *edt.Ctx, ran *tally) {
		if c.Self().Kind() != guid.KindEDT || !c.Exists(c.Self()) {
			tr.Errorf("main is %v", c.Self())
		}
		for range 20 {
			var self guid.GUID
			self = open(c, 1, func(c *edt.Ctx, _ edt.Args) {
				ran.add()
				testrun.Equal(tr, self, c.Self(), "Self()")
			})
			c.AddDependence(guid.Null, self, 0, datablock.RW)
		}
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
