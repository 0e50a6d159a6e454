package workspan_test

import (
	"testing"

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
