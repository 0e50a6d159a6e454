//go:build mpi

package testbed

import (
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/measure/machine"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank/mpi"
	"ocr/runtime"
)

// onLast is for EDTs on the last worker of all ranks.
var onLast = edt.NewTemplate("test.last", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })

// TestRunsOverRanks: the runs of a pool use the same processes, and report each rank's EDTs.
func TestRunsOverRanks(t *testing.T) {
	if !mpi.Launched() {
		testrun.AsRanks(t, 2)
		return
	}
	m, err := machine.Read()
	testrun.OK(t, err)
	p, err := NewPool(m, 2, 1, nil, runtime.BindCompact)
	testrun.OK(t, err)
	for edts := range 3 {
		var r runtime.Report
		testrun.OK(t, new(Bed).RunOn(t.Context(), p, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			for range edts {
				c.NewEDTAt(c.Bind(1), onLast, nil)
			}
			return guid.Null
		}, &r))
		if len(r.Ranks) != 2 || r.Ranks[0].Counters.EDTRun != 1 || r.Ranks[1].Counters.EDTRun != uint64(edts) ||
			r.Counters.EDTRun != uint64(1+edts) {
			t.Errorf("%d EDTs elsewhere: %+v", edts, r)
		}
	}
	p.Close()
	p.Close()
}
