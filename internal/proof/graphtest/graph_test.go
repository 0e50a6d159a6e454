package graphtest

import (
	"flag"
	"fmt"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
)

var (
	graphs = flag.Uint64(
		"graphs", 0, "how many graphs TestMetamorphic runs; 0: 1000, a tenth in short mode, 100000 with OCR_NIGHTLY=1",
	)
	graph   = flag.Int64("graph", -1, "run the graph of this seed alone")
	nodes   = flag.Int("graph-nodes", 0, "number of nodes, in place of that of the seed")
	without = flag.Uint("graph-without", 0, "without these features, a sum of graphtest.Feature")
)

// size is the number of graphs to run.
func size() uint64 {
	if *graphs > 0 {
		return *graphs
	}
	return testrun.Sized[uint64](100, 1000, 100_000)
}

// onAll calls run for n seeds from first on, on all processors, until one call is not ok.
func onAll(first, n uint64, run func(seed uint64) (ok bool)) {
	var given atomic.Uint64
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range goruntime.GOMAXPROCS(0) {
		workers.Go(func() {
			for k := given.Add(1) - 1; k < n && !failed.Load(); k = given.Add(1) - 1 {
				if !run(first + k) {
					failed.Store(true)
				}
			}
		})
	}
	workers.Wait()
}

// TestMetamorphic runs graphs one EDT at a time, each in a few orders, and compares their values and counts with the
// oracle's.
func TestMetamorphic(t *testing.T) {
	first, n := uint64(0), size()
	if *graph >= 0 {
		first, n = uint64(*graph), 1
	}
	onAll(first, n, func(seed uint64) (ok bool) {
		n := 1 + int(seed*7%60)
		if *nodes > 0 {
			n = *nodes
		}
		p := GenerateWithout(seed, n, Feature(*without))
		diff := differs(p)
		if diff != "" {
			small := Shrink(p, func(q *Plan) bool { return differs(q) != "" })
			t.Errorf("graph %d: %s\nthe smallest that fails: go test -run TestMetamorphic ./internal/proof/graphtest "+
				"-graph %d -graph-nodes %d -graph-without %d",
				seed, diff, seed, len(small.Nodes), small.Without)
		}
		return diff == ""
	})
	t.Logf("%d graphs, 4 orders each", n)
}

// differs runs a plan in a few orders and says what is wrong, "" if nothing is.
func differs(p *Plan) string {
	want := p.Expect()
	for order := range uint64(4) {
		h := edttest.New(order, edt.Config{Workers: 1 + int(order)})
		diff := trial(h, p, want, 1)
		h.Graph.Close()
		if diff != "" {
			return fmt.Sprintf("order %d: %s", order, diff)
		}
	}
	return ""
}

// TestOverRanks runs graphs over 2, 3 and 4 ranks, over which a seed spreads their EDTs.
func TestOverRanks(t *testing.T) {
	n := testrun.Sized[uint64](20, 60, 8000)
	onAll(0, n, func(seed uint64) (ok bool) {
		p := Generate(seed, 1+int(seed*7%60))
		diff := differsOverRanks(p)
		if diff != "" {
			small := Shrink(p, func(q *Plan) bool { return differsOverRanks(q) != "" })
			t.Errorf("graph %d: %s\nthe smallest that fails has %d nodes, without %d: %s", seed, diff, len(small.Nodes),
				small.Without, differsOverRanks(small))
		}
		return diff == ""
	})
}

func differsOverRanks(p *Plan) string {
	want := p.Expect()
	for order := range uint64(4) {
		ranks := [...]int{2, 4, 3, 4}[order]
		cfg := edt.Config{Workers: 1 + int(order/2)}
		if order == 1 {
			cfg.Observe = func(*edt.Worker) edt.Observer { return edt.NopObserver{} }
		}
		h := edttest.NewRanks(order, ranks, cfg)
		diff := trial(h, p, want, ranks)
		h.Graph.Close()
		if diff != "" {
			return fmt.Sprintf("order %d, %d ranks: %s", order, ranks, diff)
		}
	}
	return ""
}

