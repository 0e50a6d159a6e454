package workspan_test

import (
	"maps"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/workspan"
)

// waits are the programs whose EDTs wait for a block on one rank. On another one an EDT may be so late that the block
// is free.
var waits = map[string]bool{
	"a block to write for one at a time, in whatever order": true,
	"a block released in mid-body":                          true,
	"a block passed on in mid-body":                         true,
}

// TestSpanOverRanks holds that the span of a program is the same over several ranks, whichever runs what.
func TestSpanOverRanks(t *testing.T) {
	seeds := testrun.Sized[uint64](3, 8, 500)
	for _, s := range spans {
		for seed := range seeds {
			seed := 2 * seed // schedules in which no two bodies overlap
			k, ranks, workers := new(clock), 2+int(seed%3), 1+int(seed/2%2)
			meters := make([]*workspan.Meter, ranks)
			h := edttest.NewRanks(seed, ranks, edt.Config{Workers: workers, Observe: func(w *edt.Worker) edt.Observer {
				me, _ := w.Rank()
				if meters[me] == nil {
					meters[me] = workspan.New(w.Observed(), func() int64 { return k.now }, func() float64 { return 1 })
				}
				return meters[me].Observe(w)
			}})
			err := h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
				s.main(&lab{k, c})
				return guid.Null
			})
			testrun.OK(t, err, "%s", s.name)
			r, n := meters[0].Result(), h.Graph.Counters().EDTRun
			if r.Work != s.work || r.Span != s.span && !(r.Span < s.span && waits[s.name]) || r.EDTs != n ||
				len(r.Workers) != ranks*workers {
				t.Errorf("%s: %d ranks, seed %d: work %d, span %d of %d EDTs on %d workers, want %d, %d of %d on %d",
					s.name, ranks, seed, r.Work, r.Span, r.EDTs, len(r.Workers), s.work, s.span, n, ranks*workers)
			}
			h.Graph.Close()
		}
	}
}

var (
	arrivalReader = edt.NewTemplate("workspan_test.reader", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	arrivalHome   = edt.NewTemplate("workspan_test.home", 0, 2, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	arrivalWriter = edt.NewTemplate("workspan_test.writer", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
)

// TestArrivals counts the bytes of blocks that come from other ranks, by the template of the EDT that waits for them.
func TestArrivals(t *testing.T) {
	const size = 1 << 14 // too many to go along with a name
	for _, p := range []struct {
		name string
		main func(c *edt.Ctx, block guid.GUID)
		want map[string]int64
	}{
		{"two readers on one rank share a copy", func(c *edt.Ctx, block guid.GUID) {
			for range 2 {
				c.NewEDTAt(c.Place(1), arrivalReader, nil, edt.From(block, datablock.RO))
			}
		}, map[string]int64{"workspan_test.reader": size}},
		{"a writer elsewhere, then a reader at home", func(c *edt.Ctx, block guid.GUID) {
			_, written := c.Spawn(arrivalWriter, &edt.Spec{Deps: []edt.Source{edt.From(block, datablock.EW)}, DepCount: 1,
				Output: true, Hint: edt.Hint{Affinity: c.Place(1)}})
			c.NewEDT(arrivalHome, nil, edt.From(written, datablock.Null), edt.From(block, datablock.RO))
		}, map[string]int64{"workspan_test.writer": size, "workspan_test.home": size}},
	} {
		meters := make([]*workspan.Meter, 2)
		h := edttest.NewRanks(1, 2, edt.Config{Workers: 1, Observe: func(w *edt.Worker) edt.Observer {
			me, _ := w.Rank()
			if meters[me] == nil {
				meters[me] = workspan.New(w.Observed(), func() int64 { return 0 }, func() float64 { return 1 })
			}
			return meters[me].Observe(w)
		}})
		err := h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
			block, _ := c.NewBlock(size)
			c.Release(block)
			p.main(c, block)
			return guid.Null
		})
		testrun.OK(t, err, "%s", p.name)
		got := map[string]int64{}
		for _, x := range meters[0].Result().Templates {
			if x.Arrived > 0 {
				got[x.Name] = x.Arrived
			}
		}
		if !maps.Equal(got, p.want) {
			t.Errorf("%s: %v, want %v", p.name, got, p.want)
		}
		h.Graph.Close()
	}
}
