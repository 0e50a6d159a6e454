package runtime

import (
	"fmt"
	"sync/atomic"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// TestPhases runs very many phases: in each every worker runs an EDT, and when all have run the next phase begins, on
// another worker. Workers do not spin, so they park in between. If a wake-up is lost the test hangs.
func TestPhases(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		for _, strict := range []bool{true, false} {
			t.Run(fmt.Sprintf("workers=%d/strict=%v", workers, strict), func(t *testing.T) {
				phases := sized(1000, 40_000) / workers
				var ran atomic.Int64
				r := mustRun(t, starting(func(c *edt.Ctx) {
					startPhases(c, phases, strict, &ran)
				}), Workers(workers), Spin(0), queueCapacities(2, 2))
				testrun.Equal(t, int64(phases*workers), ran.Load(), "EDTs ran")
				if workers > 1 && r.Counters.Parks == 0 {
					t.Error("no worker parked: the test tests nothing")
				}
			})
		}
	}
}

func startPhases(c *edt.Ctx, phases int, strict bool, ran *atomic.Int64) {
	work := body(c, func(*edt.Ctx) { ran.Add(1) })
	at := func(w int) edt.Affinity {
		if strict {
			return c.Bind(w)
		}
		return c.Place(w)
	}
	var phase *edt.Template
	phase = c.NewTemplate("phase", 1, 1, does(func(c *edt.Ctx, in edt.Args) {
		n := in.Param(0)
		if n == 0 {
			return
		}
		all := c.NewLatch(int64(c.Workers()))
		c.NewEDTAt(at(int(n)%c.Workers()), phase, edt.Params(n-1), edt.From(all, datablock.Null))
		for w := range c.Workers() {
			c.Spawn(work, &edt.Spec{OutputEvent: all, Hint: edt.Hint{Affinity: at(w)}})
		}
	}))
	c.NewEDT(phase, edt.Params(uint64(phases)), edt.From(guid.Null, datablock.Null))
}