func trial(h *edttest.Host, p *Plan, want *Outcome, ranks int) string {
	x := p.NewExecution()
	x.Shutdown, x.Ranks = p.Seed%3 == 0, ranks
	if err := h.Run(x.Main); err != nil {
		return err.Error()
	}
	if diff := x.Compare(h.Graph.Counters(), want); diff != "" {
		return diff
	}
	if leaks := h.Graph.Leaks(); len(leaks) > 0 {
		return fmt.Sprintf("leaks %v", leaks)
	}
	return ""
}

// TestPlansStayTheSame: a plan with more nodes begins with the plan of fewer nodes. So a smaller plan may show the same
// failure.
func TestPlansStayTheSame(t *testing.T) {
	for seed := range uint64(50) {
		small, large := Generate(seed, 20), Generate(seed, 40)
		for i := range small.Nodes {
			if a, b := drawn(&small.Nodes[i]), drawn(&large.Nodes[i]); a != b {
				t.Fatalf("seed %d: node %d is %s of 20, %s of 40", seed, i, a, b)
			}
		}
	}
}

// drawn describes a node without what nodes after it may add: children, a gate, calls.
func drawn(n *Node) string {
	text := fmt.Sprint(n.Parent, n.Params, n.OwnMade, n.Finish, n.Place, n.Victims)
	for _, s := range n.Slots {
		if s.Kind != fromGate {
			text += fmt.Sprint(", ", s.Kind, s.ID, s.Mode, s.Wired, s.Give, s.Payload)
		}
	}
	return text
}

// TestOrderIsChecked: an EDT that runs before all others is found by the event that it waits for, unless it may wait
// for either of two EDTs.
func TestOrderIsChecked(t *testing.T) {
	idempotent, fed := 0, 0
	for seed := range uint64(50) {
		p := Generate(seed, 40)
		for e, ev := range p.Events {
			x := p.NewExecution()
			x.checkTrigger(0, e)
			switch found := len(x.problems) > 0; {
			case found && ev.Type == edt.Idempotent:
				idempotent++
			case found && ev.Fed:
				fed++
			case !found && ev.Type != edt.Idempotent && !ev.Fed:
				t.Errorf("seed %d: nothing is checked for event %d: %+v", seed, e, ev)
			}
		}
	}
	if idempotent == 0 || fed == 0 {
		t.Errorf("%d idempotent events and %d links are checked", idempotent, fed)
	}
}

// TestShrink finds the smallest plan for a failure that one feature and one node cause.
func TestShrink(t *testing.T) {
	p := Generate(5, 60)
	small := Shrink(p, func(q *Plan) bool { return len(q.Nodes) > 17 && q.Without&Scopes == 0 })
	if len(small.Nodes) != 18 || small.Without != (1<<numFeatures-1)&^Scopes {
		t.Errorf("%d nodes without %v", len(small.Nodes), small.Without)
	}
	testrun.Equal(t, p, Shrink(p, func(*Plan) bool { return false }), "a plan that does not fail has shrunk")
}

// FuzzGraph: every plan that the generator makes has the outcome that the oracle computes.
func FuzzGraph(f *testing.F) {
	f.Add(uint64(1), uint8(30), uint16(0), uint64(1), uint8(2))
	f.Add(uint64(7), uint8(49), uint16(SceneActs), uint64(0), uint8(0))
	f.Add(uint64(1<<63), uint8(0), uint16(0xffff), uint64(3), uint8(7))
	f.Fuzz(func(t *testing.T, seed uint64, nodes uint8, without uint16, order uint64, workers uint8) {
		p := GenerateWithout(seed, int(nodes), Feature(without)&(1<<numFeatures-1))
		h := edttest.New(order, edt.Config{Workers: 1 + int(workers%8)})
		defer h.Graph.Close()
		testrun.Equal(t, "", trial(h, p, p.Expect(), 1))
	})
}
