package edt_test

import (
	"slices"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// runOverRanks runs a program over ranks of one worker.
func runOverRanks(seed uint64, ranks int, main edt.Func) error {
	h := edttest.NewRanks(seed, ranks, edt.Config{Workers: 1})
	defer h.Graph.Close()
	return h.Run(main)
}

// TestLeaksNameRank: a leak names the rank of the objects.
func TestLeaksNameRank(t *testing.T) {
	h := edttest.NewRanks(1, 3, edt.Config{Workers: 1})
	defer h.Graph.Close()
	err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		c.NewEvent(edt.Sticky)
		c.NewEvent(edt.Sticky, c.Place(2))
		c.Satisfy(on(c, 1, func(c *edt.Ctx, _ edt.Args) { c.NewBlockNoAcquire(8) }), guid.Null)
	}))
	var got []string
	for _, l := range h.Graph.Leaks() {
		if l.Kind == guid.KindBlock || l.Template == "sticky" {
			got = append(got, l.String())
		}
	}
	want := []string{"2 sticky events on rank 0", "1 sticky event on rank 2", "1 data block on rank 1"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %q, want %q", err, got, want)
	}
}

// onAnyRank adds up leaks that differ only in their rank.
func onAnyRank(leaks []edt.Leak) (all []edt.Leak) {
	for _, l := range leaks {
		l.On = ""
		same := func(k edt.Leak) bool { k.Count = l.Count; return k == l }
		if at := slices.IndexFunc(all, same); at >= 0 {
			all[at].Count += l.Count
		} else {
			all = append(all, l)
		}
	}
	return all
}

// TestStuckInScopeOfAnotherRank: an EDT that waits for ever in a finish scope of another rank is reported with what it
// waits for. The tokens of the scope on its rank are not reported as waiters.
func TestStuckInScopeOfAnotherRank(t *testing.T) {
	const members = 3
	for seed := range uint64(20) {
		err := runOverRanks(seed, 2, body(func(c *edt.Ctx, _ edt.Args) {
			waits, done := c.NewTemplate("waits", 0, 1, body(nothing)), c.NewLatch(20)
			for range 20 { // leave records of EDTs without slots
				c.NewEDTAt(c.Bind(1), c.NewTemplate("first", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
					c.Satisfy(done, guid.Null)
				})), nil)
			}
			create(c, c.NewTemplate("scope", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
				for range members {
					c.NewEDTAt(c.Bind(1), waits, nil, rw(c.NewEvent(edt.Sticky)))
				}
			})), edt.Spec{Finish: true, Deps: []edt.Source{rw(done)}, Hint: edt.Hint{Affinity: c.Bind(0)}})
		}))
		testrun.Equal(t, members, testrun.As[*edt.StuckError](t, err, "seed %d", seed).Count, "EDTs that wait")
		testrun.Contains(t, err.Error(), "of template waits", "slot 0: sticky event ", ", never satisfied")
	}
}
