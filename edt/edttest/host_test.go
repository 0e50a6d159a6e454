package edttest_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

// order runs independent EDTs and returns the order and the workers they ran on.
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
	if len(seen) != 24 {
		t.Errorf("%d of 24 orders of 4 EDTs were run", len(seen))
	}
}

func TestGraphCanBeAskedAfterwards(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 2})
	defer h.Graph.Close()
	err := h.Run(func(c *edt.Ctx, in edt.Args) guid.GUID {
		if argv := edt.Argv(in.Dep(0)); !slices.Equal(argv, []string{"a", "b"}) {
			t.Errorf("argv %q", argv)
		}
		c.NewEvent(edt.Sticky)
		return guid.Null
	}, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if n := h.Graph.Counters().EventCreated; n != 1 {
		t.Errorf("%d events", n)
	}
	if l := h.Graph.Leaks(); len(l) != 1 || l[0].Count != 1 {
		t.Errorf("leaks %v", l)
	}
}
