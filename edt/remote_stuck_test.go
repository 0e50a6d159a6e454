package edt_test

import (
	"errors"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestStuckInScopeOfAnotherRank: an EDT that waits for ever in a finish scope of another rank is reported with what it
// waits for. The tokens of the scope on its rank are not reported as waiters.
func TestStuckInScopeOfAnotherRank(t *testing.T) {
	const members = 3
	for seed := range uint64(20) {
		h := edttest.NewRanks(seed, 2, edt.Config{Workers: 1})
		err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
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
		h.Graph.Close()
		var stuck *edt.StuckError
		if !errors.As(err, &stuck) || stuck.Count != members {
			t.Fatalf("seed %d: %v", seed, err)
		}
		testrun.Contains(t, err.Error(), "of template waits", "slot 0: sticky event ", ", never satisfied")
	}
}
