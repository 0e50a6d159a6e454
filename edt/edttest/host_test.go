package edttest_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// order runs independent EDTs; it returns the order in which they ran, and their workers.
func order(t *testing.T, seed uint64, workers, n int) (ids, on []int) {
	t.Helper()
	err := edttest.Run(seed, workers, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		for k := range n {
			c.NewEDT(c.NewTemplate("one", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				ids, on = append(ids, k), append(on, c.Worker())
				return guid.Null
			}), nil)
		}
		return guid.Null
	})
	if err != nil || len(ids) != n {
		t.Fatalf("%d of %d ran: %v", len(ids), n, err)
	}
	return ids, on
}

func TestSeedsPermuteTheOrder(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		ids, _ := order(t, seed, 1, 4)
		seen[fmt.Sprint(ids)] = true
	}
	testrun.Equal(t, 24, len(seen), "orders of 4 EDTs")
}

func TestGraphCanBeAskedAfterwards(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 2})
	defer h.Graph.Close()
	err := h.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
		testrun.Same(t, []string{"a", "b"}, edt.Argv(in.Dep(0)), "argv")
		c.NewEvent(edt.Sticky)
		return guid.Null
	}, "a", "b")
	testrun.OK(t, err)
	testrun.Equal(t, 1, h.Graph.Counters().EventCreated, "events")
	if l := h.Graph.Leaks(); len(l) != 1 || l[0].Count != 1 {
		t.Errorf("leaks %v", l)
	}
}
