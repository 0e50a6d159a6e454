package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ocr/datablock"
	"ocr/internal/graph/plan"
	"ocr/internal/proof/testrun"
)

type edge [2]uint32

// graph makes a graph of nodes and two blocks from its edges and uses.
func graph(nodes int, edges []edge, uses ...plan.Use) plan.Graph {
	g := plan.Graph{Nodes: nodes, Blocks: 2, Uses: uses}
	g.Edges = func(yield func(from, to uint32) bool) {
		for _, e := range edges {
			if !yield(e[0], e[1]) {
				return
			}
		}
	}
	return g
}

func use(node, block uint32, mode datablock.Mode) plan.Use {
	return plan.Use{Node: node, Block: block, Mode: mode}
}

// TestPlan has a graph a row, and its fault: "" for none.
func TestPlan(t *testing.T) {
	const rw, ew, ro, cm, null = datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null
	chain := []edge{{0, 1}, {1, 2}}
	for name, test := range map[string]struct {
		g    plan.Graph
		want string
	}{
		"no nodes":                        {graph(0, nil), ""},
		"a cycle of one":                  {graph(1, []edge{{0, 0}}), "cycle of 1 at 0"},
		"a cycle behind a node":           {graph(3, []edge{{0, 1}, {1, 2}, {2, 1}}), "cycle of 2 at 2"},
		"EW in order":                     {graph(3, chain, use(0, 0, ew), use(2, 0, ew)), ""},
		"EW in no order":                  {graph(2, nil, use(0, 1, ew), use(1, 1, ew)), "0 and 1 of block 1 in no order"},
		"RW beside RW":                    {graph(2, nil, use(0, 0, rw), use(1, 0, rw)), ""},
		"RW beside Const":                 {graph(2, nil, use(0, 0, rw), use(1, 0, cm)), "0 and 1 of block 0 in no order"},
		"RO beside EW":                    {graph(2, nil, use(0, 0, ro), use(1, 0, ew)), ""},
		"Null beside EW":                  {graph(2, nil, use(0, 0, null), use(1, 0, ew)), ""},
		"other blocks":                    {graph(2, nil, use(0, 0, ew), use(1, 1, ew)), ""},
		"no block":                        {graph(2, nil, use(0, plan.None, ew), use(1, plan.None, ew)), ""},
		"RW, EW, RW in order":             {graph(3, chain, use(0, 1, rw), use(1, 1, ew), use(2, 1, rw)), ""},
		"a block on two slots":            {graph(1, nil, use(0, 0, rw), use(0, 0, rw)), ""},
		"a block on two slots in 2 modes": {graph(1, nil, use(0, 0, rw), use(0, 0, ro)), "modes RW and RO at 0, slot 1"},
	} {
		_, fault := plan.Of(test.g)
		testrun.Equal(t, test.want, text(fault), name)
	}
}

func text(f *plan.Fault) string {
	switch {
	case f == nil:
		return ""
	case f.Why == plan.Cycle:
		return fmt.Sprintf("cycle of %d at %d", f.Cycle, f.Node)
	case f.Why == plan.Mixed:
		return fmt.Sprintf("modes %v and %v at %d, slot %d", f.First.Mode, f.Second.Mode, f.Node, f.Slot)
	}
	return fmt.Sprintf("%d and %d of block %d in no order", f.First.Node, f.Node, f.Second.Block)
}

// TestRandomPlans compares plans of random graphs with the definition: all paths, and all pairs of uses.
func TestRandomPlans(t *testing.T) {
	modes := []datablock.Mode{datablock.RW, datablock.EW, datablock.RO, datablock.Const, datablock.Null}
	faults := map[plan.Reason]int{}
	for seed := range uint64(testrun.Sized(2000, 5000, 100000)) {
		r := rand.New(rand.NewPCG(seed, 0))
		nodes := 1 + r.IntN(8)
		var edges []edge
		for range r.IntN(3 * nodes) {
			from, to := uint32(r.IntN(nodes)), uint32(r.IntN(nodes))
			if r.IntN(8) > 0 {
				from, to = min(from, to), max(from, to)
			}
			if from != to {
				edges = append(edges, edge{from, to})
			}
		}
		var uses []plan.Use
		for n := range nodes {
			for range r.IntN(3) {
				uses = append(uses, use(uint32(n), uint32(r.IntN(2)), modes[r.IntN(len(modes))]))
			}
		}
		p, fault := plan.Of(graph(nodes, edges, uses...))
		want := byDefinition(nodes, edges, uses)
		switch {
		case fault != nil && fault.Why != want:
			t.Fatalf("seed %d: %s, want reason %d", seed, text(fault), want)
		case fault == nil && want != 0:
			t.Fatalf("seed %d: no fault, want reason %d", seed, want)
		case fault == nil:
			checkLists(t, p, edges)
		}
		faults[want]++
	}
	testrun.Equal(t, 4, len(faults), "verdicts: %v", faults)
}

// byDefinition returns the reason why a graph cannot run, 0 if it can.
func byDefinition(nodes int, edges []edge, uses []plan.Use) plan.Reason {
	var path [8][8]bool
	for _, e := range edges {
		path[e[0]][e[1]] = true
	}
	for via := range nodes {
		for a := range nodes {
			for b := range nodes {
				path[a][b] = path[a][b] || path[a][via] && path[via][b]
			}
		}
	}
	for n := range nodes {
		if path[n][n] {
			return plan.Cycle
		}
	}
	for _, a := range uses {
		for _, b := range uses {
			if a.Node == b.Node && a.Block == b.Block && a.Mode != b.Mode && max(a.Mode, b.Mode) != datablock.Null {
				return plan.Mixed
			}
		}
	}
	beside := map[datablock.Mode][]datablock.Mode{ // OCR 1.2, §1.6
		datablock.RW: {datablock.RW}, datablock.Const: {datablock.Const}, datablock.EW: nil,
	}
	for _, a := range uses {
		for _, b := range uses {
			_, excludes := beside[a.Mode]
			_, excluded := beside[b.Mode]
			if a.Node != b.Node && a.Block == b.Block && excludes && excluded && !slices.Contains(beside[a.Mode], b.Mode) &&
				!path[a.Node][b.Node] && !path[b.Node][a.Node] {
				return plan.Unordered
			}
		}
	}
	return 0
}

// checkLists checks that a plan has each edge once, and the numbers of predecessors.
func checkLists(t *testing.T, p *plan.Plan, edges []edge) {
	t.Helper()
	slices.SortFunc(edges, func(a, b edge) int { return slices.Compare(a[:], b[:]) })
	want := slices.Compact(edges)
	var got []edge
	into := make([]uint32, len(p.Predecessors))
	for n := range uint32(len(p.Predecessors)) {
		for _, to := range slices.Sorted(slices.Values(p.Successors(n))) {
			got = append(got, edge{n, to})
			into[to]++
		}
	}
	testrun.Same(t, fmt.Sprint(want), fmt.Sprint(got), "edges")
	testrun.Same(t, into, p.Predecessors, "numbers of predecessors")
}
