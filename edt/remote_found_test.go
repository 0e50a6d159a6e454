package edt_test

import (
	"errors"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

// runOverRanks runs a program over ranks of one worker.
func runOverRanks(seed uint64, ranks int, main edt.Func) error {
	h := edttest.NewRanks(seed, ranks, edt.Config{Workers: 1})
	defer h.Graph.Close()
	return h.Run(main)
}

// TestFoundElsewhere: an error that another rank finds names the operation, the object, the EDT that made the call
// (also if it has ended) and its rank; it names no line.
func TestFoundElsewhere(t *testing.T) {
	for seed := range uint64(10) {
		var event, caller guid.GUID
		err := runOverRanks(seed, 3, body(func(c *edt.Ctx, _ edt.Args) {
			c.Satisfy(on(c, 2, func(c *edt.Ctx, _ edt.Args) {
				event = c.NewEvent(edt.Sticky)
				c.Satisfy(on(c, 1, func(c *edt.Ctx, _ edt.Args) {
					caller = c.Self()
					c.Satisfy(event, guid.Null)
					c.Satisfy(event, guid.Null)
				}), guid.Null)
			}), guid.Null)
		}))
		var e *edt.Error
		if !errors.As(err, &e) || e.Op != "satisfy" || e.Cause != edt.ErrSatisfied || e.Target != event || e.EDT != caller ||
			e.Template != "on 1" || e.On != "rank 1" || e.File != "" {
			t.Fatalf("seed %d: %v, want that %v by rank 1 satisfies %v again", seed, err, caller, event)
		}
	}
}

// TestManyParametersAndSlots: an EDT is created on another rank with more parameters and slots than fit into its
// record.
func TestManyParametersAndSlots(t *testing.T) {
	const n = 300
	params, ran := make([]uint64, n), false
	params[n-1] = 7
	err := runOverRanks(1, 2, body(func(c *edt.Ctx, _ edt.Args) {
		many := c.NewTemplate("many", n, n, body(func(_ *edt.Ctx, in edt.Args) {
			ran = slices.Equal(in.Params(), params) && len(in.Deps()) == n
		}))
		deps := make([]edt.Source, n)
		for k := range deps {
			deps[k] = edt.From(guid.Null, datablock.RO)
		}
		c.NewEDTAt(c.Bind(1), many, params, deps...)
	}))
	if err != nil || !ran {
		t.Errorf("%v, ran %v", err, ran)
	}
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
