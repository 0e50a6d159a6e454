package runtime

import (
	"testing"

	"ocr/edt"
)

func newTestPool(t *testing.T, workers int) *pool {
	g := edt.NewGraph(edt.Config{Workers: workers})
	t.Cleanup(g.Close)
	return attached(newPool(resolve([]Option{Workers(workers), Spin(0)}), workers), g)
}

// attached is a pool of which no goroutine runs, with a graph.
func attached(p *pool, g *edt.Graph) *pool {
	p.attach(g, nil, true)
	return p
}

// A pool with an idle worker is not busy, whether that worker is parked or spins.
func TestBusy(t *testing.T) {
	p := newTestPool(t, 2)
	p.spinning.Add(1)
	if p.busy() {
		t.Error("busy while a worker looks for work")
	}
	p.spinning.Add(-1)
	p.workers[1].countParked()
	if p.busy() {
		t.Error("busy while a worker sleeps")
	}
}

// Of several reasons to end a run the first counts.
func TestFirstStopReasonCounts(t *testing.T) {
	for _, first := range []stopReason{fromEDT, drained, cancelledRun} {
		p := newTestPool(t, 1)
		for _, why := range []stopReason{first, fromEDT, drained, cancelledRun} {
			p.stop(why)
		}
		if got := stopReason(p.why.Load()); got != first {
			t.Errorf("reason %d, want %d", got, first)
		}
	}
}
