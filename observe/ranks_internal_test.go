package observe

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// bounce is a chain of EDTs, on the workers of all ranks in turn.
var bounce = func() (t *edt.Template) {
	t = edt.NewTemplate("observe.bounce", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			c.NewEDTAt(c.Bind(int(n)%c.Workers()), t, edt.Params(n-1))
		}
		return guid.Null
	})
	return t
}()

// TestTraceOfEachRank: the file of a rank has a slice for each EDT of its workers, and no track of the courier.
func TestTraceOfEachRank(t *testing.T) {
	name := filepath.Join(t.TempDir(), "run.json")
	var observe [3]func(*edt.Worker) edt.Observer
	var end [3]func(runtime.Report, error)
	for k := range observe {
		observe[k], end[k] = ofRank(fmt.Sprintf(`{"Title": "program", "RankFiles": %q}`, name))
	}
	h := edttest.NewRanks(1, 3, edt.Config{Workers: 1, Observe: func(w *edt.Worker) edt.Observer {
		me, _ := w.Rank()
		return observe[me](w)
	}})
	defer h.Graph.Close()
	testrun.OK(t, h.Run(func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.NewEDTAt(c.Bind(0), bounce, edt.Params(20))
		return guid.Null
	}))
	for rank := 1; rank < 3; rank++ {
		end[rank](runtime.Report{Placement: []int{rank}}, nil)
		file := testrun.Read(t, strings.Replace(name, "run", fmt.Sprintf("run.%d", rank), 1))
		testrun.Contains(t, file, fmt.Sprintf(`"program, rank %d"`, rank), fmt.Sprintf(`"worker 0 (CPU %d)"`, rank))
		if n, tracks := strings.Count(file, `"observe.bounce"`), strings.Count(file, `"thread_name"`); n != 7 || tracks != 1 {
			t.Errorf("rank %d: %d EDTs on %d tracks, want 7 on 1:\n%s", rank, n, tracks, file)
		}
	}
}
