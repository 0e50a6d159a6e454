package trace_test

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/trace"
)

// TestRanksInOneFile holds that the file of a run over ranks has what that of one rank has: a slice for each EDT, an
// arrow for each satisfaction, whichever ranks its ends are on; and a process for each rank.
func TestRanksInOneFile(t *testing.T) {
	for seed := range uint64(6) {
		ranks, workers := 2+int(seed%3), 1+int(seed/2%2)
		recorders := make([]*trace.Recorder, ranks)
		h := edttest.NewRanks(seed, ranks, edt.Config{Workers: workers, Observe: func(w *edt.Worker) edt.Observer {
			me, _ := w.Rank()
			if recorders[me] == nil {
				recorders[me] = trace.New(w.Observed(), trace.Config{Events: 1 << 12, Flows: true})
			}
			return recorders[me].Observe(w)
		}})
		testrun.OK(t, h.Run(growTree(4)))
		recorders[0].Stop()
		f := parse(t, recorders[0], trace.About{Process: "tree"})
		f.check(t)
		const forks, joins = 31, 15
		if n := len(f.of("X", "edt")); n != 1+forks+joins || f.OtherData.EDTs != uint64(n) {
			t.Errorf("seed %d: %d slices of %d EDTs, want %d", seed, n, f.OtherData.EDTs, 1+forks+joins)
		}
		testrun.Equal(t, forks+2*joins, len(f.of("s", "")), "seed %d: arrows", seed)
		used, names, crossed, ids := map[int]int{}, map[string]bool{}, 0, map[uint64]int{}
		for _, e := range f.TraceEvents {
			switch e.Ph {
			case "X":
				used[e.Pid]++
			case "M":
				names[string(e.Args)] = true
			case "s":
				ids[e.ID] = e.Pid
			case "f":
				if ids[e.ID] != e.Pid {
					crossed++
				}
			}
			if e.Pid < 1 || e.Pid > ranks || e.Ph == "X" && e.Tid/workers != e.Pid-1 {
				t.Fatalf("seed %d: process %d, worker %d in %+v", seed, e.Pid, e.Tid, e)
			}
		}
		if len(used) != ranks || crossed == 0 || !names[fmt.Sprintf(`{"name":"tree, rank %d"}`, ranks-1)] ||
			!names[fmt.Sprintf(`{"name":"worker %d"}`, ranks*workers-1)] {
			t.Errorf("seed %d: slices by process %v, %d arrows between ranks, names %v", seed, used, crossed, names)
		}
		h.Graph.Close()
	}
}
