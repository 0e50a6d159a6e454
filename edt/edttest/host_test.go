package edttest_test

import (
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

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
