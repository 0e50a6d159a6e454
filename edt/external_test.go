package edt_test

import (
	"fmt"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// readFrom creates an EDT that calls f with the bytes of the block that comes on an event.
func readFrom(c *edt.Ctx, event guid.GUID, f func(c *edt.Ctx, bytes string)) {
	launch(c, func(c *edt.Ctx, in edt.Args) {
		d := in.Dep(0)
		if d.IsNull() {
			f(c, "")
			return
		}
		f(c, string(datablock.Slice[byte](d)))
		c.DestroyBlock(d.GUID())
	}, edt.From(event, datablock.RO))
}

// TestExternalStream: the k-th dependence gets the k-th satisfaction, whenever letters arrive.
func TestExternalStream(t *testing.T) {
	const n = 20
	for _, want := range []int{n, edt.Unbounded} {
		everywhere(t, counting("EDTs that wait", n, func(tr *trial, c *edt.Ctx, ran *tally) {
			event, x := c.NewExternal(want)
			for k := range n {
				readFrom(c, event, func(_ *edt.Ctx, got string) {
					if ran.add(); got != fmt.Sprint(k) {
						tr.Errorf("dependence %d got satisfaction %q", k, got)
					}
				})
			}
			go func() {
				for k := range n {
					if err := x.Satisfy([]byte(fmt.Sprint(k))); err != nil {
						tr.Errorf("%v", err)
					}
				}
				x.Close()
			}()
		}))
	}
}

// TestExternalMisused: a wrong call returns an error to the goroutine that made it, with its line.
func TestExternalMisused(t *testing.T) {
	var twice, closed, destroyed error
	var kept *edt.External
	testrun.OK(t, edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
		e1, x1 := c.NewExternal(1)
		testrun.Equal(t, nil, x1.Signal())
		twice = x1.Signal()
		_, x2 := c.NewExternal(3)
		x2.Close()
		x2.Close()
		closed = x2.Satisfy([]byte("x"))
		e3, x3 := c.NewExternal(edt.Unbounded)
		c.DestroyEvent(e3)
		destroyed = x3.Signal()
		_, kept = c.NewExternal(1)
		launch(c, func(c *edt.Ctx, _ edt.Args) { c.Shutdown() }, rw(e1))
	})))
	for _, m := range []struct {
		err   error
		cause *edt.Condition
		says  string
	}{
		{twice, edt.ErrSatisfied,
			"by main, satisfied from outside 1 of 1 times; it takes no more [EPERM] (external_test.go:"},
		{closed, edt.ErrClosed, "by main, satisfied from outside 0 of 3 times; it was closed at external_test.go:"},
		{destroyed, edt.ErrDestroyed, "by main, satisfied from outside 0 times; its event was destroyed [EPERM] " +
			"(external_test.go:"},
		{kept.Signal(), edt.ErrEnded, "by main, satisfied from outside 0 of 1 times [ECANCELED] (external_test.go:"},
	} {
		e := testrun.As[*edt.Error](t, m.err)
		testrun.Is(t, e, m.cause)
		testrun.Contains(t, e.Error(), m.says, ": made at external_test.go:")
	}
}

// TestExternalNeverSatisfied: if the program closes an external, the run ends as stuck, and the error names the
// external.
func TestExternalNeverSatisfied(t *testing.T) {
	err := edttest.Run(1, 2, body(func(c *edt.Ctx, _ edt.Args) {
		event, x := c.NewExternal(1)
		readFrom(c, event, func(*edt.Ctx, string) {})
		x.Close()
	}))
	stuck := testrun.As[*edt.StuckError](t, err)
	testrun.Contains(t, stuck.Error(), "template launched", "sticky event", "never satisfied", "made at external_test.go:",
		"by main, satisfied from outside 0 of 1 times; it was closed at external_test.go:")
}

// TestExternalInSnapshot: the snapshot of a run names the externals that are open.
func TestExternalInSnapshot(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 1})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		_, x := c.NewExternal(2)
		for _, text := range []string{h.Graph.Snapshot().Short(), h.Graph.Snapshot().String()} {
			testrun.Contains(t, text, "open from outside: event ", "made at external_test.go:")
		}
		x.Close()
		if open := h.Graph.Snapshot().Outside; open != nil {
			t.Errorf("closed, and listed: %q", open)
		}
	})))
}

// TestExternalInSearch: a search refuses externals, as it cannot repeat what other goroutines do.
func TestExternalInSearch(t *testing.T) {
	r := edttest.Search(func(*edttest.Trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) { c.NewExternal(1) })
	})
	testrun.Is(t, r.Failure, edt.ErrNoOutside)
	testrun.Contains(t, r.String(), "let an EDT satisfy an event instead")
}
